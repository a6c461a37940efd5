//! The gap-weighted subsequence kernel against the ways it is written in print, in one run on one
//! machine.
//!
//! `cargo bench -p resay --bench subsequence`. Texts are drawn here: letters as frequent as in
//! English, and numbers in place of words, as frequent as Zipf's law has it or all alike. Every
//! route is given the same texts, and its values are compared; a kernel that is not faster than
//! those in print by a bound fails.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

use resay::kernel::strings::{
    PreparedSubsequences, SubsequenceForm, SubsequenceScratch, Subsequences, subsequences_by_recursion,
    subsequences_by_tables,
};
use resay_learn::rng::SplitMix;
use std::hint::black_box;
use std::time::Instant;

const MAX_K: usize = 5;
/// Texts of each kind that are timed in turn.
const N_TEXTS: usize = 4;
/// How often each way is timed; the median counts.
const N_ROUNDS: usize = 51;
/// How often the slowest is.
const N_SLOW_ROUNDS: usize = 5;

/// About how often the space and the letters a to z stand in a hundred characters of English.
const LETTERS: [f64; 27] = [
    18.0, 6.7, 1.2, 2.3, 3.5, 10.4, 1.8, 1.6, 5.0, 5.7, 0.1, 0.6, 3.3, 2.0, 5.7, 6.2, 1.6, 0.1, 4.9, 5.2, 7.4, 2.3,
    0.8, 1.9, 0.2, 1.6, 0.1,
];

/// Draws symbols by their weights.
fn draw(random: &mut SplitMix, weights: &[f64], n: usize) -> Vec<u32> {
    let mut ends = Vec::with_capacity(weights.len());
    let mut end = 0.0;
    for weight in weights {
        end += weight;
        ends.push(end);
    }
    let mut symbol = || {
        let at = random.unit() * end;
        ends.partition_point(|&end| end <= at).min(weights.len() - 1) as u32
    };
    (0..n).map(|_| symbol()).collect()
}

/// Seconds of one call, over `n_calls`.
fn seconds(n_calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..n_calls).for_each(|_| call());
    start.elapsed().as_secs_f64() / n_calls as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() / b.abs() }).fold(0.0, f64::max)
}

/// The published ways and ours, on texts of 500 letters.
fn against_print() {
    let lambda = 0.5;
    let kernel = Subsequences::new(MAX_K, lambda).unwrap();
    let mut random = SplitMix::new(1);
    let texts: Vec<Vec<u32>> = (0..N_TEXTS).map(|_| draw(&mut random, &LETTERS, 500)).collect();
    let prepared: Vec<PreparedSubsequences> = texts.iter().map(|text| PreparedSubsequences::new(text)).collect();
    let (mut scratch, mut out) = (SubsequenceScratch::default(), [0.0; MAX_K]);
    // Each round times every way, so that whatever else the machine does meets all of them alike.
    let [mut recursion, mut tables, mut values, mut ours] = [const { Vec::new() }; 4];
    for round in 0..N_ROUNDS {
        let (i, j) = (round % N_TEXTS, (round + 1) % N_TEXTS);
        let (s, t) = (&texts[i], &texts[j]);
        if round < N_SLOW_ROUNDS {
            recursion.push(seconds(1, || {
                black_box(subsequences_by_recursion(MAX_K, lambda, black_box(s), t));
            }));
        }
        tables.push(seconds(4, || {
            black_box(subsequences_by_tables(MAX_K, lambda, black_box(s), t));
        }));
        values.push(seconds(40, || kernel.values(black_box(s), t, &mut scratch, &mut out)));
        ours.push(seconds(40, || kernel.compare(black_box(&prepared[i]), &prepared[j], &mut scratch, &mut out)));
    }
    let [recursion, tables, values, ours] = [recursion, tables, values, ours].map(median);
    let mut difference = 0.0_f64;
    for i in 0..N_TEXTS {
        kernel.compare(&prepared[0], &prepared[i], &mut scratch, &mut out);
        difference =
            difference.max(largest_difference(&out, &subsequences_by_tables(MAX_K, lambda, &texts[0], &texts[i])));
        if i < 2 {
            let expected = subsequences_by_recursion(MAX_K, lambda, &texts[0], &texts[i]);
            difference = difference.max(largest_difference(&out, &expected));
        }
    }
    assert!(difference <= 1e-9, "values differ by {difference:e}");
    println!("500 x 500 letters, k=1..{MAX_K}, lambda={lambda}; largest relative difference {difference:.1e}");
    println!("{:<34} {:>12} {:>14} {:>10}", "", "us", "comparisons/s", "ours is");
    for (name, time) in [
        ("the recursion as printed", recursion),
        ("the usual K''-form", tables),
        ("ours, texts not prepared", values),
        ("ours, texts prepared", ours),
    ] {
        println!("{name:<34} {:>12.1} {:>14.0} {:>9.1}x", time * 1e6, time.recip(), time / ours);
    }
    for (name, time, at_least) in [("the recursion", recursion, 500.0), ("the usual form", tables, 8.0)] {
        let ratio = time / ours;
        assert!(ratio >= at_least, "{ratio:.1} times as fast as {name}, expected at least {at_least}");
    }
}

/// Both forms of ours on texts of one kind.
fn forms(name: &str, weights: &[f64], n: usize, lambda: f64) {
    let kernel = Subsequences::new(MAX_K, lambda).unwrap();
    let mut random = SplitMix::new(2);
    let texts: Vec<PreparedSubsequences> =
        (0..2).map(|_| PreparedSubsequences::new(&draw(&mut random, weights, n))).collect();
    let mut scratch = SubsequenceScratch::default();
    let n_calls = (200_000 / (n * n / 100).max(1)).clamp(1, 2_000);
    let mut time = |form| {
        let mut out = [0.0; MAX_K];
        let mut call = || kernel.compare_by(form, black_box(&texts[0]), &texts[1], &mut scratch, &mut out);
        let time = median((0..5).map(|_| seconds(n_calls, &mut call)).collect());
        (time, out)
    };
    let (dense, a) = time(SubsequenceForm::Dense);
    let (sparse, b) = time(SubsequenceForm::Sparse);
    let (auto, _) = time(SubsequenceForm::Auto);
    let difference = largest_difference(&a, &b);
    assert!(difference <= 1e-12 || a[MAX_K - 1] < 1e-290, "{name}: forms differ by {difference:e}");
    println!(
        "{name:<16} {n:>7} {lambda:>7} {:>12.1} {:>12.1} {:>12.1} {:>12.3} {difference:>12.1e}",
        dense * 1e6,
        sparse * 1e6,
        auto * 1e6,
        auto * 1e9 / (n as f64 * n as f64)
    );
}

fn main() {
    against_print();
    println!(
        "\n{:<16} {:>7} {:>7} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "texts", "symbols", "lambda", "dense us", "sparse us", "chosen us", "ns a cell", "difference"
    );
    let zipf: Vec<f64> = (1..=5_000).map(|rank| f64::from(rank).recip()).collect();
    for (name, weights, lengths) in [
        ("letters", &LETTERS[..], &[50, 500, 2_000][..]),
        ("words, Zipf", &zipf, &[20, 100, 500, 2_000, 10_000]),
        ("500 alike", &[1.0; 500], &[500, 2_000, 10_000]),
        ("5,000 alike", &[1.0; 5_000], &[500, 2_000, 10_000]),
    ] {
        for &n in lengths {
            for lambda in [0.5, 0.01] {
                forms(name, weights, n, lambda);
            }
        }
    }
    println!();
    for lambda in [0.9, 0.5, 0.01] {
        forms("letters", &LETTERS, 10_000, lambda);
    }
}
