//! Sentences that occur unchanged in both documents: found by their text alone, without the judge.
//!
//! The common beginning and end of both documents match in order, whatever their length. In
//! between, every sentence has an entry with each of its copies on the other side. A sentence with
//! many copies on both sides (a line of dashes, "Yes.") has entries only with the copy of the same
//! number, counted from the start and from the end, so that the table stays linear.

use super::document::DiffDocument;
use crate::Result;
use crate::align::{Entry, matching};
use resay_learn::progress::Progress;
use rustc_hash::FxHashMap;

/// Up to this many pairs of copies all are entries; beyond, only those with the same number.
const MAX_PAIRS: usize = 64;

/// Sentences with the same text: source, target, and whether they are out of order; sorted by
/// source.
pub(super) fn same(documents: [&DiffDocument; 2], progress: Progress<'_>) -> Result<Vec<(usize, usize, bool)>> {
    let mut known: FxHashMap<String, u32> = FxHashMap::default();
    let mut keys = |document: &DiffDocument| -> Result<Vec<u32>> {
        let mut key = |sentence: usize| {
            progress.check()?;
            let next = known.len() as u32;
            Ok(*known.entry(document.normalised(sentence)).or_insert(next))
        };
        (0..document.sentences().len()).map(&mut key).collect()
    };
    let keys = [keys(documents[0])?, keys(documents[1])?];
    let lengths: Vec<u32> = documents[0].sentences().iter().map(|place| place.n_words).collect();
    Ok(same_keys([&keys[0], &keys[1]], &lengths))
}

/// Like [`same`], for sentences given as numbers, with the word count of each source.
fn same_keys([source, target]: [&[u32]; 2], n_words: &[u32]) -> Vec<(usize, usize, bool)> {
    let n_first = source.iter().zip(target).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&source[n_first..], &target[n_first..]);
    let n_last = rest.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut found: Vec<(usize, usize, bool)> = (0..n_first).map(|at| (at, at, false)).collect();

    let middle = [n_first..source.len() - n_last, n_first..target.len() - n_last];
    let mut copies: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    middle[1].clone().for_each(|at| copies.entry(target[at]).or_default().push(at));
    let mut own: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    middle[0].clone().for_each(|at| own.entry(source[at]).or_default().push(at));
    let mut entries: Vec<Entry> = Vec::new();
    for at in middle[0].clone() {
        let (Some(own), Some(copies)) = (own.get(&source[at]), copies.get(&source[at])) else { continue };
        // A long sentence is less likely to match by chance.
        let weight = f64::from(n_words[at]).sqrt();
        let mut put = |target: usize| entries.push(Entry { source: at, target, weight, may_move: true });
        if own.len() * copies.len() <= MAX_PAIRS {
            copies.iter().for_each(|&copy| put(copy));
            continue;
        }
        let Ok(number) = own.binary_search(&at) else { continue };
        let from_start = copies.get(number);
        let from_end = copies.len().checked_sub(own.len() - number).and_then(|number| copies.get(number));
        from_start.into_iter().for_each(|&copy| put(copy));
        from_end.into_iter().filter(|copy| Some(*copy) != from_start).for_each(|&copy| put(copy));
    }
    found.extend(matching(&entries).into_iter().map(|(at, moved)| (entries[at].source, entries[at].target, moved)));
    let last = (0..n_last).rev().map(|back| (source.len() - 1 - back, target.len() - 1 - back, false));
    found.extend(last);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_find_each_other() {
        // Each letter is a sentence; a leading `>` marks those out of order.
        let check = |source: &str, target: &str, expected: &str| {
            let keys = [source, target].map(|text| text.bytes().map(u32::from).collect::<Vec<u32>>());
            let found = same_keys([&keys[0], &keys[1]], &vec![4; source.len()]);
            let shown = found.iter().map(|(a, b, moved)| format!("{}{a}-{b}", if *moved { ">" } else { "" }));
            assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{source} {target}");
        };
        check("", "", "");
        check("abc", "abc", "0-0 1-1 2-2");
        check("abc", "abxc", "0-0 1-1 2-3");
        check("abc", "xyz", "");
        check("abcd", "bcda", ">0-3 1-0 2-1 3-2");
        check("aab", "ab", "0-0 2-1");
        check("xa", "aya", "1-2");
    }

    #[test]
    fn many_copies_cost_little() {
        let dashes = |n: usize, first: u32| {
            let mut keys = vec![first];
            keys.extend((0..n as u32).flat_map(|at| [1, 100 + at]));
            keys.push(first + 1);
            keys
        };
        let [source, target] = [dashes(30_000, 10), dashes(30_000, 20)];
        let found = same_keys([&source, &target], &vec![4; source.len()]);
        assert_eq!(found.len(), 60_000);
        assert!(found.iter().all(|(a, b, moved)| a == b && !moved));
    }
}
