//! Training cost against the number of pairs, linear machine at cost 1: listing and descent in seconds, and the slope
//! of the logarithm of each against that of the number of pairs (1 is linear growth).
//!
//! `cargo bench -p resay-lab --bench scaling [-- --pairs N]`: 1, 2, 4 and 8 times N pairs (1,000).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

#[path = "../../resay/benches/common/annotate.rs"]
mod annotate;
#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use resay::kernel::{Expression, RuleMatrix};
use resay_learn::progress::Progress;
use resay_learn::svm::linear;
use std::time::Instant;

const KERNEL: &str = "kb(k=1..4)+pr";

/// The least-squares slope of ln y over ln x.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = |side: fn(&(f64, f64)) -> f64| logs.iter().map(side).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    covariance / logs.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let given =
        arguments.iter().position(|argument| argument == "--pairs").map(|at| arguments[at + 1].parse().unwrap());
    let n_first: usize = given.unwrap_or(1000);
    let expression: Expression = KERNEL.parse().unwrap();
    println!("{KERNEL}, linear machine, cost 1, {} threads", rayon::current_num_threads());
    println!(
        "{:>8} {:>12} {:>10} {:>10} {:>10} {:>7}",
        "pairs", "entries", "columns", "listing s", "descent s", "passes"
    );
    let (mut listing_times, mut descent_times, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for n in [1, 2, 4, 8].map(|times| times * n_first) {
        let data = dataset::dataset(n, 1);
        let (pairs, labels) = (annotate::annotate(&data), data.labels_binary().unwrap());
        let start = Instant::now();
        let listing = RuleMatrix::new(&expression, &pairs, Progress::none()).unwrap();
        let listing_time = start.elapsed().as_secs_f64();
        let members: Vec<usize> = (0..n).collect();
        let params = linear::LinearParams::default().check().unwrap();
        let start = Instant::now();
        let problem = linear::LinearProblem::new(&listing.rows, &labels, Progress::none()).unwrap();
        let machine = linear::fit(&problem, &members, &params, None, Progress::none()).unwrap();
        let descent_time = start.elapsed().as_secs_f64();
        let (n_entries, n_columns) = (listing.rows.n_entries(), listing.rows.n_columns());
        let passes = machine.passes;
        println!("{n:>8} {n_entries:>12} {n_columns:>10} {listing_time:>10.3} {descent_time:>10.3} {passes:>7}");
        listing_times.push((n as f64, listing_time));
        descent_times.push((n as f64, descent_time));
        entries.push((n as f64, n_entries as f64));
    }
    println!(
        "slope: entries {:.2}, listing {:.2}, descent {:.2}",
        slope(&entries),
        slope(&listing_times),
        slope(&descent_times)
    );
}
