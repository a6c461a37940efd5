//! All hypernyms of a synset with their distances, nearest first.
//!
//! Only inner synsets have a list of their own. The ancestors of a leaf are its parents and theirs,
//! and four synsets in five are leaves, so the lists are small enough to be built when the table is
//! opened. A query scans one short slice instead of following a chain of pointers.

use super::parents_of;
use super::table::Csr;
use crate::Result;
use crate::container::SectionReader;

/// Maximum total length of all lists: twenty times WordNet's.
const MAX_ITEMS: usize = 1 << 22;
/// Maximum number of hypernyms of one synset: ten times WordNet's.
const MAX_PARENTS: usize = 64;
/// Maximum distance of an ancestor.
const MAX_DISTANCE: u32 = 254;
/// A packed ancestor has its distance above the bits of its id.
const DISTANCE_SHIFT: u32 = 24;
const ID_MASK: u32 = (1 << DISTANCE_SHIFT) - 1;
const ONE_STEP: u32 = 1 << DISTANCE_SHIFT;
/// Maximum number of synsets that packed ancestors can address.
pub(super) const MAX_SYNSETS: usize = 1 << DISTANCE_SHIFT;

/// Ancestors and depths of the inner synsets.
#[derive(Debug)]
pub(super) struct Ancestors {
    items: Vec<u32>,
    lists: Vec<List>,
    /// Length of the shortest and of the longest path to a root.
    pub(super) depths: Vec<(u8, u8)>,
}

/// Where the list of an inner synset begins and ends, and the bits of its ancestors (see [`bit`]).
#[derive(Clone, Copy, Debug)]
struct List {
    begin: u32,
    end: u32,
    bits: u128,
}

/// The list of a missing synset, or of one not yet processed.
const NO_LIST: List = List { begin: u32::MAX, end: 0, bits: 0 };

/// Returns one of 128 bits for a synset. If a list has none of the wanted bits, it need not be
/// scanned.
pub(super) fn bit(synset: u32) -> u128 {
    1 << (synset & 127)
}

/// Unpacks an ancestor into (synset, distance).
pub(super) fn unpack(ancestor: u32) -> (u32, u32) {
    (ancestor & ID_MASK, ancestor >> DISTANCE_SHIFT)
}

impl Ancestors {
    /// Builds the lists of all inner synsets from their upward pointers, all of which lead to inner
    /// synsets. Synsets are processed in order of depth, parents first, and a synset with one
    /// parent extends that parent's list. For the others, and where the parent's list is not yet
    /// there, a breadth-first search follows all paths up. WordNet 3.0 has one cycle of hypernyms
    /// (to inhibit is to restrain is to inhibit); even so, no synset is its own ancestor.
    pub(super) fn new(ups: &Csr, depths: Vec<(u8, u8)>, reader: &SectionReader<'_>) -> Result<Self> {
        let n_inner = depths.len();
        let by_depth = Csr::gather(256, || depths.iter().zip(0..).map(|(depths, inner)| (u32::from(depths.1), inner)));
        let mut ancestors = Self { items: Vec::new(), lists: vec![NO_LIST; n_inner], depths };
        let mut met_by = vec![u32::MAX; n_inner];
        for &synset in by_depth.items() {
            let start = ancestors.items.len();
            let mut parents = parents_of(ups.row(synset as usize));
            let only = parents.next().filter(|_| parents.next().is_none());
            let known = only.map(|parent| (parent, ancestors.list(parent)));
            if let Some((parent, list)) = known.filter(|(_, list)| list.begin != u32::MAX) {
                ancestors.items.push(ONE_STEP | parent);
                for place in list.begin as usize..list.end as usize {
                    let ancestor = ancestors.items[place];
                    if unpack(ancestor).1 >= MAX_DISTANCE {
                        return reader.fail(format_args!("a chain of more than {MAX_DISTANCE} hypernyms"));
                    }
                    if ancestor & ID_MASK != synset {
                        ancestors.items.push(ancestor + ONE_STEP);
                    }
                }
            } else {
                ancestors.walk(synset, ups, &mut met_by, reader)?;
            }
            if ancestors.items.len() > MAX_ITEMS {
                return reader.fail("the synsets have too many hypernyms");
            }
            let bits = ancestors.items[start..].iter().fold(0, |bits, &ancestor| bits | bit(ancestor & ID_MASK));
            ancestors.lists[synset as usize] = List { begin: start as u32, end: ancestors.items.len() as u32, bits };
        }
        Ok(ancestors)
    }

    /// Appends all ancestors of a synset, breadth first. `met_by[s]` is the synset whose search
    /// visited `s` last.
    fn walk(&mut self, synset: u32, ups: &Csr, met_by: &mut [u32], reader: &SectionReader<'_>) -> Result<()> {
        met_by[synset as usize] = synset;
        let mut next = self.items.len();
        let (mut from, mut distance) = (synset, 0);
        loop {
            for (number, parent) in parents_of(ups.row(from as usize)).enumerate() {
                if number == MAX_PARENTS {
                    return reader.fail(format_args!("a synset with more than {MAX_PARENTS} hypernyms"));
                }
                if std::mem::replace(&mut met_by[parent as usize], synset) != synset {
                    self.items.push((distance + 1) << DISTANCE_SHIFT | parent);
                }
            }
            let Some(&ancestor) = self.items.get(next) else { return Ok(()) };
            (from, distance) = unpack(ancestor);
            if distance >= MAX_DISTANCE {
                return reader.fail(format_args!("a chain of more than {MAX_DISTANCE} hypernyms"));
            }
            next += 1;
        }
    }

    fn list(&self, inner: u32) -> List {
        self.lists.get(inner as usize).copied().unwrap_or(NO_LIST)
    }

    /// Returns the packed ancestors of an inner synset, nearest first.
    pub(super) fn of(&self, inner: u32) -> &[u32] {
        self.of_any(inner, u128::MAX)
    }

    /// Like [`Ancestors::of`], but empty if no ancestor has one of the bits.
    pub(super) fn of_any(&self, inner: u32, bits: u128) -> &[u32] {
        match self.list(inner) {
            List { begin, end, bits: known } if known & bits != 0 => {
                self.items.get(begin as usize..end as usize).unwrap_or(&[])
            }
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PointerKind, packed};
    use super::*;

    /// Returns the ancestors of each inner synset as (synset, distance), or the error message,
    /// given its parents.
    fn lists(parents: &[&[u32]], depths: &[u8]) -> Result<Vec<Vec<(u32, u32)>>, String> {
        let entries = || {
            (0..).zip(parents).flat_map(|(synset, parents)| {
                parents.iter().map(move |&parent| (synset, packed(PointerKind::Hypernym, parent)))
            })
        };
        let ups = Csr::gather(parents.len(), entries);
        let depths = depths.iter().map(|&depth| (depth, depth)).collect();
        let found = Ancestors::new(&ups, depths, &SectionReader::new("w.resay", "pointers", &[]));
        let found = found.map_err(|error| error.to_string())?;
        let list = |synset| found.of(synset).iter().map(|&ancestor| unpack(ancestor)).collect();
        Ok((0..parents.len() as u32).map(list).collect())
    }

    #[test]
    fn ancestors_come_nearest_first_whatever_the_depths_say() {
        // 3 is below 0 via 1 and via 2; 4 is below 3.
        let parents: [&[u32]; 5] = [&[], &[0], &[0], &[1, 2], &[3]];
        let expected = vec![
            vec![],
            vec![(0, 1)],
            vec![(0, 1)],
            vec![(1, 1), (2, 1), (0, 2)],
            vec![(3, 1), (1, 2), (2, 2), (0, 3)],
        ];
        for depths in [[0, 1, 1, 2, 3], [0; 5], [9, 8, 7, 6, 5]] {
            assert_eq!(lists(&parents, &depths), Ok(expected.clone()), "{depths:?}");
        }
    }

    #[test]
    fn nobody_is_his_own_ancestor() {
        let expected = vec![vec![(1, 1)], vec![(0, 1)], vec![(0, 1), (1, 2)]];
        for depths in [[0, 1, 2], [1, 0, 0]] {
            assert_eq!(lists(&[&[1], &[0], &[0]], &depths), Ok(expected.clone()));
        }
    }

    #[test]
    fn too_long_chains_and_too_many_parents_are_refused() {
        let chain: Vec<Vec<u32>> = (0..300_u32).map(|synset| synset.checked_sub(1).into_iter().collect()).collect();
        let chain: Vec<&[u32]> = chain.iter().map(Vec::as_slice).collect();
        let what = "a chain of more than 254 hypernyms: the model is damaged";
        let rising: Vec<u8> = (0..300_u32).map(|synset| synset.min(255) as u8).collect();
        for depths in [vec![0; 300], rising] {
            assert_eq!(lists(&chain, &depths), Err(format!("w.resay: section 'pointers': {what}")));
        }
        let many: Vec<u32> = (1..99).collect();
        let crowd: Vec<&[u32]> = (0..99).map(|synset| if synset == 0 { many.as_slice() } else { &[] }).collect();
        let what = "a synset with more than 64 hypernyms: the model is damaged";
        assert_eq!(lists(&crowd, &[0; 99]), Err(format!("w.resay: section 'pointers': {what}")));
    }
}
