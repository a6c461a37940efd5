//! From two strings to a decision, one pair after another on one thread and many at once. Items are pairs.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

#[path = "common/dataset.rs"]
mod dataset;

use divan::Bencher;
use divan::counter::ItemsCount;
use resay::model::Model;
use resay::task::{CostChoice, Options, Task, train};

fn main() {
    divan::main();
}

/// A machine of rules, and one that leans on its 300 training pairs.
const KERNELS: [&str; 3] = ["kb(k=1..4)+pr", "kb(k=2)", "pw(k=2)"];

fn model(kernel: &str) -> Model {
    let options = Options {
        kernel: kernel.to_owned(),
        costs: vec![1.0],
        choice: CostChoice::Folds(2),
        ..Options::new(Task::Paraphrase)
    };
    let n_pairs = if kernel.starts_with("pw") { 300 } else { 1000 };
    train(&dataset::dataset(n_pairs, 1), &options, &|_, _, _| {}).unwrap()
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn one_after_another(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(100, 2));
    let mut scorer = model.scorer();
    bencher.counter(ItemsCount::new(new.len())).bench_local(|| {
        let scores = new.examples.iter().map(|pair| scorer.score(&pair.source, &pair.target).unwrap().score);
        scores.sum::<f64>()
    });
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn all_at_once(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(1000, 2));
    bencher
        .counter(ItemsCount::new(new.len()))
        .bench_local(|| model.score_all(&new.examples, |pair| (&pair.source, &pair.target)).unwrap());
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn explained(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(20, 2));
    bencher.counter(ItemsCount::new(new.len())).bench_local(|| {
        let explain = |pair: &resay::data::Example| model.explain(&pair.source, &pair.target, 5).unwrap().1.value;
        new.examples.iter().map(explain).sum::<f64>()
    });
}
