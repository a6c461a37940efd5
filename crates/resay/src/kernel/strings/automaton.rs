//! The automaton over frequent strings (Saunders, Shawe-Taylor and Vinokourov 2002, Definition 2).
//!
//! Problem: given texts and a number t >= 2, let S be the set of all strings that occur at least t
//! times in them. While reading a text, the state is the longest suffix of the input so far that is
//! in S. Given a state u and a symbol x, find the longest suffix of ux in S.
//!
//! S can be quadratic in the length of a repeat: boilerplate of 1,000 letters has half a million
//! substrings. But strings with the same set of end positions in the texts can share one state, and
//! the texts themselves only ever reach the longest of them. So the states are those of the suffix
//! automaton with at least t end positions, fewer than there are symbols in the texts. They are the
//! branching nodes of the suffix tree of the reversed texts:
//!
//! 1. Sort the suffixes of all reversed texts (`suffixes.rs`). Nodes are runs of suffixes that
//!    share a prefix.
//! 2. The parent of a node is its longest proper suffix with more end positions. The automaton
//!    falls back to it when there is no transition by a symbol.
//! 3. A node without its last symbol is a node too (`before`). On the path down the tree from the
//!    parent's `before` to the node's, every node has a transition to the node by that symbol.
//!
//! Each step down is one transition of the suffix automaton, which has at most three per symbol, so
//! the whole construction is linear.

use super::alphabet::Alphabet;
use super::check_at;
use super::suffixes::{Letter, ranks, shared_beginnings, suffix_array};
use crate::Result;
use resay_learn::progress::Progress;
use resay_text::Symbol;

/// The empty string.
pub(super) const ROOT: u32 = 0;

/// An automaton over the frequent strings of a corpus. Parents precede their children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automaton {
    alphabet: Alphabet,
    /// Per state, the length of its longest string.
    lens: Vec<u32>,
    /// Per state, the state of the longest suffix of its strings outside the state; the root is its
    /// own parent.
    parents: Vec<u32>,
    /// Per state, its longest string is that of state `before` followed by the symbol `last`.
    before: Vec<u32>,
    last: Vec<u32>,
    /// State `u` has the edges `edges[starts[u]..starts[u + 1]]`: symbol and state, by ascending
    /// symbol.
    starts: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

/// The position of a text in the automaton: the longest suffix of the input so far that is
/// frequent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The state of the string.
    pub(super) state: u32,
    /// The length of the string, at most that of the longest string of the state.
    pub(super) len: u32,
}

impl Place {
    /// The start of a text.
    pub(super) const START: Self = Self { state: ROOT, len: 0 };
}

/// A run of suffixes, adjacent in sorted order, that share exactly their first `len` symbols.
struct Node {
    left: u32,
    right: u32,
    len: u32,
}

impl Automaton {
    /// Builds the automaton over the strings that occur at least `min` times (2 or more) in
    /// `texts`.
    pub(super) fn new(texts: &[&[Symbol]], min: usize, progress: Progress<'_>) -> Result<Self> {
        let alphabet = Alphabet::of(texts);
        if alphabet.len() < 255 {
            let reversed: Vec<u8> = reverse(texts, &alphabet, |number| number as u8);
            return Self::over(alphabet, &reversed, texts.len(), min, progress);
        }
        let reversed: Vec<u32> = reverse(texts, &alphabet, |number| number);
        Self::over(alphabet, &reversed, texts.len(), min, progress)
    }

    /// Builds the automaton from all texts reversed, each followed by 0, with symbols numbered from
    /// 1.
    fn over<T: Letter>(
        alphabet: Alphabet,
        reversed: &[T],
        n_texts: usize,
        min: usize,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let order = suffix_array(reversed, alphabet.len() + 1, progress)?;
        let ranks = ranks(&order, progress)?;
        let shared = shared_beginnings(reversed, &order, &ranks, 1, progress)?;
        let nodes = nodes(&shared, n_texts, min.max(2), progress)?;
        drop(shared);
        progress.check()?;
        let parents = parents(&nodes);
        progress.check()?;
        let children = Children::new(&nodes, &parents);

        let n = nodes.len();
        let (mut before, mut last) = (vec![ROOT; n], vec![0; n]);
        let mut found: Vec<(u32, u32, u32)> = Vec::with_capacity(2 * n); // From, symbol, to.
        for node in 1..n {
            check_at(node, progress)?;
            let at = order[nodes[node].left as usize] as usize;
            // A node has a symbol, so something follows it, if only the separator after the
            // reversed text.
            let (symbol, rank) = (reversed[at].into() - 1, ranks[at + 1]);
            let parent = parents[node] as usize;
            let mut state = before[parent];
            if parent as u32 == ROOT {
                found.push((ROOT, symbol, node as u32));
            }
            while nodes[state as usize].len + 1 < nodes[node].len {
                let Some(child) = children.holding(state, rank, &nodes) else { break };
                state = child;
                found.push((state, symbol, node as u32));
            }
            (before[node], last[node]) = (state, symbol);
        }
        let lens = nodes.iter().map(|node| node.len).collect();
        progress.check()?;
        Ok(Self::assemble(alphabet, lens, parents, (before, last), found))
    }

    fn assemble(
        alphabet: Alphabet,
        lens: Vec<u32>,
        parents: Vec<u32>,
        (before, last): (Vec<u32>, Vec<u32>),
        found: Vec<(u32, u32, u32)>,
    ) -> Self {
        let mut starts = vec![0_u32; lens.len() + 1];
        found.iter().for_each(|(from, ..)| starts[*from as usize + 1] += 1);
        for state in 0..lens.len() {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut edges = vec![(0, 0); found.len()];
        for (from, symbol, to) in found {
            let place = &mut next[from as usize];
            edges[*place as usize] = (symbol, to);
            *place += 1;
        }
        for state in 0..lens.len() {
            edges[starts[state] as usize..starts[state + 1] as usize].sort_unstable();
        }
        Self { alphabet, lens, parents, before, last, starts, edges }
    }

    /// Returns the number of states, including the root.
    pub(super) fn n_states(&self) -> usize {
        self.lens.len()
    }

    /// Returns the symbols of the corpus.
    pub(super) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Returns whether the place is the longest string of its state. Only texts outside the corpus
    /// reach other places.
    pub(super) fn is_longest(&self, place: Place) -> bool {
        self.lens[place.state as usize] == place.len
    }

    /// Returns the place after reading the symbol with this number: the longest frequent suffix.
    pub(super) fn step(&self, place: Place, number: u32) -> Place {
        let Place { mut state, mut len } = place;
        loop {
            if let Some(to) = self.edge(state, number) {
                return Place { state: to, len: len + 1 };
            }
            if state == ROOT {
                return Place::START;
            }
            state = self.parents[state as usize];
            len = self.lens[state as usize];
        }
    }

    fn edge(&self, state: u32, number: u32) -> Option<u32> {
        let edges = &self.edges[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize];
        let at = edges.partition_point(|(symbol, _)| *symbol < number);
        edges.get(at).filter(|(symbol, _)| *symbol == number).map(|(_, to)| *to)
    }

    /// Returns the longest string of a state, or its last `most` symbols if it is longer.
    pub(super) fn string(&self, state: u32, most: usize) -> Vec<Symbol> {
        let mut string = Vec::new();
        let mut at = state;
        while at != ROOT && string.len() < most {
            string.push(self.alphabet.symbols()[self.last[at as usize] as usize]);
            at = self.before[at as usize];
        }
        string.reverse();
        string
    }

    /// Writes the number of states, then for each state: parent, state before, last symbol, number
    /// of edges, and the symbol and target of each edge. Lengths follow from these.
    pub(super) fn write(&self, out: &mut Vec<u32>) {
        out.push(self.n_states() as u32);
        for state in 0..self.n_states() {
            out.extend([self.parents[state], self.before[state], self.last[state]]);
            let edges = &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize];
            out.push(edges.len() as u32);
            edges.iter().for_each(|(symbol, to)| out.extend([*symbol, *to]));
        }
    }

    /// Reads what [`Self::write`] wrote and checks every number. Returns `None` if one is invalid.
    pub(super) fn read(alphabet: Alphabet, numbers: &mut impl Iterator<Item = u32>) -> Option<Self> {
        let n = numbers.next()?;
        let below = |number: u32, limit: u32| (number < limit).then_some(number);
        let n_symbols = alphabet.len() as u32;
        let (mut parents, mut before, mut last, mut found) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for state in 0..n {
            // Parents come first, so every path to the root ends.
            parents.push(below(numbers.next()?, state.max(1))?);
            before.push(below(numbers.next()?, n)?);
            last.push(below(numbers.next()?, n_symbols.max(1))?);
            let n_edges = below(numbers.next()?, n_symbols + 1)?;
            for _ in 0..n_edges {
                found.push((state, below(numbers.next()?, n_symbols)?, below(numbers.next()?, n)?));
            }
        }
        let is_sorted = found.windows(2).all(|two| (two[0].0, two[0].1) < (two[1].0, two[1].1));
        let lens = lens(&before)?;
        // A parent is shorter, so places shrink on the path to the root. The string of an edge fits
        // its state.
        let is_sound = (1..n as usize).all(|state| lens[parents[state] as usize] < lens[state])
            && found.iter().all(|(from, _, to)| lens[*from as usize] < lens[*to as usize]);
        (n > 0 && is_sorted && is_sound).then(|| Self::assemble(alphabet, lens, parents, (before, last), found))
    }
}

/// Returns the length of the longest string of every state, one more than that of the state before
/// it. Returns `None` if a chain of states before does not reach the root.
fn lens(before: &[u32]) -> Option<Vec<u32>> {
    let mut lens = vec![u32::MAX; before.len()];
    *lens.first_mut()? = 0;
    let mut way = Vec::new();
    for state in 1..before.len() as u32 {
        let mut at = state;
        while lens[at as usize] == u32::MAX {
            if way.len() > before.len() {
                return None;
            }
            way.push(at);
            at = before[at as usize];
        }
        let mut len = lens[at as usize];
        while let Some(state) = way.pop() {
            len += 1;
            lens[state as usize] = len;
        }
    }
    Some(lens)
}

/// Concatenates all texts reversed, each followed by 0; symbols are numbered from 1 in alphabet
/// order.
fn reverse<T: Letter>(texts: &[&[Symbol]], alphabet: &Alphabet, letter: impl Fn(u32) -> T) -> Vec<T> {
    let mut reversed = Vec::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        let numbers = text.iter().rev().map(|symbol| alphabet.number(*symbol).map_or(0, |number| number + 1));
        reversed.extend(numbers.map(&letter));
        reversed.push(letter(0));
    }
    reversed
}

/// Returns the runs of at least `min` suffixes that share a prefix, parents first; the root holds
/// all. The first suffixes in order start with a separator, one per text.
fn nodes(shared: &[u32], n_texts: usize, min: usize, progress: Progress<'_>) -> Result<Vec<Node>> {
    let (first, end) = (n_texts as u32, shared.len() as u32);
    let mut nodes = Vec::new();
    // Runs still open: the length they share, and where they start.
    let mut open: Vec<(u32, u32)> = vec![(0, first)];
    for rank in first + 1..=end {
        check_at(rank as usize, progress)?;
        let len = if rank < end { shared[rank as usize] } else { 0 };
        let mut left = rank - 1;
        while let Some(&(open_len, open_left)) = open.last()
            && open_len > len
        {
            if (rank - open_left) as usize >= min {
                nodes.push(Node { left: open_left, right: rank, len: open_len });
            }
            left = open_left;
            open.pop();
        }
        if open.last().is_none_or(|(open_len, _)| *open_len < len) {
            open.push((len, left));
        }
    }
    nodes.push(Node { left: first, right: end, len: 0 });
    nodes.reverse();
    Ok(nodes)
}

/// Returns the parent of each node. Nodes are given parents first, and siblings from right to left.
fn parents(nodes: &[Node]) -> Vec<u32> {
    let mut parents = Vec::with_capacity(nodes.len());
    let mut open: Vec<u32> = Vec::new();
    for (idx, node) in nodes.iter().enumerate() {
        while open.len() > 1 && open.last().is_some_and(|&last| nodes[last as usize].left >= node.right) {
            open.pop();
        }
        parents.push(open.last().copied().unwrap_or(ROOT));
        open.push(idx as u32);
    }
    parents
}

/// The children of each node: `nodes[starts[u]..starts[u + 1]]`, from right to left.
struct Children {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Children {
    fn new(nodes: &[Node], parents: &[u32]) -> Self {
        let mut starts = vec![0_u32; nodes.len() + 1];
        parents.iter().skip(1).for_each(|parent| starts[*parent as usize + 1] += 1);
        for node in 0..nodes.len() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut children = vec![0; nodes.len().saturating_sub(1)];
        for (node, parent) in parents.iter().enumerate().skip(1) {
            let place = &mut next[*parent as usize];
            children[*place as usize] = node as u32;
            *place += 1;
        }
        Self { starts, nodes: children }
    }

    /// Returns the child of `node` that contains the suffix of this rank.
    fn holding(&self, node: u32, rank: u32, nodes: &[Node]) -> Option<u32> {
        let children = &self.nodes[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize];
        let at = children.partition_point(|&child| nodes[child as usize].left > rank);
        children.get(at).copied().filter(|&child| rank < nodes[child as usize].right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use resay_learn::progress::testing::stops;
    use std::collections::{BTreeMap, BTreeSet};

    type Texts = Vec<Vec<Symbol>>;

    /// Counts all strings one by one. Returns those that occur at least `min` times and the empty
    /// string.
    fn frequent(texts: &Texts, min: usize) -> BTreeSet<Vec<Symbol>> {
        let mut counts: BTreeMap<Vec<Symbol>, usize> = BTreeMap::new();
        for text in texts {
            for start in 0..text.len() {
                for end in start + 1..=text.len() {
                    *counts.entry(text[start..end].to_vec()).or_default() += 1;
                }
            }
        }
        counts.into_iter().filter(|(_, n)| *n >= min).map(|(string, _)| string).chain([Vec::new()]).collect()
    }

    fn check(texts: &Texts, others: &Texts, min: usize) {
        let borrowed: Vec<&[Symbol]> = texts.iter().map(Vec::as_slice).collect();
        let automaton = Automaton::new(&borrowed, min, Progress::none()).unwrap();
        let strings = frequent(texts, min);
        // The longest string of every state is frequent, and no two states share it.
        let states: Vec<Vec<Symbol>> = (0..automaton.n_states()).map(|u| automaton.string(u as u32, 99)).collect();
        assert_eq!(states.iter().collect::<BTreeSet<_>>().len(), states.len());
        assert!(states.iter().all(|string| strings.contains(string)), "{states:?} of {texts:?}");
        // From every frequent string, not only from the reachable ones, every symbol leads to the
        // right place.
        for string in &strings {
            let read = |string: &[Symbol]| {
                string.iter().fold(Place::START, |place, x| match automaton.alphabet().number(*x) {
                    Some(number) => automaton.step(place, number),
                    None => Place::START,
                })
            };
            let place = read(string);
            assert_eq!(place.len as usize, string.len(), "{string:?}");
            for x in 0..4 {
                let longer: Vec<Symbol> = string.iter().copied().chain([x]).collect();
                let end = (0..=longer.len()).find(|&start| strings.contains(&longer[start..])).unwrap();
                let to = read(&longer);
                assert_eq!(to.len as usize, longer.len() - end, "{string:?} {x} in {texts:?}, at least {min} times");
                // The place is that string: the longest string of its state ends with it.
                assert!(states[to.state as usize].ends_with(&longer[end..]));
            }
        }
        for (text, is_own) in texts.iter().map(|t| (t, true)).chain(others.iter().map(|t| (t, false))) {
            let mut place = Place::START;
            for (idx, x) in text.iter().enumerate() {
                place = automaton.alphabet().number(*x).map_or(Place::START, |number| automaton.step(place, number));
                let start = (0..=idx + 1).find(|&start| strings.contains(&text[start..=idx])).unwrap_or(idx + 1);
                assert_eq!(place.len as usize, idx + 1 - start);
                assert!(!is_own || automaton.is_longest(place), "{text:?} {idx}");
                if automaton.is_longest(place) {
                    assert_eq!(states[place.state as usize], text[start..=idx]);
                }
            }
        }
        let mut numbers = Vec::new();
        automaton.write(&mut numbers);
        assert_eq!(Automaton::read(automaton.alphabet.clone(), &mut numbers.into_iter()).unwrap(), automaton);
    }

    fn texts(n_symbols: u32) -> impl Strategy<Value = Texts> {
        prop::collection::vec(prop::collection::vec(0..n_symbols, 0..12), 0..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn states_and_transitions_are_the_definition(
            texts in (1_u32..4).prop_flat_map(texts), others in texts(4), min in 2_usize..6
        ) {
            check(&texts, &others, min);
        }
    }

    #[test]
    fn repeats_have_few_states() {
        // The same 2,000 symbols three times: two million strings occur three times, in 2,000
        // states.
        let long: Vec<Symbol> = (0..2000).map(|idx| idx * idx % 7919).collect();
        let automaton = Automaton::new(&[&long, &long, &long], 3, Progress::none()).unwrap();
        assert!(automaton.n_states() <= 2001, "{}", automaton.n_states());
        check(&vec![vec![1; 30], vec![1; 10]], &vec![vec![1; 50]], 4);
        let letter = vec![1; 200_000];
        assert_eq!(Automaton::new(&[&letter], 10, Progress::none()).unwrap().n_states(), 200_000 - 8);
    }

    #[test]
    fn strange_numbers_are_refused() {
        let texts: Texts = vec![vec![0, 1, 0, 1, 2], vec![1, 2, 0, 1]];
        let borrowed: Vec<&[Symbol]> = texts.iter().map(Vec::as_slice).collect();
        let automaton = Automaton::new(&borrowed, 2, Progress::none()).unwrap();
        let mut numbers = Vec::new();
        automaton.write(&mut numbers);
        for place in 0..numbers.len() {
            for other in [0, 1, 2, 3, 7, u32::MAX] {
                let mut changed = numbers.clone();
                changed[place] = other;
                // Every accepted automaton can read a text and terminates.
                if let Some(strange) = Automaton::read(automaton.alphabet.clone(), &mut changed.into_iter()) {
                    let mut at = Place::START;
                    for x in [0, 1, 0, 1, 2, 2, 1, 0, 1] {
                        at = strange.step(at, x);
                        strange.string(at.state, 99);
                    }
                }
            }
        }
        assert!(Automaton::read(Alphabet::default(), &mut std::iter::empty()).is_none());
    }

    #[test]
    fn it_can_be_stopped() {
        let mut state = 1_u64;
        let mut symbol = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 60) as Symbol
        };
        let text: Vec<Symbol> = (0..1_000_000).map(|_| symbol()).collect();
        stops(|progress| Automaton::new(&[&text], 3, progress));
    }
}
