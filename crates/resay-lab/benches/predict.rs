//! From two strings to a decision, one pair after another on one thread and many at once. Items are pairs.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use divan::Bencher;
use divan::counter::ItemsCount;
use resay::data::Example;
use resay::model::{KernelModel, PairModel, pair_context};
use resay::pair::{Annotated, PairView};
use resay::resources::Resources;
use resay::train::{CostChoice, Task, TrainOptions, train};
use resay_learn::progress::Progress;

fn main() {
    divan::main();
}

/// A machine of rules, and one that leans on its 300 training pairs.
const KERNELS: [&str; 3] = ["kb(k=1..4)+pr", "kb(k=2)", "pw(k=2)"];

fn model(kernel: &str) -> KernelModel {
    let options = TrainOptions {
        kernel: kernel.to_owned(),
        costs: vec![1.0],
        choice: CostChoice::Folds(2),
        ..TrainOptions::new(Task::Paraphrase)
    };
    let n_pairs = if kernel.starts_with("pw") { 300 } else { 1000 };
    train(&dataset::dataset(n_pairs, 1), &options, &Resources::bundled(), Progress::none()).unwrap()
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn one_after_another(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(100, 2));
    let (mut scorer, context) = (model.scorer(), pair_context(model.resources()));
    let mut score = |pair: &Example| {
        let [source, target] = [&pair.source, &pair.target].map(|text| Annotated::text_only(text));
        let view = PairView::new(&context, &source, &target);
        let mut found = scorer.score(std::slice::from_ref(&view), Progress::none());
        found.remove(0).unwrap().decision().unwrap().score
    };
    bencher.counter(ItemsCount::new(new.len())).bench_local(|| new.rows.iter().map(&mut score).sum::<f64>());
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn all_at_once(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(1000, 2));
    let model: &dyn PairModel = &model;
    let predict = || model.predict(&new.rows, |pair| (&pair.source, &pair.target), Progress::none()).unwrap();
    bencher.counter(ItemsCount::new(new.len())).bench_local(predict);
}

#[divan::bench(args = KERNELS, max_time = 0.8)]
fn explained(bencher: Bencher<'_, '_>, kernel: &str) {
    let (model, new) = (model(kernel), dataset::dataset(20, 2));
    let model: &dyn PairModel = &model;
    bencher.counter(ItemsCount::new(new.len())).bench_local(|| {
        let explain = |pair: &Example| model.explain_one(&pair.source, &pair.target, 5).unwrap().explanation.value;
        new.rows.iter().map(explain).sum::<f64>()
    });
}
