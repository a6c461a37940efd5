//! The trained weights of actions: two bytes per feature, found with one memory access and no
//! branch.
//!
//! Only differences of scores matter, so Shift always has score 0 and a feature has weights for
//! Left and Right only. A cell of 32 bits holds the lower half of the feature's hash and two
//! weights; the upper half selects a bucket of four cells. A lookup reads all four and adds those
//! that match, which costs less than a branch misprediction. If more than four features fall into a
//! bucket, those with the smallest weights are dropped.

use crate::Result;
use crate::container::{SectionReader, put};

/// The scores of Left and Right relative to Shift.
pub(super) type Scores = [i32; 2];

/// A source of weights for a search: the trained table, or weights in training.
pub(super) trait Weights {
    /// Adds the weights of features to scores.
    fn sum(&self, features: &[u32], scores: &mut Scores);
}

const CELLS: usize = 4;
/// With fewer than 2^16 buckets, bucket number and cell would not cover all bits of a hash.
const LEAST_BITS: u32 = 16;
const MOST_BITS: u32 = 24;

/// The trained table.
#[derive(Clone, Debug)]
pub(super) struct ActionTable {
    /// The bucket number is the hash without its lowest `shift` bits.
    shift: u32,
    /// Bits 16..32 of a cell are the lowest bits of the hash, 8..16 the weight of Left, 0..8 that
    /// of Right; 0 is an empty cell.
    buckets: Vec<[u32; CELLS]>,
}

impl ActionTable {
    /// Packs weights. Features are unique and in ascending order of hash, with the weights of Left
    /// and Right. Weights are rounded to units of `limit / 127` and clamped to `limit`.
    pub(super) fn new(features: &[(u32, [f32; 2])], limit: f32) -> Self {
        let steps = |weight: f32| (weight / limit * 127.0).round().clamp(-127.0, 127.0) as i8;
        let cells: Vec<(u32, [i8; 2])> = features
            .iter()
            .map(|(hash, weights)| (*hash, weights.map(steps)))
            .filter(|cell| cell.1 != [0; 2])
            .collect();
        Self::placed(&cells)
    }

    /// Builds the table from cells in ascending order of hash.
    fn placed(cells: &[(u32, [i8; 2])]) -> Self {
        let bits = (cells.len() * 2 / 3).next_power_of_two().trailing_zeros().clamp(LEAST_BITS, MOST_BITS);
        let shift = 32 - bits;
        let mut buckets = vec![[0; CELLS]; 1 << bits];
        for group in cells.chunk_by(|a, b| a.0 >> shift == b.0 >> shift) {
            let bucket = &mut buckets[(group[0].0 >> shift) as usize];
            let cell = |(hash, [left, right]): (u32, [i8; 2])| {
                hash << 16 | u32::from(left as u8) << 8 | u32::from(right as u8)
            };
            if group.len() <= CELLS {
                bucket.iter_mut().zip(group).for_each(|(place, found)| *place = cell(*found));
                continue;
            }
            let mut heaviest = group.to_vec();
            let weight = |weights: [i8; 2]| weights.map(i32::from).map(i32::abs).iter().sum::<i32>();
            heaviest.sort_by_key(|(_, weights)| std::cmp::Reverse(weight(*weights)));
            heaviest.truncate(CELLS);
            heaviest.sort_by_key(|(hash, _)| *hash);
            bucket.iter_mut().zip(heaviest).for_each(|(place, found)| *place = cell(found));
        }
        Self { shift, buckets }
    }

    /// Returns the features and weights, in ascending order of hash.
    fn cells(&self) -> Vec<(u32, [i8; 2])> {
        let mut out = Vec::new();
        for (at, bucket) in self.buckets.iter().enumerate() {
            for &cell in bucket.iter().filter(|cell| **cell & 0xffff != 0) {
                let lowest = (cell >> 16) & ((1 << self.shift) - 1);
                out.push(((at as u32) << self.shift | lowest, [(cell >> 8) as i8, cell as i8]));
            }
        }
        out
    }

    /// Returns the number of features with weights.
    pub(super) fn n_features(&self) -> usize {
        self.cells().len()
    }

    /// Writes the table as a section: hashes as differences, then the weights of Left, then those
    /// of Right.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let cells = self.cells();
        put(out, cells.len() as u64);
        let mut last = 0;
        for (hash, _) in &cells {
            put(out, u64::from(hash - last));
            last = *hash;
        }
        for side in 0..2 {
            out.extend(cells.iter().map(|(_, weights)| weights[side] as u8));
        }
    }

    /// Reads what `write` has written.
    pub(super) fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let n = reader.count(3)?;
        let mut cells = Vec::with_capacity(n);
        let mut last = 0_u64;
        for at in 0..n {
            let step = reader.number()?;
            last = last.saturating_add(step);
            if last > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return reader.fail("features are not in the order of their hashes");
            }
            cells.push((last as u32, [0; 2]));
        }
        for side in 0..2 {
            let weights = reader.bytes(n)?;
            cells.iter_mut().zip(weights).for_each(|(cell, &weight)| cell.1[side] = weight as i8);
        }
        Ok(Self::placed(&cells))
    }
}

impl Weights for ActionTable {
    #[inline]
    fn sum(&self, features: &[u32], scores: &mut Scores) {
        // One sum per lane, reduced at the end: vector instructions throughout.
        let (mut left, mut right) = ([0; CELLS], [0; CELLS]);
        for &feature in features {
            let bucket = &self.buckets[(feature >> self.shift) as usize];
            for ((&cell, left), right) in bucket.iter().zip(&mut left).zip(&mut right) {
                let mask = -i32::from(cell >> 16 == feature & 0xffff);
                *left += ((cell << 16) as i32 >> 24) & mask;
                *right += ((cell << 24) as i32 >> 24) & mask;
            }
        }
        scores[0] += left.iter().sum::<i32>();
        scores[1] += right.iter().sum::<i32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weights_are_found_again(
            mut rows in prop::collection::btree_map(
                prop_oneof![any::<u32>(), 0_u32..6, (u32::MAX - 3)..=u32::MAX, Just(0x1234_0000), Just(0x1235_0000)],
                prop::array::uniform2(-3.0_f32..3.0),
                0..60,
            ),
            absent in any::<u32>(),
        ) {
            // At most as many features as fit into a bucket. The next test covers which ones are
            // dropped.
            let mut in_bucket = std::collections::BTreeMap::new();
            rows.retain(|hash, _| {
                let n = in_bucket.entry(hash >> (32 - LEAST_BITS)).or_insert(0);
                *n += 1;
                *n <= CELLS
            });
            let features: Vec<(u32, [f32; 2])> = rows.iter().map(|(hash, weights)| (*hash, *weights)).collect();
            let table = ActionTable::new(&features, 2.0);
            let mut bytes = Vec::new();
            table.write(&mut bytes);
            let mut reader = SectionReader::new("m.resay", "weights", &bytes);
            let back = ActionTable::read(&mut reader).unwrap();
            reader.end().unwrap();
            for table in [&table, &back] {
                for (hash, weights) in &features {
                    let mut scores = [5, 7];
                    table.sum(&[*hash], &mut scores);
                    let steps = weights.map(|weight| (weight / 2.0 * 127.0).round().clamp(-127.0, 127.0) as i32);
                    prop_assert_eq!(scores, [5 + steps[0], 7 + steps[1]]);
                }
                if !rows.contains_key(&absent) {
                    let mut scores = [0; 2];
                    table.sum(&[absent], &mut scores);
                    prop_assert_eq!(scores, [0; 2]);
                }
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(table) = ActionTable::read(&mut SectionReader::new("m.resay", "weights", &bytes)) {
                table.sum(&[0, 1, u32::MAX], &mut [0; 2]);
            }
        }
    }

    #[test]
    fn the_heaviest_stay_in_a_full_bucket() {
        let features: Vec<(u32, [f32; 2])> = (0..6_u8).map(|at| (u32::from(at), [f32::from(at) - 2.5, 0.0])).collect();
        let table = ActionTable::new(&features, 2.5);
        let kept: Vec<u32> = table.cells().iter().map(|cell| cell.0).collect();
        assert_eq!(kept, [0, 1, 4, 5]);
    }
}
