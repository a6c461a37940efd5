//! How much faster the index is than the published Algorithm 2, measured in one run on one machine:
//! the whole Gram of kb(k=1..4) by the index, against Algorithm 2 on a random sample of its
//! entries, scaled to all of them.
//!
//! `cargo bench -p resay-lab --bench ratio [-- --pairs N] [--sample N]`. Pairs are the MSR
//! paraphrase training set where a data folder (`RESAY_DATA`, else `../shared/data`) has it and no
//! `--pairs` is given, else generated ones. Both sides get the same pairs and the same number of
//! threads, first one, then all. Algorithm 2 is there twice: as the library's plain version and as
//! one written for speed (`common/algorithm_2.rs`). Every sampled value is compared with the
//! index's.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

#[path = "common/algorithm_2.rs"]
mod algorithm_2;
#[path = "../../resay/benches/common/annotate.rs"]
mod annotate;
#[path = "common/corpus.rs"]
mod corpus;
#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use algorithm_2::Algorithm2;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use resay::kernel::{BoundKernel, Expression, bijective_by_algorithm_2};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_text::Pair;
use std::time::Instant;

/// How often the Gram is computed; the median counts.
const N_REPEATS: usize = 3;
/// The sample is timed in so many parts, whose scatter gives the standard error.
const N_PARTS: usize = 20;

/// Seconds an evaluation, and the standard error.
#[derive(Clone, Copy, Default)]
struct Estimate {
    mean: f64,
    error: f64,
}

impl Estimate {
    fn new(parts: &[f64]) -> Self {
        let n = parts.len() as f64;
        let mean = parts.iter().sum::<f64>() / n;
        let variance = parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { mean, error: (variance / n).sqrt() }
    }

    fn plus(self, other: Self) -> Self {
        Self { mean: self.mean + other.mean, error: self.error.hypot(other.error) }
    }
}

fn sides(pair: &Pair) -> (&[u32], &[u32]) {
    (&pair.source.units, &pair.target.units)
}

/// Times `evaluate` on every sampled entry, part by part; the values come back in order.
fn timed<S>(
    pairs: &[Pair],
    sample: &[(usize, usize)],
    scratch: impl Fn() -> S + Sync + Send,
    evaluate: impl Fn(&mut S, &Pair, &Pair) -> f64 + Sync,
) -> (Estimate, Vec<f64>) {
    let mut values = Vec::with_capacity(sample.len());
    let mut parts = Vec::new();
    for part in sample.chunks(sample.len().div_ceil(N_PARTS)) {
        let start = Instant::now();
        let found: Vec<f64> = part
            .par_iter()
            .with_min_len(16)
            .map_init(&scratch, |scratch, &(i, j)| evaluate(scratch, &pairs[i], &pairs[j]))
            .collect();
        parts.push(start.elapsed().as_secs_f64() / part.len() as f64);
        values.extend(found);
    }
    (Estimate::new(&parts), values)
}

fn by_arrays<const K: usize>(pairs: &[Pair], sample: &[(usize, usize)]) -> (Estimate, Vec<f64>) {
    let evaluate = |scratch: &mut Algorithm2<K>, x: &Pair, y: &Pair| scratch.value(sides(x), sides(y));
    timed(pairs, sample, || Algorithm2::new(1.0), evaluate)
}

/// Seconds of BoundKernel::new and square: least, median, most.
fn gram_times(kernel: &str, pairs: &[Pair]) -> [f64; 3] {
    let expression: Expression = kernel.parse().unwrap();
    let mut times: Vec<f64> = (0..N_REPEATS)
        .map(|_| {
            let start = Instant::now();
            let gram =
                BoundKernel::new(&expression, pairs, Progress::none()).unwrap().square(Progress::none()).unwrap();
            let time = start.elapsed().as_secs_f64();
            assert_eq!(gram.n_rows(), pairs.len());
            time
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    [times[0], times[N_REPEATS / 2], times[N_REPEATS - 1]]
}

/// The largest relative difference between sampled values and the index's.
fn largest_difference(k: usize, pairs: &[Pair], sample: &[(usize, usize)], values: &[f64]) -> f64 {
    let expression: Expression = format!("raw(kb(k={k}))").parse().unwrap();
    let bound = BoundKernel::new(&expression, pairs, Progress::none()).unwrap();
    let mut by_row: Vec<(usize, usize, f64)> = sample.iter().zip(values).map(|(&(i, j), &v)| (i, j, v)).collect();
    by_row.sort_unstable_by_key(|&(i, j, _)| (i, j));
    let rows: Vec<&[(usize, usize, f64)]> = by_row.chunk_by(|a, b| a.0 == b.0).collect();
    let difference = |row: &&[(usize, usize, f64)]| {
        let mut out = vec![0.0; row[0].0 + 1];
        bound.column(row[0].0, &mut out, Progress::none()).unwrap();
        let relative = |&(_, j, value): &(usize, usize, f64)| (out[j] - value).abs() / value.abs().max(1.0);
        row.iter().map(relative).fold(0.0, f64::max)
    };
    rows.par_iter().map(difference).reduce(|| 0.0, f64::max)
}

fn measure(pairs: &[Pair], sample: &[(usize, usize)]) {
    let n_entries = (pairs.len() * (pairs.len() + 1) / 2) as f64;
    let n_threads = rayon::current_num_threads();
    println!("\n{n_threads} thread{}", if n_threads == 1 { "" } else { "s" });
    println!(
        "{:>8} {:>12} {:>22} {:>22} {:>14}",
        "k", "index s", "plain us/evaluation", "arrays us/evaluation", "difference"
    );
    let (mut plain_sum, mut arrays_sum) = (Estimate::default(), Estimate::default());
    for k in 1..=4 {
        let evaluate = |(): &mut (), x: &Pair, y: &Pair| bijective_by_algorithm_2(k, 1.0, sides(x), sides(y));
        let (plain, values) = timed(pairs, sample, || (), evaluate);
        let (arrays, same) = match k {
            1 => by_arrays::<1>(pairs, sample),
            2 => by_arrays::<2>(pairs, sample),
            3 => by_arrays::<3>(pairs, sample),
            _ => by_arrays::<4>(pairs, sample),
        };
        let difference = largest_difference(k, pairs, sample, &values).max(largest_difference(k, pairs, sample, &same));
        assert!(difference <= 1e-9, "k={k}: the index and Algorithm 2 differ by {difference:e}");
        let [_, index, _] = gram_times(&format!("kb(k={k})"), pairs);
        let shown = |estimate: Estimate| format!("{:.2} +- {:.2}", estimate.mean * 1e6, estimate.error * 1e6);
        println!("{k:>8} {index:>12.3} {:>22} {:>22} {difference:>14.1e}", shown(plain), shown(arrays));
        (plain_sum, arrays_sum) = (plain_sum.plus(plain), arrays_sum.plus(arrays));
    }
    let [least, index, most] = gram_times("kb(k=1..4)", pairs);
    let rate = 4.0 * n_entries / index;
    println!("index, kb(k=1..4): {index:.3} s ({least:.3} to {most:.3}), {rate:.3e} evaluations/s");
    for (name, sum) in [("plain", plain_sum), ("arrays", arrays_sum)] {
        let seconds = |evaluation: f64| evaluation * n_entries;
        let (low, high) = (seconds(sum.mean - 1.96 * sum.error), seconds(sum.mean + 1.96 * sum.error));
        let all = seconds(sum.mean);
        println!(
            "Algorithm 2, {name}: {all:.0} s, {:.3e} evaluations/s; the index is {:.0} times as fast ({:.0} to {:.0})",
            4.0 * n_entries / all,
            all / index,
            low / most,
            high / least
        );
    }
}

fn main() {
    let data = corpus::pairs(|n| dataset::dataset(n, 1));
    let pairs = annotate::annotate(&data);
    let n_symbols: usize = pairs.iter().map(|pair| pair.source.units.len() + pair.target.units.len()).sum();
    let mean = n_symbols as f64 / (2 * pairs.len()) as f64;
    let n_sampled = corpus::number("--sample").unwrap_or(20_000);
    println!("{} pairs, {mean:.1} symbols a sentence, {n_sampled} entries sampled for each k", pairs.len());
    // Entries of the triangle with its diagonal, each as likely as any other.
    let mut random = SplitMix::new(1);
    let entry = |_| loop {
        let (i, j) = (random.below(pairs.len()), random.below(pairs.len() + 1));
        if j <= i {
            return (i, j);
        }
    };
    let sample: Vec<(usize, usize)> = (0..n_sampled).map(entry).collect();
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    for n_threads in if most == 1 { vec![1] } else { vec![1, most] } {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| measure(&pairs, &sample));
    }
}
