//! Features of parser states, after Zhang and Nivre (2011) and McDonald's graph parsers.
//!
//! Features are grouped by what they depend on. Single words (`S0`, `S1`, `N0` with what follows
//! it) and pairs of words, with everything between and beside them, recur many times in a sentence,
//! so their scores are cached (see `search.rs`). Only features of children found so far belong to
//! the state itself. Pairs provide the arc features of a graph parser: (S0, N0) is the arc that
//! Left would add, (S1, S0) that of Right.

use super::super::atoms::Atom;
use super::super::learn::hash;
use super::TagPair;
use super::state::{Node, View};

/// A word as the parser sees it; all zeros for none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Item {
    /// The word in lower case, digits normalised.
    pub(super) word: u32,
    pub(super) tag: u32,
    pub(super) upos: u32,
    /// Word and tag combined.
    pub(super) both: u32,
    /// The Brown cluster, and its path prefixes of 6 and 10 steps.
    pub(super) brown: u32,
    pub(super) brown6: u32,
    pub(super) brown10: u32,
    /// Clusters of word vectors.
    pub(super) fine: u32,
    pub(super) coarse: u32,
}

impl Item {
    fn new(atom: &Atom, tags: TagPair) -> Self {
        let known = |cased: u32, lower: u32| if lower == 0 { cased } else { lower };
        Self {
            word: atom.lower,
            tag: tags.xpos,
            upos: tags.upos as u32 + 1,
            both: hash::mix(u64::from(atom.lower), u64::from(tags.xpos)) as u32,
            brown: atom.info.brown,
            brown6: atom.brown(6),
            brown10: atom.brown(10),
            fine: known(atom.info.fine.into(), atom.lower_info.fine.into()),
            coarse: known(atom.info.coarse.into(), atom.lower_info.coarse.into()),
        }
    }

    fn root() -> Self {
        Self { word: 1, tag: 1, upos: 18, both: 1, brown: 1, brown6: 1, brown10: 1, fine: 1, coarse: 1 }
    }
}

/// Counts of words before a position: verbs, commas and other punctuation, conjunctions.
type Counts = [u16; 3];

/// A sentence prepared for features: `items[0]` is none, words count from 1, the root is last.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    items: Vec<Item>,
    /// `before[i]` counts words `1..i`.
    before: Vec<Counts>,
}

impl Line {
    pub(super) fn set(&mut self, atoms: &[Atom], tags: &[TagPair]) {
        use super::super::Upos::{Aux, Cconj, Punct, Verb};
        self.items.clear();
        self.before.clear();
        self.items.push(Item::default());
        self.before.push(Counts::default());
        let mut counts = Counts::default();
        for (atom, &tags) in atoms.iter().zip(tags) {
            self.items.push(Item::new(atom, tags));
            self.before.push(counts);
            counts[0] += u16::from(tags.upos == Verb || tags.upos == Aux);
            counts[1] += u16::from(tags.upos == Punct);
            counts[2] += u16::from(tags.upos == Cconj);
        }
        self.items.push(Item::root());
        self.before.push(counts);
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.items.len() - 2
    }

    #[inline]
    pub(super) fn item(&self, word: u16) -> &Item {
        self.items.get(word as usize).unwrap_or(&self.items[0])
    }

    /// Describes what is between two words: the number of verbs (0, 1, more), of punctuation marks
    /// and of conjunctions.
    fn between(&self, left: u16, right: u16) -> u32 {
        let (from, to) = (self.before[(left as usize + 1).min(self.before.len() - 1)], self.before[right as usize]);
        let count = |kind: usize| u32::from(to[kind].saturating_sub(from[kind]).min(2));
        count(0) | count(1) << 2 | count(2) << 4
    }

    /// Lists the features of S0 alone. Word 0 is none.
    pub(super) fn of_s0(&self, word: u16, out: &mut Vec<u32>) {
        let s0 = self.item(word);
        let (before, after) = (self.item(word.wrapping_sub(1)), self.item(word + 1));
        let mut add = Adder { template: 0, out };
        add.put([s0.word]);
        add.put([s0.tag]);
        add.put([s0.both]);
        add.put([s0.brown, s0.tag]);
        add.put([s0.fine]);
        add.put([s0.tag, after.tag]);
        add.put([before.tag, s0.tag, after.tag]);
    }

    /// Lists the features of S1 alone.
    pub(super) fn of_s1(&self, word: u16, out: &mut Vec<u32>) {
        let s1 = self.item(word);
        let mut add = Adder { template: 10, out };
        add.put([s1.word]);
        add.put([s1.tag]);
        add.put([s1.both]);
        add.put([s1.brown, s1.tag]);
    }

    /// Lists the features of N0 and its surroundings.
    pub(super) fn of_n0(&self, word: u16, out: &mut Vec<u32>) {
        let (n0, n1, n2) = (self.item(word), self.item(word + 1), self.item(word + 2));
        let before = self.item(word.wrapping_sub(1));
        let mut add = Adder { template: 20, out };
        add.put([n0.word]);
        add.put([n0.tag]);
        add.put([n0.both]);
        add.put([n0.brown, n0.tag]);
        add.put([n0.fine]);
        add.put([n1.both]);
        add.put([n2.both]);
        add.put([n0.tag, n1.tag]);
        add.put([n0.tag, n1.tag, n2.tag]);
        add.put([n0.word, n1.tag]);
        add.put([n0.tag, n1.word]);
        add.put([n0.word, n1.word]);
        add.put([before.tag, n0.tag, n1.tag]);
        add.put([n0.brown6, n1.brown6]);
        add.put([n0.word, n1.tag, n2.tag]);
    }

    /// Lists the features of S0 and N0, the arc that Left would add.
    fn of_s0_n0(&self, left: u16, right: u16, out: &mut Vec<u32>) {
        if left == 0 {
            return;
        }
        let (s0, n0, n1, n2) = (self.item(left), self.item(right), self.item(right + 1), self.item(right + 2));
        self.arc(40, left, right, out);
        let mut add = Adder { template: 80, out };
        add.put([s0.tag, n0.tag, n1.tag]);
        add.put([s0.tag, n0.tag, n1.tag, n2.tag]);
        add.put([s0.word, n0.word, n1.tag]);
        add.put([s0.tag, n0.word, n1.word]);
        add.put([s0.tag, n0.word, n1.tag, n2.tag]);
        add.put([s0.word, n0.tag, n1.tag]);
        add.put([s0.word, n0.word, n1.word]);
        add.put([s0.brown6, n0.brown6, n1.brown6]);
        add.put([s0.brown, n0.word, n1.coarse]);
        add.put([s0.tag, n0.word, n2.both]);
    }

    /// Lists the features of S1 and S0, the arc that Right would add.
    fn of_s1_s0(&self, left: u16, right: u16, out: &mut Vec<u32>) {
        if left != 0 {
            self.arc(100, left, right, out);
        }
    }

    /// Lists the features of S1 and N0.
    fn of_s1_n0(&self, left: u16, right: u16, out: &mut Vec<u32>) {
        if left == 0 {
            return;
        }
        let (s1, n0, n1) = (self.item(left), self.item(right), self.item(right + 1));
        let mut add = Adder { template: 140, out };
        add.put([s1.tag, n0.tag]);
        add.put([s1.word, n0.tag]);
        add.put([s1.tag, n0.word]);
        add.put([s1.word, n0.word]);
        add.put([s1.brown, n0.brown]);
        add.put([s1.brown6, n0.brown6]);
        add.put([s1.tag, n0.tag, n1.tag]);
        add.put([s1.tag, n0.tag, self.between(left, right)]);
        add.put([s1.fine, n0.word]);
    }

    /// Lists the features of a pair of words: S0 and N0 (`kind` 0), S1 and S0 (1), or S1 and N0
    /// (2).
    pub(super) fn of_pair(&self, kind: u64, left: u16, right: u16, out: &mut Vec<u32>) {
        match kind {
            0 => self.of_s0_n0(left, right, out),
            1 => self.of_s1_s0(left, right, out),
            _ => self.of_s1_n0(left, right, out),
        }
    }

    /// Lists the features of two words as the ends of an arc, whichever is the head.
    fn arc(&self, template: u32, left: u16, right: u16, out: &mut Vec<u32>) {
        let (l, r) = (self.item(left), self.item(right));
        let (l_after, r_before) = (self.item(left + 1), self.item(right - 1));
        let (l_before, r_after) = (self.item(left - 1), self.item(right + 1));
        let distance = distance(left, right);
        let between = self.between(left, right);
        let mut add = Adder { template, out };
        add.put([l.both, r.tag]);
        add.put([l.tag, r.both]);
        add.put([l.word, r.word]);
        add.put([l.tag, r.tag]);
        add.put([l.tag, r.tag, distance]);
        add.put([l.tag, r.tag, between]);
        add.put([l.upos, r.upos, between, distance]);
        add.put([l.word, r.tag, between]);
        add.put([l.tag, r.word, between]);
        add.put([l.tag, l_after.tag, r_before.tag, r.tag]);
        add.put([l_before.tag, l.tag, r_before.tag, r.tag]);
        add.put([l.tag, l_after.tag, r.tag, r_after.tag]);
        add.put([l_before.tag, l.tag, r.tag, r_after.tag]);
        add.put([l.brown6, r.brown6]);
        add.put([l.brown10, r.brown10]);
        add.put([l.brown, r.brown]);
        add.put([l.brown, r.tag]);
        add.put([l.tag, r.brown]);
        add.put([l.brown6, r.tag, distance]);
        add.put([l.tag, r.brown6, distance]);
        add.put([l.fine, r.fine]);
        add.put([l.fine, r.tag]);
        add.put([l.tag, r.fine]);
        add.put([l.coarse, r.coarse, l.upos, r.upos]);
    }

    /// Lists the features of S0 or N0 (`place` 0 or 1) with the children found so far.
    pub(super) fn of_node(&self, place: u32, node: Node, out: &mut Vec<u32>) {
        let item = self.item(node.word);
        let [l1, l2] = node.left.map(|word| self.item(word));
        let [r1, r2] = node.right.map(|word| self.item(word));
        let (n_left, n_right) = (u32::from(node.n_left.min(5)), u32::from(node.n_right.min(5)));
        let mut add = Adder { template: 220 + 20 * place, out };
        add.put([item.tag, l1.tag]);
        add.put([item.tag, l1.word]);
        add.put([item.tag, l1.tag, l2.tag]);
        add.put([item.tag, n_left, n_right]);
        add.put([item.word, n_left]);
        add.put([item.word, l1.tag]);
        if place == 0 {
            add.put([item.tag, r1.tag]);
            add.put([item.tag, r1.word]);
            add.put([item.tag, r1.tag, r2.tag]);
            add.put([item.tag, l1.tag, r1.tag]);
            add.put([item.word, n_right]);
            add.put([item.word, r1.tag]);
        }
    }

    /// Lists the features of the whole state: three words, and their children found so far.
    pub(super) fn of_state(&self, view: &View, out: &mut Vec<u32>) {
        let View { s0, s1, s2, n0 } = *view;
        let (w0, w1, w2, b0) = (self.item(s0.word), self.item(s1.word), self.item(s2), self.item(n0.word));
        let (s0l, s0r) = (self.item(s0.left[0]), self.item(s0.right[0]));
        let (s1r, n0l) = (self.item(s1.right[0]), self.item(n0.left[0]));
        let mut add = Adder { template: 260, out };
        add.put([w1.tag, w0.tag, b0.tag]);
        add.put([w1.tag, w0.tag, b0.word]);
        add.put([w1.word, w0.tag, b0.word]);
        add.put([w1.brown6, w0.brown6, b0.brown6]);
        add.put([w2.tag, w1.tag, w0.tag]);
        add.put([w2.tag, w1.tag, w0.tag, b0.tag]);
        add.put([w2.tag, b0.tag]);
        add.put([w1.tag, w0.tag, b0.tag, u32::from(s0.n_left.min(3)), u32::from(s0.n_right.min(3))]);
        // Children of both ends of the arc that Left would add.
        add.put([w0.tag, s0l.tag, b0.tag]);
        add.put([w0.tag, s0r.tag, b0.tag]);
        add.put([w0.tag, s0r.word, b0.tag]);
        add.put([w0.tag, b0.tag, n0l.tag]);
        add.put([w0.tag, b0.tag, n0l.word]);
        add.put([w0.word, b0.tag, n0l.word]);
        // Likewise for Right. A preposition is the first child of its noun.
        add.put([w1.tag, w0.tag, s0l.tag]);
        add.put([w1.tag, w0.tag, s0r.tag]);
        add.put([w1.tag, w0.tag, s0l.word]);
        add.put([w1.word, s0l.word]);
        add.put([w1.brown, w0.brown6, s0l.word]);
        add.put([w1.fine, s0l.word, w0.fine]);
        add.put([w1.tag, s1r.tag, w0.tag]);
        add.put([w1.tag, s1r.tag, w0.tag, s0l.tag]);
        add.put([w1.tag, w0.tag, s0l.word, b0.tag]);
        add.put([w2.tag, w1.tag, w0.tag, s0l.word]);
        add.put([w2.word, w0.tag, s0l.word]);
    }

    /// Lists all features of a state, for training.
    pub(super) fn all(&self, view: &View, out: &mut Vec<u32>) {
        out.clear();
        self.of_s0(view.s0.word, out);
        self.of_s1(view.s1.word, out);
        self.of_n0(view.n0.word, out);
        self.of_s0_n0(view.s0.word, view.n0.word, out);
        self.of_s1_s0(view.s1.word, view.s0.word, out);
        self.of_s1_n0(view.s1.word, view.n0.word, out);
        for (place, node) in [view.s0, view.n0].into_iter().enumerate() {
            self.of_node(place as u32, node, out);
        }
        self.of_state(view, out);
    }
}

/// Returns the distance of two words in growing bins.
#[inline]
pub(super) fn distance(left: u16, right: u16) -> u32 {
    match right.abs_diff(left) {
        near @ 0..=4 => u32::from(near),
        5..=6 => 5,
        7..=9 => 6,
        10..=15 => 7,
        _ => 8,
    }
}

/// Adds features, numbering their templates consecutively.
pub(super) struct Adder<'a> {
    pub(super) template: u32,
    pub(super) out: &'a mut Vec<u32>,
}

impl Adder<'_> {
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, values: [u32; N]) {
        self.out.push(hash::feature(self.template, &values));
        self.template += 1;
    }
}
