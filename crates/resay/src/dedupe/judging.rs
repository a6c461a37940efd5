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
