//! Many pairs judged in little memory. A sentence is read when the first of its pairs is judged and forgotten after the
//! last. Pairs that hang together stand together, so that most sentences are kept for a moment only.

use crate::Result;
use crate::model::{CombinedModel, Decision, Reading};

/// Pairs that are judged at once.
const BLOCK: usize = 4096;

/// What the judge says of pairs of texts, in the order of the pairs. `progress` is told how many are done.
pub fn judge_pairs(
    judge: &CombinedModel,
    texts: &[&str],
    pairs: &[[u32; 2]],
    progress: &dyn Fn(usize),
) -> Result<Vec<Decision>> {
    let order = together(texts.len(), pairs);
    let mut last_use = vec![0usize; texts.len()];
    for (at, &pair) in order.iter().enumerate() {
        pairs[pair].iter().for_each(|&text| last_use[text as usize] = at);
    }
    let mut kept: Vec<Option<Reading>> = vec![None; texts.len()];
    let mut decisions: Vec<Option<Decision>> = vec![None; pairs.len()];
    for (number, block) in order.chunks(BLOCK).enumerate() {
        let end = number * BLOCK + block.len();
        let mut used: Vec<u32> = block.iter().flat_map(|&pair| pairs[pair]).collect();
        used.sort_unstable();
        used.dedup();
        let new: Vec<u32> = used.iter().copied().filter(|&text| kept[text as usize].is_none()).collect();
        let new_texts: Vec<&str> = new.iter().map(|&text| texts[text as usize]).collect();
        for (text, reading) in new.iter().zip(judge.read_all(&new_texts)) {
            kept[*text as usize] = Some(reading);
        }
        let readings: Vec<Reading> = used.iter().filter_map(|&text| kept[text as usize].take()).collect();
        let place = |text: u32| used.binary_search(&text).unwrap_or_default();
        let places: Vec<[usize; 2]> = block.iter().map(|&pair| pairs[pair].map(place)).collect();
        for (&pair, decision) in block.iter().zip(judge.decide_pairs(&readings, &places)?) {
            decisions[pair] = Some(decision);
        }
        for (&text, reading) in used.iter().zip(readings) {
            if last_use[text as usize] >= end {
                kept[text as usize] = Some(reading);
            }
        }
        progress(end);
    }
    Ok(decisions.into_iter().flatten().collect())
}

/// Pairs sorted so that what is connected stands together.
fn together(n: usize, pairs: &[[u32; 2]]) -> Vec<usize> {
    let mut root: Vec<u32> = (0..n as u32).collect();
    fn find(root: &mut [u32], mut at: u32) -> u32 {
        while root[at as usize] != at {
            root[at as usize] = root[root[at as usize] as usize];
            at = root[at as usize];
        }
        at
    }
    for pair in pairs {
        let [a, b] = pair.map(|text| find(&mut root, text));
        root[a.max(b) as usize] = a.min(b);
    }
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&pair| (find(&mut root, pairs[pair][0]), pairs[pair]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;
    use std::cell::Cell;

    #[test]
    fn pairs_that_hang_together_stand_together() {
        let pairs = [[0, 1], [2, 3], [1, 4], [5, 6], [3, 7], [0, 4]];
        assert_eq!(together(8, &pairs), [0, 5, 2, 1, 4, 3]);
        assert!(together(3, &[]).is_empty());
    }

    #[test]
    fn what_is_read_once_is_decided_as_if_alone() {
        let judge = bundled::JUDGES[0];
        let judge = CombinedModel::from_bytes(judge, bundled::bytes(judge).unwrap()).unwrap();
        let texts = ["Anna sold the boat.", "The boat was sold by Anna.", "It rained.", "Anna sold two boats."];
        // More than one block, so that sentences are kept from one to the next.
        let pairs: Vec<[u32; 2]> =
            (0..4 * BLOCK as u32).map(|at| [at % 4, (at / 4) % 4]).filter(|[a, b]| a < b).collect();
        assert!(pairs.len() > BLOCK);
        let done = Cell::new(0);
        let decided = judge_pairs(&judge, &texts, &pairs, &|n| done.set(n)).unwrap();
        assert_eq!(done.get(), pairs.len());
        for a in 0..4_u32 {
            for b in a + 1..4 {
                let alone = judge.score(texts[a as usize], texts[b as usize]).unwrap();
                let of_pair = pairs.iter().zip(&decided).filter(|(pair, _)| **pair == [a, b]);
                assert!(of_pair.clone().count() > 1 && of_pair.into_iter().all(|(_, decision)| *decision == alone));
            }
        }
    }
}
