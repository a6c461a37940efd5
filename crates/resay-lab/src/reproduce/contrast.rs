//! The bundled judge on the contrast suite and on everyday pairs that nobody looked at while the judge
//! was made: hand-written pairs, each with one of five relations.
//!
//! Every phenomenon has as many equivalent pairs as others, and word overlap says little about the
//! label. Measured is whether texts that say the same are told from others (by phenomenon, and by
//! relation), which of the five relations is found, and three-way entailment in both directions.

use super::{Measured, Row, Scored};
use resay::id::TextRelation;
use resay::model::{JudgementModel, PairModel, Prediction, Question};
use resay::resources::Resources;
use resay::{Error, Result};
use resay_learn::progress::{Progress, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Pairs to measure with.
struct Suite {
    dataset: &'static str,
    file: &'static str,
    text: &'static str,
}

const SUITES: [Suite; 2] = [
    Suite {
        dataset: "contrast suite",
        file: "contrast/suite.tsv",
        text: include_str!("../../../../contrast/suite.tsv"),
    },
    Suite {
        dataset: "unseen everyday pairs",
        file: "contrast/unseen.tsv",
        text: include_str!("../../../../contrast/unseen.tsv"),
    },
];

struct Pair<'a> {
    id: &'a str,
    phenomenon: &'a str,
    texts: [&'a str; 2],
    relation: TextRelation,
}

fn pairs(suite: &Suite) -> Result<Vec<Pair<'static>>> {
    let pair = |(at, line): (usize, &'static str)| -> Result<Pair<'static>> {
        let columns: Vec<&str> = line.split('\t').collect();
        let fault = |message: String| Error::line(suite.file, at as u64 + 1, message);
        let [id, phenomenon, _, source, target, relation] = columns[..] else {
            return Err(fault(format!("{} columns, expected 6", columns.len())));
        };
        let relation = TextRelation::named(relation).ok_or_else(|| fault(format!("no relation '{relation}'")))?;
        Ok(Pair { id, phenomenon, texts: [source, target], relation })
    };
    suite.text.lines().enumerate().skip(1).map(pair).collect()
}

/// The share of words that both texts have.
fn overlap([a, b]: [&str; 2]) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

/// How often the best threshold of overlap, in either direction, tells equivalent pairs from others.
fn by_overlap(pairs: &[Pair<'_>]) -> f64 {
    let mut sorted: Vec<(f64, bool)> =
        pairs.iter().map(|pair| (overlap(pair.texts), pair.relation == TextRelation::Equivalent)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_same = sorted.iter().filter(|one| one.1).count();
    let (mut n_same_below, mut best) = (0, n_same.max(sorted.len() - n_same));
    for (at, &(value, is_same)) in sorted.iter().enumerate() {
        n_same_below += usize::from(is_same);
        if sorted.get(at + 1).is_some_and(|next| next.0 == value) {
            continue;
        }
        let n_right = (at + 1 - n_same_below) + (n_same - n_same_below);
        best = best.max(n_right).max(sorted.len() - n_right);
    }
    best as f64 / sorted.len().max(1) as f64
}

/// Entailment of the target by the source, three-way.
fn three_way(relation: TextRelation) -> usize {
    match relation {
        TextRelation::Equivalent | TextRelation::Forward => 0,
        TextRelation::Contradiction => 1,
        TextRelation::Backward | TextRelation::Neutral => 2,
    }
}

/// Needs no corpus.
pub(super) fn measure(_folder: &Path, _seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    for (at, suite) in SUITES.iter().enumerate() {
        progress.report_on(Stage::Measure, suite.dataset, at, SUITES.len())?;
        measure_suite(suite, resources, progress, &mut measured)?;
    }
    Ok(measured)
}

fn measure_suite(of: &Suite, resources: &Resources, progress: Progress<'_>, measured: &mut Measured) -> Result<()> {
    let suite = pairs(of)?;
    let model = JudgementModel::bundled(resources)?.asking(Question::Relation);
    let judge: &dyn PairModel = &model;
    let found = judge.predict(&suite, |pair| (pair.texts[0], pair.texts[1]), progress.quiet())?;
    let mut verdicts = Vec::with_capacity(suite.len());
    for found in found {
        match found? {
            Prediction::Category { scores, label, .. } => verdicts.push((TextRelation::ALL[label], scores)),
            _ => return Err(Error::machine("the judge names no relation")),
        }
    }
    // By system: right answers, and answers.
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut count = |system: String, is_right: bool| {
        let (n_right, n) = counts.entry(system).or_default();
        *n += 1;
        *n_right += usize::from(is_right);
    };
    for (pair, (verdict, _)) in suite.iter().zip(&verdicts) {
        let is_same = (pair.relation == TextRelation::Equivalent) == (*verdict == TextRelation::Equivalent);
        count("judge, all pairs".to_owned(), is_same);
        count(format!("judge, {}", pair.phenomenon), is_same);
        count(format!("judge, label {}", pair.relation.name()), is_same);
        count("judge, five relations".to_owned(), *verdict == pair.relation);
        count(format!("judge, five relations, {}", pair.relation.name()), *verdict == pair.relation);
        for (relation, verdict) in [(pair.relation, *verdict), (pair.relation.reversed(), verdict.reversed())] {
            count("judge, three-way, both directions".to_owned(), three_way(relation) == three_way(verdict));
        }
    }
    let row = |system: String, value: f64, note: String| Row {
        dataset: of.dataset,
        system,
        protocol: "as bundled",
        cost: 0.0,
        metric: "accuracy",
        value: 100.0 * value,
        held_out: None,
        paper: None,
        note,
    };
    for (system, (n_right, n)) in counts {
        measured.rows.push(row(system, n_right as f64 / n as f64, format!("{n} answers")));
    }
    measured.rows.push(row(
        "word overlap, best threshold".to_owned(),
        by_overlap(&suite),
        "chosen on the suite: what overlap alone gives away".to_owned(),
    ));
    for (pair, (_, scores)) in suite.iter().zip(&verdicts) {
        let others = scores[1..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        measured.scores.push(Scored {
            dataset: of.dataset,
            system: "judge".to_owned(),
            id: pair.id.to_owned(),
            label: pair.relation == TextRelation::Equivalent,
            score: scores[0] - others,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let kept = text.chars().filter(|character| character.is_alphanumeric() || *character == ' ');
        kept.collect::<String>().to_lowercase().trim().to_owned()
    }

    /// Both labels in every phenomenon, and nothing on the surface that gives them away.
    #[test]
    fn the_suite_is_balanced() {
        let suite = pairs(&SUITES[0]).unwrap();
        let mut phenomena: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for pair in &suite {
            phenomena.entry(pair.phenomenon).or_default()[usize::from(pair.relation == TextRelation::Equivalent)] += 1;
        }
        assert!(phenomena.len() >= 24);
        for (phenomenon, counts) in &phenomena {
            assert!(counts.iter().all(|n| *n >= 25), "{phenomenon}: {counts:?}");
        }
        assert!(by_overlap(&suite) <= 0.58, "{}", by_overlap(&suite));
    }

    /// No sentence of the suite is trained on.
    #[test]
    fn the_suite_shares_no_sentence_with_training() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrast");
        let mut trained: BTreeSet<String> = BTreeSet::new();
        let mut read = |path: &Path| {
            for line in std::fs::read_to_string(path).unwrap().lines() {
                let columns: Vec<&str> = line.split('\t').collect();
                trained.extend(columns[2..4].iter().map(|text| plain(text)));
            }
        };
        read(&folder.join("training.tsv"));
        for entry in folder.join("training").read_dir().unwrap() {
            read(&entry.unwrap().path());
        }
        assert!(trained.len() > 10_000);
        for pair in SUITES.iter().flat_map(|suite| pairs(suite).unwrap()) {
            assert!(pair.texts.iter().all(|text| !trained.contains(&plain(text))), "{}", pair.id);
        }
    }
}
