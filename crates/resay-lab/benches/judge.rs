//! Pairs a second of the bundled judge of paraphrase: many at once, one after another, and what
//! reading and deciding take.
//!
//! `cargo bench -p resay-lab --bench judge [-- --pairs N]`: the pairs of the paraphrase corpus,
//! where a data folder (`RESAY_DATA`, else `../shared/data`) has them, else sentences from
//! templates (`common/sayings.rs`).

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark prints, and may fail")]

#[path = "common/real_sentences.rs"]
mod real_sentences;
#[path = "common/sayings.rs"]
mod sayings;

use resay::model::{JudgementModel, PairModel, Prediction};
use resay::resources::Resources;
use resay_learn::progress::Progress;
use std::time::Instant;

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let n = arguments.iter().position(|argument| argument == "--pairs");
    let n = n.map_or(4_000, |at| arguments[at + 1].parse::<usize>().unwrap());
    let (texts, n_paired) = real_sentences::read(2 * n).unwrap_or_else(|| sayings::make(2 * n, 1));
    let pairs: Vec<(&str, &str)> =
        texts[..n_paired.min(2 * n)].chunks_exact(2).map(|two| (&*two[0], &*two[1])).collect();
    let words: usize = pairs.iter().map(|(a, b)| a.split_whitespace().count() + b.split_whitespace().count()).sum();
    println!("{} pairs, {:.1} words a sentence", pairs.len(), words as f64 / (2 * pairs.len()) as f64);
    let judge: &dyn PairModel = &JudgementModel::bundled(&Resources::bundled()).unwrap();
    let all_of = |found: Vec<resay::Result<Prediction>>| found.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    let per_second = |n: usize, seconds: f64| n as f64 / seconds;
    for _ in 0..3 {
        let (all, at_once) = timed(|| all_of(judge.predict(&pairs, |pair| *pair, Progress::none()).unwrap()));
        let texts: Vec<&str> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let (read, reading) = timed(|| judge.annotate(&texts, Progress::none()).unwrap());
        let places: Vec<[usize; 2]> = (0..pairs.len()).map(|at| [2 * at, 2 * at + 1]).collect();
        let (decided, deciding) = timed(|| all_of(judge.predict_annotated(&read, &places, Progress::none()).unwrap()));
        // One thread, nothing kept from one pair to the next.
        let some = &pairs[..pairs.len() / 10];
        let alone = || some.iter().map(|(a, b)| judge.predict_one(a, b).unwrap()).collect::<Vec<_>>();
        let (one_by_one, alone) = timed(alone);
        assert!(all == decided && all[..some.len()] == one_by_one, "all ways decide the same");
        let n_threads = rayon::current_num_threads();
        println!(
            "{n_threads} threads: {:.0} pairs/s ({:.0} texts/s read, {:.0} pairs/s decided); one by one on one thread: {:.0} pairs/s, {:.2} \
             times slower a thread",
            per_second(pairs.len(), at_once),
            per_second(texts.len(), reading),
            per_second(pairs.len(), deciding),
            per_second(some.len(), alone),
            per_second(pairs.len(), at_once) / n_threads as f64 / per_second(some.len(), alone),
        );
    }
}
