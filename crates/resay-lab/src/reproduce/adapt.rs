//! Learning curves of adapted models: the judge as it is, models trained from scratch, and the judge
//! adapted to the same few pairs. The pairs are of a kind that the judge has not seen: captions
//! (SICK) and news (MSRP). All are drawn from training parts: those to learn from from the first half,
//! those to measure on from the second. No test set is read.

use super::answers::{Kind, read};
use super::{Measured, Row, corpus, there};
use resay::data::Dataset;
use resay::id::TextRelation;
use resay::model::{AnyModel, JudgementModel, PairModel, Prediction, Question, Response};
use resay::resources::Resources;
use resay::train::adapt::{AdaptOptions, adapt};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::{AnswerOptions, Answers, CostChoice, Given, Task, TrainOptions, train};
use resay::{Error, Result};
use resay_learn::eval::correlation::pearson;
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;
use std::path::Path;

/// How many labels a user has.
const SIZES: [usize; 5] = [25, 50, 100, 200, 400];
/// How many samples are drawn of each size.
const SAMPLES: u64 = 5;
/// How many pairs are measured on.
const MEASURED: usize = 1000;
/// The least probability that counts in a log loss: a class that a sample lacks has none.
const LEAST: f64 = 1e-6;

/// Pairs, and what is asked of them.
struct Set {
    name: &'static str,
    file: &'static str,
    /// The column of the label; none for files that are recognised.
    label: Option<&'static str>,
    task: Task,
    positive: Option<&'static str>,
    question: Question,
}

const SICK: &str = "sick/SICK_train.txt";

const SETS: [Set; 4] = [
    Set {
        name: "MSRP train",
        file: "msrp/msr_paraphrase_train.txt",
        label: None,
        task: Task::Paraphrase,
        positive: None,
        question: Question::Same,
    },
    Set {
        name: "SICK train, entailment or not",
        file: SICK,
        label: Some("entailment_judgment"),
        task: Task::Entailment,
        positive: Some("ENTAILMENT"),
        question: Question::Entails,
    },
    Set {
        name: "SICK train, three labels",
        file: SICK,
        label: Some("entailment_judgment"),
        task: Task::Entailment,
        positive: None,
        question: Question::Relation,
    },
    Set {
        name: "SICK train, relatedness",
        file: SICK,
        label: Some("relatedness_score"),
        task: Task::Similarity,
        positive: None,
        question: Question::Similarity,
    },
];

/// Accuracy in percent and log loss; of numbers Pearson's correlation and the root of the mean
/// squared error.
type Quality = [f64; 2];

/// The labels of pairs to measure on.
enum Gold {
    /// The name of every label.
    Names(Vec<String>),
    Numbers(Vec<f64>),
}

pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    SETS.iter().try_for_each(|set| there(folder, set.file).map(|_| ()))?;
    let mut measured = Measured::default();
    let (mut done, total) = (0, SETS.len() * SIZES.len() * SAMPLES as usize);
    for set in &SETS {
        let all = match set.label {
            Some(label) => read(folder, set.file, Kind::Sick(label))?,
            None => corpus(folder, &[set.file])?,
        };
        let mut order: Vec<usize> = (0..all.len()).collect();
        SplitMix::stream(seed, u64::MAX).shuffle(&mut order);
        let (pool, rest) = order.split_at(all.len() / 2);
        let test = all.subset(&rest[..MEASURED.min(rest.len())]);
        let answers = AnswerOptions { positive: set.positive.map(str::to_owned), ..AnswerOptions::default() };
        let gold = gold(&test, set, &answers)?;
        let judge = JudgementModel::bundled(resources)?.asking(set.question);
        let alone = quality(&judge, &test, &gold, progress.quiet())?;
        push(&mut measured, set, "judge as it is".to_owned(), &[alone]);
        for size in SIZES {
            let mut found: [Vec<Quality>; 3] = Default::default();
            for sample in 0..SAMPLES {
                progress.report_on(Stage::Measure, set.name, done, total)?;
                done += 1;
                let mut drawn = pool.to_vec();
                SplitMix::stream(seed, sample).shuffle(&mut drawn);
                let few = all.subset(&drawn[..size.min(drawn.len())]);
                for (model, found) in trained(&few, set, &answers, seed, resources, progress)?.iter().zip(&mut found) {
                    if let Some(model) = model {
                        found.push(quality(&**model, &test, &gold, progress.quiet())?);
                    }
                }
            }
            for (system, found) in ["rules from scratch", "ensemble from scratch", "judge adapted"].iter().zip(found) {
                push(&mut measured, set, format!("{system}, {size} labels"), &found);
            }
        }
    }
    Ok(measured)
}

/// Folds to hold out, the most that rare labels allow.
const FOLDS: [usize; 4] = [10, 5, 3, 2];

/// Trains with as many folds as there can be; none if a label is too rare for any.
fn with_folds<M>(train: impl Fn(usize) -> Result<M>) -> Result<Option<M>> {
    for folds in FOLDS {
        match train(folds) {
            Ok(model) => return Ok(Some(model)),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(_) => {}
        }
    }
    Ok(None)
}

type OfSample = Option<Box<dyn PairModel>>;

/// Rules, an ensemble and an adapted judge of the same pairs.
fn trained(
    few: &Dataset,
    set: &Set,
    answers: &AnswerOptions,
    seed: u64,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<[OfSample; 3]> {
    let rules = with_folds(|folds| {
        let choice = CostChoice::Folds(folds);
        let options = TrainOptions { answers: answers.clone(), seed, choice, ..TrainOptions::new(set.task) };
        train(few, &options, resources, progress.quiet())
    })?;
    let ensemble = with_folds(|folds| {
        let options = CombinedOptions { answers: answers.clone(), seed, folds, ..CombinedOptions::new(set.task) };
        train_combined(few, None, &options, resources, progress.quiet())
    })?;
    let options = AdaptOptions { answers: answers.clone(), seed, ..AdaptOptions::new(set.task) };
    let judge = AnyModel::bundled("judge", resources)?;
    let adapted = adapt(few, judge, "judge", &options, resources, progress.quiet())?;
    let adapted =
        adapted.into_pair_model().map_err(|_| Error::data("an adapted model that does not decide about pairs"))?;
    let rules = rules.map(|model| -> Box<dyn PairModel> { Box::new(model) });
    let ensemble = ensemble.map(|model| -> Box<dyn PairModel> { Box::new(model) });
    Ok([rules, ensemble, Some(adapted)])
}

fn gold(test: &Dataset, set: &Set, answers: &AnswerOptions) -> Result<Gold> {
    let gold = Answers::of(test, set.task, answers)?;
    let name = |at: usize| gold.response.labels().get(at).map(|label| label.to_lowercase()).unwrap_or_default();
    Ok(match &gold.given {
        Given::Numbers(numbers) => Gold::Numbers(numbers.clone()),
        Given::Labels(labels) => Gold::Names(labels.iter().map(|label| name(usize::from(*label))).collect()),
        Given::Classes(classes) => Gold::Names(classes.iter().map(|class| name(*class)).collect()),
    })
}

/// The probability of every label, by name. The five relations become the three labels of
/// entailment; yes and no take the names of the labels at hand.
fn by_name(response: &Response, prediction: &Prediction, names: [&str; 2]) -> Vec<(String, f64)> {
    match prediction {
        Prediction::Binary { probability, .. } => {
            names.map(str::to_owned).into_iter().zip([1.0 - probability, *probability]).collect()
        }
        Prediction::Category { probabilities, .. } => {
            let labels = response.labels().iter().map(|label| label.to_lowercase());
            let own: Vec<(String, f64)> = labels.zip(probabilities.iter().copied()).collect();
            if own.len() != TextRelation::ALL.len() {
                return own;
            }
            let of = |relation: TextRelation| probabilities[relation as usize];
            vec![
                ("entailment".to_owned(), of(TextRelation::Equivalent) + of(TextRelation::Forward)),
                ("contradiction".to_owned(), of(TextRelation::Contradiction)),
                ("neutral".to_owned(), of(TextRelation::Backward) + of(TextRelation::Neutral)),
            ]
        }
        Prediction::Real { .. } => Vec::new(),
    }
}

fn quality(model: &dyn PairModel, test: &Dataset, gold: &Gold, progress: Progress<'_>) -> Result<Quality> {
    let found = model.predict(&test.rows, |pair| (&pair.source, &pair.target), progress)?;
    let found = found.into_iter().collect::<Result<Vec<Prediction>>>()?;
    let n = found.len().max(1) as f64;
    match gold {
        Gold::Numbers(gold) => {
            let number = |found: &Prediction| if let Prediction::Real { value, .. } = found { *value } else { 0.0 };
            let values: Vec<f64> = found.iter().map(number).collect();
            let squares: f64 = values.iter().zip(gold).map(|(value, gold)| (value - gold).powi(2)).sum();
            Ok([pearson(gold, &values).unwrap_or(0.0), (squares / n).sqrt()])
        }
        Gold::Names(gold) => {
            let mut names: Vec<&str> = gold.iter().map(String::as_str).collect();
            names.sort_unstable();
            names.dedup();
            // The judge calls its answers 0 and 1, whatever the labels are.
            let yes = if names.contains(&"entailment") { "entailment" } else { "1" };
            let no = names.iter().copied().find(|name| *name != yes).unwrap_or_default();
            let (mut right, mut loss) = (0.0, 0.0);
            for (prediction, gold) in found.iter().zip(gold) {
                let shares = by_name(&model.header().response, prediction, [no, yes]);
                let best = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1));
                right += f64::from(u8::from(best.is_some_and(|(name, _)| name == gold)));
                let share = shares.iter().find(|(name, _)| name == gold).map_or(0.0, |(_, share)| *share);
                loss -= share.max(LEAST).ln();
            }
            Ok([100.0 * right / n, loss / n])
        }
    }
}

/// Adds the means over samples, with the standard deviation.
fn push(measured: &mut Measured, set: &Set, system: String, found: &[Quality]) {
    let metrics = match set.question {
        Question::Similarity => ["Pearson", "root mean squared error"],
        _ => ["accuracy", "log loss"],
    };
    if found.is_empty() {
        return;
    }
    for (at, metric) in metrics.into_iter().enumerate() {
        let n = found.len().max(1) as f64;
        let value = found.iter().map(|quality| quality[at]).sum::<f64>() / n;
        let spread = (found.iter().map(|quality| (quality[at] - value).powi(2)).sum::<f64>() / n).sqrt();
        let note = match found.len() {
            1 => String::new(),
            n => format!("mean of {n} samples, standard deviation {spread:.3}"),
        };
        measured.rows.push(Row {
            dataset: set.name,
            system: system.clone(),
            protocol: "halves of a training set",
            cost: 0.0,
            metric,
            value,
            held_out: None,
            paper: None,
            note,
        });
    }
}
