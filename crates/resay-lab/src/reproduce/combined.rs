//! The ensemble on MSRP, RTE and TREC-QA, beside its base models. Everything is tuned by
//! cross-validation on the training pairs.

use super::{Measured, Row, Scored, corpus, there};
use resay::Result;
use resay::data::Dataset;
use resay::id::BaseModel;
use resay::model::Ensemble;
use resay::resources::Resources;
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::{AnswerOptions, ResponseKind, Task};
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::ranking::{RankingFigure, Which, rank};
use resay_learn::eval::significance::{self, mcnemar};
use resay_learn::progress::{Progress, Stage};
use std::path::Path;

const CHOSEN: &str = "cost by folds";

/// A test set with its training sets, and the best published figures without neural networks:
/// accuracy and F1; MAP and MRR for answers.
struct Set {
    name: &'static str,
    task: Task,
    train: &'static [&'static str],
    test: &'static str,
    best: [Option<f64>; 2],
}

const SETS: [Set; 4] = [
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
    Set {
        name: "TREC-QA",
        task: Task::Answers,
        train: &["trecqa/train.xml"],
        test: "trecqa/test.xml",
        best: [Some(0.746), Some(0.82)],
    },
];

pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    for set in &SETS {
        set.train.iter().chain([&set.test]).try_for_each(|file| there(folder, file).map(|_| ()))?;
    }
    for (done, set) in SETS.iter().enumerate() {
        progress.report_on(Stage::Measure, set.name, done, SETS.len())?;
        let (train, test) = (corpus(folder, set.train)?, corpus(folder, &[set.test])?);
        // Contradictions and unknown pairs of RTE-5 are both no, as in the challenge's two-way task.
        let answers = AnswerOptions { kind: Some(ResponseKind::Binary), ..AnswerOptions::default() };
        let options = CombinedOptions { seed, answers, ..CombinedOptions::new(set.task) };
        let model = train_combined(&train, None, &options, resources, progress.quiet())?;
        one_set(set, &model, &test, &mut measured, progress)?;
    }
    Ok(measured)
}

/// The scores of a system on a test set, in order.
struct System {
    name: String,
    held_out: f64,
    scores: Vec<f64>,
}

/// The names of systems in the committed tables.
fn base_name(base: Option<BaseModel>) -> &'static str {
    match base {
        Some(BaseModel::Rules) => "re-writing rules",
        Some(BaseModel::TypedRules) => "typed rules",
        Some(BaseModel::Latent) => "hidden alignment",
        None => "another",
    }
}

/// Evaluates the ensemble and its base models on one test set.
fn one_set(set: &Set, model: &Ensemble, test: &Dataset, measured: &mut Measured, progress: Progress<'_>) -> Result<()> {
    let about = model.about();
    let pairs: Vec<(&str, &str)> = test.rows.iter().map(|pair| (&*pair.source, &*pair.target)).collect();
    let seen = model.score_with_bases(&pairs, progress.quiet())?.into_iter().enumerate();
    let seen = seen.map(|(row, result)| result.map_err(|error| test.error(row, error.to_string())));
    let seen = seen.collect::<Result<Vec<_>>>()?;
    let held_out = about.header.held_out.unwrap_or(0.0);
    let scores = seen.iter().map(|(found, _)| Ok(found.decision()?.score)).collect::<Result<_>>()?;
    let mut systems = vec![System { name: "combined".to_owned(), held_out, scores }];
    systems.extend(about.details.base_models.iter().enumerate().map(|(at, base)| System {
        name: base_name(base.model()).to_owned(),
        held_out: base.held_out,
        scores: seen.iter().map(|(_, parts)| parts[at]).collect(),
    }));
    let truth = test.labels_binary()?;
    let mut push = |system: &System, metric, value, held_out, paper, note| {
        measured.rows.push(Row {
            dataset: set.name,
            system: system.name.clone(),
            protocol: CHOSEN,
            cost: about.header.cost.unwrap_or(0.0),
            metric,
            value,
            held_out,
            paper,
            note,
        });
    };
    for (at, system) in systems.iter().enumerate() {
        let best = set.best.map(|best| best.filter(|_| at == 0));
        let against = |p: Result<f64>| match at {
            0 => Ok(format!("{} signs", about.details.n_features)),
            _ => p.map(|p| format!("combined against it: p {p:.4}")),
        };
        if set.task == Task::Answers {
            let groups = test.ranking_groups()?;
            let ranked = |system: &System, which| rank(&system.scores, &truth, &groups, which);
            let p = || -> Result<f64> {
                let [one, other] = [&systems[0], system].map(|system| ranked(system, Which::Mixed));
                let found = RankingFigure::Map.compare(&one, &other, &significance::ResampleOptions::default())?;
                Ok(found.map_or(1.0, |comparison| comparison.p_value))
            };
            for (which, metrics) in [(Which::Mixed, ["MAP, 68", "MRR, 68"]), (Which::AnyRight, ["MAP, 89", "MRR, 89"])]
            {
                for (number, figure) in [RankingFigure::Map, RankingFigure::Mrr].into_iter().enumerate() {
                    let value = figure.mean(&ranked(system, which)).unwrap_or(0.0);
                    let is_chosen_by = which == Which::Mixed && number == 1;
                    let note = if which == Which::Mixed && number == 0 { against(p())? } else { String::new() };
                    let paper = best[number].filter(|_| which == Which::Mixed);
                    push(system, metrics[number], value, is_chosen_by.then_some(system.held_out), paper, note);
                }
            }
        } else {
            let said: Vec<bool> = system.scores.iter().map(|score| *score > 0.0).collect();
            let right = |system: &System| -> Vec<bool> {
                system.scores.iter().zip(&truth).map(|(score, truth)| (*score > 0.0) == *truth).collect()
            };
            let confusion = Confusion::of(&said, &truth);
            let note = against(Ok(mcnemar(&right(&systems[0]), &right(system))))?;
            let held_out = Some(100.0 * system.held_out);
            push(system, "accuracy", 100.0 * confusion.accuracy(), held_out, best[0], note);
            push(system, "F1", 100.0 * confusion.f1(), None, best[1], String::new());
        }
    }
    let each = test.rows.iter().zip(&truth).zip(&systems[0].scores);
    measured.scores.extend(each.map(|((example, label), score)| Scored {
        dataset: set.name,
        system: systems[0].name.clone(),
        id: example.id.clone(),
        label: *label,
        score: *score,
    }));
    Ok(())
}
