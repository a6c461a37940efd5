//! Judges many pairs in little memory. A sentence is annotated for the first of its pairs and
//! dropped after the last. Connected pairs are judged together, so that most sentences are kept
//! only briefly.

use crate::Result;
use crate::model::{Decision, PairModel};
use crate::pair::Annotated;
use resay_learn::progress::{Progress, Stage, sort};

/// The number of pairs judged at once.
const BLOCK: usize = 4096;

/// Judges pairs of texts and returns one decision per pair, in order; reports the number of pairs
/// done.
pub fn judge_pairs(
    judge: &dyn PairModel,
    texts: &[&str],
    pairs: &[[u32; 2]],
    progress: Progress<'_>,
) -> Result<Vec<Decision>> {
    progress.report(Stage::Score, 0, pairs.len())?;
    let order = together(texts.len(), pairs, progress)?;
    let mut last_use = vec![0usize; texts.len()];
    for (at, &pair) in order.iter().enumerate() {
        pairs[pair].iter().for_each(|&text| last_use[text as usize] = at);
    }
    let mut kept: Vec<Option<Annotated>> = vec![None; texts.len()];
    let mut decisions: Vec<Option<Decision>> = vec![None; pairs.len()];
    for (number, block) in order.chunks(BLOCK).enumerate() {
        let end = number * BLOCK + block.len();
        let mut used: Vec<u32> = block.iter().flat_map(|&pair| pairs[pair]).collect();
        used.sort_unstable();
        used.dedup();
        let new: Vec<u32> = used.iter().copied().filter(|&text| kept[text as usize].is_none()).collect();
        let new_texts: Vec<&str> = new.iter().map(|&text| texts[text as usize]).collect();
        for (text, annotated) in new.iter().zip(judge.annotate(&new_texts, progress.quiet())?) {
            kept[*text as usize] = Some(annotated);
        }
        let annotated: Vec<Annotated> = used.iter().filter_map(|&text| kept[text as usize].take()).collect();
        let place = |text: u32| used.binary_search(&text).unwrap_or_default();
        let places: Vec<[usize; 2]> = block.iter().map(|&pair| pairs[pair].map(place)).collect();
        for (&pair, found) in block.iter().zip(judge.predict_annotated(&annotated, &places, progress.quiet())?) {
            decisions[pair] = Some(found?.decision()?);
        }
        for (&text, annotated) in used.iter().zip(annotated) {
            if last_use[text as usize] >= end {
                kept[text as usize] = Some(annotated);
            }
        }
        progress.report(Stage::Score, end, pairs.len())?;
    }
    Ok(decisions.into_iter().flatten().collect())
}

/// Sorts pairs so that connected components are contiguous.
fn together(n: usize, pairs: &[[u32; 2]], progress: Progress<'_>) -> Result<Vec<usize>> {
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
    let roots: Vec<u32> = pairs.iter().map(|pair| find(&mut root, pair[0])).collect();
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let key = |pair: &usize| (roots[*pair], pairs[*pair], *pair);
    sort(&mut order, |a, b| key(a).cmp(&key(b)), progress)?;
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JudgementModel;
    use crate::resources::Resources;
    use resay_learn::progress::Step;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn pairs_that_hang_together_stand_together() {
        let pairs = [[0, 1], [2, 3], [1, 4], [5, 6], [3, 7], [0, 4]];
        assert_eq!(together(8, &pairs, Progress::none()).unwrap(), [0, 5, 2, 1, 4, 3]);
        assert!(together(3, &[], Progress::none()).unwrap().is_empty());
    }

    #[test]
    fn what_is_read_once_is_decided_as_if_alone() {
        let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
        let judge: &dyn PairModel = &judge;
        let texts = ["Anna sold the boat.", "The boat was sold by Anna.", "It rained.", "Anna sold two boats."];
        // More than one block, so that sentences are kept between blocks.
        let pairs: Vec<[u32; 2]> =
            (0..4 * BLOCK as u32).map(|at| [at % 4, (at / 4) % 4]).filter(|[a, b]| a < b).collect();
        assert!(pairs.len() > BLOCK);
        let done = AtomicUsize::new(0);
        let report = |step: Step<'_>| done.store(step.done, Relaxed);
        let decided = judge_pairs(judge, &texts, &pairs, Progress::new(&report)).unwrap();
        assert_eq!(done.into_inner(), pairs.len());
        for a in 0..4_u32 {
            for b in a + 1..4 {
                let alone = judge.predict_one(texts[a as usize], texts[b as usize]).unwrap().decision().unwrap();
                let of_pair = pairs.iter().zip(&decided).filter(|(pair, _)| **pair == [a, b]);
                assert!(of_pair.clone().count() > 1 && of_pair.into_iter().all(|(_, decision)| *decision == alone));
            }
        }
    }
}
