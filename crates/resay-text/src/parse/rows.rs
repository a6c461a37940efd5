//! The trained weights of relations: like those of actions (`weights.rs`), but with any number of
//! relations per feature.
//!
//! A cell of 64 bits holds the lower half of the feature's hash and the position of its entries;
//! the upper half of the hash selects a bucket of four cells. All features of a word are looked up
//! first, without branches, so that their memory latencies overlap; then their entries are read.

use crate::Result;
use crate::container::{SectionReader, put};
use std::ops::Range;

const CELLS: usize = 4;
/// With fewer than 2^16 buckets, bucket number and cell would not cover all bits of a hash.
const LEAST_BITS: u32 = 16;
const MOST_BITS: u32 = 22;

/// A feature's hash, and the range of its entries: relations with weights in units.
type Row = (u32, Range<usize>);

/// Weights of features for relations.
#[derive(Clone, Debug)]
pub(super) struct LabelTable {
    n_labels: usize,
    /// The bucket number is the hash without its lowest `shift` bits.
    shift: u32,
    /// Bits 48..64 of a cell are the lowest bits of the hash, 8..40 the start of the entries, 0..8
    /// their number; 0 is an empty cell.
    buckets: Vec<[u64; CELLS]>,
    /// Label and weight.
    entries: Vec<[u8; 2]>,
}

impl LabelTable {
    /// Packs weights. Features are unique and in ascending order of hash, with labels and weights.
    /// Weights are rounded to units of `limit / 127` and clamped to `limit`; those that round to 0
    /// are dropped.
    pub(super) fn new(n_labels: usize, features: &[(u32, Vec<(u8, f32)>)], limit: f32) -> Self {
        let steps = |weight: f32| (weight / limit * 127.0).round().clamp(-127.0, 127.0) as i8;
        let entry = |&(label, weight): &(u8, f32)| [label, steps(weight) as u8];
        let (mut rows, mut entries) = (Vec::new(), Vec::new());
        for (hash, weights) in features {
            let start = entries.len();
            entries.extend(weights.iter().map(entry).filter(|entry| entry[1] != 0).take(255));
            rows.push((*hash, start..entries.len()));
        }
        rows.retain(|row| !row.1.is_empty());
        Self::placed(n_labels, &rows, &entries)
    }

    /// Builds the table from rows in ascending order of hash. Their ranges are positions in `all`.
    fn placed(n_labels: usize, rows: &[Row], all: &[[u8; 2]]) -> Self {
        let bits = (rows.len() * 2 / 3).next_power_of_two().trailing_zeros().clamp(LEAST_BITS, MOST_BITS);
        let shift = 32 - bits;
        let mut buckets = vec![[0; CELLS]; 1 << bits];
        let mut entries = Vec::with_capacity(all.len());
        for group in rows.chunk_by(|a, b| a.0 >> shift == b.0 >> shift) {
            let mut heaviest = Vec::new();
            if group.len() > CELLS {
                let weight =
                    |row: &Row| all[row.1.clone()].iter().map(|entry| i32::from(entry[1] as i8).abs()).sum::<i32>();
                heaviest.extend_from_slice(group);
                heaviest.sort_by_key(|row| std::cmp::Reverse(weight(row)));
                heaviest.truncate(CELLS);
                heaviest.sort_by_key(|row| row.0);
            }
            let kept = if heaviest.is_empty() { group } else { &heaviest };
            for (cell, (hash, row)) in buckets[(group[0].0 >> shift) as usize].iter_mut().zip(kept) {
                *cell = u64::from(hash & 0xffff) << 48 | (entries.len() as u64) << 8 | row.len() as u64;
                entries.extend_from_slice(&all[row.clone()]);
            }
        }
        Self { n_labels, shift, buckets, entries }
    }

    /// Returns the number of labels.
    pub(super) fn n_labels(&self) -> usize {
        self.n_labels
    }

    /// Returns the label with the highest sum of weights; the first in a tie.
    pub(super) fn best(&self, features: &[u32], room: &mut Room) -> u8 {
        room.found.clear();
        for &feature in features {
            let bucket = &self.buckets[(feature >> self.shift) as usize];
            let mut found = 0;
            for &cell in bucket {
                found |= cell & u64::from(cell >> 48 == u64::from(feature & 0xffff)).wrapping_neg();
            }
            room.found.push(found);
        }
        room.scores.clear();
        room.scores.resize(self.n_labels, 0);
        for &found in &room.found {
            let start = (found >> 8) as u32 as usize;
            for &[label, weight] in &self.entries[start..start + (found & 0xff) as usize] {
                room.scores[label as usize] += i32::from(weight as i8);
            }
        }
        highest(&room.scores)
    }

    /// Returns the features and their entries, in ascending order of hash.
    fn rows(&self) -> Vec<(u32, &[[u8; 2]])> {
        let mut out = Vec::new();
        for (at, bucket) in self.buckets.iter().enumerate() {
            for &cell in bucket.iter().filter(|cell| **cell & 0xff != 0) {
                let lowest = (cell >> 48) as u32 & ((1 << self.shift) - 1);
                let start = (cell >> 8) as u32 as usize;
                out.push(((at as u32) << self.shift | lowest, &self.entries[start..start + (cell & 0xff) as usize]));
            }
        }
        out
    }

    /// Returns the number of features with weights.
    pub(super) fn n_features(&self) -> usize {
        self.rows().len()
    }

    /// Writes the table as a section: hashes as differences, then counts, labels and weights in
    /// separate lists.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let rows = self.rows();
        put(out, self.n_labels as u64);
        put(out, rows.len() as u64);
        let mut last = 0;
        for (hash, _) in &rows {
            put(out, u64::from(hash - last));
            last = *hash;
        }
        out.extend(rows.iter().map(|(_, row)| row.len() as u8));
        for part in 0..2 {
            out.extend(rows.iter().flat_map(|(_, row)| row.iter().map(move |entry| entry[part])));
        }
    }

    /// Reads what `write` has written.
    pub(super) fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let n_labels = reader.below(256, "number of labels")? as usize;
        let n = reader.count(2)?;
        let mut hashes = Vec::with_capacity(n);
        let mut last = 0_u64;
        for at in 0..n {
            let step = reader.number()?;
            last = last.saturating_add(step);
            if last > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return reader.fail("features are not in the order of their hashes");
            }
            hashes.push(last as u32);
        }
        let counts = reader.bytes(n)?;
        let n_entries: usize = counts.iter().map(|&count| count as usize).sum();
        let (labels, weights) = (reader.bytes(n_entries)?, reader.bytes(n_entries)?);
        if let Some(label) = labels.iter().find(|&&label| label as usize >= n_labels) {
            return reader.fail(format_args!("label {label}, expected one below {n_labels}"));
        }
        let entries: Vec<[u8; 2]> = labels.iter().zip(weights).map(|(&label, &weight)| [label, weight]).collect();
        let mut end = 0;
        let row = |(hash, &count): (u32, &u8)| {
            end += count as usize;
            (hash, end - count as usize..end)
        };
        let rows: Vec<Row> = hashes.into_iter().zip(counts).map(row).collect();
        Ok(Self::placed(n_labels, &rows, &entries))
    }
}

/// Buffers for lookups.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    found: Vec<u64>,
    scores: Vec<i32>,
}

/// Returns the index of the highest score; the first in a tie.
pub(super) fn highest(scores: &[i32]) -> u8 {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    best as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weights_are_found_again(
            rows in prop::collection::btree_map(
                prop_oneof![any::<u32>(), 0_u32..4, (u32::MAX - 3)..=u32::MAX],
                prop::collection::btree_map(0_u8..7, -3.0_f32..3.0, 1..6),
                0..40,
            ),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
            absent in any::<u32>(),
        ) {
            let features: Vec<(u32, Vec<(u8, f32)>)> =
                rows.iter().map(|(hash, row)| (*hash, row.iter().map(|(l, w)| (*l, *w)).collect())).collect();
            let table = LabelTable::new(7, &features, 2.0);
            let mut bytes = Vec::new();
            table.write(&mut bytes);
            let mut reader = SectionReader::new("m.resay", "labels", &bytes);
            let back = LabelTable::read(&mut reader).unwrap();
            reader.end().unwrap();
            prop_assert_eq!(table.rows(), back.rows());
            // Reference implementation: sums over the rows as given.
            let mut hashes: Vec<u32> = vec![absent];
            let mut expected = vec![0; 7];
            for index in asked.iter().filter(|_| !features.is_empty()) {
                hashes.push(features[index.index(features.len())].0);
            }
            for hash in &hashes {
                for (label, weight) in rows.get(hash).into_iter().flatten() {
                    expected[*label as usize] += (weight / 2.0 * 127.0).round().clamp(-127.0, 127.0) as i32;
                }
            }
            let mut room = Room::default();
            prop_assert_eq!(back.best(&hashes, &mut room), highest(&expected));
            prop_assert_eq!(room.scores, expected);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(table) = LabelTable::read(&mut SectionReader::new("m.resay", "labels", &bytes)) {
                table.best(&[0, 1, 77, u32::MAX], &mut Room::default());
            }
        }
    }

    #[test]
    fn the_heaviest_stay_in_a_full_bucket() {
        let features: Vec<(u32, Vec<(u8, f32)>)> =
            (0..6_u8).map(|at| (at.into(), vec![(at, f32::from(at) - 2.5)])).collect();
        let table = LabelTable::new(6, &features, 2.5);
        let kept: Vec<u32> = table.rows().iter().map(|row| row.0).collect();
        assert_eq!(kept, [0, 1, 4, 5]);
    }
}
