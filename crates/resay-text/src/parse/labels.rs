//! Labels the arcs of a complete tree with dependency relations.
//!
//! Heads are labelled before their children, and children from left to right, so that a word's
//! relation is chosen given the whole tree, the relation of its head, and those of its preceding
//! siblings.

use super::super::learn::hash;
use super::features::{Adder, Line, distance};

/// A tree during labelling. Words count from 1; the root is the word after the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    heads: Vec<u16>,
    /// `children[starts[head]..starts[head + 1]]` are the children of a head, in ascending order.
    starts: Vec<u32>,
    children: Vec<u16>,
    /// The words, heads before their children.
    order: Vec<u16>,
    /// Relations assigned so far, plus one.
    pub(super) relations: Vec<u8>,
}

/// The context of a child during labelling.
struct Place {
    child: u16,
    head: u16,
    /// The position among the head's children.
    at: usize,
    /// The head's auxiliaries, as a hash.
    auxiliaries: u32,
}

impl Tree {
    /// Loads a tree: `heads[word - 1]` counts from 1, with the root as the word after the last.
    pub(super) fn set(&mut self, heads: impl Iterator<Item = u16>) {
        self.heads.clear();
        self.heads.push(0);
        self.heads.extend(heads);
        let n_words = self.heads.len() - 1;
        let root = n_words + 1;
        self.starts.clear();
        self.starts.resize(root + 2, 0);
        for &head in &self.heads[1..] {
            self.starts[head as usize + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.children.clear();
        self.children.resize(n_words, 0);
        for word in 1..=n_words {
            // A head's start advances while its children are placed, and is reset below.
            let place = &mut self.starts[self.heads[word] as usize];
            self.children[*place as usize] = word as u16;
            *place += 1;
        }
        for at in (1..self.starts.len()).rev() {
            self.starts[at] = self.starts[at - 1];
        }
        self.starts[0] = 0;
        self.order.clear();
        self.order.push(root as u16);
        let mut at = 0;
        while at < self.order.len() {
            let (from, to) = self.range(self.order[at]);
            for child in from..to {
                let child = self.children[child];
                if self.range(child).0 < self.range(child).1 {
                    self.order.push(child);
                }
            }
            at += 1;
        }
        self.relations.clear();
        self.relations.resize(n_words + 2, 0);
    }

    fn range(&self, head: u16) -> (usize, usize) {
        (self.starts[head as usize] as usize, self.starts[head as usize + 1] as usize)
    }

    fn children(&self, head: u16) -> &[u16] {
        let (from, to) = self.range(head);
        &self.children[from..to]
    }

    /// Labels all words. `choose(child, features)` returns the relation.
    pub(super) fn label(&mut self, line: &Line, features: &mut Vec<u32>, mut choose: impl FnMut(u16, &[u32]) -> u8) {
        for at in 0..self.order.len() {
            let head = self.order[at];
            let auxiliaries = self.auxiliaries(line, head);
            for at in 0..self.children(head).len() {
                let child = self.children(head)[at];
                features.clear();
                self.features(line, &Place { child, head, at, auxiliaries }, features);
                self.relations[child as usize] = choose(child, features) + 1;
            }
        }
    }

    /// Hashes the words of up to three auxiliaries.
    fn auxiliaries(&self, line: &Line, head: u16) -> u32 {
        let is_auxiliary = |child: &&u16| line.item(**child).upos == super::super::Upos::Aux as u32 + 1;
        let words = self.children(head).iter().filter(is_auxiliary).take(3).map(|&child| line.item(child).word);
        words.fold(0, |all, word| hash::mix(u64::from(all), u64::from(word)) as u32)
    }

    fn features(&self, line: &Line, place: &Place, out: &mut Vec<u32>) {
        let &Place { child, head, at, auxiliaries } = place;
        let siblings = self.children(head);
        let sibling = |at: Option<usize>| at.and_then(|at| siblings.get(at)).copied().unwrap_or(0);
        let (before, before2, after) = (sibling(at.checked_sub(1)), sibling(at.checked_sub(2)), sibling(Some(at + 1)));
        let grand = self.heads.get(head as usize).copied().unwrap_or(0);
        let kids = self.children(child);
        let first = kids.first().copied().filter(|&kid| kid < child).unwrap_or(0);
        let second = kids.get(1).copied().filter(|&kid| kid < child).unwrap_or(0);
        let last = kids.last().copied().filter(|&kid| kid > child).unwrap_or(0);
        let item = |word: u16| line.item(word);
        let (c, h, g) = (item(child), item(head), item(grand));
        let (k1, k2, k3) = (item(first), item(second), item(last));
        let (s1, s2) = (item(before), item(after));
        let relation = |word: u16| u32::from(self.relations[word as usize]);
        let side = u32::from(child > head);
        let far = distance(child, head) << 1 | side;
        let mut add = Adder { template: 400, out };
        add.put([c.word, side]);
        add.put([c.tag, side]);
        add.put([c.both, side]);
        add.put([c.brown, side]);
        add.put([c.fine, side]);
        add.put([h.word, side]);
        add.put([h.tag, side]);
        add.put([h.both, side]);
        add.put([h.brown, side]);
        add.put([c.tag, h.tag, far]);
        add.put([c.both, h.tag, side]);
        add.put([c.tag, h.both, side]);
        add.put([c.word, h.word, side]);
        add.put([c.word, h.brown, side]);
        add.put([c.brown, h.word, side]);
        add.put([c.brown, h.brown, side]);
        add.put([c.brown6, h.brown6, side]);
        add.put([c.brown10, h.brown10, side]);
        add.put([c.fine, h.fine, side]);
        add.put([c.fine, h.tag, side]);
        add.put([c.tag, h.fine, side]);
        add.put([c.coarse, h.coarse, c.upos, h.upos, side]);
        add.put([c.upos, h.upos, side]);
        // Neighbours of the child and the head.
        let (left, right) = (item(child - 1), item(child + 1));
        add.put([left.tag, c.tag, right.tag, side]);
        add.put([left.word, c.tag, h.tag, side]);
        add.put([right.word, c.tag, h.tag, side]);
        add.put([c.word, right.tag, h.tag]);
        add.put([c.word, left.tag, h.tag]);
        // The child's children: markers of a clause or case come first.
        add.put([c.tag, h.tag, k1.word, side]);
        add.put([c.tag, h.tag, k1.tag, side]);
        add.put([c.upos, h.upos, k1.word, k2.word, side]);
        add.put([c.upos, h.upos, k1.tag, k2.tag, side]);
        add.put([c.tag, h.word, k1.word, side]);
        add.put([c.upos, h.brown, k1.word, side]);
        add.put([c.fine, k1.word, h.upos, side]);
        add.put([c.upos, h.upos, k3.tag, side]);
        add.put([c.upos, h.upos, k3.word, side]);
        add.put([c.tag, h.tag, kids.len().min(4) as u32, side]);
        // The head's other children.
        add.put([c.tag, h.tag, auxiliaries, side]);
        add.put([c.upos, h.tag, s1.tag, s2.tag, side]);
        add.put([c.tag, h.upos, s1.both, side]);
        add.put([c.tag, h.upos, s2.both, side]);
        add.put([c.upos, h.upos, relation(before), side]);
        add.put([c.tag, h.word, relation(before), side]);
        add.put([c.tag, h.tag, relation(before), relation(before2), side]);
        add.put([c.word, h.tag, relation(before), side]);
        // The head's own context.
        add.put([c.tag, h.tag, relation(head), side]);
        add.put([c.word, h.upos, relation(head), side]);
        add.put([c.upos, h.upos, g.upos, relation(head), side]);
        add.put([c.tag, h.tag, g.tag, side]);
        add.put([c.upos, h.tag, k1.word, relation(head)]);
        add.put([c.upos, h.word, k1.word, relation(head)]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sentence, words_of};
    use super::*;

    #[test]
    fn heads_come_before_their_children_and_children_from_left_to_right() {
        // 4 is the root; 2 and 5 are its children, 1 and 3 those of 2.
        let mut line = Line::default();
        let (atoms, tags) = sentence(&words_of(5));
        line.set(&atoms, &tags);
        let mut tree = Tree::default();
        for _ in 0..2 {
            tree.set([2, 4, 2, 6, 4].into_iter());
            let mut seen = Vec::new();
            tree.label(&line, &mut Vec::new(), |child, _| {
                seen.push(child);
                child as u8
            });
            assert_eq!(seen, [4, 2, 5, 1, 3]);
            assert_eq!(tree.relations[1..=5], [2, 3, 4, 5, 6]);
        }
    }

    #[test]
    fn relations_around_a_word_are_among_its_features() {
        let mut line = Line::default();
        let (atoms, tags) = sentence(&words_of(3));
        line.set(&atoms, &tags);
        let listed = |relation_of_head: u8| {
            let mut tree = Tree::default();
            tree.set([2, 4, 2].into_iter());
            let mut all = Vec::new();
            tree.label(&line, &mut Vec::new(), |child, features| {
                all.push(features.to_vec());
                if child == 2 { relation_of_head } else { 0 }
            });
            all
        };
        let (one, other) = (listed(3), listed(4));
        assert_eq!(one[0], other[0]);
        assert_ne!(one[1], other[1]);
    }
}
