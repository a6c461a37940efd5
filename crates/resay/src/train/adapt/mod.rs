//! Adapts a model to pairs of a user's own.
//!
//! Given: a model that scores pairs, and as few as fifty labelled ones. The new score of a pair is
//!
//! ```text
//! slope · old score + intercept + correction · features
//! ```
//!
//! over the features that the model's weights multiply, so that what comes out is a model of the
//! same kind with other weights. The trees of a joint judgement have no weights to move: it becomes
//! an adapted judgement ([`AdaptedJudgement`]), which keeps them and corrects what they say. Its
//! features come in blocks of different units; each block is brought to one scale first (`seen.rs`).
//! A Gaussian prior ([`resay_learn::prior`]) keeps slope and intercept near the model's calibration,
//! and the correction near 0. How far the correction may go, its
//! *strength*, is chosen on held-out folds by the loss of their answers: 0, which fits slope and
//! intercept alone, is always worth trying. Of strengths that are about as good as the best, the
//! smallest is taken, because few pairs cannot tell luck from skill.
//!
//! For answers of yes or no the score is divided by the slope, which the calibration keeps: a score
//! above 0 still means yes, and where nothing is corrected scores only move by a constant.

mod seen;
#[cfg(test)]
mod tests;

use super::Task;
use super::answers::{AnswerOptions, Answers, Given, HeadTarget};
use super::kernel::{CostChoice, calibrated, header_of};
use super::measure::Measure;
use super::splits::Splits;
use super::sure::thresholds;
use crate::data::Dataset;
use crate::model::{
    AdaptRow, AdaptedFrom, AdaptedJudgement, AnswerCalibration, AnyModel, HeadChange, Header, JudgementModel, Question,
    Response, TriedStrength, describe_answers,
};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::{Platt, Softmax};
use resay_learn::matrix::Rows;
use resay_learn::prior::{self, Correction, GaussianPrior, PriorAnswers, PriorProblem};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::search::HeadsHeldOut;
use seen::Seen;

/// How to adapt.
#[derive(Clone, Debug)]
pub struct AdaptOptions {
    /// The task: the model's, or [`Task::Pair`].
    pub task: Task,
    /// How to read the labels.
    pub answers: AnswerOptions,
    /// Strengths to choose from: the standard deviation of the correction of an average pair, in
    /// log-odds, or in units of the spread of numbers. 0 is calibration alone.
    pub strengths: Vec<f64>,
    /// Number of held-out folds; fewer if the pairs do not suffice.
    pub folds: usize,
    /// The measure to report.
    pub measure: Measure,
    /// The share of right answers from which on the model is sure of a label.
    pub precision: Option<f64>,
    /// Seed for folds.
    pub seed: u64,
}

impl AdaptOptions {
    /// Returns the defaults of a task.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            answers: AnswerOptions::default(),
            strengths: vec![0.0, 0.25, 0.5, 1.0, 2.0, 4.0],
            folds: 10,
            measure: task.default_measure(),
            precision: None,
            seed: 1,
        }
    }
}

/// The deviation of a slope, as a share of the expected one.
const SLOPE: f64 = 1.0;
/// The least slope, as a share of the expected one: scores never change sides.
const LEAST_SLOPE: f64 = 0.05;
/// The deviation of an intercept, in log-odds. What a class among several is compared with is not
/// known beforehand.
const INTERCEPT: f64 = 2.0;
const INTERCEPT_OF_CLASS: f64 = 4.0;
/// The deviation of the temperature by which held-out log-odds are corrected.
const TEMPERATURE: f64 = 0.3;
/// How much worse a smaller strength may be than the best, in standard errors of the difference.
const ABOUT_AS_GOOD: f64 = 0.5;
/// How far numbers may lie outside the model's range, as a share of it.
const OUTSIDE: f64 = 0.2;

/// Adapts a model to labelled pairs; `name` is what the result says that it comes from. Ensembles
/// and rules change their weights, support pairs their calibration only. A joint judgement becomes
/// an adapted judgement of one question, which the task and the labels decide.
pub fn adapt(
    dataset: &Dataset,
    origin: AnyModel,
    name: &str,
    options: &AdaptOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<AnyModel> {
    resources.threads().run(|| adapt_from(dataset, origin, name, options, progress))?
}

fn adapt_from(
    dataset: &Dataset,
    origin: AnyModel,
    name: &str,
    options: &AdaptOptions,
    progress: Progress<'_>,
) -> Result<AnyModel> {
    let mut origin = match origin {
        AnyModel::Judgement(judge) => AnyModel::AdaptedJudgement(Box::new(asked(dataset, *judge, options)?)),
        other => other,
    };
    let model = origin.as_adaptable(name)?;
    if model.header().task != options.task.name() && options.task != Task::Pair {
        let (is, wanted) = (&model.header().task, options.task.name());
        return Err(Error::parameter(format!("{name} was trained for task {is}, not for {wanted}")));
    }
    let strengths = checked(options, model.n_weights() > 0)?;
    let answers = agreed(dataset, name, &model.header().response, options)?;
    let measure = options.measure.for_answers(&answers.response)?;
    let groups = if measure.ranks() { dataset.ranking_groups()? } else { Vec::new() };
    progress.report(Stage::Features, 0, 1)?;
    let texts: Vec<(&str, &str)> = dataset.rows.iter().map(|pair| (&*pair.source, &*pair.target)).collect();
    let rows = model.rows(&texts, progress)?.into_iter().enumerate();
    let rows =
        rows.map(|(at, row)| row.map_err(|error| dataset.error(at, error.to_string()))).collect::<Result<Vec<_>>>()?;
    let seen = Seen::new(&rows, model.n_weights(), &model.blocks());
    let heads = heads(&rows, &seen, &answers, model.calibration());
    progress.report(Stage::Search, 0, 1)?;
    let splits = (2..=options.folds)
        .rev()
        .find_map(|folds| Splits::of(dataset, &answers, CostChoice::Folds(folds), options.seed).ok());
    let all: Vec<usize> = (0..dataset.len()).collect();
    let learned: Vec<usize> = all.iter().copied().filter(|row| !rows[*row].is_fixed).collect();
    let by = |held_out: &HeadsHeldOut<'_>| measure.of_heads(held_out, &answers, &groups);
    let searched = match &splits {
        Some(splits) => Some(search(&heads, &strengths, splits, progress)?),
        None => None,
    };
    let tried: Vec<TriedStrength> = match (&searched, &splits) {
        (Some(found), Some(splits)) => found.iter().map(|found| found.told(splits, &by)).collect(),
        _ => Vec::new(),
    };
    // Without folds nothing says how far to go.
    let chosen = searched.as_ref().map(|found| chosen(found));
    let strength = chosen.map_or(0.0, |chosen| strengths[chosen]);
    let held_out = searched.zip(chosen).map(|(mut found, chosen)| found.swap_remove(chosen).heads);
    progress.report(Stage::Train, 0, 1)?;
    let fitted = heads.par_iter().map(|head| head.fit(&all, strength, progress)).collect::<Result<Vec<_>>>()?;
    let made = Made::new(&answers, model.calibration(), &fitted, (held_out, &learned), progress)?;
    let sure = match &made.held_out {
        Some(scores) => thresholds(&answers, scores, &all, &made.calibration, options.precision)?,
        None => None,
    };
    let old = model.header();
    let from = AdaptedFrom {
        name: short_name(name),
        data: old.data.clone(),
        n_examples: old.n_examples,
        licence: old.licence.clone(),
        strength,
        tried,
    };
    let header = Header {
        kind: old.kind,
        learner: old.learner.clone(),
        measure: measure.name().to_owned(),
        held_out: made.held_out.as_ref().zip(splits.as_ref()).map(|(scores, splits)| splits.mean(scores, &by)),
        folds: splits.as_ref().and_then(Splits::about),
        sure,
        from: Some(from),
        ..header_of(dataset, options.task, &answers)
    };
    let changes: Vec<HeadChange> =
        fitted.iter().zip(&made.divisors).map(|(fitted, by)| change(fitted, *by, &seen)).collect();
    model.change(header, &changes, made.calibration);
    progress.report(Stage::Train, 1, 1)?;
    Ok(origin)
}

/// The joint judgement, asked what the task and the labels ask.
fn asked(dataset: &Dataset, judge: JudgementModel, options: &AdaptOptions) -> Result<AdaptedJudgement> {
    let response = Answers::of(dataset, options.task, &options.answers)?.response;
    let question = match (&response, options.task) {
        (Response::Categories { .. }, _) => Question::Relation,
        (Response::Real { .. }, _) => Question::Similarity,
        (_, Task::Entailment) => Question::Entails,
        (_, Task::Paraphrase | Task::Pair | Task::Similarity) => Question::Same,
        (_, task) => {
            let message = format!(
                "the joint judgement cannot be adapted to the task {}, only to paraphrase, entailment, similarity and \
                 pair",
                task.name()
            );
            return Err(Error::parameter(message));
        }
    };
    AdaptedJudgement::new(judge, question, options.task.name(), response)
}

/// The strengths to try, rising; 0 alone if weights cannot change.
fn checked(options: &AdaptOptions, has_weights: bool) -> Result<Vec<f64>> {
    if let Some(wrong) = options.strengths.iter().find(|strength| !(strength.is_finite() && **strength >= 0.0)) {
        return Err(Error::parameter(format!("a strength of {wrong}, expected a number of at least 0")));
    }
    if options.strengths.is_empty() {
        return Err(Error::parameter("no strengths to choose from, expected at least one"));
    }
    if options.folds < 2 {
        return Err(Error::parameter(format!("{} folds, expected at least 2", options.folds)));
    }
    let mut strengths = if has_weights { options.strengths.clone() } else { vec![0.0] };
    strengths.sort_by(f64::total_cmp);
    strengths.dedup();
    Ok(strengths)
}

/// A model's name without folders.
fn short_name(name: &str) -> String {
    let file = std::path::Path::new(name).file_name();
    file.map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}

/// The labels of the data as answers of the model.
fn agreed(dataset: &Dataset, name: &str, response: &Response, options: &AdaptOptions) -> Result<Answers> {
    let is_same_kind = |other: &Response| std::mem::discriminant(other) == std::mem::discriminant(response);
    let differ = |found: String, hint: &str| {
        let expected = describe_answers(response);
        Err(Error::file(&dataset.name, format!("the labels are {found}, but {name} answers with {expected}{hint}")))
    };
    let is_told = options.answers != AnswerOptions::default();
    let is_binary = matches!(response, Response::Binary { .. });
    let looks = Answers::of(dataset, options.task, &options.answers);
    if is_told || is_binary {
        let looks = looks?;
        if !is_same_kind(&looks.response) {
            let hint = if is_binary { ": name the positive label, or take another model" } else { "" };
            return differ(describe_answers(&looks.response), hint);
        }
        // One label against all others is yes or no, whatever the labels are called.
        if options.answers.positive.is_some() || looks.response == *response {
            return Ok(looks);
        }
    }
    let mut answers = match Answers::like(dataset, response) {
        Ok(answers) => answers,
        Err(error) => {
            let found = Answers::of(dataset, options.task, &options.answers).map(|found| found.response);
            let hint = if is_binary { ": name the positive label" } else { "" };
            return found.map_or(Err(error), |found| differ(describe_answers(&found), hint));
        }
    };
    if let (Response::Real { low, high }, Given::Numbers(numbers)) = (&mut answers.response, &answers.given) {
        let (least, most) = numbers
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)));
        let margin = OUTSIDE * (*high - *low);
        if !(least >= *low - margin && most <= *high + margin) {
            return differ(format!("numbers from {least} to {most}"), ": bring them to the same scale");
        }
        (*low, *high) = (low.min(least), high.max(most));
    }
    Ok(answers)
}

/// One head, ready to be fitted.
struct AdaptHead {
    scores: Vec<f64>,
    rows: Rows,
    target: AdaptTarget,
    /// The expected slope and intercept, and their deviations.
    slope: [f64; 2],
    intercept: [f64; 2],
    /// The root of the mean squared length of a row.
    length: f64,
    /// Rows whose answer stays: nothing is learned from them.
    is_fixed: Vec<bool>,
}

enum AdaptTarget {
    Labels(Vec<bool>),
    Numbers(Vec<f64>),
}

/// One head per function that the model has.
fn heads(rows: &[AdaptRow], seen: &Seen, answers: &Answers, calibration: &AnswerCalibration) -> Vec<AdaptHead> {
    let target = |target: HeadTarget| match target {
        HeadTarget::Labels(labels) => AdaptTarget::Labels(labels),
        HeadTarget::Numbers { centred, mean } => {
            AdaptTarget::Numbers(centred.into_iter().map(|value| value + mean).collect())
        }
    };
    let head = |(head, given): (usize, HeadTarget)| {
        let scores: Vec<f64> = rows.iter().map(|row| row.heads.get(head).copied().unwrap_or_default()).collect();
        let features = seen.rows(rows, head);
        let is_fixed: Vec<bool> = rows.iter().map(|row| row.is_fixed).collect();
        let n_learned = is_fixed.iter().filter(|is_fixed| !**is_fixed).count();
        let lengths: f64 = (0..features.len()).map(|row| features.squared_length(row)).sum();
        let (slope, intercept) = match calibration {
            AnswerCalibration::Binary(platt) => (platt.slope, [platt.intercept, INTERCEPT]),
            AnswerCalibration::Categories(softmax) => {
                (softmax.slopes.get(head).copied().unwrap_or_default(), [0.0, INTERCEPT_OF_CLASS])
            }
            AnswerCalibration::Ordinal(_) => (1.0, [0.0, 0.25 * answers.response.labels().len() as f64]),
            AnswerCalibration::Real { range: [low, high], .. } => (1.0, [0.0, 0.25 * (high - low).max(1e-9)]),
        };
        // A calibration that ignores the score says nothing about its scale.
        let slope = if slope > 0.0 { slope } else { 1.0 / spread(&scores).max(1e-9) };
        let length = (lengths / n_learned.max(1) as f64).sqrt();
        let slope = [slope, SLOPE * slope];
        AdaptHead { scores, rows: features, target: target(given), slope, intercept, length, is_fixed }
    };
    answers.heads(answers.len()).into_iter().enumerate().map(head).collect()
}

/// The standard deviation.
fn spread(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt()
}

impl AdaptHead {
    fn answers(&self) -> PriorAnswers<'_> {
        match &self.target {
            AdaptTarget::Labels(labels) => PriorAnswers::Labels(labels),
            AdaptTarget::Numbers(numbers) => PriorAnswers::Numbers(numbers),
        }
    }

    /// The prediction of a row.
    fn predict(&self, correction: &Correction, row: usize) -> f64 {
        if self.is_fixed[row] {
            return self.scores[row];
        }
        correction.predict(self.scores[row], self.rows.row(row))
    }

    /// Fits these rows. The noise of numbers is what calibration alone leaves of them.
    fn fit(&self, members: &[usize], strength: f64, progress: Progress<'_>) -> Result<Correction> {
        let members: Vec<usize> = members.iter().copied().filter(|row| !self.is_fixed[*row]).collect();
        let members = &*members;
        let problem = PriorProblem { scores: &self.scores, rows: &self.rows, answers: self.answers() };
        let mut prior = GaussianPrior { slope: self.slope, intercept: self.intercept, weights: 0.0, noise: 1.0 };
        if let AdaptTarget::Numbers(numbers) = &self.target {
            let of_members: Vec<f64> = members.iter().map(|&row| numbers[row]).collect();
            let widest = spread(&of_members).max(1e-6);
            prior.noise = widest;
            let rough = prior::fit(&problem, members, &prior, progress)?;
            let errors = members.iter().map(|&row| (self.predict(&rough, row) - numbers[row]).powi(2)).sum::<f64>();
            prior.noise = (errors / members.len().max(1) as f64).sqrt().clamp(1e-3 * widest, widest);
        }
        if self.length > 0.0 {
            prior.weights = strength * prior.noise / self.length;
        }
        let found = prior::fit(&problem, members, &prior, progress)?;
        let least = LEAST_SLOPE * self.slope[0];
        if found.slope >= least {
            return Ok(found);
        }
        prior::fit(&problem, members, &GaussianPrior { slope: [least, 0.0], ..prior }, progress)
    }
}

/// What a strength predicts of every row by what was fitted without it.
struct HeldOutHeads {
    strength: f64,
    /// The predictions of each head.
    heads: Vec<Vec<f64>>,
    /// The loss of each row, over all heads.
    losses: Vec<f64>,
}

impl HeldOutHeads {
    fn loss(&self) -> f64 {
        self.losses.iter().sum::<f64>() / self.losses.len().max(1) as f64
    }

    fn told(&self, splits: &Splits, by: super::splits::HeadsMeasure<'_>) -> TriedStrength {
        TriedStrength { strength: self.strength, loss: self.loss(), mean: splits.mean(&self.heads, by) }
    }
}

/// Tries every strength on every fold.
fn search(
    heads: &[AdaptHead],
    strengths: &[f64],
    splits: &Splits,
    progress: Progress<'_>,
) -> Result<Vec<HeldOutHeads>> {
    let n_rows = splits.len();
    let noise: Vec<f64> = heads
        .iter()
        .map(|head| match &head.target {
            AdaptTarget::Labels(_) => 1.0,
            AdaptTarget::Numbers(numbers) => spread(numbers).max(1e-9),
        })
        .collect();
    let pieces: Vec<(f64, usize)> =
        strengths.iter().flat_map(|strength| (0..splits.n_folds()).map(|fold| (*strength, fold))).collect();
    let fit = |&(strength, fold): &(f64, usize)| {
        let (train, held_out) = splits.split(fold);
        let of_head = |head: &AdaptHead| -> Result<Vec<f64>> {
            let fitted = head.fit(&train, strength, progress)?;
            Ok(held_out.iter().map(|&row| head.predict(&fitted, row)).collect())
        };
        Ok((held_out.clone(), heads.iter().map(of_head).collect::<Result<Vec<_>>>()?))
    };
    let fitted = pieces.par_iter().map(fit).collect::<Result<Vec<FoldScores>>>()?;
    let gather = |(&strength, folds): (&f64, &[FoldScores])| {
        let mut found =
            HeldOutHeads { strength, heads: vec![vec![0.0; n_rows]; heads.len()], losses: vec![0.0; n_rows] };
        for (rows, predicted) in folds {
            for ((head, predicted), (into, noise)) in
                heads.iter().zip(predicted).zip(found.heads.iter_mut().zip(&noise))
            {
                for (&row, &value) in rows.iter().zip(predicted) {
                    into[row] = value;
                    found.losses[row] += head.answers().loss(row, value, *noise).0;
                }
            }
        }
        found
    };
    Ok(strengths.iter().zip(fitted.chunks(splits.n_folds().max(1))).map(gather).collect())
}

/// The rows of a fold, and what every head predicts for them.
type FoldScores = (Vec<usize>, Vec<Vec<f64>>);

/// The smallest strength whose loss is about that of the best.
fn chosen(found: &[HeldOutHeads]) -> usize {
    let best = (0..found.len()).fold(0, |best, at| if found[at].loss() < found[best].loss() { at } else { best });
    let is_about_as_good = |at: &usize| {
        let worse: Vec<f64> = found[*at].losses.iter().zip(&found[best].losses).map(|(a, b)| a - b).collect();
        let mean = worse.iter().sum::<f64>() / worse.len().max(1) as f64;
        mean <= ABOUT_AS_GOOD * spread(&worse) / (worse.len().max(1) as f64).sqrt()
    };
    (0..best).find(is_about_as_good).unwrap_or(best)
}

/// From corrections to a calibrated model.
struct Made {
    calibration: AnswerCalibration,
    /// What the correction of each head is divided by to be a score.
    divisors: Vec<f64>,
    /// The held-out scores of every head, if there were folds.
    held_out: Option<Vec<Vec<f64>>>,
}

impl Made {
    fn new(
        answers: &Answers,
        old: &AnswerCalibration,
        fitted: &[Correction],
        (held_out, learned): (Option<Vec<Vec<f64>>>, &[usize]),
        progress: Progress<'_>,
    ) -> Result<Self> {
        // Rows with a fixed answer say nothing about the calibration, unless there are no others.
        let all: Vec<usize> = (0..answers.len()).collect();
        let members = if learned.is_empty() { &all } else { learned };
        if let (Given::Labels(labels), Some(Correction { slope, .. })) = (&answers.given, fitted.first()) {
            let temperature = match held_out.as_deref() {
                Some([log_odds, ..]) => temperature(log_odds, labels, members, progress)?,
                _ => 1.0,
            };
            let calibration = AnswerCalibration::Binary(Platt { slope: temperature * slope, intercept: 0.0 });
            let scaled = |head: Vec<f64>| head.into_iter().map(|log_odds| log_odds / slope).collect();
            let held_out = held_out.map(|heads| heads.into_iter().map(scaled).collect());
            return Ok(Self { calibration, divisors: vec![*slope], held_out });
        }
        let divisors = vec![1.0; fitted.len()];
        let calibration = match (&held_out, old, &answers.response) {
            (Some(scores), ..) => calibrated(answers, scores, members)?,
            (None, AnswerCalibration::Categories(_), _) => AnswerCalibration::Categories(Softmax {
                slopes: vec![1.0; fitted.len()],
                intercepts: vec![0.0; fitted.len()],
            }),
            (None, AnswerCalibration::Real { interval, .. }, Response::Real { low, high }) => {
                AnswerCalibration::Real { interval: *interval, range: [*low, *high] }
            }
            (None, old, _) => old.clone(),
        };
        Ok(Self { calibration, divisors, held_out })
    }
}

/// The factor of held-out log-odds with the least loss, near 1.
fn temperature(log_odds: &[f64], labels: &[bool], members: &[usize], progress: Progress<'_>) -> Result<f64> {
    let mut rows = Rows::new(0);
    log_odds.iter().for_each(|_| rows.push([], 0.0));
    let problem = PriorProblem { scores: log_odds, rows: &rows, answers: PriorAnswers::Labels(labels) };
    let prior = GaussianPrior { slope: [1.0, TEMPERATURE], intercept: [0.0, 0.0], weights: 0.0, noise: 1.0 };
    Ok(prior::fit(&problem, members, &prior, progress)?.slope.max(LEAST_SLOPE))
}

/// The change of a head's score: its correction, divided by `by`.
fn change(fitted: &Correction, by: f64, seen: &Seen) -> HeadChange {
    let (weights, shift) = seen.spread(&fitted.weights, by);
    // The same number divided by itself is exactly 1.
    HeadChange { scale: fitted.slope / by, weights, bias: fitted.intercept / by - shift }
}
