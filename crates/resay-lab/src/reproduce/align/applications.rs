//! Table 5: alignment scores as predictors for whole pairs. One aligner, trained on the training
//! parts of MSR06 and Edinburgh++. The score of its best segmentation divided by the number of
//! segments is compared with the threshold that is best on training pairs (RTE-3, MSRP), or used
//! for ranking (TREC-QA).
//!
//! There are two lattices and so two scores, their mean and their minimum; and the same for gains
//! over the empty alignment. Which of these is used is also chosen on training pairs. For RTE-3
//! these are the pairs of RTE-3 dev: the aligner was trained on RTE-2. In addition, all of them and
//! the shares of aligned words are features of a linear SVM.

use super::super::{Measured, Row, TRIED, corpus};
use super::{CORPORA, models, read};
use resay::Result;
use resay::align::{Alignment, Decode};
use resay::data::{Dataset, Example};
use resay::model::{AlignModel, AlignedText};
use resay::resources::Resources;
use resay::train::align::{AlignOptions, train_align};
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::ranking::{RankingFigure, Which, rank};
use resay_learn::matrix::Rows;
use resay_learn::progress::Progress;
use resay_learn::svm::ClassWeights;
use resay_learn::svm::linear::{self, LinearParams, LinearProblem, Loss};
use resay_text::{Analysis, English};
use std::path::Path;

/// The values of an alignment: both scores, both gains, and the share of aligned words on either
/// side.
type Columns = [f64; 6];

/// One value derived from them.
type Reading = fn(Columns) -> f64;

/// The values to choose from.
const READINGS: [(&str, Reading); 8] = [
    ("forward score", |[forward, ..]| forward),
    ("backward score", |[_, backward, ..]| backward),
    ("mean score", |[forward, backward, ..]| 0.5 * (forward + backward)),
    ("least score", |[forward, backward, ..]| forward.min(backward)),
    ("forward gain", |[_, _, forward, ..]| forward),
    ("backward gain", |[_, _, _, backward, ..]| backward),
    ("mean gain", |[_, _, forward, backward, ..]| 0.5 * (forward + backward)),
    ("least gain", |[_, _, forward, backward, ..]| forward.min(backward)),
];

struct Application {
    name: &'static str,
    train: Dataset,
    test: Dataset,
    /// The paper's token and phrase model, by metric.
    paper: [[f64; 3]; 2],
    is_ranked: bool,
    /// Whether the text is already tokenised, with spaces between words.
    is_split: bool,
}

fn applications(folder: &Path) -> Result<Vec<Application>> {
    Ok(vec![
        Application {
            name: "RTE-3",
            train: corpus(folder, &["rte/rte3_dev.xml"])?,
            test: corpus(folder, &["rte/rte3_test.xml"])?,
            paper: [[59.1, 61.2, 55.4], [57.6, 57.2, 68.8]],
            is_ranked: false,
            is_split: false,
        },
        Application {
            name: "MSRP",
            train: corpus(folder, &["msrp/msr_paraphrase_train.txt"])?,
            test: corpus(folder, &["msrp/msr_paraphrase_test.txt"])?,
            paper: [[70.0, 72.6, 88.1], [68.1, 68.6, 95.8]],
            is_ranked: false,
            is_split: false,
        },
        Application {
            name: "TREC-QA",
            train: corpus(folder, &["trecqa/train.xml"])?,
            test: corpus(folder, &["trecqa/test.xml"])?,
            paper: [[0.5982, 0.6582, 0.0], [0.6165, 0.7333, 0.0]],
            is_ranked: true,
            is_split: true,
        },
    ])
}

/// Aligns every pair and returns its values.
fn scores(model: &AlignModel, dataset: &Dataset, is_split: bool, progress: Progress<'_>) -> Result<Vec<Columns>> {
    let words = |example: &Example| {
        [&example.source, &example.target]
            .map(|text| if is_split { Analysis::from_forms(text.split_whitespace()) } else { English::whole(text) })
    };
    let aligned = model.align_all(&dataset.rows, words, Decode::Confident(None), progress)?.into_iter();
    let of_pair = |(idx, aligned): (usize, Result<AlignedText>)| match aligned {
        Ok(aligned) => Ok(columns(&aligned.alignment)),
        Err(error) => Err(dataset.error(idx, error.to_string())),
    };
    aligned.enumerate().map(of_pair).collect()
}

/// Returns the threshold with the highest accuracy, and the accuracy.
fn best_threshold(scores: &[f64], labels: &[bool]) -> (f64, f64) {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut n_right = labels.iter().filter(|label| !**label).count();
    let mut best = (f64::INFINITY, n_right);
    for (at, &row) in order.iter().enumerate() {
        n_right = if labels[row] { n_right + 1 } else { n_right - 1 };
        let next = order.get(at + 1).map_or(f64::NEG_INFINITY, |&row| scores[row]);
        if n_right > best.1 && next < scores[row] {
            best = (if next.is_finite() { 0.5 * (scores[row] + next) } else { next }, n_right);
        }
    }
    (best.0, best.1 as f64 / labels.len().max(1) as f64)
}

/// MAP over groups, and MRR.
fn ranking(scores: &[f64], labels: &[bool], dataset: &Dataset, which: Which) -> Result<[f64; 2]> {
    let ranked = rank(scores, labels, &dataset.ranking_groups()?, which);
    Ok([RankingFigure::Map, RankingFigure::Mrr].map(|figure| figure.mean(&ranked).unwrap_or(0.0)))
}

fn columns(alignment: &Alignment) -> Columns {
    let linked = |alone: &[f64]| alone.iter().map(|alone| 1.0 - alone).sum::<f64>() / alone.len().max(1) as f64;
    let ([forward, backward], [gain_forward, gain_backward]) = (alignment.scores, alignment.gains);
    let shares = [linked(&alignment.source_alone), linked(&alignment.target_alone)];
    [forward, backward, gain_forward, gain_backward, shares[0], shares[1]]
}

/// Test scores of a linear SVM over training pairs, with every column standardised on these.
fn machine(
    train: &[Columns],
    labels: &[bool],
    test: &[Columns],
    is_balanced: bool,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let n = train.len() as f64;
    let mean: Columns = std::array::from_fn(|at| train.iter().map(|row| row[at]).sum::<f64>() / n);
    let deviation: Columns = std::array::from_fn(|at| {
        (train.iter().map(|row| (row[at] - mean[at]).powi(2)).sum::<f64>() / n).sqrt().max(1e-9)
    });
    let standard = |row: &Columns| -> Columns { std::array::from_fn(|at| (row[at] - mean[at]) / deviation[at]) };
    let mut rows = Rows::new(6);
    for row in train {
        rows.push((0..).zip(standard(row)), 0.0);
    }
    let n_right = labels.iter().filter(|label| **label).count() as f64;
    let class_weights = if is_balanced {
        ClassWeights { positive: n / (2.0 * n_right), negative: n / (2.0 * (n - n_right)) }
    } else {
        ClassWeights::default()
    };
    let params = LinearParams { loss: Loss::SquaredHinge, class_weights, ..LinearParams::default() };
    let members: Vec<usize> = (0..train.len()).collect();
    let problem = LinearProblem::new(&rows, labels, progress)?;
    let machine = linear::fit(&problem, &members, &params.check()?, None, progress)?;
    let score = |row: &Columns| {
        machine.bias + standard(row).iter().zip(&machine.weights).map(|(value, weight)| value * weight).sum::<f64>()
    };
    Ok(test.iter().map(score).collect())
}

pub(super) fn measure(
    folder: &Path,
    resources: &Resources,
    progress: Progress<'_>,
    measured: &mut Measured,
) -> Result<()> {
    let mut train = read(folder, CORPORA[0].train)?;
    train.append(read(folder, CORPORA[2].train)?);
    let applications = applications(folder)?;
    for (at, (name, settings)) in models().into_iter().enumerate() {
        let model = train_align(&train, &AlignOptions::new(settings), resources, progress)?;
        for application in &applications {
            let Application { train, test, is_split, .. } = application;
            let (train_labels, test_labels) = (train.labels_binary()?, test.labels_binary()?);
            let train_scores = scores(&model, train, *is_split, progress)?;
            let test_scores = scores(&model, test, *is_split, progress)?;
            let row = |system: String, protocol: &'static str, metric: &'static str, value: f64| Row {
                dataset: application.name,
                system,
                protocol,
                cost: 0.0,
                metric,
                value,
                held_out: None,
                paper: None,
                note: String::new(),
            };
            let mut best: Option<(f64, usize)> = None;
            for (number, (reading, read)) in READINGS.into_iter().enumerate() {
                let values: Vec<f64> = train_scores.iter().map(|both| read(*both)).collect();
                let (metric, value) = if application.is_ranked {
                    ("MAP", ranking(&values, &train_labels, train, Which::Mixed)?[0])
                } else {
                    ("accuracy", 100.0 * best_threshold(&values, &train_labels).1)
                };
                let system = format!("{name}, {reading}, on training pairs");
                measured.rows.push(row(system, TRIED, metric, value));
                if best.is_none_or(|(before, _)| value > before) {
                    best = Some((value, number));
                }
            }
            let Some((on_training, number)) = best else { continue };
            let (reading, read) = READINGS[number];
            let system = format!("{name}, {reading}");
            let values: Vec<f64> = test_scores.iter().map(|both| read(*both)).collect();
            let of_training: Vec<f64> = train_scores.iter().map(|both| read(*both)).collect();
            let threshold = best_threshold(&of_training, &train_labels).0;
            let by_machine = machine(&train_scores, &train_labels, &test_scores, application.is_ranked, progress)?;
            let systems = [
                (system, "score and threshold by training pairs", values, threshold, Some(application.paper[at])),
                (format!("{name}, scores, gains and shares linked"), "linear machine, cost 1", by_machine, 0.0, None),
            ];
            for (system, protocol, values, threshold, paper) in systems {
                let held_out = paper.map(|_| on_training);
                let mut push = |metric, value, paper: Option<f64>| {
                    let row = row(system.clone(), protocol, metric, value);
                    measured.rows.push(Row { paper, held_out, ..row });
                };
                if application.is_ranked {
                    for (which, metrics) in [(Which::Mixed, ["MAP", "MRR"]), (Which::AnyRight, ["MAP, 89", "MRR, 89"])]
                    {
                        let figures = ranking(&values, &test_labels, test, which)?;
                        for (at, (metric, figure)) in metrics.into_iter().zip(figures).enumerate() {
                            push(metric, figure, paper.map(|paper| paper[at]).filter(|_| which == Which::Mixed));
                        }
                    }
                    continue;
                }
                let said: Vec<bool> = values.iter().map(|value| *value > threshold).collect();
                let confusion = Confusion::of(&said, &test_labels);
                let figures = [confusion.accuracy(), confusion.precision(), confusion.recall()];
                for (at, (metric, figure)) in ["accuracy", "precision", "recall"].into_iter().zip(figures).enumerate() {
                    push(metric, 100.0 * figure, paper.map(|paper| paper[at]));
                }
            }
        }
    }
    Ok(())
}
