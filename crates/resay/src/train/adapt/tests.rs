//! Tests of adapted models: rules, support pairs, an ensemble, and what is refused.

use super::*;
use crate::data::Columns;
use crate::model::{PairModel, Prediction};
use crate::train::{KernelLearner, TrainOptions, train};
use resay_learn::rng::SplitMix;
use resay_learn::threads::Threads;
use std::num::NonZero;

/// Pairs in which each word is re-written in one of two ways; the label is the sign of
/// what the ways are worth.
fn pairs<const N: usize>(n: usize, worth: [f64; N], seed: u64) -> Dataset {
    let mut random = SplitMix::new(seed);
    let mut lines = "source\ttarget\tlabel\n".to_owned();
    for _ in 0..n {
        let ways: Vec<bool> = (0..N).map(|_| random.below(2) == 0).collect();
        let sum: f64 = ways.iter().zip(worth).map(|(way, worth)| if *way { worth } else { -worth }).sum();
        let source: Vec<String> = (0..N).map(|word| format!("s{word}")).collect();
        let target: Vec<String> = ways.iter().enumerate().map(|(word, way)| format!("t{word}{way}")).collect();
        let noise = random.unit() - 0.5;
        lines += &format!("{}\t{}\t{}\n", source.join(" "), target.join(" "), u8::from(sum + noise > 0.0));
    }
    Dataset::from_reader("folder/pairs.tsv", lines.as_bytes(), None, &Columns::default()).unwrap()
}

const OLD: [f64; 6] = [1.0, 0.8, 1.2, 0.9, 1.1, 0.7];
const NEW: [f64; 6] = [1.0, 0.8, 1.2, 0.9, 1.1, -2.0];

fn trained(dataset: &Dataset, learner: KernelLearner, kernel: &str) -> AnyModel {
    let options = TrainOptions {
        kernel: kernel.to_owned(),
        learner,
        choice: CostChoice::Folds(3),
        costs: vec![0.1, 1.0, 10.0],
        ..TrainOptions::new(Task::Paraphrase)
    };
    AnyModel::Kernel(Box::new(train(dataset, &options, &Resources::bundled(), Progress::none()).unwrap()))
}

fn rules(dataset: &Dataset) -> AnyModel {
    trained(dataset, KernelLearner::Linear, "kb(k=1)")
}

fn adapted(origin: AnyModel, dataset: &Dataset, options: &AdaptOptions) -> AnyModel {
    adapt(dataset, origin, "folder/old.resay", options, &Resources::bundled(), Progress::none()).unwrap()
}

fn options(strengths: &[f64]) -> AdaptOptions {
    AdaptOptions { strengths: strengths.to_vec(), folds: 4, ..AdaptOptions::new(Task::Paraphrase) }
}

fn pair_model(model: AnyModel) -> Box<dyn PairModel> {
    model.into_pair_model().map_err(|_| ()).unwrap()
}

fn predict(model: &dyn PairModel, dataset: &Dataset) -> Vec<Prediction> {
    let texts: Vec<(&str, &str)> = dataset.rows.iter().map(|pair| (&*pair.source, &*pair.target)).collect();
    model.predict(&texts, |pair| *pair, Progress::none()).unwrap().into_iter().map(|found| found.unwrap()).collect()
}

/// Accuracy and log loss.
fn quality(model: AnyModel, dataset: &Dataset) -> (f64, f64) {
    let labels = dataset.labels_binary().unwrap();
    let (mut right, mut loss) = (0.0, 0.0);
    for (prediction, label) in predict(&*pair_model(model), dataset).iter().zip(&labels) {
        let decision = prediction.decision().unwrap();
        right += f64::from(u8::from(decision.label == *label));
        loss -= if *label { decision.probability } else { 1.0 - decision.probability }.ln();
    }
    (right / labels.len() as f64, loss / labels.len() as f64)
}

fn scores(model: AnyModel, dataset: &Dataset) -> Vec<f64> {
    let found = predict(&*pair_model(model), dataset);
    found.iter().map(|prediction| prediction.decision().unwrap().score).collect()
}

#[test]
fn few_pairs_and_a_model_are_better_than_either() {
    // Twelve words are more than fifty pairs teach well; two of them changed.
    let worth: [f64; 12] = std::array::from_fn(|word| 0.6 + 0.2 * (word % 4) as f64);
    let changed: [f64; 12] = std::array::from_fn(|word| if word % 6 == 0 { -1.5 } else { worth[word] });
    let (old, test) = (pairs(400, worth, 1), pairs(400, changed, 3));
    // The means over several samples of fifty.
    let mut means = [(0.0, 0.0); 3];
    let samples = [2, 12, 22, 32];
    for seed in samples {
        let few = pairs(50, changed, seed);
        let model = adapted(rules(&old), &few, &AdaptOptions::new(Task::Paraphrase));
        let from = model.header().from.clone().unwrap();
        assert!(from.tried.len() == 6, "{from:?}");
        assert_eq!((from.name.as_str(), from.n_examples, model.header().n_examples), ("old.resay", 400, 50));
        for (mean, model) in means.iter_mut().zip([rules(&old), rules(&few), model]) {
            let (accuracy, loss) = quality(model, &test);
            let n = samples.len() as f64;
            *mean = (mean.0 + accuracy / n, mean.1 + loss / n);
        }
    }
    let [origin, scratch, found] = means;
    assert!(found.0 > origin.0 + 0.05 && found.1 < origin.1, "{found:?}, the origin {origin:?}");
    assert!(found.0 > scratch.0 + 0.01 && found.1 < scratch.1 - 0.02, "{found:?}, from scratch {scratch:?}");
}

#[test]
fn calibration_alone_moves_every_score_by_the_same() {
    let (old, few) = (pairs(200, OLD, 1), pairs(30, NEW, 2));
    let before = scores(rules(&old), &few);
    let model = adapted(rules(&old), &few, &options(&[0.0]));
    assert_eq!(model.header().from.as_ref().unwrap().strength, 0.0);
    let after = scores(model, &few);
    let moved = after[0] - before[0];
    assert!(before.iter().zip(&after).all(|(before, after)| (after - before - moved).abs() < 1e-9));
    // The same in the limit: what may not move does not.
    let still = scores(adapted(rules(&old), &few, &options(&[1e-12])), &few);
    assert!(still.iter().zip(&after).all(|(still, after)| (still - after).abs() < 1e-6));
}

#[test]
fn support_pairs_keep_their_weights() {
    let (old, few) = (pairs(60, OLD, 1), pairs(30, NEW, 2));
    let origin = || trained(&old, KernelLearner::Dual, "pair(spectrum(k=1))");
    let before = scores(origin(), &few);
    let model = adapted(origin(), &few, &options(&[0.0, 1.0]));
    assert_eq!(model.header().from.as_ref().unwrap().tried.len(), 1);
    let after = scores(model, &few);
    let moved = after[0] - before[0];
    assert!(before.iter().zip(&after).all(|(before, after)| (after - before - moved).abs() < 1e-9));
}

#[test]
fn ensembles_are_adapted_explained_and_saved() {
    let mut lines = "source\ttarget\tlabel\n".to_owned();
    for (at, name) in ["Anna", "Omar", "Lena", "Igor", "Ruth", "Carla"].into_iter().enumerate() {
        lines += &format!("{name} sold the boat.\tThe boat was sold by {name}.\t{}\n", at % 2);
        lines += &format!("{name} sold the boat.\t{name} did not sell the boat.\t{}\n", u8::from(at != 1));
    }
    let few = Dataset::from_reader("f.tsv", lines.as_bytes(), None, &Columns::default()).unwrap();
    let bytes = |threads: usize| {
        let resources = Resources::bundled().with_threads(Threads::new(NonZero::new(threads)));
        let origin = AnyModel::bundled("judge-paraphrase", &resources).unwrap();
        let options = AdaptOptions { folds: 3, strengths: vec![0.0, 2.0], ..AdaptOptions::new(Task::Paraphrase) };
        let model = adapt(&few, origin, "judge-paraphrase", &options, &resources, Progress::none()).unwrap();
        pair_model(model).to_bytes().unwrap()
    };
    let saved = bytes(2);
    assert_eq!(bytes(1), saved, "on one thread and on two");
    let resources = Resources::bundled();
    let origin = pair_model(AnyModel::bundled("judge-paraphrase", &resources).unwrap());
    let model = pair_model(AnyModel::from_bytes("mine.resay", &saved, &resources).unwrap());
    assert_eq!(model.header().from.as_ref().unwrap().data, origin.header().data);
    let mut changed = false;
    for pair in &few.rows {
        let explained = model.explain_one(&pair.source, &pair.target, 3).unwrap();
        let score = explained.prediction.decision().unwrap().score;
        let sum: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
        assert!((sum - score).abs() < 1e-9, "{sum} {score}");
        let before = origin.predict_one(&pair.source, &pair.target).unwrap().decision().unwrap().score;
        changed |= (score - before).abs() > 1e-6;
    }
    assert!(changed);
}

#[test]
fn tiny_data_and_numbers_are_adapted_to() {
    let old = pairs(200, OLD, 1);
    for n in [1, 2, 3, 5] {
        let model = adapted(rules(&old), &pairs(n, NEW, 2), &AdaptOptions::new(Task::Paraphrase));
        assert!(quality(model, &old).0 > 0.7, "{n}");
    }
    let numbered = |n: usize, seed: u64, top: f64| {
        let mut dataset = pairs(n, OLD, seed);
        for (at, pair) in dataset.rows.iter_mut().enumerate() {
            let n_true = pair.target.matches("true").count() as f64;
            pair.label = crate::data::Label::new(&format!("{}", top * (n_true + 0.1 * (at % 3) as f64) / 6.2));
        }
        dataset
    };
    let of_numbers = TrainOptions {
        kernel: "kb(k=1)".to_owned(),
        choice: CostChoice::Folds(3),
        ..TrainOptions::new(Task::Similarity)
    };
    let origin = || {
        let model = train(&numbered(100, 1, 5.0), &of_numbers, &Resources::bundled(), Progress::none());
        AnyModel::Kernel(Box::new(model.unwrap()))
    };
    let options = AdaptOptions::new(Task::Similarity);
    let model = adapted(origin(), &numbered(30, 2, 4.0), &options);
    assert!(model.header().held_out.unwrap() > 0.8, "{:?}", model.header().held_out);
    let far = adapt(&numbered(30, 2, 9.0), origin(), "m", &options, &Resources::bundled(), Progress::none());
    let error = far.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("bring them to the same scale"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let resources = Resources::bundled();
    let old = pairs(60, OLD, 1);
    let check = |dataset: &Dataset, origin: AnyModel, options: &AdaptOptions, expected: &str| {
        let found = adapt(dataset, origin, "m", options, &resources, Progress::none());
        let error = found.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, expected {expected}");
    };
    let good = options(&[0.0, 1.0]);
    check(&old, rules(&old), &AdaptOptions { task: Task::Entailment, ..good.clone() }, "trained for task paraphrase");
    check(&old, rules(&old), &AdaptOptions { folds: 1, ..good.clone() }, "1 folds");
    check(&old, rules(&old), &options(&[]), "no strengths");
    check(&old, rules(&old), &options(&[-1.0]), "a strength of -1");
    let align = AnyModel::bundled("align", &resources).unwrap();
    check(&old, align, &good, "m is a model that aligns: only ensembles, kernel models");
    let mut levels = old.clone();
    for (at, pair) in levels.rows.iter_mut().enumerate() {
        pair.label = crate::data::Label::new(["a", "b", "c"][at % 3]);
    }
    let any = AdaptOptions { task: Task::Pair, ..good.clone() };
    let expected = "the labels are one of a, b, c, but m answers with yes or no (1 or 0)";
    check(&levels, rules(&old), &any, expected);
    let told = AnswerOptions { positive: Some("b".to_owned()), ..AnswerOptions::default() };
    let model = adapt(&levels, rules(&old), "m", &AdaptOptions { answers: told, ..any }, &resources, Progress::none());
    assert_eq!(model.unwrap().header().binary_labels(), ["not b", "b"]);
}
