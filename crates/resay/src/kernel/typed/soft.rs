//! Finds all patterns of a corpus that match a query pattern, word by related word.
//!
//! Patterns of one length form a trie, stored level by level in arrays: the nodes of a level are
//! sorted, and the children of a node are a range of the next level. A query descends into all
//! branches related to its items, so it visits only prefixes that some pattern has. The leaves in
//! order are the pattern ids.

use crate::Result;
use crate::kernel::Item;
use resay_learn::progress::Progress;

/// Patterns of one length, sorted.
#[derive(Debug, Default)]
pub(super) struct Trie {
    levels: Vec<Level>,
}

#[derive(Debug, Default)]
struct Level {
    items: Vec<Item>,
    /// `starts[node]..starts[node + 1]` are the node's children; empty in the last level.
    starts: Vec<u32>,
}

/// How the items of a query match those of the corpus.
pub(super) trait Match {
    /// Returns the words of the corpus related to a word of the query, ascending.
    fn related(&self, word: u32) -> &[u32];

    /// Returns whether the type set of a query wildcard and that of a corpus wildcard intersect.
    fn meet(&self, query: u32, corpus: u32) -> bool;
}

impl Trie {
    /// Builds the trie from sorted distinct patterns of length k; pattern i is
    /// `items[i * k..(i + 1) * k]`.
    pub(super) fn new(k: usize, items: &[Item], progress: Progress<'_>) -> Result<Self> {
        let n = items.len() / k.max(1);
        let mut levels: Vec<Level> = (0..k).map(|_| Level::default()).collect();
        for pattern in 0..n {
            if pattern.is_multiple_of(1 << 12) {
                progress.check()?;
            }
            let own = &items[pattern * k..(pattern + 1) * k];
            let before = pattern.checked_sub(1).map(|before| &items[before * k..(before + 1) * k]);
            let common = before.map_or(0, |before| before.iter().zip(own).take_while(|(a, b)| a == b).count());
            for depth in common..k {
                let n_children = levels.get(depth + 1).map_or(0, |next| next.items.len()) as u32;
                levels[depth].items.push(own[depth]);
                levels[depth].starts.push(n_children);
            }
        }
        for depth in 0..k {
            let end = levels.get(depth + 1).map_or(0, |next| next.items.len()) as u32;
            levels[depth].starts.push(end);
        }
        Ok(Self { levels })
    }

    /// Appends the ids of all matching patterns to `out`, ascending.
    pub(super) fn matches(&self, pattern: &[Item], how: &impl Match, out: &mut Vec<u32>) {
        if let Some(level) = self.levels.first() {
            self.walk(pattern, 0, 0..level.items.len(), how, out);
        }
    }

    fn walk(
        &self,
        pattern: &[Item],
        depth: usize,
        nodes: std::ops::Range<usize>,
        how: &impl Match,
        out: &mut Vec<u32>,
    ) {
        let Some(&item) = pattern.get(depth) else { return };
        let level = &self.levels[depth];
        let is_last = depth + 1 == self.levels.len();
        let mut enter = |node: usize| {
            if is_last {
                out.push(node as u32);
            } else {
                let children = level.starts[node] as usize..level.starts[node + 1] as usize;
                self.walk(pattern, depth + 1, children, how, out);
            }
        };
        let items = &level.items[nodes.clone()];
        if let Some((number, set)) = item.as_typed() {
            let (low, high) = (Item::typed(number, 0), Item::typed(number, Item::MAX_SET));
            let from = items.partition_point(|other| *other < low);
            for (at, other) in items[from..].iter().enumerate().take_while(|(_, other)| **other <= high) {
                if other.as_typed().is_some_and(|(_, other)| how.meet(set, other)) {
                    enter(nodes.start + from + at);
                }
            }
            return;
        }
        let Some(word) = item.as_symbol() else {
            // A link number matches only itself.
            if let Ok(at) = items.binary_search(&item) {
                enter(nodes.start + at);
            }
            return;
        };
        let related = how.related(word);
        if related.len() > 4 * items.len() {
            let is_related = |other: &Item| other.as_symbol().is_some_and(|word| related.binary_search(&word).is_ok());
            (0..items.len()).filter(|&at| is_related(&items[at])).for_each(|at| enter(nodes.start + at));
            return;
        }
        let mut from = 0;
        for &other in related {
            let other = Item::symbol(other);
            from += items[from..].partition_point(|item| *item < other);
            if items.get(from) == Some(&other) {
                enter(nodes.start + from);
            }
        }
    }
}
