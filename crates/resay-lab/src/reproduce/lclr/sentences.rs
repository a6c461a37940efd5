//! Tables 3 and 4: entailment on RTE-5, paraphrase on MSRP, and on MSRP-Extended. The latter trains
//! on 500 pairs, and the longer sentence of every pair, in training and test, is repeated. Costs
//! are tuned by cross-validation on the training pairs, separately for each learner. The paper's
//! 500 pairs are unknown; ours are drawn by the seed, 20 times, and the figure is the mean.
//!
//! Joint learning is compared with two stages by McNemar's exact test, and its power is stated: the
//! smallest difference that it would find four times out of five, given how often exactly one of
//! the two is right. Over several samples, the differences of accuracy are tested by flipping
//! their signs: what they vary by is the training pairs, on one test set.

use super::super::tesrk::HeilmanSmith;
use super::super::{Measured, Row, Scored, corpus};
use resay::Result;
use resay::data::Dataset;
use resay::resources::Resources;
use resay::train::latent::{LatentOptions, Learning, Staging, annotate_pairs, choose};
use resay::train::{AnnotationSource, CostChoice, Task};
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::significance::{detectable_difference, mcnemar, only_one_right, sign_flips};
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;
use resay_text::Layers;
use std::path::Path;

/// The candidate costs, as 1 / lambda: few where training takes a minute.
const SMALL: &[f64] = &[3000.0, 1000.0, 300.0];
const LARGE: &[f64] = &[2000.0, 1000.0];
/// Number of cross-validation folds.
const FOLDS: usize = 3;
const CHOSEN: &str = "cost by folds";
/// The number of samples of MSRP-Extended, and of pairs in each.
const SAMPLES: usize = 20;
const SAMPLED: usize = 500;
/// The level of significance, and the power at which the smallest difference is stated.
const LEVEL: f64 = 0.05;
const POWER: f64 = 0.8;
/// The learners; the second is compared with the first.
const STAGINGS: [Staging; 2] = [Staging::TwoStage, Staging::Joint];
/// The annotation layers of models over latent alignments.
const LAYERS: Layers = Layers { chunks: false, ..Layers::ALL };

/// One test set.
struct Set {
    name: &'static str,
    task: Task,
    annotation: AnnotationSource,
    train: Dataset,
    test: Dataset,
    /// Whether it is measured on samples of the training pairs.
    is_sampled: bool,
    /// Accuracy of two-stage learning, and of LCLR.
    paper: Option<[f64; 2]>,
}

fn sets(folder: &Path) -> Result<Vec<Set>> {
    let train = corpus(folder, &["msrp/msr_paraphrase_train.txt"])?;
    let test = corpus(folder, &["msrp/msr_paraphrase_test.txt"])?;
    let theirs = HeilmanSmith::open(folder)?;
    Ok(vec![
        Set {
            name: "RTE-5",
            task: Task::Entailment,
            annotation: AnnotationSource::Text,
            train: corpus(folder, &["rte/rte5_dev.xml"])?,
            test: corpus(folder, &["rte/rte5_test.xml"])?,
            is_sampled: false,
            paper: Some([65.0, 66.8]),
        },
        Set {
            name: "MSRP-Extended",
            task: Task::Paraphrase,
            annotation: AnnotationSource::Text,
            train: extended(train.clone()),
            test: extended(test.clone()),
            is_sampled: true,
            paper: Some([72.0, 72.75]),
        },
        Set {
            name: "MSRP",
            task: Task::Paraphrase,
            annotation: AnnotationSource::Text,
            train,
            test,
            is_sampled: false,
            paper: Some([76.23, 76.41]),
        },
        Set {
            name: "MSRP, H&S annotation",
            task: Task::Paraphrase,
            annotation: AnnotationSource::File,
            train: theirs.corpus(&HeilmanSmith::MSRP_TRAIN)?,
            test: theirs.corpus(&HeilmanSmith::MSRP_TEST)?,
            is_sampled: false,
            paper: None,
        },
    ])
}

/// The rows of a random sample of pairs, in their original order.
fn sampled(n_pairs: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n_pairs).collect();
    SplitMix::new(seed).shuffle(&mut order);
    order.truncate(n);
    order.sort_unstable();
    order
}

/// Repeats the longer text of each pair, by length in bytes.
fn extended(mut dataset: Dataset) -> Dataset {
    for example in &mut dataset.rows {
        let longer =
            if example.source.len() >= example.target.len() { &mut example.source } else { &mut example.target };
        *longer = format!("{longer} {longer}");
    }
    dataset
}

/// What one learner found from one sample.
struct Outcome {
    cost: f64,
    held_out: f64,
    n_iterations: usize,
    /// One per test pair.
    scores: Vec<f64>,
    right: Vec<bool>,
    confusion: Confusion,
}

/// Trains one learner on the first pairs and scores the others.
fn outcome(
    learning: &Learning,
    train: &Dataset,
    labels: &[bool],
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let n_train = train.len();
    let found = choose(learning, train, &labels[..n_train], options, progress)?;
    let rows: Vec<usize> = (0..n_train).collect();
    let test: Vec<usize> = (n_train..labels.len()).collect();
    let machine = learning.fit(&rows, options.staging, &options.at(found.cost), progress, &mut |_| Ok(()))?;
    let scores = learning.scores(&test, options.staging, &machine.weights, progress)?;
    let truth = &labels[n_train..];
    let said: Vec<bool> = scores.iter().map(|score| *score > 0.0).collect();
    let right = said.iter().zip(truth).map(|(said, truth)| said == truth).collect();
    let confusion = Confusion::of(&said, truth);
    let n_iterations = machine.steps.len() - 1;
    Ok(Outcome { cost: found.cost, held_out: found.held_out, n_iterations, scores, right, confusion })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The test of joint learning against two stages, in words.
fn compared(outcomes: &[[Outcome; 2]]) -> Result<String> {
    let [[two_stage, joint]] = outcomes else {
        let accuracy = |outcome: &Outcome| 100.0 * outcome.confusion.accuracy();
        let differences: Vec<f64> =
            outcomes.iter().map(|[two_stage, joint]| accuracy(joint) - accuracy(two_stage)).collect();
        let (n, by) = (differences.len(), mean(&differences));
        let square = differences.iter().map(|difference| (difference - by).powi(2)).sum::<f64>();
        let spread = (square / (n.max(2) - 1) as f64).sqrt();
        return Ok(format!(
            "against two stages: {by:+.2} on average, deviation {spread:.2}; signs of {n} differences flipped: p {:.4}",
            sign_flips(&differences)?
        ));
    };
    let n_apart: usize = only_one_right(&joint.right, &two_stage.right).iter().sum();
    let least = match detectable_difference(joint.right.len(), n_apart, LEVEL, POWER) {
        Some(least) => format!("{:.2} points would be found with power {POWER}", 100.0 * least),
        None => "too few for any difference to be found".to_owned(),
    };
    let p = mcnemar(&joint.right, &two_stage.right);
    Ok(format!("McNemar against two stages: p {p:.4}; exactly one is right about {n_apart} pairs: {least}"))
}

pub(super) fn measure(
    folder: &Path,
    seed: u64,
    resources: &Resources,
    progress: Progress<'_>,
    measured: &mut Measured,
) -> Result<()> {
    let sets = sets(folder)?;
    let n_samples = |set: &Set| if set.is_sampled { SAMPLES } else { 1 };
    let total: usize = sets.iter().map(|set| 2 * n_samples(set)).sum();
    let mut done = 0;
    for set in &sets {
        progress.report_on(Stage::Measure, &format!("{}, annotation", set.name), done, total)?;
        let annotate = |dataset| annotate_pairs(dataset, LAYERS, set.annotation, resources, progress);
        let (train_pairs, test_pairs) = (annotate(&set.train)?, annotate(&set.test)?);
        let truth = set.test.labels_binary()?;
        let mut outcomes: Vec<[Outcome; 2]> = Vec::new();
        for sample in 0..n_samples(set) as u64 {
            let rows = match set.is_sampled {
                true => sampled(set.train.len(), SAMPLED, seed + sample),
                false => (0..set.train.len()).collect(),
            };
            let train = set.train.subset(&rows);
            let mut pairs: Vec<_> = rows.iter().map(|&row| train_pairs[row].clone()).collect();
            pairs.extend_from_slice(&test_pairs);
            let mut labels = train.labels_binary()?;
            labels.extend_from_slice(&truth);
            // Features that occur only in test pairs are in no training vector and keep weight 0.
            let learning = Learning::new(&pairs, labels.clone(), set.task, resources, progress)?;
            drop(pairs);
            let lambdas = if train.len() > 1000 { LARGE } else { SMALL };
            let mut learned = |staging: Staging| {
                progress.report_on(Stage::Measure, &format!("{}, {}", set.name, staging.name()), done, total)?;
                done += 1;
                let options = LatentOptions {
                    staging,
                    costs: lambdas.iter().map(|lambda| 1.0 / lambda).collect(),
                    choice: CostChoice::Folds(FOLDS),
                    seed,
                    ..LatentOptions::new(set.task)
                };
                outcome(&learning, &train, &labels, &options, progress.quiet())
            };
            outcomes.push([learned(STAGINGS[0])?, learned(STAGINGS[1])?]);
        }
        for (at, staging) in STAGINGS.into_iter().enumerate() {
            let all = |value: &dyn Fn(&Outcome) -> f64| -> Vec<f64> {
                outcomes.iter().map(|of_sample| value(&of_sample[at])).collect()
            };
            let first = &outcomes[0][at];
            let mut note = format!("{} iterations", first.n_iterations);
            if set.is_sampled {
                note = format!("mean of {SAMPLES} samples, cost of the first; {note} there");
            }
            if staging == Staging::Joint {
                note += &format!("; {}", compared(&outcomes)?);
            }
            let accuracy = mean(&all(&|outcome| outcome.confusion.accuracy()));
            let f1 = mean(&all(&|outcome| outcome.confusion.f1()));
            for (metric, value) in [("accuracy", accuracy), ("F1", f1)] {
                let is_accuracy = metric == "accuracy";
                measured.rows.push(Row {
                    dataset: set.name,
                    system: staging.name().to_owned(),
                    protocol: CHOSEN,
                    cost: first.cost,
                    metric,
                    value: 100.0 * value,
                    held_out: is_accuracy.then(|| 100.0 * mean(&all(&|outcome| outcome.held_out))),
                    paper: set.paper.filter(|_| is_accuracy).map(|paper| paper[at]),
                    note: if is_accuracy { note.clone() } else { String::new() },
                });
            }
            // Those of the first sample.
            let each = set.test.rows.iter().zip(&truth).zip(&first.scores);
            measured.scores.extend(each.map(|((example, label), score)| Scored {
                dataset: set.name,
                system: staging.name().to_owned(),
                id: example.id.clone(),
                label: *label,
                score: *score,
            }));
        }
    }
    Ok(())
}
