//! How much faster the typed kernel's index is than its paper's Algorithm 2, measured in one run on
//! one machine: the whole Gram of tesrk at k = 1 to 4 by the index (one triangle, as training fills
//! it), against Algorithm 2 on a random sample of its entries.
//!
//! `cargo bench -p resay-lab --bench typed [-- --pairs N] [--sample N]`. Pairs are the MSR
//! paraphrase training set where a data folder (`RESAY_DATA`, else `../shared/data`) has it and no
//! `--pairs` is given, else generated ones. Words are related by stem and synonym, as patterns and
//! as variables. Looking words up is common to both sides and counts for neither; the index's time
//! includes building it; Algorithm 2 finds how words are related in tables that were made before,
//! which is as cheap as it can be. Both use all threads. Every sampled value is compared with the
//! index's: they count, so they are equal.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

#[path = "common/corpus.rs"]
mod corpus;
#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use rayon::prelude::*;
use resay::kernel::typed::{Effort, TypedCorpus, TypedEntry, TypedIndex, typed_by_algorithm_2, typed_corpus};
use resay::resources::Resources;
use resay::train::{AnnotationSource, annotate};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_text::lexicon::{Relation, Relations};
use resay_text::{Interner, Layers, Units};
use std::time::Instant;

/// How often the Gram is computed; the median counts.
const N_REPEATS: usize = 3;
/// The sample is prepared and timed in parts of so many entries, so that the tables of few are in
/// memory at once.
const PART: usize = 500;

fn value(entry: &TypedEntry, k: usize, effort: &mut Effort) -> f64 {
    typed_by_algorithm_2(entry, k, 1.0, entry.first(), entry.second(), effort)
}

/// Values of the sample by Algorithm 2, the seconds that they took, and the quadruples of k-grams
/// that were counted.
fn by_algorithm_2(k: usize, corpus: &TypedCorpus, sample: &[(usize, usize)]) -> (Vec<f64>, f64, u64) {
    let (mut values, mut seconds, mut quadruples) = (Vec::with_capacity(sample.len()), 0.0, 0);
    for part in sample.chunks(PART) {
        let entries: Vec<TypedEntry> = part.par_iter().map(|&entry| TypedEntry::new(corpus, entry)).collect();
        let start = Instant::now();
        let evaluate = |entry: &TypedEntry| {
            let mut effort = Effort::default();
            (value(entry, k, &mut effort), effort.quadruples)
        };
        let found: Vec<(f64, u64)> = entries.par_iter().with_min_len(8).map(evaluate).collect();
        seconds += start.elapsed().as_secs_f64();
        quadruples += found.iter().map(|(_, quadruples)| quadruples).sum::<u64>();
        values.extend(found.into_iter().map(|(value, _)| value));
    }
    (values, seconds, quadruples)
}

/// The lower triangle of the Gram, row after row.
fn by_index(k: usize, corpus: &TypedCorpus) -> Vec<Vec<f64>> {
    let index = TypedIndex::new(k, 1.0, &corpus.pairs, corpus.related.clone(), Progress::none()).unwrap();
    let row = |i: usize| {
        let mut row = vec![0.0; i + 1];
        index.column(i, &mut row, Progress::none()).unwrap();
        row
    };
    (0..index.len()).into_par_iter().map(row).collect()
}

fn main() {
    let data = corpus::pairs(|n| dataset::dataset(n, 1));
    let annotator = Resources::bundled().annotator(Units::Stems, Layers::LEMMAS).unwrap();
    let pairs = annotate(&[&data], &annotator, AnnotationSource::Text, &mut Interner::new(), Progress::none()).unwrap();
    let types: Relations = [Relation::Stem, Relation::Synonym].into_iter().collect();
    let lexicon = Resources::bundled().lexicon().unwrap();
    let start = Instant::now();
    let corpus = typed_corpus(lexicon, types, types, &pairs, Progress::none()).unwrap();
    let lookup = start.elapsed().as_secs_f64();
    let n_places: usize = corpus.pairs.iter().map(|pair| pair.source.len() + pair.target.len()).sum();
    let n_related: usize = corpus.related.iter().map(Vec::len).sum();
    let n_sampled = corpus::number("--sample").unwrap_or(5000);
    println!(
        "{} pairs, {:.1} words a sentence; {} different words, each related to {:.1} of them, looked up in {lookup:.2} s",
        corpus.pairs.len(),
        n_places as f64 / (2 * corpus.pairs.len()) as f64,
        corpus.related.len(),
        n_related as f64 / corpus.related.len() as f64
    );
    println!("{n_sampled} entries sampled for each k, {} threads", rayon::current_num_threads());
    // Entries of the triangle with its diagonal, each as likely as any other.
    let mut random = SplitMix::new(1);
    let entry = |_| loop {
        let (i, j) = (random.below(pairs.len()), random.below(pairs.len() + 1));
        if j <= i {
            return (i, j);
        }
    };
    let sample: Vec<(usize, usize)> = (0..n_sampled).map(entry).collect();
    let n_entries = (pairs.len() * (pairs.len() + 1) / 2) as f64;
    println!(
        "{:>3} {:>9} {:>22} {:>28} {:>22} {:>8}",
        "k", "index s", "index evaluations/s", "Algorithm 2 evaluations/s", "quadruples/evaluation", "ratio"
    );
    let (mut index_seconds, mut algorithm_seconds) = (0.0, 0.0);
    for k in 1..=4 {
        let (values, seconds, quadruples) = by_algorithm_2(k, &corpus, &sample);
        let mut times = Vec::new();
        for _ in 0..N_REPEATS {
            let start = Instant::now();
            let gram = by_index(k, &corpus);
            times.push(start.elapsed().as_secs_f64());
            for (&(i, j), value) in sample.iter().zip(&values) {
                assert_eq!(gram[i][j], *value, "k={k}: the index and Algorithm 2 differ at row {i}, column {j}");
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        let index = times[N_REPEATS / 2];
        let algorithm = seconds / n_sampled as f64 * n_entries;
        println!(
            "{k:>3} {index:>9.3} {:>22.3e} {:>28.3e} {:>22.1} {:>8.1}",
            n_entries / index,
            n_entries / algorithm,
            quadruples as f64 / n_sampled as f64,
            algorithm / index
        );
        (index_seconds, algorithm_seconds) = (index_seconds + index, algorithm_seconds + algorithm);
    }
    println!(
        "k=1..4: index {index_seconds:.2} s, {:.3e} evaluations/s; Algorithm 2 {algorithm_seconds:.0} s, {:.3e} \
         evaluations/s; ratio {:.1}; all sampled values equal",
        4.0 * n_entries / index_seconds,
        4.0 * n_entries / algorithm_seconds,
        algorithm_seconds / index_seconds
    );
}
