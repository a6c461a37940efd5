//! Tables 3 and 4: entailment on RTE-5, paraphrase on MSRP, and on MSRP-Extended. The latter trains
//! on 500 pairs, and the longer sentence of every pair, in training and test, is repeated. Costs
//! are tuned by cross-validation on the training pairs, separately for each learner. The paper's
//! 500 pairs are unknown; ours are drawn by the seed.

use super::super::tesrk::HeilmanSmith;
use super::super::{Measured, Row, Scored, corpus};
use resay::Result;
use resay::data::Dataset;
use resay::resources::Resources;
use resay::train::latent::{LatentOptions, Learning, Staging, annotate_pairs, choose};
use resay::train::{AnnotationSource, CostChoice, Task};
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::significance::mcnemar;
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
/// The annotation layers of models over latent alignments.
const LAYERS: Layers = Layers { chunks: false, ..Layers::ALL };

/// One test set.
struct Set {
    name: &'static str,
    task: Task,
    annotation: AnnotationSource,
    train: Dataset,
    test: Dataset,
    /// Accuracy of two-stage learning, and of LCLR.
    paper: Option<[f64; 2]>,
}

fn sets(folder: &Path, seed: u64) -> Result<Vec<Set>> {
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
            paper: Some([65.0, 66.8]),
        },
        Set {
            name: "MSRP-Extended",
            task: Task::Paraphrase,
            annotation: AnnotationSource::Text,
            train: extended(sampled(&train, 500, seed)),
            test: extended(test.clone()),
            paper: Some([72.0, 72.75]),
        },
        Set {
            name: "MSRP",
            task: Task::Paraphrase,
            annotation: AnnotationSource::Text,
            train,
            test,
            paper: Some([76.23, 76.41]),
        },
        Set {
            name: "MSRP, H&S annotation",
            task: Task::Paraphrase,
            annotation: AnnotationSource::File,
            train: theirs.corpus(&HeilmanSmith::MSRP_TRAIN)?,
            test: theirs.corpus(&HeilmanSmith::MSRP_TEST)?,
            paper: None,
        },
    ])
}

/// A random sample of pairs, in their original order.
fn sampled(dataset: &Dataset, n: usize, seed: u64) -> Dataset {
    let mut order: Vec<usize> = (0..dataset.len()).collect();
    SplitMix::new(seed).shuffle(&mut order);
    order.truncate(n);
    order.sort_unstable();
    dataset.subset(&order)
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

pub(super) fn measure(
    folder: &Path,
    seed: u64,
    resources: &Resources,
    progress: Progress<'_>,
    measured: &mut Measured,
) -> Result<()> {
    let sets = sets(folder, seed)?;
    let total = 2 * sets.len();
    for (number, set) in sets.iter().enumerate() {
        progress.report_on(Stage::Measure, &format!("{}, annotation", set.name), 2 * number, total)?;
        let annotate = |dataset| annotate_pairs(dataset, LAYERS, set.annotation, resources, progress);
        let mut pairs = annotate(&set.train)?;
        let n_train = pairs.len();
        pairs.extend(annotate(&set.test)?);
        let mut labels = set.train.labels_binary()?;
        labels.extend(set.test.labels_binary()?);
        // Features that occur only in test pairs are in no training vector and keep weight 0.
        let learning = Learning::new(&pairs, labels.clone(), set.task, resources, progress)?;
        drop(pairs);
        let rows: Vec<usize> = (0..n_train).collect();
        let test: Vec<usize> = (n_train..labels.len()).collect();
        let truth = &labels[n_train..];
        let lambdas = if n_train > 1000 { LARGE } else { SMALL };
        let mut held: Option<Vec<bool>> = None;
        for (at, staging) in [Staging::TwoStage, Staging::Joint].into_iter().enumerate() {
            let what = format!("{}, {}", set.name, staging.name());
            progress.report_on(Stage::Measure, &what, 2 * number + at, total)?;
            let progress = progress.quiet();
            let options = LatentOptions {
                staging,
                costs: lambdas.iter().map(|lambda| 1.0 / lambda).collect(),
                choice: CostChoice::Folds(FOLDS),
                seed,
                ..LatentOptions::new(set.task)
            };
            let found = choose(&learning, &set.train, &labels[..n_train], &options, progress)?;
            let machine = learning.fit(&rows, staging, &options.at(found.cost), progress, &mut |_| Ok(()))?;
            let scores = learning.scores(&test, staging, &machine.weights, progress)?;
            let said: Vec<bool> = scores.iter().map(|score| *score > 0.0).collect();
            let right: Vec<bool> = said.iter().zip(truth).map(|(said, truth)| said == truth).collect();
            let confusion = Confusion::of(&said, truth);
            let mut note = format!("{} iterations", machine.steps.len() - 1);
            if let Some(held) = &held {
                note += &format!("; McNemar against two stages: p {:.4}", mcnemar(&right, held));
            }
            for (metric, value) in [("accuracy", confusion.accuracy()), ("F1", confusion.f1())] {
                let is_accuracy = metric == "accuracy";
                measured.rows.push(Row {
                    dataset: set.name,
                    system: staging.name().to_owned(),
                    protocol: CHOSEN,
                    cost: found.cost,
                    metric,
                    value: 100.0 * value,
                    held_out: is_accuracy.then_some(100.0 * found.held_out),
                    paper: set.paper.filter(|_| is_accuracy).map(|paper| paper[at]),
                    note: if is_accuracy { note.clone() } else { String::new() },
                });
            }
            let each = set.test.rows.iter().zip(truth).zip(&scores);
            measured.scores.extend(each.map(|((example, label), score)| Scored {
                dataset: set.name,
                system: staging.name().to_owned(),
                id: example.id.clone(),
                label: *label,
                score: *score,
            }));
            held = Some(right);
        }
    }
    Ok(())
}
