//! The judge on kinds of pairs that it has not learned from: trained without any pair of PAWS and of
//! the STS benchmark, measured on the test parts of both.
//!
//! Without graded similarities, the similarity of two texts is read off the probabilities of their
//! relations.

use super::answers::{Kind, read};
use super::{Measured, Row};
use crate::judgement::{Choice, data, options};
use crate::mixture::{MixtureFiles, mixture};
use resay::Label;
use resay::data::Dataset;
use resay::id::TextRelation;
use resay::resources::Resources;
use resay::train::judgement::{JudgementStudy, RelationExample, RelationSet, StudyAnswer};
use resay::{Error, Result};
use resay_learn::eval::correlation::pearson;
use resay_learn::progress::{Progress, Stage};
use std::path::Path;

const LEFT_OUT: [&str; 2] = ["paws", "sts"];

/// How similar texts are under each relation: set before anything was measured.
const SIMILAR: [f64; 5] = [1.0, 0.7, 0.7, 0.4, 0.15];

fn similarity(answer: &StudyAnswer) -> f64 {
    let highest = answer.heads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let masses = answer.heads.map(|head| (head - highest).exp());
    masses.iter().zip(SIMILAR).map(|(mass, similar)| mass * similar).sum::<f64>() / masses.iter().sum::<f64>()
}

fn labels(dataset: &Dataset) -> Vec<&str> {
    dataset.rows.iter().map(|row| row.label.as_ref().map_or("", Label::as_str)).collect()
}

pub(super) fn measure(folder: &Path, _seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let paws = read(folder, "paws_wiki/test.tsv", Kind::Paws)?;
    let sts = read(folder, "stsb/sts-test.csv", Kind::Sts)?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pairs = mixture(&MixtureFiles { data: folder.to_owned(), repository })
        .map_err(|error| Error::data(format!("{error:#}")))?;
    let mut data = data(pairs, &Choice { without: LEFT_OUT.map(str::to_owned).to_vec() });
    let n_learned = data.examples.len();
    let corpus = data.corpora.len();
    data.corpora.push(("asked".to_owned(), false));
    data.examples.extend(paws.rows.iter().chain(&sts.rows).map(|row| RelationExample {
        source: row.source.clone(),
        target: row.target.clone(),
        allowed: RelationSet::ALL,
        similarity: None,
        weight: 1.0,
        corpus,
        group: String::new(),
    }));
    progress.report_on(Stage::Measure, "without PAWS and STS", 0, 1)?;
    let options = options();
    let study = JudgementStudy::new(&data, &options, &[], resources, progress.quiet())?;
    let learned: Vec<usize> = (0..n_learned).collect();
    let asked: Vec<usize> = (n_learned..data.examples.len()).collect();
    let answers = study.answer(&learned, &asked)?;
    let (of_paws, of_sts) = answers.split_at(paws.rows.len());
    let is_right = |(answer, label): (&StudyAnswer, &str)| {
        usize::from((answer.relation() == TextRelation::Equivalent) == (label == "1"))
    };
    let n_right: usize = of_paws.iter().zip(labels(&paws)).map(is_right).sum();
    let found: Vec<f64> = of_sts.iter().map(similarity).collect();
    let degrees: Vec<f64> = labels(&sts).iter().map(|label| label.parse().unwrap_or_default()).collect();
    let row = |dataset: &'static str, metric: &'static str, value: f64, n: usize| Row {
        dataset,
        system: "judge, trained without any pair of PAWS or STS".to_owned(),
        protocol: "as bundled",
        cost: 0.0,
        metric,
        value,
        held_out: None,
        paper: None,
        note: format!("{n} pairs"),
    };
    let n = paws.rows.len();
    let rows = vec![
        row("PAWS-Wiki test", "accuracy", 100.0 * n_right as f64 / n.max(1) as f64, n),
        row("STS benchmark test", "Pearson", pearson(&found, &degrees).unwrap_or_default(), found.len()),
    ];
    Ok(Measured { rows, scores: Vec::new() })
}
