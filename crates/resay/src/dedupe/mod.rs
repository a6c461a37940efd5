//! Near-duplicates among many sentences, without judging every pair.
//!
//! Texts that differ only in case, blanks and punctuation are grouped at once (`features.rs`). Of
//! the rest, sentences that share rare words or synonyms are candidates (`candidates.rs`). This
//! search finds every pair above the given similarity exactly; but a pair that the judge would
//! accept may lie below it (docs/dedupe.md). The ensemble judges the candidates, or the most
//! promising ones if there are too many (`judging.rs`). Pairs that say the same form clusters
//! around their first lines (`clusters.rs`). Everything left out is counted and reported.

mod candidates;
mod clusters;
mod features;
mod judging;

pub use candidates::{CandidateLimits, CandidatePair, CandidatePairs, FeatureRows, best_first, candidates, promise};
pub use clusters::{ClusterPlace, places};
pub use features::{MAX_WORDS, Sentences};
pub use judging::judge_pairs;

use crate::model::PairModel;
use crate::{Error, Result};
use resay_learn::progress::{Progress, sort};

/// The maximum number of texts.
pub const MAX_TEXTS: usize = 2_000_000;

/// The parameters of deduplication.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct DedupeOptions {
    /// The probability from which two sentences say the same. It is well above one half, since one
    /// of the two will be dropped.
    pub threshold: f64,
    /// The similarity from which two sentences are candidates.
    pub similarity: f64,
    /// The maximum number of candidates per sentence, among earlier sentences.
    pub neighbours: usize,
    /// The maximum number of judged pairs; `None` for a limit that takes five minutes for 100,000
    /// sentences.
    pub max_pairs: Option<usize>,
}

impl Default for DedupeOptions {
    fn default() -> Self {
        Self { threshold: 0.7, similarity: 0.36, neighbours: 20, max_pairs: None }
    }
}

/// Two judged texts, by index, the earlier one first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct JudgedPair {
    /// The indices of the texts.
    pub texts: [u32; 2],
    /// The similarity of their features.
    pub similarity: f32,
    /// The probability that they say the same.
    pub probability: f64,
}

/// A text in a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Member {
    /// The index of the text.
    pub text: u32,
    /// The probability that it says the same as the cluster's first text; `None` if they are
    /// identical.
    pub probability: Option<f64>,
}

/// Texts that say the same as the first of them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Cluster {
    /// The members in input order; all were judged against the first one.
    pub members: Vec<Member>,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct DedupeSummary {
    /// Input texts.
    pub n_texts: usize,
    /// Texts without words.
    pub n_empty: usize,
    /// Texts identical to an earlier one.
    pub n_same: usize,
    /// Texts too long to judge.
    pub n_too_long: usize,
    /// Judged pairs.
    pub n_judged: usize,
    /// Pairs that say the same.
    pub n_yes: usize,
    /// Candidate pairs that were not judged because there were too many.
    pub n_left_out: u64,
    /// Sentences that may miss candidates because too many sentences share all their words.
    pub n_weak: usize,
    /// Clusters of at least two texts.
    pub n_clusters: usize,
    /// Texts that say the same as an earlier one.
    pub n_duplicates: usize,
}

/// The result of deduplication.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Duplicates {
    /// Clusters of at least two texts, in the order of their first texts.
    pub clusters: Vec<Cluster>,
    /// All judged pairs, in order.
    pub pairs: Vec<JudgedPair>,
    /// Counts of the run.
    pub summary: DedupeSummary,
}

/// The maximum number of index entries to visit: about half a minute on two cores.
pub const MAX_STEPS: u64 = 8_000_000_000;

/// The default maximum number of judged pairs.
pub fn default_max_pairs(n_texts: usize) -> usize {
    50_000 + n_texts + n_texts / 2
}

/// The candidate pairs of sentences; the best ones if there are too many.
pub fn search(sentences: &Sentences, options: &DedupeOptions, progress: Progress<'_>) -> Result<CandidatePairs> {
    if !(options.similarity > 0.0 && options.similarity <= 1.0) {
        return Err(Error::parameter(format!("similarity {}, expected above 0 and at most 1", options.similarity)));
    }
    let limits =
        CandidateLimits { similarity: options.similarity, neighbours: options.neighbours.max(1), max_steps: MAX_STEPS };
    let mut found = candidates(&sentences.rows, &limits, progress)?;
    let most = options.max_pairs.unwrap_or_else(|| default_max_pairs(sentences.rows.len()));
    if found.pairs.len() > most {
        found.n_left_out += (found.pairs.len() - most) as u64;
        sort(&mut found.pairs, best_first, progress)?;
        found.pairs.truncate(most);
        sort(&mut found.pairs, |a, b| a.rows.cmp(&b.rows), progress)?;
    }
    Ok(found)
}

/// Finds texts that say the same.
pub fn dedupe<T: AsRef<str> + Sync>(
    texts: &[T],
    judge: &dyn PairModel,
    options: &DedupeOptions,
    progress: Progress<'_>,
) -> Result<Duplicates> {
    judge.resources().threads().run(|| find_duplicates(texts, judge, options, progress))?
}

fn find_duplicates<T: AsRef<str>>(
    texts: &[T],
    judge: &dyn PairModel,
    options: &DedupeOptions,
    progress: Progress<'_>,
) -> Result<Duplicates> {
    if !(options.threshold > 0.0 && options.threshold <= 1.0) {
        return Err(Error::parameter(format!("threshold {}, expected above 0 and at most 1", options.threshold)));
    }
    if texts.len() > MAX_TEXTS {
        let n = texts.len();
        return Err(Error::data(format!("{n} texts, expected at most {MAX_TEXTS}: cut the file into parts")));
    }
    let sentences = Sentences::read(texts, &*judge.resources().lexicon_with_vectors()?, progress)?;
    let n_sentences = sentences.firsts.len();
    let candidates = search(&sentences, options, progress)?;
    let firsts: Vec<&str> = sentences.firsts.iter().map(|&place| texts[place as usize].as_ref()).collect();
    let rows: Vec<[u32; 2]> = candidates.pairs.iter().map(|pair| pair.rows).collect();
    let decisions = judge_pairs(judge, &firsts, &rows, progress)?;
    let pairs: Vec<JudgedPair> = candidates
        .pairs
        .iter()
        .zip(&decisions)
        .map(|(candidate, decision)| JudgedPair {
            texts: candidate.rows.map(|row| sentences.firsts[row as usize]),
            similarity: candidate.similarity,
            probability: decision.probability,
        })
        .collect();
    let is_same = |decision: &f64| *decision >= options.threshold;
    let same: Vec<([u32; 2], f64)> = rows
        .iter()
        .zip(decisions.iter().map(|decision| decision.probability))
        .filter(|(_, probability)| is_same(probability))
        .map(|(rows, probability)| (*rows, probability))
        .collect();
    let clusters = gather(&sentences, &places(n_sentences, &same));
    let n_empty = sentences.sentence_of.iter().filter(|sentence| sentence.is_none()).count();
    let summary = DedupeSummary {
        n_texts: texts.len(),
        n_empty,
        n_same: texts.len() - n_empty - n_sentences,
        n_too_long: sentences.n_too_long,
        n_judged: pairs.len(),
        n_yes: same.len(),
        n_left_out: candidates.n_left_out,
        n_weak: candidates.n_weak_rows,
        n_clusters: clusters.len(),
        n_duplicates: clusters.iter().map(|cluster| cluster.members.len() - 1).sum(),
    };
    Ok(Duplicates { clusters, pairs, summary })
}

/// Turns clusters of sentences into clusters of texts.
fn gather(sentences: &Sentences, places: &[ClusterPlace]) -> Vec<Cluster> {
    let mut members: Vec<Vec<Member>> = vec![Vec::new(); places.len()];
    for (sentence, text) in sentences.sentence_of.iter().zip(0u32..) {
        let Some(sentence) = *sentence else { continue };
        let ClusterPlace { head, probability } = places[sentence as usize];
        let probability = (head != sentence).then_some(probability);
        members[head as usize].push(Member { text, probability });
    }
    members.into_iter().filter(|members| members.len() > 1).map(|members| Cluster { members }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JudgementModel;
    use crate::resources::Resources;

    fn judge() -> JudgementModel {
        JudgementModel::bundled(&Resources::bundled()).unwrap()
    }

    const TEXTS: [&str; 7] = [
        "The council closed the old bridge on Monday.",
        "It rained all day in the mountains.",
        "the council closed the old bridge on monday",
        "",
        "On Monday, the council closed the old bridge.",
        "Anna sold her red bicycle to a nurse.",
        "It rained all day in the mountains!",
    ];

    #[test]
    fn clusters_are_around_their_first_texts() {
        let options = DedupeOptions { threshold: 0.5, ..DedupeOptions::default() };
        let found = dedupe(&TEXTS, &judge(), &options, Progress::none()).unwrap();
        let places: Vec<Vec<u32>> =
            found.clusters.iter().map(|cluster| cluster.members.iter().map(|member| member.text).collect()).collect();
        assert_eq!(places, [vec![0, 2, 4], vec![1, 6]]);
        let summary = found.summary;
        assert_eq!((summary.n_texts, summary.n_empty, summary.n_same, summary.n_duplicates), (7, 1, 2, 3));
        assert_eq!((summary.n_clusters, summary.n_yes, summary.n_left_out), (2, 1, 0));
        // Identical texts are not judged.
        let of_member = |cluster: usize, at: usize| found.clusters[cluster].members[at].probability;
        assert!(of_member(0, 1).is_none() && of_member(0, 2).is_some_and(|p| p >= 0.5) && of_member(1, 1).is_none());
    }

    #[test]
    fn bounds_are_kept_and_told() {
        let texts: Vec<String> =
            (0..40).map(|at| format!("The council closed bridge number {at} on Monday.")).collect();
        let options = DedupeOptions { neighbours: 3, max_pairs: Some(10), ..DedupeOptions::default() };
        let found = dedupe(&texts, &judge(), &options, Progress::none()).unwrap();
        assert_eq!((found.summary.n_judged, found.pairs.len()), (10, 10));
        assert!(found.summary.n_left_out > 0);
        assert_eq!(dedupe(&[""; 2], &judge(), &options, Progress::none()).unwrap().summary.n_empty, 2);
        for (bad, expected) in [
            (DedupeOptions { threshold: 0.0, ..options }, "threshold 0, expected"),
            (DedupeOptions { similarity: 0.0, ..options }, "similarity 0, expected"),
        ] {
            let error = dedupe(&texts, &judge(), &bad, Progress::none()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
