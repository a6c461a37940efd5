//! Training time of both machines on generated pairs, features made outside the timed part. Items are pairs.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

#[path = "../../resay/benches/common/annotate.rs"]
mod annotate;
#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use divan::Bencher;
use divan::counter::ItemsCount;
use resay::kernel::{BoundKernel, Expression, RuleMatrix};
use resay_learn::progress::Progress;
use resay_learn::svm::{dual, linear};

fn main() {
    divan::main();
}

const KERNEL: &str = "kb(k=1..4)+pr";
const N_PAIRS: usize = 1000;

#[divan::bench(args = [0.1, 1.0, 10.0], max_time = 1.0, sample_size = 1)]
fn linear_fit(bencher: Bencher<'_, '_>, cost: f64) {
    let data = dataset::dataset(N_PAIRS, 1);
    let (labels, expression): (_, Expression) = (data.labels_binary().unwrap(), KERNEL.parse().unwrap());
    let listing = RuleMatrix::new(&expression, &annotate::annotate(&data), Progress::none()).unwrap();
    let problem = linear::LinearProblem::new(&listing.rows, &labels, Progress::none()).unwrap();
    let params = linear::LinearParams { cost, ..linear::LinearParams::default() }.check().unwrap();
    let members: Vec<usize> = (0..N_PAIRS).collect();
    bencher
        .counter(ItemsCount::new(N_PAIRS))
        .bench_local(|| linear::fit(&problem, &members, &params, None, Progress::none()).unwrap());
}

#[divan::bench(args = [0.1, 1.0, 10.0], max_time = 1.0, sample_size = 1)]
fn dual_fit(bencher: Bencher<'_, '_>, cost: f64) {
    let data = dataset::dataset(N_PAIRS, 1);
    let (labels, expression): (_, Expression) = (data.labels_binary().unwrap(), KERNEL.parse().unwrap());
    let gram = BoundKernel::new(&expression, &annotate::annotate(&data), Progress::none())
        .unwrap()
        .square(Progress::none())
        .unwrap();
    let problem = dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap();
    let params = dual::DualParams { cost, ..dual::DualParams::default() }.check().unwrap();
    let members: Vec<usize> = (0..N_PAIRS).collect();
    bencher
        .counter(ItemsCount::new(N_PAIRS))
        .bench_local(|| dual::fit(&problem, &members, &params, None, Progress::none()).unwrap());
}
