//! The patterns of one sentence for kb-SRK, numbered with little hashing. Each k-gram is looked up
//! at most once per set of wildcards, equal k-grams share the id of their first occurrence, and
//! patterns that a model cannot know are not looked up at all.

use crate::kernel::pattern::UNTOLD;
use crate::kernel::{Item, MAX_K, PatternIds, sequence};

/// The patterns of one sentence: its k-grams with wildcards at given positions, numbered on first
/// use. A matching whose links do not cross, as nearly all do not, needs no other patterns.
pub(super) struct Masked<'a> {
    pub(super) k: usize,
    units: &'a [u32],
    /// For each position, the previous position with the same symbol.
    earlier: Vec<u32>,
    /// Properties of the symbols of each k-gram.
    pub(super) marks: Vec<Marks>,
    /// `ids[start << k | mask]`; empty if that table would be large.
    ids: Vec<u32>,
}

/// Properties of the symbols of one k-gram, one bit per position.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    /// This is the symbol's first occurrence.
    first: u32,
    /// The symbol occurs nowhere else in the sentence.
    pub(super) once: u32,
    /// No known pattern contains the symbol.
    new: u32,
}

/// Returns, for each position, the previous position with the same symbol.
fn earlier(units: &[u32]) -> Vec<u32> {
    let last_before = |place: usize| units[..place].iter().rposition(|unit| *unit == units[place]);
    if units.len() <= 64 {
        return (0..units.len()).map(|place| last_before(place).map_or(Masked::NONE, |last| last as u32)).collect();
    }
    let mut places: Vec<u32> = (0..units.len() as u32).collect();
    places.sort_unstable_by_key(|&place| (units[place as usize], place));
    let mut earlier = vec![Masked::NONE; units.len()];
    for two in places.windows(2).filter(|two| units[two[0] as usize] == units[two[1] as usize]) {
        earlier[two[1] as usize] = two[0];
    }
    earlier
}

impl<'a> Masked<'a> {
    const NONE: u32 = u32::MAX;
    const MAX_TABLE: usize = 1 << 22;

    pub(super) fn new(k: usize, units: &'a [u32], n_symbols: u32) -> Self {
        let n_grams = units.len() + 1 - k;
        let ids = if n_grams << k <= Self::MAX_TABLE { vec![Self::NONE; n_grams << k] } else { Vec::new() };
        let earlier = earlier(units);
        let mut comes_again = vec![false; units.len()];
        earlier.iter().filter(|place| **place != Self::NONE).for_each(|&place| comes_again[place as usize] = true);
        let mut at = Marks::default();
        let mut marks = Vec::with_capacity(n_grams);
        for (place, &unit) in units.iter().enumerate() {
            let is_first = earlier[place] == Self::NONE;
            at.first = at.first >> 1 | u32::from(is_first) << (k - 1);
            at.once = at.once >> 1 | u32::from(is_first && !comes_again[place]) << (k - 1);
            at.new = at.new >> 1 | u32::from(unit >= n_symbols) << (k - 1);
            if place + 1 >= k {
                marks.push(at);
            }
        }
        Self { k, units, earlier, marks, ids }
    }

    /// Returns the pattern id of the k-gram at `start`, with linked wildcards at the bits of
    /// `mask`, numbered from left to right.
    #[inline]
    pub(super) fn id(&mut self, start: usize, mask: u32, patterns: &mut dyn PatternIds) -> u32 {
        match self.ids.get(start << self.k | mask as usize) {
            Some(&Self::NONE) => self.find(start, mask, patterns),
            Some(&known) => known,
            None => patterns.id(&self.items(start, mask)[..self.k]),
        }
    }

    #[inline(never)]
    fn find(&mut self, start: usize, mask: u32, patterns: &mut dyn PatternIds) -> u32 {
        // The first k-gram of the sentence with this pattern represents all of them.
        let mut first = start;
        while let Some(equal) = self.earlier_equal(first, mask) {
            first = equal;
            if self.ids[first << self.k | mask as usize] != Self::NONE {
                break;
            }
        }
        let place = first << self.k | mask as usize;
        if self.ids[place] == Self::NONE {
            // A pattern unknown to the table is identified by its first position.
            let is_new = self.marks[first].new & !mask != 0;
            let known = if is_new { None } else { patterns.known_id(&self.items(first, mask)[..self.k]) };
            self.ids[place] = known.unwrap_or(UNTOLD + place as u32);
        }
        self.ids[start << self.k | mask as usize] = self.ids[place];
        self.ids[place]
    }

    /// Returns an earlier k-gram with the same symbols at all positions that are not wildcards.
    fn earlier_equal(&self, start: usize, mask: u32) -> Option<usize> {
        if self.marks[start].first & !mask != 0 {
            return None; // One of the symbols has not occurred before.
        }
        let literal = mask.trailing_ones() as usize;
        if literal >= self.k {
            return start.checked_sub(1); // Wildcards only: all k-grams are equal.
        }
        let is_equal = |other: usize| {
            (literal + 1..self.k).all(|p| mask >> p & 1 == 1 || self.units[other + p] == self.units[start + p])
        };
        let mut place = self.earlier[start + literal];
        while place != Self::NONE && place as usize >= literal {
            let other = place as usize - literal;
            if is_equal(other) {
                return Some(other);
            }
            place = self.earlier[place as usize];
        }
        None
    }

    fn items(&self, start: usize, mask: u32) -> [Item; MAX_K] {
        let mut items = [Item::ANY; MAX_K];
        let mut n_links = 0;
        for (place, item) in items[..self.k].iter_mut().enumerate() {
            if mask >> place & 1 == 1 {
                *item = Item::linked(n_links);
                n_links += 1;
            } else {
                *item = Item::symbol(self.units[start + place]);
            }
        }
        items
    }

    /// Writes every literal k-gram with its number of occurrences.
    pub(super) fn spectrum(&mut self, patterns: &mut dyn PatternIds, out: &mut Vec<(u32, f64)>) {
        for start in 0..=self.units.len() - self.k {
            out.push((self.id(start, 0, patterns), 1.0));
        }
        sequence::sum_by_key(out);
    }

    /// Returns the pattern id of the k-gram at `start`, with wildcards at the positions `partners`,
    /// numbered in that order.
    pub(super) fn reordered_id(&self, start: usize, partners: &[usize], patterns: &mut dyn PatternIds) -> u32 {
        let mut items = [Item::ANY; MAX_K];
        for (place, item) in items[..self.k].iter_mut().enumerate() {
            *item = Item::symbol(self.units[start + place]);
        }
        for (number, &place) in partners.iter().enumerate() {
            items[place] = Item::linked(number);
        }
        patterns.id(&items[..self.k])
    }
}
