//! Answers beyond yes and no: three-way entailment (SNLI, SICK, counterfactual pairs,
//! conjunctions), graded similarity (STS benchmark, SICK), and PAWS. The ensemble and the rules
//! alone, with everything chosen on folds of the training pairs.
//!
//! For entailment a model that sees the hypothesis alone is measured, too: what it knows comes from
//! how the pairs were written, not from comparing them.

use super::{Measured, Row, Scored, there};
use resay::data::{Columns, Dataset, Format};
use resay::model::{PairModel, Prediction};
use resay::resources::Resources;
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::{AnswerOptions, Answers, Given, ResponseKind, Task, TrainOptions, train};
use resay::{Error, Result};
use resay_learn::eval::categories::CategoryFigures;
use resay_learn::eval::correlation::{pearson, spearman};
use resay_learn::eval::significance::ResampleOptions;
use resay_learn::progress::{Progress, Stage};
use std::collections::HashSet;
use std::path::Path;

const CHOSEN: &str = "cost by folds";

/// The kernel of the rules alone, and of the rules within the ensemble, for three-way entailment:
/// with rules of what only one side says.
const WITH_ONLY: &str = "kb(k=1..4)+pr+only(k=1..2)";

/// A kind of file.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// TSV with columns source, target, label.
    Plain,
    /// SICK, with the label in this column.
    Sick(&'static str),
    /// The STS benchmark: no heads; score, sentence and sentence in columns 4 to 6.
    Sts,
    /// PAWS: no heads; id, sentence, sentence, label.
    Paws,
}

/// A test set with its training sets.
struct Set {
    name: &'static str,
    task: Task,
    kind: Kind,
    train: &'static [&'static str],
    tests: &'static [(&'static str, &'static str)],
    /// The best published figures without neural networks.
    best: &'static [(&'static str, f64)],
}

pub(super) fn nli(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let set = Set {
        name: "SNLI",
        task: Task::Entailment,
        kind: Kind::Plain,
        train: &["nli/snli_dev.tsv", "nli/counterfactual_train.tsv"],
        tests: &[
            ("SNLI", "nli/snli_test.tsv"),
            ("counterfactual", "nli/counterfactual_test.tsv"),
            ("conjunctions", "nli/conj_dev.tsv"),
        ],
        best: &[],
    };
    measure(&[set], folder, seed, resources, progress)
}

pub(super) fn sick(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let train = &["sick/SICK_train.txt", "sick/SICK_trial.txt"];
    let sets = [
        Set {
            name: "SICK",
            task: Task::Entailment,
            kind: Kind::Sick("entailment_judgment"),
            train,
            tests: &[("SICK entailment", "sick/SICK_test_annotated.txt")],
            best: &[("accuracy", 84.6)],
        },
        Set {
            name: "SICK",
            task: Task::Similarity,
            kind: Kind::Sick("relatedness_score"),
            train,
            tests: &[("SICK relatedness", "sick/SICK_test_annotated.txt")],
            best: &[("Pearson", 0.83)],
        },
    ];
    measure(&sets, folder, seed, resources, progress)
}

pub(super) fn sts(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let set = Set {
        name: "STS",
        task: Task::Similarity,
        kind: Kind::Sts,
        train: &["stsb/sts-train.csv", "stsb/sts-dev.csv"],
        tests: &[("STS benchmark", "stsb/sts-test.csv")],
        best: &[],
    };
    measure(&[set], folder, seed, resources, progress)
}

pub(super) fn paws(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let set = Set {
        name: "PAWS",
        task: Task::Paraphrase,
        kind: Kind::Paws,
        train: &["paws_wiki/dev.tsv"],
        tests: &[("PAWS-wiki", "paws_wiki/test.tsv")],
        best: &[],
    };
    measure(&[set], folder, seed, resources, progress)
}

fn measure(sets: &[Set], folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    for set in sets {
        let files = set.train.iter().chain(set.tests.iter().map(|(_, file)| file));
        files.into_iter().try_for_each(|file| there(folder, file).map(|_| ()))?;
    }
    for (done, set) in sets.iter().enumerate() {
        progress.report_on(Stage::Measure, set.name, done, sets.len())?;
        one_set(set, folder, seed, resources, &mut measured, progress.quiet())?;
    }
    Ok(measured)
}

fn one_set(
    set: &Set,
    folder: &Path,
    seed: u64,
    resources: &Resources,
    measured: &mut Measured,
    progress: Progress<'_>,
) -> Result<()> {
    let tests = set.tests.iter().map(|(name, file)| Ok((*name, read(folder, file, set.kind)?)));
    let tests = tests.collect::<Result<Vec<(&str, Dataset)>>>()?;
    let all = Dataset::joined(set.train.iter().map(|file| read(folder, file, set.kind)))?;
    let all = all.ok_or_else(|| Error::data("no files to read"))?;
    let train_set = all.subset(&unseen(&all, &tests));
    let note = match all.len() - train_set.len() {
        0 => format!("{} training pairs", train_set.len()),
        n => format!("{} training pairs, without {n} that are test pairs, too", train_set.len()),
    };
    let answers = match set.task {
        Task::Paraphrase => AnswerOptions { kind: Some(ResponseKind::Binary), ..AnswerOptions::default() },
        _ => AnswerOptions::default(),
    };
    let kernel = if set.task == Task::Entailment { WITH_ONLY } else { set.task.default_kernel() };
    let of_rules =
        TrainOptions { kernel: kernel.to_owned(), answers: answers.clone(), seed, ..TrainOptions::new(set.task) };
    let rules = train(&train_set, &of_rules, resources, progress)?;
    report(set, &rules, kernel, &tests, &note, measured, progress)?;
    if set.task == Task::Entailment {
        let blind = |dataset: &Dataset| {
            let mut blind = dataset.clone();
            blind.rows.iter_mut().for_each(|example| example.source.clear());
            blind
        };
        let model = train(
            &blind(&train_set),
            &TrainOptions { kernel: "only(k=1..2)".to_owned(), ..of_rules },
            resources,
            progress,
        )?;
        let tests: Vec<(&str, Dataset)> = tests.iter().map(|(name, test)| (*name, blind(test))).collect();
        report(set, &model, "hypothesis alone", &tests, &note, measured, progress)?;
    }
    let defaults = CombinedOptions::new(set.task);
    let options = CombinedOptions { answers, seed, rules: (kernel.to_owned(), defaults.rules.1), ..defaults };
    let model = train_combined(&train_set, None, &options, resources, progress)?;
    report(set, &model, "combined", &tests, &note, measured, progress)
}

/// The rows of a training set that are no pairs of a test set, as far as letters go.
fn unseen(train: &Dataset, tests: &[(&str, Dataset)]) -> Vec<usize> {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let seen: HashSet<(String, String)> = tests
        .iter()
        .flat_map(|(_, test)| test.rows.iter().map(|example| (letters(&example.source), letters(&example.target))))
        .collect();
    let is_new = |&row: &usize| {
        let example = &train.rows[row];
        !seen.contains(&(letters(&example.source), letters(&example.target)))
    };
    (0..train.len()).filter(is_new).collect()
}

/// Reads a file of a kind.
pub(super) fn read(folder: &Path, file: &str, kind: Kind) -> Result<Dataset> {
    let path = there(folder, file)?;
    let columns = |label: &str| Columns {
        source: "sentence_A".to_owned(),
        target: "sentence_B".to_owned(),
        label: label.to_owned(),
        id: "pair_ID".to_owned(),
        ..Columns::default()
    };
    match kind {
        Kind::Plain => Dataset::read(&path, Some(Format::Tsv), &Columns::default()),
        Kind::Sick(label) => Dataset::read(&path, Some(Format::Tsv), &columns(label)),
        Kind::Sts => headless(&path, [5, 6, 4], None),
        Kind::Paws => headless(&path, [1, 2, 3], Some(0)),
    }
}

/// Reads a TSV file without heads: the columns of source, target and label, and of the id.
fn headless(path: &Path, [source, target, label]: [usize; 3], id: Option<usize>) -> Result<Dataset> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let name = path.display().to_string();
    let mut rows = "id\tsource\ttarget\tlabel\n".to_owned();
    for (number, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| {
            cells.get(at).copied().ok_or_else(|| Error::file(&name, format!("line {}: no column {at}", number + 1)))
        };
        let id = id.map_or_else(|| Ok((number + 1).to_string()), |at| cell(at).map(str::to_owned))?;
        rows += &format!("{id}\t{}\t{}\t{}\n", cell(source)?, cell(target)?, cell(label)?);
    }
    Dataset::from_reader(&name, rows.as_bytes(), Some(Format::Tsv), &Columns::default())
}

/// Measures a model on test sets.
fn report(
    set: &Set,
    model: &dyn PairModel,
    system: &str,
    tests: &[(&'static str, Dataset)],
    note: &str,
    measured: &mut Measured,
    progress: Progress<'_>,
) -> Result<()> {
    let header = model.header();
    let labels = header.response.labels();
    for (at, (name, test)) in tests.iter().enumerate() {
        let found = model.predict(&test.rows, |pair| (&pair.source, &pair.target), progress)?;
        let found =
            found.into_iter().enumerate().map(|(row, found)| found.map_err(|error| test.error(row, error.to_string())));
        let found = found.collect::<Result<Vec<Prediction>>>()?;
        let gold = Answers::like(test, &header.response)?.given;
        let mut push = |metric: &'static str, value: f64, note: String| {
            let held_out = header.held_out.filter(|_| at == 0 && metric == header_metric(&header.measure));
            let held_out = held_out.map(|share| if metric == "accuracy" { 100.0 * share } else { share });
            let best = set.best.iter().find(|(of, _)| *of == metric && system == "combined");
            measured.rows.push(Row {
                dataset: name,
                system: system.to_owned(),
                protocol: CHOSEN,
                cost: header.cost.unwrap_or(0.0),
                metric,
                value,
                held_out,
                paper: best.map(|(_, figure)| *figure),
                note,
            });
        };
        match &gold {
            Given::Numbers(gold) => {
                let values: Vec<f64> = found.iter().map(number).collect();
                push("Pearson", pearson(gold, &values).unwrap_or(0.0), note.to_owned());
                push("Spearman", spearman(gold, &values).unwrap_or(0.0), String::new());
            }
            Given::Labels(_) | Given::Classes(_) => {
                let classes: Vec<usize> = match &gold {
                    Given::Labels(labels) => labels.iter().map(|label| usize::from(*label)).collect(),
                    Given::Classes(classes) => classes.clone(),
                    Given::Numbers(_) => Vec::new(),
                };
                let said: Vec<usize> = found.iter().map(class).collect();
                let options = ResampleOptions { n_resamples: 200, ..ResampleOptions::default() };
                let figures = CategoryFigures::of(&classes, &said, labels.len(), None, &options)?;
                let accuracy = figures.accuracy;
                let interval = format!("{note}; {:.1} to {:.1}", 100.0 * accuracy.low, 100.0 * accuracy.high);
                push("accuracy", 100.0 * accuracy.value, interval);
                push("macro F1", 100.0 * figures.macro_f1.value, String::new());
                for (label, class) in labels.iter().zip(&figures.classes).filter(|_| labels.len() > 2) {
                    push("F1 of a class", 100.0 * class.f1.value, label.to_lowercase());
                }
            }
        }
        if system == "combined" {
            let each = test.rows.iter().zip(&found).enumerate();
            measured
                .scores
                .extend(each.map(|(row, (example, found))| scored(name, example.id.clone(), row, &gold, found)));
        }
    }
    Ok(())
}

fn header_metric(measure: &str) -> &'static str {
    if measure == "Pearson" { "Pearson" } else { "accuracy" }
}

/// The predicted number.
fn number(found: &Prediction) -> f64 {
    if let Prediction::Real { value, .. } = found { *value } else { 0.0 }
}

/// The predicted class.
fn class(found: &Prediction) -> usize {
    match found {
        Prediction::Binary { label, .. } => usize::from(*label),
        Prediction::Category { label, .. } => *label,
        Prediction::Real { .. } => 0,
    }
}

/// Whether the answer is right and the probability of the right class; of numbers the value.
fn scored(dataset: &'static str, id: String, row: usize, gold: &Given, found: &Prediction) -> Scored {
    let (label, score) = match (gold, found) {
        (Given::Labels(labels), Prediction::Binary { score, .. }) => (labels[row], *score),
        (Given::Classes(classes), Prediction::Category { probabilities, label, .. }) => {
            (*label == classes[row], probabilities[classes[row]])
        }
        _ => (true, number(found)),
    };
    Scored { dataset, system: "combined".to_owned(), id, label, score }
}
