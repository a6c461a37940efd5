//! What the labels of a data set are: yes or no, one of several categories, a level of a scale, or
//! a number.
//!
//! A machine learns one function per *head*. Yes or no, a scale and a number need one head;
//! categories need one per class, each against all others (one-vs-rest).
//!
//! No label is merged with another unless the caller names the positive one, or two spellings mean
//! the same ([`Label::as_binary`]).

use super::Task;
use crate::data::{Dataset, Label};
use crate::model::Response;
use crate::{Error, Result};
use std::collections::BTreeMap;

/// The kinds of answers that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseKind {
    /// Yes or no.
    Binary,
    /// One of several classes without an order.
    Categories,
    /// A level of a scale.
    Ordinal,
    /// A number.
    Real,
}

impl ResponseKind {
    /// Every kind by its name.
    pub const NAMES: [(&'static str, Self); 4] =
        [("binary", Self::Binary), ("categories", Self::Categories), ("ordinal", Self::Ordinal), ("real", Self::Real)];
}

/// How to read labels. What is not set follows from the task and the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerOptions {
    /// This label is yes; all others are no.
    pub positive: Option<String>,
    /// The kind of answers.
    pub kind: Option<ResponseKind>,
    /// The levels of a scale, lowest first; numbers are in order by themselves.
    pub levels: Vec<String>,
}

/// The labels of examples, by kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Yes or no.
    Labels(Vec<bool>),
    /// Classes or levels, as indices into the names of the response.
    Classes(Vec<usize>),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// What one head learns.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HeadTarget {
    /// To tell yes from no.
    Labels(Vec<bool>),
    /// To predict numbers, as differences from their mean.
    Numbers {
        /// The differences.
        centred: Vec<f64>,
        /// The mean of the training examples.
        mean: f64,
    },
}

impl HeadTarget {
    /// The answer of every row as its difference from the mean of these rows; yes is 1, no is 0.
    pub(super) fn centred(&self, members: &[usize]) -> Vec<f64> {
        let value = |row: usize| match self {
            Self::Labels(labels) => f64::from(u8::from(labels[row])),
            Self::Numbers { centred, .. } => centred[row],
        };
        let mean = members.iter().map(|&row| value(row)).sum::<f64>() / members.len().max(1) as f64;
        let n = match self {
            Self::Labels(labels) => labels.len(),
            Self::Numbers { centred, .. } => centred.len(),
        };
        (0..n).map(|row| value(row) - mean).collect()
    }
}

/// The labels of a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The kind of answers, with the names of labels.
    pub response: Response,
    /// One answer per example.
    pub given: Given,
    /// The labels that were merged into no, if different ones were.
    pub merged: Vec<String>,
}

/// The most integers that are taken for the levels of a scale without being told.
const MOST_LEVELS: usize = 10;

/// The most classes that a model may have: each is a machine of its own.
pub const MAX_CLASSES: usize = 100;

/// The numbers of strata that keep folds of numbers alike.
const N_STRATA: usize = 5;

impl Answers {
    /// Reads the labels of a data set for a task.
    pub fn of(dataset: &Dataset, task: Task, options: &AnswerOptions) -> Result<Self> {
        if let Some(positive) = &options.positive {
            return Self::against_the_rest(dataset, positive, options);
        }
        let labels = dataset.labels()?;
        let kind = match options.kind {
            Some(kind) => kind,
            None if !options.levels.is_empty() => ResponseKind::Ordinal,
            None => guess(&labels, task),
        };
        match kind {
            ResponseKind::Binary => Self::binary(dataset, &labels, task),
            ResponseKind::Categories => Self::categories(dataset, &labels),
            ResponseKind::Ordinal => Self::ordinal(dataset, &labels, &options.levels),
            ResponseKind::Real => Self::real(dataset, &labels),
        }
    }

    /// Reads the labels of another data set as answers of the same kind: a development file, or a
    /// file to measure on.
    pub fn like(dataset: &Dataset, response: &Response) -> Result<Self> {
        let labels = dataset.labels()?;
        let given = match response {
            Response::Binary { labels: [no, yes] } => {
                let is_named = labels.iter().all(|label| [no, yes].contains(&&label.as_str().to_owned()));
                if is_named {
                    Given::Labels(labels.iter().map(|label| label.as_str() == yes).collect())
                } else if [no.as_str(), yes] == ["0", "1"] {
                    Given::Labels(dataset.labels_binary()?)
                } else {
                    // One label was yes in training, and all others were no.
                    let rest = no == &not(yes);
                    Given::Labels(each(
                        dataset,
                        &labels,
                        |label| {
                            let is_yes = same_label(label, yes);
                            (is_yes || rest || same_label(label, no)).then_some(is_yes)
                        },
                        &format!("{no} or {yes}"),
                    )?)
                }
            }
            Response::Categories { labels: names } | Response::Ordinal { levels: names } => {
                let at = |label: &Label| names.iter().position(|name| same_label(label, name));
                Given::Classes(each(dataset, &labels, at, &names.join(", "))?)
            }
            Response::Real { .. } => Given::Numbers(numbers(dataset, &labels)?),
            Response::Topics { .. } | Response::Links => {
                return Err(Error::parameter("a model that does not decide about pairs has no labels of pairs"));
            }
        };
        Ok(Self { response: response.clone(), given, merged: Vec::new() })
    }

    fn binary(dataset: &Dataset, labels: &[&Label], task: Task) -> Result<Self> {
        let names = |no: &str, yes: &str| Response::Binary { labels: [no.to_owned(), yes.to_owned()] };
        if task != Task::Pair || labels.iter().all(|label| label.as_binary().is_some()) {
            let given = dataset.labels_binary()?;
            let distinct = distinct(labels);
            let is_no = |label: &&str| Label::new(label).and_then(|label| label.as_binary()) == Some(false);
            let merged = distinct.iter().copied().filter(|_| is_three_way(&distinct)).filter(is_no).map(str::to_owned);
            return Ok(Self { response: names("0", "1"), merged: merged.collect(), given: Given::Labels(given) });
        }
        let distinct = distinct(labels);
        let [no, yes] = distinct[..] else {
            return Err(too_many(dataset, &distinct, "two: name the positive one, or ask for categories"));
        };
        let given = Given::Labels(labels.iter().map(|label| same_label(label, yes)).collect());
        Ok(Self { response: names(no, yes), given, merged: Vec::new() })
    }

    /// One label is yes, all others are no.
    fn against_the_rest(dataset: &Dataset, positive: &str, options: &AnswerOptions) -> Result<Self> {
        if !matches!(options.kind, None | Some(ResponseKind::Binary)) || !options.levels.is_empty() {
            return Err(Error::parameter(
                "a positive label makes the answers yes or no: leave out their kind and levels",
            ));
        }
        let labels = dataset.labels()?;
        let given: Vec<bool> = labels.iter().map(|label| same_label(label, positive)).collect();
        let all = distinct(&labels);
        if !given.contains(&true) {
            let shown = all.iter().take(5).copied().collect::<Vec<_>>().join(", ");
            return Err(Error::file(&dataset.name, format!("no label \"{positive}\", expected one of: {shown}")));
        }
        let others: Vec<&str> = all.iter().copied().filter(|label| !same_spelling(label, positive)).collect();
        let no = if let [no] = others[..] { no.to_owned() } else { not(positive) };
        let merged = if others.len() > 1 { others.into_iter().map(str::to_owned).collect() } else { Vec::new() };
        Ok(Self {
            response: Response::Binary { labels: [no, positive.to_owned()] },
            given: Given::Labels(given),
            merged,
        })
    }

    fn categories(dataset: &Dataset, labels: &[&Label]) -> Result<Self> {
        let names = distinct(labels);
        check_number(dataset, &names)?;
        let place = |label: &&Label| names.iter().position(|name| same_label(label, name)).unwrap_or(0);
        let given = Given::Classes(labels.iter().map(place).collect());
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Self { response: Response::Categories { labels: names }, given, merged: Vec::new() })
    }

    fn ordinal(dataset: &Dataset, labels: &[&Label], levels: &[String]) -> Result<Self> {
        let levels: Vec<String> = if levels.is_empty() {
            let values = numbers(dataset, labels).map_err(|error| {
                Error::parameter(format!("{error}; a scale of words needs its levels, lowest first"))
            })?;
            let mut named: Vec<(f64, &str)> =
                values.into_iter().zip(labels.iter().map(|label| label.as_str())).collect();
            named.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
            named.dedup_by(|next, kept| next.0 == kept.0);
            named.into_iter().map(|(_, name)| name.to_owned()).collect()
        } else {
            levels.to_vec()
        };
        check_number(dataset, &levels.iter().map(String::as_str).collect::<Vec<_>>())?;
        let response = Response::Ordinal { levels };
        let found = Self::like(dataset, &response)?;
        if let (Given::Classes(classes), Response::Ordinal { levels }) = (&found.given, &response)
            && let Some(missing) = (0..levels.len()).find(|level| !classes.contains(level))
        {
            let message = format!("no example of level \"{}\": leave the level out, or add examples", levels[missing]);
            return Err(Error::file(&dataset.name, message));
        }
        Ok(found)
    }

    fn real(dataset: &Dataset, labels: &[&Label]) -> Result<Self> {
        let values = numbers(dataset, labels)?;
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
        if low >= high {
            let message = format!("every label is {low}, expected different numbers");
            return Err(Error::file(&dataset.name, message));
        }
        Ok(Self { response: Response::Real { low, high }, given: Given::Numbers(values), merged: Vec::new() })
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        match &self.given {
            Given::Labels(labels) => labels.len(),
            Given::Classes(classes) => classes.len(),
            Given::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The labels, if answers are yes or no.
    pub fn labels(&self) -> Option<&[bool]> {
        match &self.given {
            Given::Labels(labels) => Some(labels),
            _ => None,
        }
    }

    /// Adds the answers of a development file, which must be of the same kind.
    pub(super) fn extend(&mut self, other: &Dataset) -> Result<()> {
        match (&mut self.given, Self::like(other, &self.response)?.given) {
            (Given::Labels(all), Given::Labels(more)) => all.extend(more),
            (Given::Classes(all), Given::Classes(more)) => all.extend(more),
            (Given::Numbers(all), Given::Numbers(more)) => all.extend(more),
            _ => return Err(Error::machine("answers of two kinds")),
        }
        Ok(())
    }

    /// The first examples only.
    pub(super) fn first(&self, n: usize) -> Self {
        let given = match &self.given {
            Given::Labels(labels) => Given::Labels(labels[..n].to_vec()),
            Given::Classes(classes) => Given::Classes(classes[..n].to_vec()),
            Given::Numbers(numbers) => Given::Numbers(numbers[..n].to_vec()),
        };
        Self { given, ..self.clone() }
    }

    /// The answer for two texts that have nothing to do with each other: no, neutral, the lowest
    /// number; none for categories of which none is known to mean that.
    pub(super) fn of_strangers(&self) -> Option<Self> {
        let given = match &self.response {
            Response::Binary { .. } => Given::Labels(vec![false]),
            Response::Categories { labels } => {
                let is_neutral = |label: &String| ["neutral", "unknown"].iter().any(|name| same_spelling(label, name));
                Given::Classes(vec![labels.iter().position(is_neutral)?])
            }
            Response::Ordinal { .. } => Given::Classes(vec![0]),
            Response::Real { low, .. } => Given::Numbers(vec![*low]),
            Response::Topics { .. } | Response::Links => return None,
        };
        Some(Self { given, ..self.clone() })
    }

    /// Adds an answer so many times.
    pub(super) fn repeat(&mut self, one: &Self, n: usize) {
        match (&mut self.given, &one.given) {
            (Given::Labels(all), Given::Labels(one)) => all.extend(one.iter().cycle().take(n)),
            (Given::Classes(all), Given::Classes(one)) => all.extend(one.iter().cycle().take(n)),
            (Given::Numbers(all), Given::Numbers(one)) => all.extend(one.iter().cycle().take(n)),
            _ => {}
        }
    }

    /// The number of examples per label, in the order of the response's labels; empty for numbers.
    pub(super) fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.response.labels().len()];
        match &self.given {
            Given::Labels(labels) => labels.iter().for_each(|label| counts[usize::from(*label)] += 1),
            Given::Classes(classes) => classes.iter().for_each(|class| counts[*class] += 1),
            Given::Numbers(_) => {}
        }
        counts
    }

    /// A class per example, for folds with similar answers: numbers are cut into equal parts.
    pub(super) fn strata(&self) -> Vec<usize> {
        match &self.given {
            Given::Labels(labels) => labels.iter().map(|label| usize::from(*label)).collect(),
            Given::Classes(classes) => classes.clone(),
            Given::Numbers(numbers) => {
                let mut sorted = numbers.clone();
                sorted.sort_by(f64::total_cmp);
                let cut = |part: usize| sorted[part * sorted.len() / N_STRATA];
                let cuts: Vec<f64> = (1..N_STRATA).map(cut).collect();
                numbers.iter().map(|number| cuts.iter().filter(|cut| number >= cut).count()).collect()
            }
        }
    }

    /// What each head learns; the first `n_train` examples are those it is trained on.
    pub(super) fn heads(&self, n_train: usize) -> Vec<HeadTarget> {
        let numbers = |values: Vec<f64>| {
            let mean = values.iter().take(n_train).sum::<f64>() / n_train.max(1) as f64;
            HeadTarget::Numbers { centred: values.iter().map(|value| value - mean).collect(), mean }
        };
        match (&self.given, &self.response) {
            (Given::Labels(labels), _) => vec![HeadTarget::Labels(labels.clone())],
            (Given::Classes(levels), Response::Ordinal { .. }) => {
                vec![numbers(levels.iter().map(|&level| level as f64).collect())]
            }
            (Given::Classes(classes), response) => (0..response.labels().len())
                .map(|class| HeadTarget::Labels(classes.iter().map(|&other| other == class).collect()))
                .collect(),
            (Given::Numbers(values), _) => vec![numbers(values.clone())],
        }
    }
}

/// The kind of answers that labels look like, for a task.
fn guess(labels: &[&Label], task: Task) -> ResponseKind {
    match task {
        Task::Similarity => return ResponseKind::Real,
        Task::Answers => return ResponseKind::Binary,
        _ => {}
    }
    let distinct = distinct(labels);
    let is_binary = labels.iter().all(|label| label.as_binary().is_some());
    let wants_binary = is_binary || distinct.len() <= 2 || task != Task::Pair;
    if wants_binary && !is_three_way(&distinct) {
        return ResponseKind::Binary;
    }
    let values: Option<Vec<f64>> = distinct.iter().map(|label| number(label)).collect();
    match values {
        Some(values) if values.len() <= MOST_LEVELS && values.iter().all(|value| value.fract() == 0.0) => {
            ResponseKind::Ordinal
        }
        Some(_) => ResponseKind::Real,
        None => ResponseKind::Categories,
    }
}

/// Whether contradictions stand beside pairs of which nothing is known.
fn is_three_way(distinct: &[&str]) -> bool {
    let has = |names: &[&str]| distinct.iter().any(|label| names.iter().any(|name| same_spelling(label, name)));
    has(&["contradiction"]) && has(&["neutral", "unknown"]) && has(&["entailment"])
}

/// The different labels in alphabetical order; of several spellings of one label the first.
fn distinct<'a>(labels: &[&'a Label]) -> Vec<&'a str> {
    let key = |label: &str| number(label).map_or_else(|| label.to_lowercase(), |value| (value + 0.0).to_string());
    let mut spelled: BTreeMap<String, &str> = BTreeMap::new();
    for label in labels.iter().map(|label| label.as_str()) {
        let first = spelled.entry(key(label)).or_insert(label);
        *first = label.min(first);
    }
    let mut distinct: Vec<&str> = spelled.into_values().collect();
    distinct.sort_unstable();
    distinct
}

/// The name of all labels but this one.
fn not(label: &str) -> String {
    format!("not {label}")
}

/// Whether a label is the one of this name, whatever the case; numbers are equal by value.
fn same_label(label: &Label, name: &str) -> bool {
    same_spelling(label.as_str(), name)
}

fn same_spelling(label: &str, name: &str) -> bool {
    label == name
        || label.to_lowercase() == name.to_lowercase()
        || matches!((number(label), number(name)), (Some(one), Some(other)) if one == other)
}

fn number(label: &str) -> Option<f64> {
    label.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn numbers(dataset: &Dataset, labels: &[&Label]) -> Result<Vec<f64>> {
    each(dataset, labels, |label| number(label.as_str()), "a number")
}

/// Reads each label; the error names the line.
fn each<T>(dataset: &Dataset, labels: &[&Label], read: impl Fn(&Label) -> Option<T>, expected: &str) -> Result<Vec<T>> {
    let read = |(row, label): (usize, &&Label)| {
        read(label).ok_or_else(|| {
            let found: String = label.as_str().chars().take(40).collect();
            dataset.error(row, format!("label \"{found}\", expected {expected}"))
        })
    };
    labels.iter().enumerate().map(read).collect()
}

fn check_number(dataset: &Dataset, names: &[&str]) -> Result<()> {
    match names.len() {
        0 | 1 => Err(too_many(dataset, names, "at least two")),
        n if n > MAX_CLASSES => {
            Err(too_many(dataset, names, &format!("at most {MAX_CLASSES}: name the positive one, or merge some")))
        }
        _ => Ok(()),
    }
}

fn too_many(dataset: &Dataset, distinct: &[&str], expected: &str) -> Error {
    let shown = distinct.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    Error::file(&dataset.name, format!("{} different labels ({shown}), expected {expected}", distinct.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Columns;

    fn data(labels: &[&str]) -> Dataset {
        let rows =
            labels.iter().fold("source\ttarget\tlabel\n".to_owned(), |rows, label| rows + &format!("a\tb\t{label}\n"));
        Dataset::from_reader("f.tsv", rows.as_bytes(), None, &Columns::default()).unwrap()
    }

    fn answers(labels: &[&str], task: Task) -> Answers {
        Answers::of(&data(labels), task, &AnswerOptions::default()).unwrap()
    }

    fn names(response: &Response) -> Vec<&str> {
        response.labels().iter().map(String::as_str).collect()
    }

    #[test]
    fn the_kind_follows_from_the_labels() {
        let yes_no = answers(&["yes", "0", "true"], Task::Pair);
        assert_eq!((yes_no.given, names(&yes_no.response)), (Given::Labels(vec![true, false, true]), vec!["0", "1"]));
        let two = answers(&["cat", "dog", "cat"], Task::Pair);
        assert_eq!((two.given, names(&two.response)), (Given::Labels(vec![false, true, false]), vec!["cat", "dog"]));
        let spelled = answers(&["cat", "Dog", "Cat", "dog"], Task::Pair);
        assert_eq!(spelled.given, Given::Labels(vec![false, true, false, true]));
        assert_eq!(names(&spelled.response), ["Cat", "Dog"]);
        let three = answers(&["neutral", "entailment", "Contradiction", "NEUTRAL"], Task::Entailment);
        assert_eq!(three.given, Given::Classes(vec![1, 2, 0, 1]));
        assert_eq!(names(&three.response), ["Contradiction", "NEUTRAL", "entailment"]);
        let scale = answers(&["3", "1", "2", "1.0"], Task::Pair);
        assert_eq!((scale.given, names(&scale.response)), (Given::Classes(vec![2, 0, 1, 0]), vec!["1", "2", "3"]));
        let real = answers(&["3", "1", "2.5"], Task::Pair);
        assert_eq!(
            (real.given, real.response),
            (Given::Numbers(vec![3.0, 1.0, 2.5]), Response::Real { low: 1.0, high: 3.0 })
        );
        assert!(matches!(answers(&["1", "0", "1"], Task::Similarity).given, Given::Numbers(_)));
        assert!(matches!(answers(&["ENTAILMENT", "UNKNOWN"], Task::Entailment).given, Given::Labels(_)));
    }

    #[test]
    fn a_positive_label_stands_against_the_rest_and_says_what_it_merged() {
        let options = AnswerOptions { positive: Some("entailment".to_owned()), ..AnswerOptions::default() };
        let data = data(&["ENTAILMENT", "neutral", "contradiction"]);
        let found = Answers::of(&data, Task::Entailment, &options).unwrap();
        assert_eq!(found.given, Given::Labels(vec![true, false, false]));
        assert_eq!(names(&found.response), ["not entailment", "entailment"]);
        assert_eq!(found.merged, ["contradiction", "neutral"]);
        assert_eq!(Answers::like(&data, &found.response).unwrap().given, found.given);
        let asked = AnswerOptions { kind: Some(ResponseKind::Binary), ..AnswerOptions::default() };
        let found = Answers::of(&data, Task::Entailment, &asked).unwrap();
        assert_eq!((found.given, names(&found.response)), (Given::Labels(vec![true, false, false]), vec!["0", "1"]));
        assert_eq!(found.merged, ["contradiction", "neutral"]);
        let options = AnswerOptions { positive: Some("maybe".to_owned()), ..options };
        let error = Answers::of(&data, Task::Entailment, &options).unwrap_err().to_string();
        assert_eq!(error, "f.tsv: no label \"maybe\", expected one of: ENTAILMENT, contradiction, neutral");
    }

    #[test]
    fn heads_are_one_per_class_or_one_number() {
        let three = answers(&["a", "b", "c", "a"], Task::Pair);
        let labels = |heads: Vec<HeadTarget>| -> Vec<Vec<bool>> {
            heads.into_iter().map(|head| if let HeadTarget::Labels(labels) = head { labels } else { vec![] }).collect()
        };
        let expected = [[true, false, false, true], [false, true, false, false], [false, false, true, false]];
        assert_eq!(labels(three.heads(4)), expected);
        assert_eq!(three.counts(), [2, 1, 1]);
        let numbers = answers(&["1", "2.5", "4"], Task::Similarity).heads(2);
        assert_eq!(numbers, [HeadTarget::Numbers { centred: vec![-0.75, 0.75, 2.25], mean: 1.75 }]);
        let strata = answers(&["1", "2", "3", "4", "5", "1", "2", "3", "4", "5"], Task::Similarity).strata();
        assert_eq!(strata, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn labels_that_do_not_fit_are_refused() {
        let check = |labels: &[&str], task: Task, options: AnswerOptions, expected: &str| {
            let error = Answers::of(&data(labels), task, &options).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let kind = |kind| AnswerOptions { kind: Some(kind), ..AnswerOptions::default() };
        check(&["1", "x"], Task::Similarity, AnswerOptions::default(), "f.tsv:3: label \"x\", expected a number");
        check(&["2", "2"], Task::Similarity, AnswerOptions::default(), "every label is 2");
        check(&["a", "b", "c"], Task::Pair, kind(ResponseKind::Binary), "3 different labels (a, b, c)");
        check(&["a", "a"], Task::Pair, kind(ResponseKind::Categories), "expected at least two");
        check(&["low", "high"], Task::Pair, kind(ResponseKind::Ordinal), "a scale of words needs its levels");
        let levels = |levels: &[&str]| AnswerOptions {
            levels: levels.iter().map(|&level| level.to_owned()).collect(),
            ..AnswerOptions::default()
        };
        check(
            &["low", "high", "odd"],
            Task::Pair,
            levels(&["low", "high"]),
            "f.tsv:4: label \"odd\", expected low, high",
        );
        check(&["low", "low"], Task::Pair, levels(&["low", "high"]), "no example of level \"high\"");
        check(&["nan", "1", "2"], Task::Similarity, AnswerOptions::default(), "label \"nan\", expected a number");
    }
}
