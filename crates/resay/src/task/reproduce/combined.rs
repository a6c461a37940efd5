//! The combined judge: on MSRP and RTE beside the systems within it, and, as it is bundled, on the contrast suite, pairs
//! written for this purpose that differ in one thing. Every choice is made on folds of the training pairs.

use super::{Measured, Report, Row, Scored, corpus};
use crate::data::{Columns, Dataset};
use crate::eval::metrics::Confusion;
use crate::eval::significance::mcnemar;
use crate::model::{CombinedModel, Decision};
use crate::task::Task;
use crate::task::combined::{CombinedOptions, train_combined};
use crate::{Result, bundled};
use std::path::Path;

const CHOSEN: &str = "cost by folds";
const BUNDLED: &str = "as bundled";

/// The pairs of the contrast suite; what a pair is about stands in a column of its own.
const SUITE: &str = include_str!("../../../../../contrast/suite.tsv");

/// A test set with what is learned from for it, and the best figure published without neural networks: accuracy, F1.
struct Set {
    name: &'static str,
    task: Task,
    train: &'static [&'static str],
    test: &'static str,
    best: [Option<f64>; 2],
}

const SETS: [Set; 3] = [
    Set {
        name: "MSRP",
        task: Task::Paraphrase,
        train: &["msrp/msr_paraphrase_train.txt"],
        test: "msrp/msr_paraphrase_test.txt",
        best: [Some(80.4), Some(85.9)],
    },
    Set {
        name: "RTE-3",
        task: Task::Entailment,
        train: &["rte/rte1_dev.xml", "rte/rte1_test.xml", "rte/rte2_dev.xml", "rte/rte2_test.xml", "rte/rte3_dev.xml"],
        test: "rte/rte3_test.xml",
        best: [None, None],
    },
    Set {
        name: "RTE-5",
        task: Task::Entailment,
        train: &["rte/rte5_dev.xml"],
        test: "rte/rte5_test.xml",
        best: [None, None],
    },
];

pub(super) fn measure(folder: &Path, seed: u64, report: Report<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    let total = SETS.len() + 1;
    report("contrast suite", 0, total);
    contrast(&mut measured)?;
    for (done, set) in SETS.iter().enumerate() {
        report(set.name, 1 + done, total);
        let (train, test) = (corpus(folder, set.train)?, corpus(folder, &[set.test])?);
        let options = CombinedOptions { seed, ..CombinedOptions::new(set.task) };
        let model = train_combined(&train, &options, &|_, _, _| {})?;
        one_set(set, &model, &test, &mut measured)?;
    }
    Ok(measured)
}

/// The judge and the systems within it, on one test set.
fn one_set(set: &Set, model: &CombinedModel, test: &Dataset, measured: &mut Measured) -> Result<()> {
    let truth = test.labels_binary()?;
    let about = model.about();
    let seen = model.score_with_parts(&test.examples, |pair| (&pair.source, &pair.target))?;
    let of_parts = about.parts.iter().enumerate().map(|(at, part)| {
        let scores: Vec<f64> = seen.iter().map(|(_, parts)| parts[at]).collect();
        (part.name.clone(), part.held_out, scores)
    });
    let combined: Vec<f64> = seen.iter().map(|(decision, _)| decision.score).collect();
    let is_right = |scores: &[f64]| -> Vec<bool> {
        scores.iter().zip(&truth).map(|(score, truth)| (*score > 0.0) == *truth).collect()
    };
    let right = is_right(&combined);
    let mut systems = vec![("combined".to_owned(), about.held_out, combined)];
    systems.extend(of_parts);
    for (at, (system, held_out, scores)) in systems.into_iter().enumerate() {
        let said: Vec<bool> = scores.iter().map(|score| *score > 0.0).collect();
        let confusion = Confusion::of(&said, &truth);
        let note = match at {
            0 => format!("{} signs", about.n_signs),
            _ => format!("combined against it: McNemar p {:.4}", mcnemar(&right, &is_right(&scores))),
        };
        for (number, (metric, value)) in
            [("accuracy", confusion.accuracy()), ("F1", confusion.f1())].into_iter().enumerate()
        {
            measured.rows.push(Row {
                dataset: set.name,
                system: system.clone(),
                protocol: CHOSEN,
                cost: about.cost,
                metric,
                value: 100.0 * value,
                held_out: (number == 0).then_some(100.0 * held_out),
                paper: set.best[number].filter(|_| at == 0),
                note: if number == 0 { note.clone() } else { String::new() },
            });
        }
        if at == 0 {
            let each = test.examples.iter().zip(&truth).zip(&scores);
            measured.scores.extend(each.map(|((example, label), score)| Scored {
                dataset: set.name,
                system: system.clone(),
                id: example.id.clone(),
                label: *label,
                score: *score,
            }));
        }
    }
    Ok(())
}

/// The bundled judge on the contrast suite: accuracy of all pairs, and by what they are about.
fn contrast(measured: &mut Measured) -> Result<()> {
    let columns = Columns { group: "phenomenon".to_owned(), ..Columns::default() };
    let suite = Dataset::from_reader("contrast/suite.tsv", SUITE.as_bytes(), None, &columns)?;
    let model = CombinedModel::from_bytes(bundled::JUDGE, bundled::bytes(bundled::JUDGE)?)?;
    let truth = suite.labels_binary()?;
    let decisions: Vec<Decision> = model.score_all(&suite.examples, |pair| (&pair.source, &pair.target))?;
    // As `compare` says it: by the probability.
    let right: Vec<bool> =
        decisions.iter().zip(&truth).map(|(decision, truth)| (decision.probability >= 0.5) == *truth).collect();
    let mut phenomena: Vec<(String, usize, usize)> = vec![("combined, all pairs".to_owned(), 0, 0)];
    for (example, is_right) in suite.examples.iter().zip(&right) {
        let name = format!("combined, {}", example.group.as_deref().unwrap_or("other"));
        if !phenomena.iter().any(|(known, ..)| *known == name) {
            phenomena.push((name.clone(), 0, 0));
        }
        for (known, n_right, n) in &mut phenomena {
            if known.ends_with("all pairs") || *known == name {
                *n += 1;
                *n_right += usize::from(*is_right);
            }
        }
    }
    for (system, n_right, n) in phenomena {
        measured.rows.push(Row {
            dataset: "contrast suite",
            system,
            protocol: BUNDLED,
            cost: model.about().cost,
            metric: "accuracy",
            value: 100.0 * n_right as f64 / n.max(1) as f64,
            held_out: None,
            paper: None,
            note: format!("{n} pairs"),
        });
    }
    let each = suite.examples.iter().zip(&truth).zip(&decisions);
    measured.scores.extend(each.map(|((example, label), decision)| Scored {
        dataset: "contrast suite",
        system: "combined".to_owned(),
        id: example.id.clone(),
        label: *label,
        score: decision.score,
    }));
    Ok(())
}
