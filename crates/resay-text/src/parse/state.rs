//! The transition system: arc-hybrid (Kuhlmann, Gómez-Rodríguez and Satta, 2011) with the root
//! after the last word.
//!
//! A state is a stack of words that wait for their head or for right children, and the next word of
//! the sentence. `S0` is the top of the stack, `S1` and `S2` are below it, `N0` is the next word.
//! There are three actions:
//!
//! ```text
//! Shift   N0 goes onto the stack
//! Left    S0 becomes a child of N0 and leaves the stack
//! Right   S0 becomes a child of S1 and leaves the stack
//! ```
//!
//! The root is at the position after the last word. A word may become its child only if it is the
//! last one on the stack. So there is exactly one such word, every other word gets a head before
//! it, and the end is reached after `2n` actions on every path. A word gets its head after all
//! words between the two, so there is no cycle.
//!
//! The states of a beam share most of their stacks. A stack is therefore a linked list of immutable
//! nodes, and a state is a few numbers that are copied.

use super::super::Head;
use super::super::learn::hash::mix;

/// The actions. Their numbers are those of the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Action {
    /// The next word goes onto the stack.
    Shift,
    /// The top of the stack becomes a child of the next word.
    Left,
    /// The top of the stack becomes a child of the word below it.
    Right,
}

#[cfg(test)]
impl Action {
    /// All actions, in the order in which ties are broken.
    pub(super) const ALL: [Self; 3] = [Self::Shift, Self::Left, Self::Right];
}

/// A word with the children found so far. Words count from 1; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) word: u16,
    /// The leftmost child, and the next one to its right.
    pub(super) left: [u16; 2],
    /// The rightmost child, and the next one to its left.
    pub(super) right: [u16; 2],
    pub(super) n_left: u8,
    pub(super) n_right: u8,
}

impl Node {
    fn at(word: u16) -> Self {
        Self { word, ..Self::default() }
    }

    /// Returns a hash for lookups.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let children = [self.left[0], self.left[1], self.right[0], self.right[1]];
        let children = children.into_iter().fold(0_u64, |all, child| all << 16 | u64::from(child));
        let numbers = u64::from(self.word) << 16 | u64::from(self.n_left) << 8 | u64::from(self.n_right);
        mix(numbers, children)
    }
}

/// A link of a stack. Link 0 is the empty stack.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    node: Node,
    below: u32,
}

/// The stacks of all states of a sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    links: Vec<Link>,
}

/// A state: its stack and the next word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    top: u32,
    pub(super) next: Node,
}

/// The part of a state from which features are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    pub(super) s0: Node,
    pub(super) s1: Node,
    pub(super) s2: u16,
    pub(super) n0: Node,
}

impl Stacks {
    /// Discards all stacks and returns the initial state, with an empty stack.
    pub(super) fn start(&mut self) -> State {
        self.links.clear();
        self.links.push(Link::default());
        State { top: 0, next: Node::at(1) }
    }

    pub(super) fn view(&self, state: State) -> View {
        let s0 = self.links[state.top as usize];
        let s1 = self.links[s0.below as usize];
        View { s0: s0.node, s1: s1.node, s2: self.links[s1.below as usize].node.word, n0: state.next }
    }

    /// Returns the words on the stack, from the top.
    pub(super) fn words(&self, state: State) -> impl Iterator<Item = u16> + '_ {
        let mut at = state.top as usize;
        std::iter::from_fn(move || {
            let link = self.links[at];
            at = link.below as usize;
            (link.node.word != 0).then_some(link.node.word)
        })
    }

    /// Returns the state after an allowed action.
    pub(super) fn after(&mut self, state: State, action: Action) -> State {
        let s0 = self.links[state.top as usize];
        match action {
            Action::Shift => State { top: self.push(state.next, state.top), next: Node::at(state.next.word + 1) },
            Action::Left => {
                let mut next = state.next;
                next.left = [s0.node.word, next.left[0]];
                next.n_left = next.n_left.saturating_add(1);
                State { top: s0.below, next }
            }
            Action::Right => {
                let s1 = self.links[s0.below as usize];
                let mut node = s1.node;
                node.right = [s0.node.word, node.right[0]];
                node.n_right = node.n_right.saturating_add(1);
                State { top: self.push(node, s1.below), next: state.next }
            }
        }
    }

    fn push(&mut self, node: Node, below: u32) -> u32 {
        self.links.push(Link { node, below });
        (self.links.len() - 1) as u32
    }
}

impl View {
    /// Returns a hash for lookups.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let stack = mix(self.s0.hash(), self.s1.hash());
        mix(stack.wrapping_add(self.s2.into()), self.n0.hash())
    }

    /// Whether an action is allowed in a sentence of `n_words` words. At least one is, until the
    /// end.
    #[inline]
    pub(super) fn allows(&self, action: Action, n_words: usize) -> bool {
        let is_at_root = self.n0.word as usize > n_words;
        match action {
            Action::Shift => !is_at_root,
            Action::Left => self.s0.word != 0 && (!is_at_root || self.s1.word == 0),
            Action::Right => self.s1.word != 0,
        }
    }

    /// Returns the arc that an action adds: child and head.
    #[cfg(test)]
    pub(super) fn arc(&self, action: Action) -> Option<(u16, u16)> {
        match action {
            Action::Shift => None,
            Action::Left => Some((self.s0.word, self.n0.word)),
            Action::Right => Some((self.s0.word, self.s1.word)),
        }
    }
}

/// Builds the tree from its `2n` actions: the head of each of `n_words` words.
pub(super) fn tree(actions: impl Iterator<Item = Action>, n_words: usize, stack: &mut Vec<u32>, heads: &mut Vec<Head>) {
    stack.clear();
    heads.clear();
    heads.resize(n_words, Head::Root);
    let mut next = 0;
    for action in actions {
        match action {
            Action::Shift => {
                stack.push(next);
                next += 1;
            }
            Action::Left => {
                if let Some(child) = stack.pop() {
                    heads[child as usize] = if next as usize == n_words { Head::Root } else { Head::Word(next) };
                }
            }
            Action::Right => {
                if let (Some(child), Some(&head)) = (stack.pop(), stack.last()) {
                    heads[child as usize] = Head::Word(head);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enumerates all paths through a sentence of `n_words` words, as actions and the arcs that the
    /// views return.
    fn all(n_words: usize) -> Vec<(Vec<Action>, Vec<Head>)> {
        fn go(
            stacks: &mut Stacks,
            state: State,
            n_words: usize,
            path: &mut Vec<(Action, Option<(u16, u16)>)>,
            out: &mut Vec<(Vec<Action>, Vec<Head>)>,
        ) {
            let view = stacks.view(state);
            let allowed: Vec<Action> = Action::ALL.into_iter().filter(|&a| view.allows(a, n_words)).collect();
            assert_eq!(allowed.is_empty(), path.len() == 2 * n_words);
            if allowed.is_empty() {
                let mut heads = vec![Head::Root; n_words];
                for (child, head) in path.iter().filter_map(|(_, arc)| *arc) {
                    if head as usize <= n_words {
                        heads[child as usize - 1] = Head::Word(u32::from(head) - 1);
                    }
                }
                out.push((path.iter().map(|(action, _)| *action).collect(), heads));
            }
            for action in allowed {
                let after = stacks.after(state, action);
                path.push((action, view.arc(action)));
                go(stacks, after, n_words, path, out);
                path.pop();
            }
        }
        let mut stacks = Stacks::default();
        let state = stacks.start();
        let mut out = Vec::new();
        go(&mut stacks, state, n_words, &mut Vec::new(), &mut out);
        out
    }

    #[test]
    fn every_way_through_builds_a_tree_with_one_root() {
        for n_words in 1..=5 {
            for (actions, arcs) in all(n_words) {
                let (mut stack, mut heads) = (Vec::new(), Vec::new());
                tree(actions.into_iter(), n_words, &mut stack, &mut heads);
                assert_eq!(heads, arcs);
                assert_eq!(heads.iter().filter(|head| **head == Head::Root).count(), 1);
                for mut word in 0..n_words {
                    let mut n_steps = 0;
                    while let Head::Word(head) = heads[word] {
                        word = head as usize;
                        n_steps += 1;
                        assert!(n_steps <= n_words, "a cycle in {heads:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn nodes_know_their_outer_children() {
        // Words 1 and 2 become left children of 3, then 4 and 5 right ones.
        use Action::{Left, Right, Shift};
        let mut stacks = Stacks::default();
        let mut state = stacks.start();
        for action in [Shift, Shift, Left, Left, Shift, Shift, Right, Shift, Right] {
            state = stacks.after(state, action);
        }
        let found = stacks.view(state).s0;
        assert_eq!(found, Node { word: 3, left: [1, 2], right: [5, 4], n_left: 2, n_right: 2 });
        assert_eq!(stacks.words(state).collect::<Vec<_>>(), [3]);
    }
}
