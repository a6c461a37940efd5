//! One kb-SRK evaluation by each route: Algorithm 1 (all quadruples of k-grams), Algorithm 2 (grouped), and the index
//! (a whole row at once, counted by the evaluation). Items are evaluations.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

#[path = "common/annotate.rs"]
mod annotate;
#[path = "common/dataset.rs"]
mod dataset;

use divan::Bencher;
use divan::counter::ItemsCount;
use resay::kernel::{Bound, Expression, bijective_by_algorithm_1, bijective_by_algorithm_2};
use resay_learn::progress::Progress;
use resay_text::Pair;

fn main() {
    divan::main();
}

fn pairs(n: usize) -> Vec<Pair> {
    annotate::annotate(&dataset::dataset(n, 1))
}

/// One evaluation after another over neighbours in the list.
fn one_by_one(bencher: Bencher<'_, '_>, evaluate: impl Fn((&[u32], &[u32]), (&[u32], &[u32])) -> f64) {
    let pairs = pairs(65);
    let sides = |pair: &Pair| (pair.source.units.clone(), pair.target.units.clone());
    let units: Vec<_> = pairs.iter().map(sides).collect();
    let mut next = 0;
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        next = (next + 1) % 64;
        let ((s1, t1), (s2, t2)) = (&units[next], &units[next + 1]);
        evaluate((s1, t1), (s2, t2))
    });
}

#[divan::bench(args = [1, 2, 3, 4], max_time = 0.4, sample_count = 20, sample_size = 1)]
fn algorithm_1(bencher: Bencher<'_, '_>, k: usize) {
    one_by_one(bencher, |first, second| bijective_by_algorithm_1(k, 1.0, first, second));
}

#[divan::bench(args = [1, 2, 3, 4], max_time = 0.4, sample_size = 64)]
fn algorithm_2(bencher: Bencher<'_, '_>, k: usize) {
    one_by_one(bencher, |first, second| bijective_by_algorithm_2(k, 1.0, first, second));
}

const N_COLUMNS: usize = 500;

fn bound(k: usize) -> (Expression, Vec<Pair>) {
    (format!("kb(k={k})").parse().unwrap(), pairs(N_COLUMNS))
}

#[divan::bench(args = [1, 2, 3, 4], max_time = 0.4)]
fn index_row(bencher: Bencher<'_, '_>, k: usize) {
    let (expression, pairs) = bound(k);
    let bound = Bound::new(&expression, &pairs, Progress::none()).unwrap();
    let mut out = vec![0.0; N_COLUMNS];
    let mut next = 0;
    bencher.counter(ItemsCount::new(N_COLUMNS)).bench_local(|| {
        next = (next + 1) % N_COLUMNS;
        bound.column(next, &mut out, Progress::none()).unwrap();
        out[0]
    });
}

#[divan::bench(args = [1, 2, 3, 4], max_time = 0.4, sample_size = 1)]
fn index_build_of_500_pairs(bencher: Bencher<'_, '_>, k: usize) {
    let (expression, pairs) = bound(k);
    bencher.bench_local(|| Bound::new(&expression, &pairs, Progress::none()).unwrap());
}

#[divan::bench(max_time = 1.0, sample_size = 1)]
fn index_build_and_square_of_500_pairs_k_1_to_4(bencher: Bencher<'_, '_>) {
    let expression: Expression = "kb(k=1..4)".parse().unwrap();
    let pairs = pairs(N_COLUMNS);
    let n_evaluations = 4 * N_COLUMNS * (N_COLUMNS + 1) / 2;
    bencher
        .counter(ItemsCount::new(n_evaluations))
        .bench_local(|| Bound::new(&expression, &pairs, Progress::none()).unwrap().square(Progress::none()).unwrap());
}
