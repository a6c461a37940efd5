//! All hypernyms of a synset with their distances, nearest first.
//!
//! Only inner synsets have a list of their own: a leaf's ancestors are its parents and theirs, and four synsets of five
//! are leaves, so the lists stay small enough to be made when the table is opened. A question walks one short piece of
//! memory instead of a chain of pointers.

use super::table::Csr;
use super::{Layout, parents_of};
use crate::Result;
use crate::pack::Reader;

/// The longest list of all ancestors that is made: twenty times WordNet's.
const MAX_ITEMS: usize = 1 << 22;
/// The most hypernyms of one synset: ten times WordNet's.
const MAX_PARENTS: usize = 64;
/// Distances stand above the ids.
const DISTANCE_SHIFT: u32 = 24;
const ID_MASK: u32 = (1 << DISTANCE_SHIFT) - 1;
/// The most synsets that a packed ancestor can name.
pub(super) const MAX_SYNSETS: usize = 1 << DISTANCE_SHIFT;

/// Ancestors and depths by number of the inner synset.
#[derive(Debug)]
pub(super) struct Ancestors {
    lists: Csr,
    /// Length of the shortest and of the longest way to a root.
    pub(super) depths: Vec<(u8, u8)>,
}

/// An ancestor as it is packed.
pub(super) fn unpack(ancestor: u32) -> (u32, u32) {
    (ancestor & ID_MASK, ancestor >> DISTANCE_SHIFT)
}

impl Ancestors {
    /// Breadth first from every inner synset. WordNet 3.0 has one circle of hypernyms (to inhibit is to restrain is to
    /// inhibit): a synset that was met is not met again, and none is its own ancestor.
    pub(super) fn new(layout: &Layout, pointers: &Csr, depths: Vec<(u8, u8)>, reader: &Reader<'_>) -> Result<Self> {
        let mut lists = Csr::new();
        let mut met_by = vec![u32::MAX; layout.starts[4] as usize];
        let mut queue: Vec<u32> = Vec::new();
        for (&start, &n_inner) in layout.starts.iter().zip(&layout.n_inner) {
            for synset in start..start + n_inner {
                queue.clear();
                met_by[synset as usize] = synset;
                let mut next = 0;
                let (mut from, mut distance) = (synset, 0);
                loop {
                    for (number, parent) in parents_of(pointers.row(from as usize)).enumerate() {
                        if number == MAX_PARENTS {
                            return reader.fail(format_args!("a synset with more than {MAX_PARENTS} hypernyms"));
                        }
                        if std::mem::replace(&mut met_by[parent as usize], synset) != synset {
                            queue.push((distance + 1) << DISTANCE_SHIFT | parent);
                        }
                    }
                    let Some(&ancestor) = queue.get(next) else { break };
                    (from, distance) = unpack(ancestor);
                    if distance >= 254 {
                        return reader.fail("a chain of more than 254 hypernyms");
                    }
                    next += 1;
                }
                if lists.n_items() + queue.len() > MAX_ITEMS {
                    return reader.fail("the synsets have too many hypernyms");
                }
                lists.push_row(queue.iter().copied());
            }
        }
        Ok(Self { lists, depths })
    }

    /// Packed ancestors of an inner synset, nearest first.
    pub(super) fn of(&self, inner: usize) -> &[u32] {
        self.lists.row(inner)
    }
}
