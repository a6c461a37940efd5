//! A compact, fast table of trained weights: from a feature's hash to its labels and weights.
//!
//! A feature is stored as a 32-bit hash only. Features with equal hashes share their weights. With
//! a million features this happens to one absent feature in four thousand, with no measurable cost.
//! Weights take one byte each, in units of `scale`.
//!
//! In memory, `slots` is an open-addressing hash table whose home slot is the top bits of the hash,
//! so that features in hash order, as in the file, fill it from front to back.
//! `entries[start..start + n]` holds the labels and weights of a feature. The slot stores their
//! number, so that only the summation itself waits for the entries.

use crate::Result;
use crate::container::{SectionReader, put};

/// A feature's hash, where its entries start (the upper 24 bits of `row`) and their number (the
/// lower 8 bits): 0 in an empty slot.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    row: u32,
}

/// The first number of entries that slots cannot address.
const TOO_MANY: usize = 1 << 24;

impl Slot {
    fn new(hash: u32, start: usize, n: usize) -> Self {
        Self { hash, row: (start as u32) << 8 | n as u32 }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.row == 0
    }

    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        let start = (self.row >> 8) as usize;
        start..start + (self.row & 0xff) as usize
    }
}

/// Quantised weights of features for labels.
#[derive(Clone, Debug)]
pub struct WeightTable {
    n_labels: usize,
    /// The value of a quantised weight of 1.
    scale: f32,
    n_features: usize,
    shift: u32,
    slots: Vec<Slot>,
    entries: Vec<[u8; 2]>,
}

impl WeightTable {
    /// Packs weights. Features are in ascending order of hash, each with its labels and weights.
    /// Drops weights that round to 0, features without remaining weights, and everything after the
    /// first 2^24 weights. The largest weight becomes 127 units.
    pub fn new(n_labels: usize, features: &[(u32, Vec<(u8, f32)>)]) -> Self {
        debug_assert!(features.is_sorted_by(|a, b| a.0 < b.0), "features come once each, by rising hash");
        let largest = features.iter().flat_map(|(_, row)| row).fold(0_f32, |most, (_, weight)| most.max(weight.abs()));
        let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
        let mut kept = Vec::new();
        let mut entries = Vec::new();
        for (hash, row) in features {
            let start = entries.len();
            let steps = row.iter().map(|&(label, weight)| [label, (weight / scale).round() as i8 as u8]);
            entries.extend(steps.filter(|entry| entry[1] != 0).take(255));
            if entries.len() >= TOO_MANY {
                entries.truncate(start);
                break;
            }
            if entries.len() > start {
                kept.push(Slot::new(*hash, start, entries.len() - start));
            }
        }
        Self::placed(n_labels, scale, &kept, entries)
    }

    fn placed(n_labels: usize, scale: f32, kept: &[Slot], entries: Vec<[u8; 2]>) -> Self {
        let bits = (kept.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let shift = 32 - bits.min(31);
        // Extra slots after the last home slot, so that a search never wraps around: it ends at the
        // last, empty one.
        let mut slots = vec![Slot::default(); (1 << (32 - shift)) + 1];
        let mut free = 0;
        for &slot in kept {
            let place = free.max((slot.hash >> shift) as usize);
            if place + 1 >= slots.len() {
                slots.push(Slot::default());
            }
            slots[place] = slot;
            free = place + 1;
        }
        Self { n_labels, scale, n_features: kept.len(), shift, slots, entries }
    }

    /// Returns the number of labels.
    pub fn n_labels(&self) -> usize {
        self.n_labels
    }

    /// Returns the number of features with weights.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Returns the factor that converts a sum of weights to training units.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the slot of a feature; an empty one if the feature is unknown.
    #[inline]
    fn slot(&self, feature: u32) -> Slot {
        let from = &self.slots[(feature >> self.shift) as usize..];
        let found = from.iter().find(|slot| slot.hash == feature || slot.is_empty());
        found.copied().unwrap_or_default()
    }

    /// Returns the labels and weights of a feature, in units; empty if the feature is unknown.
    #[inline]
    pub fn row(&self, feature: u32) -> &[[u8; 2]] {
        &self.entries[self.slot(feature).range()]
    }

    /// Adds the weights of a feature to the labels' scores, in units.
    #[inline]
    pub fn add(&self, feature: u32, scores: &mut [i32]) {
        for &[label, weight] in self.row(feature) {
            scores[label as usize] += i32::from(weight as i8);
        }
    }

    /// Adds the weights of many features. Memory latency dominates the cost, so all slots of a
    /// batch are loaded before the first is inspected, and so are their first entries: the
    /// latencies then overlap.
    pub fn add_all(&self, features: &[u32], scores: &mut [i32]) {
        const BATCH: usize = 64;
        let mut found = [Slot::default(); BATCH];
        let mut first = [[0_u8; 2]; BATCH];
        for batch in features.chunks(BATCH) {
            for (slot, &feature) in found.iter_mut().zip(batch) {
                *slot = self.slots[(feature >> self.shift) as usize];
            }
            let mut n_found = 0;
            for at in 0..batch.len() {
                // Branch-free if the feature is in its home slot, as nearly all are.
                let (home, feature) = (found[at], batch[at]);
                found[n_found] = home;
                let is_home = home.hash == feature && !home.is_empty();
                n_found += usize::from(is_home);
                if !is_home && !home.is_empty() {
                    found[n_found] = self.slot(feature);
                    n_found += usize::from(!found[n_found].is_empty());
                }
            }
            for (first, slot) in first.iter_mut().zip(&found[..n_found]) {
                *first = self.entries[(slot.row >> 8) as usize];
            }
            for (&[label, weight], slot) in first.iter().zip(&found[..n_found]) {
                scores[label as usize] += i32::from(weight as i8);
                let range = slot.range();
                for &[label, weight] in &self.entries[range.start + 1..range.end] {
                    scores[label as usize] += i32::from(weight as i8);
                }
            }
        }
    }

    /// Writes the table as a section: hashes as differences, then counts, labels and weights in
    /// separate lists, which compress better than interleaved ones.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.n_labels as u64);
        out.extend(self.scale.to_le_bytes());
        put(out, self.n_features as u64);
        let kept = || self.slots.iter().filter(|slot| !slot.is_empty());
        let mut last = 0;
        for slot in kept() {
            put(out, u64::from(slot.hash - last));
            last = slot.hash;
        }
        for slot in kept() {
            out.push(slot.range().len() as u8);
        }
        for part in 0..2 {
            for slot in kept() {
                out.extend(self.entries[slot.range()].iter().map(|entry| entry[part]));
            }
        }
    }

    /// Reads what `write` has written.
    pub fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let n_labels = reader.below(256, "number of labels")? as usize;
        let scale = reader.short_real()?;
        let n_features = reader.count(4)?;
        let mut kept = Vec::with_capacity(n_features);
        let mut last = 0_u32;
        for at in 0..n_features {
            let step = reader.number()?;
            let hash = u64::from(last) + step;
            if hash > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return reader.fail("features are not in the order of their hashes");
            }
            last = hash as u32;
            kept.push(Slot { hash: last, row: 0 });
        }
        let counts = reader.bytes(n_features)?;
        if counts.contains(&0) {
            return reader.fail("a feature without weights");
        }
        let n_entries: usize = counts.iter().map(|&count| count as usize).sum();
        if n_entries >= TOO_MANY {
            return reader.fail(format_args!("{n_entries} weights, expected fewer than {TOO_MANY}"));
        }
        let labels = reader.bytes(n_entries)?;
        let weights = reader.bytes(n_entries)?;
        if let Some(label) = labels.iter().find(|&&label| label as usize >= n_labels) {
            return reader.fail(format_args!("label {label}, expected one below {n_labels}"));
        }
        let entries = labels.iter().zip(weights).map(|(&label, &weight)| [label, weight]).collect();
        let mut start = 0;
        for (slot, &count) in kept.iter_mut().zip(counts) {
            *slot = Slot::new(slot.hash, start, count.into());
            start += count as usize;
        }
        Ok(Self::placed(n_labels, scale, &kept, entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn weights_are_found_again(
            rows in prop::collection::btree_map(
                prop_oneof![any::<u32>(), 0_u32..50, (u32::MAX - 50)..=u32::MAX],
                prop::collection::btree_map(0_u8..7, -3.0_f32..3.0, 1..6),
                0..60,
            ),
            absent in any::<u32>(),
        ) {
            let features: Vec<(u32, Vec<(u8, f32)>)> =
                rows.iter().map(|(hash, row)| (*hash, row.iter().map(|(l, w)| (*l, *w)).collect())).collect();
            let table = WeightTable::new(7, &features);
            let mut bytes = Vec::new();
            table.write(&mut bytes);
            let mut reader = SectionReader::new("m.resay", "weights", &bytes);
            let back = WeightTable::read(&mut reader).unwrap();
            reader.end().unwrap();
            let scale = table.scale();
            for (hash, row) in &features {
                let expected: BTreeMap<u8, i32> = row
                    .iter()
                    .map(|(label, weight)| (*label, (weight / scale).round() as i32))
                    .filter(|(_, steps)| *steps != 0)
                    .collect();
                for table in [&table, &back] {
                    let found: BTreeMap<u8, i32> =
                        table.row(*hash).iter().map(|[label, steps]| (*label, i32::from(*steps as i8))).collect();
                    prop_assert_eq!(&found, &expected);
                }
            }
            if !rows.contains_key(&absent) {
                prop_assert!(back.row(absent).is_empty());
            }
            let mut asked: Vec<u32> = features.iter().map(|(hash, _)| *hash).collect();
            asked.extend([absent, 0, 7, u32::MAX]);
            let (mut one_by_one, mut at_once) = (vec![0; 7], vec![0; 7]);
            asked.iter().for_each(|&feature| back.add(feature, &mut one_by_one));
            back.add_all(&asked, &mut at_once);
            prop_assert_eq!(one_by_one, at_once);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(table) = WeightTable::read(&mut SectionReader::new("m.resay", "weights", &bytes)) {
                let mut scores = vec![0; table.n_labels()];
                (0..200).for_each(|at| table.add(at << 24, &mut scores));
            }
        }
    }
}
