//! Figures 3 and 4 of the paper on type-enriched kernels: the number of recursive calls of
//! Algorithm 1, and the number of quadruples of k-grams that Algorithm 2 visits, as functions of k.
//!
//! Averages over random pairs of training pairs of the MSR Paraphrase Corpus, with the relations
//! stem and synonym.

use super::corpus;
use rayon::prelude::*;
use resay::kernel::typed::{Effort, TypedEntry, typed_by_algorithm_2, typed_corpus};
use resay::resources::Resources;
use resay::train::{AnnotationSource, annotate};
use resay::{Error, Result};
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;
use resay_text::lexicon::{Relation, Relations};
use resay_text::{Interner, Layers, Units};
use serde::Serialize;
use std::path::Path;

/// Number of pairs of pairs sampled per k.
const N_ENTRIES: usize = 1000;
/// The largest k, as in the paper's figures.
const MAX_K: usize = 10;

/// The effort for one k.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct EffortAt {
    /// The length of k-grams.
    pub(crate) k: usize,
    /// Calls of CountPerfectMatchings per quadruple.
    pub(crate) calls: f64,
    /// Quadruples per word of the four sentences: |C| / sum of lengths.
    pub(crate) quadruples: f64,
}

/// Measures both for every k.
pub(crate) fn typed_effort(
    folder: &Path,
    seed: u64,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<Vec<EffortAt>> {
    let train = corpus(folder, &["msrp/msr_paraphrase_train.txt"])?;
    if train.is_empty() {
        return Err(Error::data("no pairs to measure"));
    }
    let annotator = resources.annotator(Units::Stems, Layers::LEMMAS)?;
    let pairs = annotate(&[&train], &annotator, AnnotationSource::Text, &mut Interner::new(), progress.quiet())?;
    let types: Relations = [Relation::Stem, Relation::Synonym].into_iter().collect();
    let corpus = typed_corpus(resources.lexicon()?, types, types, &pairs, progress)?;
    let mut random = SplitMix::new(seed);
    let mut draw = || random.below(pairs.len());
    let places: Vec<(usize, usize)> = (0..N_ENTRIES).map(|_| (draw(), draw())).collect();
    let entries: Vec<TypedEntry> = places.into_par_iter().map(|place| TypedEntry::new(&corpus, place)).collect();
    let n_words: usize = entries.iter().map(TypedEntry::n_words).sum();
    let mut measured = Vec::new();
    for k in 1..=MAX_K {
        progress.report_on(Stage::Measure, &format!("effort at k={k}"), k - 1, MAX_K)?;
        let one = |entry: &TypedEntry| {
            progress.check()?;
            let mut effort = Effort::default();
            typed_by_algorithm_2(entry, k, 1.0, entry.first(), entry.second(), &mut effort);
            Ok(effort)
        };
        let efforts: Vec<Effort> = entries.par_iter().map(one).collect::<Result<_>>()?;
        let [calls, quadruples] = [
            efforts.iter().map(|effort| effort.calls).sum::<u64>(),
            efforts.iter().map(|effort| effort.quadruples).sum(),
        ];
        measured.push(EffortAt {
            k,
            calls: calls as f64 / quadruples.max(1) as f64,
            quadruples: quadruples as f64 / n_words.max(1) as f64,
        });
    }
    progress.report_on(Stage::Measure, "done", MAX_K, MAX_K)?;
    Ok(measured)
}
