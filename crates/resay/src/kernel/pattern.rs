//! Patterns and rules as numbers.
//!
//! A pattern is a short sequence of symbols and wildcards. Linked wildcards are numbered in the
//! order of the source pattern, and the target pattern carries the number of the partner. So
//! `heard *1 *2 -> *2 was *1` needs no separate list of links, and a rule is exactly a pair of
//! pattern ids. Patterns are compared in full, never by hash alone: two rules share a column only
//! if they are equal.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A symbol or a wildcard in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item(u32);

impl Item {
    /// Symbols are below this value; interners never reach it.
    const TYPED: u32 = 0xe000_0000;

    /// Untyped linked wildcards start here.
    const WILDCARDS: u32 = u32::MAX - 255;

    /// The largest id of a set of types.
    pub const MAX_SET: u32 = (1 << 20) - 1;

    /// A wildcard that matches any symbol and is not linked.
    pub const ANY: Item = Item(u32::MAX);

    /// A literal symbol.
    pub fn symbol(symbol: u32) -> Self {
        debug_assert!(symbol < Self::TYPED);
        Self(symbol)
    }

    /// The linked wildcard with this number, from 0.
    pub fn linked(number: usize) -> Self {
        debug_assert!(number < 255);
        Self(Self::WILDCARDS + number as u32)
    }

    /// The linked wildcard with this number, below 256, whose link has the types of set `set`.
    pub fn typed(number: usize, set: u32) -> Self {
        debug_assert!(number < 256 && set <= Self::MAX_SET);
        Self(Self::TYPED | (number as u32) << 20 | set)
    }

    /// Restores an item from its stored form.
    pub fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns the stored form.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// Returns the symbol if the item is one.
    pub fn as_symbol(self) -> Option<u32> {
        (self.0 < Self::TYPED).then_some(self.0)
    }

    /// Returns the number if the item is an untyped linked wildcard.
    pub fn as_linked(self) -> Option<usize> {
        (self.0 >= Self::WILDCARDS && self != Self::ANY).then(|| (self.0 - Self::WILDCARDS) as usize)
    }

    /// Returns the number and the set of types if the item is a typed linked wildcard.
    pub fn as_typed(self) -> Option<(usize, u32)> {
        let is_typed = (Self::TYPED..Self::WILDCARDS).contains(&self.0);
        is_typed.then_some(((self.0 >> 20 & 0xff) as usize, self.0 & Self::MAX_SET))
    }
}

/// Assigns ids to patterns.
pub trait PatternIds {
    /// Returns the id of a pattern, and assigns a new one if it is unknown.
    fn id(&mut self, pattern: &[Item]) -> u32;

    /// Returns the id of a pattern, or `None` if it is unknown and the table is frozen. This is for
    /// callers that can tell new patterns apart themselves. They may give them any ids that no
    /// table assigns.
    fn known_id(&mut self, pattern: &[Item]) -> Option<u32>;

    /// Returns a bound: a frozen table contains no pattern with this symbol or a greater one.
    fn n_symbols(&self) -> u32;
}

/// No table assigns ids from here on.
pub(super) const UNTOLD: u32 = 1 << 29;

/// All patterns of one kernel, numbered from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct PatternTable {
    /// Pattern `i` is `items[ends[i - 1]..ends[i]]`.
    items: Vec<Item>,
    ends: Vec<u32>,
    ids: HashTable<u32>,
    /// Every symbol of a pattern is below this value.
    n_symbols: u32,
}

impl PatternTable {
    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns pattern `id`, which must be below `len`.
    pub fn pattern(&self, id: u32) -> &[Item] {
        slice(&self.items, &self.ends, id)
    }

    /// Returns the id of a pattern if it is known.
    pub fn get(&self, pattern: &[Item]) -> Option<u32> {
        self.get_hashed(FxBuildHasher.hash_one(pattern), pattern)
    }

    fn get_hashed(&self, hash: u64, pattern: &[Item]) -> Option<u32> {
        self.ids.find(hash, |&id| slice(&self.items, &self.ends, id) == pattern).copied()
    }

    fn id_hashed(&mut self, hash: u64, pattern: &[Item]) -> u32 {
        let Self { items, ends, ids, n_symbols } = self;
        let is_it = |&id: &u32| slice(items, ends, id) == pattern;
        match ids.entry(hash, is_it, |&id| FxBuildHasher.hash_one(slice(items, ends, id))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let id = ends.len() as u32;
                vacant.insert(id);
                items.extend_from_slice(pattern);
                ends.push(items.len() as u32);
                let symbols = pattern.iter().filter_map(|item| item.as_symbol());
                *n_symbols = symbols.fold(*n_symbols, |most, symbol| most.max(symbol + 1));
                id
            }
        }
    }

    /// Removes all patterns and keeps the allocations.
    pub fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
        self.ids.clear();
        self.n_symbols = 0;
    }
}

fn slice<'a>(items: &'a [Item], ends: &[u32], id: u32) -> &'a [Item] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] as usize };
    &items[start..ends[id] as usize]
}

impl PatternIds for PatternTable {
    fn id(&mut self, pattern: &[Item]) -> u32 {
        self.id_hashed(FxBuildHasher.hash_one(pattern), pattern)
    }

    fn known_id(&mut self, pattern: &[Item]) -> Option<u32> {
        Some(self.id(pattern))
    }

    fn n_symbols(&self) -> u32 {
        u32::MAX
    }
}

/// The patterns of one new pair on top of a frozen table, as [`resay_text::Overlay`] does for
/// words.
#[derive(Debug)]
pub struct PatternOverlay<'a> {
    base: &'a PatternTable,
    new: PatternTable,
}

impl<'a> PatternOverlay<'a> {
    /// Creates an overlay without new patterns.
    pub fn new(base: &'a PatternTable) -> Self {
        Self { base, new: PatternTable::default() }
    }

    /// Removes the new patterns.
    pub fn clear(&mut self) {
        self.new.clear();
    }

    /// Returns pattern `id`, of the base or new.
    pub fn pattern(&self, id: u32) -> &[Item] {
        let len = self.base.len() as u32;
        if id < len { self.base.pattern(id) } else { self.new.pattern(id - len) }
    }
}

impl PatternIds for PatternOverlay<'_> {
    fn id(&mut self, pattern: &[Item]) -> u32 {
        let hash = FxBuildHasher.hash_one(pattern);
        match self.base.get_hashed(hash, pattern) {
            Some(id) => id,
            None => self.base.len() as u32 + self.new.id_hashed(hash, pattern),
        }
    }

    fn known_id(&mut self, pattern: &[Item]) -> Option<u32> {
        self.base.get(pattern)
    }

    fn n_symbols(&self) -> u32 {
        self.base.n_symbols
    }
}

/// A set of rules, each a source and a target pattern, numbered densely in the order of (source,
/// target). The rules of source `s` are `targets[offsets[s]..offsets[s + 1]]`, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleTable {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl RuleTable {
    /// Builds the set from rules sorted by (source, target) without duplicates. Every source is
    /// below `n_patterns`.
    pub fn new(n_patterns: usize, rules: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut offsets = vec![0; n_patterns + 1];
        let mut targets = Vec::new();
        for (source, target) in rules {
            offsets[source as usize + 1] += 1;
            targets.push(target);
        }
        for source in 0..n_patterns {
            offsets[source + 1] += offsets[source];
        }
        Self { offsets, targets }
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the number of a rule if it is in the set. Patterns beyond the table (those of an
    /// overlay) are in no rule.
    pub fn get(&self, source: u32, target: u32) -> Option<u32> {
        let &end = self.offsets.get(source as usize + 1)?;
        let start = self.offsets[source as usize];
        let found = self.targets[start as usize..end as usize].binary_search(&target).ok()?;
        Some(start + found as u32)
    }

    /// Returns whether any rule has this source.
    pub fn has_source(&self, source: u32) -> bool {
        let source = source as usize;
        self.offsets.get(source + 1).is_some_and(|&end| end > self.offsets[source])
    }

    /// Returns all rules, in the order of their numbers.
    pub fn rules(&self) -> impl Iterator<Item = (u32, u32)> {
        self.offsets.windows(2).enumerate().flat_map(move |(source, range)| {
            self.targets[range[0] as usize..range[1] as usize].iter().map(move |&target| (source as u32, target))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_numbered_once_and_found_again() {
        let mut table = PatternTable::default();
        let one = [Item::symbol(7), Item::linked(0)];
        let two = [Item::symbol(7)];
        assert_eq!((table.id(&one), table.id(&two), table.id(&one), table.id(&[])), (0, 1, 0, 2));
        assert_eq!((table.pattern(0), table.pattern(1), table.pattern(2)), (&one[..], &two[..], &[][..]));
        let mut overlay = PatternOverlay::new(&table);
        assert_eq!((overlay.id(&two), overlay.id(&[Item::ANY])), (1, 3));
        assert_eq!(overlay.pattern(3), [Item::ANY]);
        assert_eq!(table.get(&[Item::ANY]), None);
    }

    #[test]
    fn wildcards_are_not_symbols() {
        assert_eq!((Item::symbol(3).as_symbol(), Item::symbol(3).as_linked()), (Some(3), None));
        assert_eq!((Item::linked(2).as_symbol(), Item::linked(2).as_linked()), (None, Some(2)));
        assert_eq!((Item::ANY.as_symbol(), Item::ANY.as_linked()), (None, None));
    }

    #[test]
    fn rules_are_found_by_both_patterns() {
        let rules = [(0, 3), (2, 1), (2, 4)];
        let table = RuleTable::new(5, rules);
        assert_eq!(rules.map(|(s, t)| table.get(s, t)), [Some(0), Some(1), Some(2)]);
        assert_eq!((table.get(2, 3), table.get(1, 1), table.get(9, 1)), (None, None, None));
        assert!(table.has_source(2) && !table.has_source(1) && !table.has_source(9));
        assert!(table.rules().eq(rules));
    }
}
