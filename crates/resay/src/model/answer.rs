//! From the scores of a machine's heads to an answer, and back to what an explanation adds up to.
//!
//! A machine has one head per class of a categorical answer, and one head otherwise (a latent
//! model of a scale has one per step). [`AnswerCalibration`] turns head scores into a [`Prediction`]:
//!
//! | answer | score | probability |
//! |---|---|---|
//! | yes or no | that of the head; above 0 is yes | Platt's sigmoid of it |
//! | categories | slope × head + intercept of each class; the highest wins | softmax of the scores |
//! | a scale | logarithm of the probability | from log-odds of "at least level j": slope × heads − cut j |
//! | a number | the sum of the heads, within the range of the labels | an interval around it |
//!
//! An explanation is asked for a class, or for a class against another ([`AskedClass`]). The value that
//! it adds up to is linear in the heads ([`Combination`]): the score of the class, or the
//! difference of two. For a scale it is the log-odds of reaching the level.

use super::contract::{Decision, Prediction};
use super::header::Response;
use crate::explain::{Explanation, What};
use crate::{Error, Result};
use resay_learn::calibrate::{Ordinal, Platt, PredictionInterval, Softmax};
use resay_text::container::SectionReader;

/// Which answer to explain. By default it is the one that the model gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedClass {
    /// This class, as an index into the labels of the response.
    pub class: Option<usize>,
    /// Why not this class instead.
    pub against: Option<usize>,
}

impl AskedClass {
    /// What the model says.
    pub const ANSWER: Self = Self { class: None, against: None };

    /// Refuses classes that a model does not have.
    pub(super) fn check(self, n_classes: usize) -> Result<()> {
        let outside = [self.class, self.against].into_iter().flatten().find(|class| *class >= n_classes);
        if let Some(class) = outside {
            let message = match n_classes {
                0 => "a class of a model that answers with a number: ask without one".to_owned(),
                _ => format!("class {class} of a model with {n_classes} classes, counted from 0"),
            };
            return Err(Error::parameter(message));
        }
        if self.against.is_some() && self.class == self.against {
            return Err(Error::parameter("a class against itself: ask for two different ones"));
        }
        Ok(())
    }

    /// The same with the class that is meant where none is named: the predicted one, or the next
    /// best if that is the one asked against. Of two labels it is yes, of which every score is.
    /// Numbers have no class.
    pub fn resolved(self, prediction: &Prediction) -> Self {
        let class = match (self.class, prediction) {
            (Some(class), _) => Some(class),
            (None, Prediction::Binary { .. }) => Some(self.against.map_or(1, |against| 1 - against.min(1))),
            (None, Prediction::Category { scores, .. }) => {
                let mut scores = scores.clone();
                if let Some(against) = self.against.and_then(|against| scores.get_mut(against)) {
                    *against = f64::NEG_INFINITY;
                }
                Some(highest(&scores))
            }
            (None, Prediction::Real { .. }) => None,
        };
        Self { class, ..self }
    }
}

/// Turns head scores into answers.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerCalibration {
    /// Yes or no.
    Binary(Platt),
    /// One of several classes.
    Categories(Softmax),
    /// A level of a scale.
    Ordinal(Ordinal),
    /// A number.
    Real {
        /// The interval around a value.
        interval: PredictionInterval,
        /// The range of the labels.
        range: [f64; 2],
    },
}

/// A linear function of head scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// One factor per head.
    pub factors: Vec<f64>,
    /// The constant.
    pub constant: f64,
    /// The range that the value is cut to, for numbers.
    pub range: Option<[f64; 2]>,
}

impl Combination {
    /// The value, before it is cut to the range.
    pub(crate) fn value(&self, heads: &[f64]) -> f64 {
        let weighted = self.factors.iter().zip(heads).map(|(factor, head)| factor * head);
        // One head with factor 1 keeps its bits.
        weighted.fold(0.0, |sum, value| sum + value) + self.constant
    }

    /// Completes an explanation whose parts are those of the combined heads: adds the constant, and
    /// what cutting to the range takes away.
    pub(crate) fn complete(&self, mut explanation: Explanation, heads: &[f64]) -> Explanation {
        if self.constant != 0.0 {
            match explanation.parts.iter_mut().find(|part| part.what == What::Bias && part.parts.is_empty()) {
                Some(bias) => bias.value += self.constant,
                None => explanation.parts.push(Explanation::leaf(What::Bias, self.constant)),
            }
        }
        explanation.value = self.value(heads);
        if let Some([low, high]) = self.range {
            let within = explanation.value.clamp(low, high);
            if within != explanation.value {
                explanation.parts.push(Explanation::leaf(What::Range, within - explanation.value));
                explanation.value = within;
            }
        }
        explanation
    }
}

impl AnswerCalibration {
    /// The answer to these head scores.
    pub(crate) fn predict(&self, heads: &[f64]) -> Prediction {
        match self {
            Self::Binary(platt) => {
                let score = heads.first().copied().unwrap_or_default();
                Decision { score, probability: platt.probability(score), label: score > 0.0 }.into()
            }
            Self::Categories(softmax) => {
                let scores: Vec<f64> = heads.iter().enumerate().map(|(at, head)| softmax.scaled(at, *head)).collect();
                let (label, probabilities) = (highest(&scores), softmax.probabilities(heads));
                Prediction::Category { scores, probabilities, label }
            }
            Self::Ordinal(ordinal) => {
                let probabilities = ordinal.probabilities(heads.iter().sum());
                let scores = probabilities.iter().map(|p| p.max(f64::MIN_POSITIVE).ln()).collect();
                Prediction::Category { scores, label: highest(&probabilities), probabilities }
            }
            Self::Real { interval, range: [low, high] } => {
                let value = heads.iter().sum::<f64>().clamp(*low, *high);
                let interval = interval.around(value).map(|end| end.clamp(*low, *high));
                Prediction::Real { value, interval }
            }
        }
    }

    /// What an explanation of `asked` adds up to, given the heads of the pair.
    pub(crate) fn asked(&self, asked: AskedClass, heads: &[f64]) -> Result<Combination> {
        let n_classes = match self {
            Self::Binary(_) => 2,
            Self::Categories(softmax) => softmax.slopes.len(),
            Self::Ordinal(ordinal) => ordinal.cuts.len() + 1,
            Self::Real { .. } => 0,
        };
        asked.check(n_classes)?;
        let mut factors = vec![0.0; heads.len()];
        let (mut constant, mut range) = (0.0, None);
        match self {
            Self::Binary(_) => {
                factors.fill(if self.class_of(asked, heads) == 0 { -1.0 } else { 1.0 });
            }
            Self::Categories(softmax) => {
                let class = self.class_of(asked, heads);
                factors[class] += softmax.slopes[class];
                constant += softmax.intercepts[class];
                if let Some(against) = asked.against {
                    factors[against] -= softmax.slopes[against];
                    constant -= softmax.intercepts[against];
                }
            }
            Self::Ordinal(ordinal) => {
                // Log-odds of reaching the higher of two levels, or the level asked for; of the
                // lowest level those of not reaching the next.
                let class = self.class_of(asked, heads);
                let other = asked.against.unwrap_or(if class == 0 { 1 } else { class - 1 });
                let sign = if class > other { 1.0 } else { -1.0 };
                factors.fill(sign * ordinal.slope);
                constant = -sign * ordinal.cuts[class.max(other) - 1];
            }
            Self::Real { range: labels, .. } => {
                factors.fill(1.0);
                range = Some(*labels);
            }
        }
        Ok(Combination { factors, constant, range })
    }

    /// The class asked for, or the one that is meant.
    fn class_of(&self, asked: AskedClass, heads: &[f64]) -> usize {
        asked.class.or_else(|| asked.resolved(&self.predict(heads)).class).unwrap_or_default()
    }

    /// The numbers in a file, for one head or more.
    pub(super) fn write(&self) -> Vec<f64> {
        match self {
            Self::Binary(platt) => vec![platt.slope, platt.intercept],
            Self::Categories(softmax) => [&softmax.slopes[..], &softmax.intercepts].concat(),
            Self::Ordinal(ordinal) => [&[ordinal.slope], &ordinal.cuts[..]].concat(),
            Self::Real { interval, .. } => vec![interval.below, interval.above, interval.coverage],
        }
    }

    /// Reads what [`AnswerCalibration::write`] wrote, for answers of this kind.
    pub(super) fn read(reader: &mut SectionReader<'_>, response: &Response) -> Result<Self> {
        let mut reals = |n: usize| (0..n).map(|_| reader.real()).collect::<Result<Vec<f64>>>();
        let found = match response {
            Response::Binary { .. } => {
                let found = reals(2)?;
                Self::Binary(Platt { slope: found[0], intercept: found[1] })
            }
            Response::Categories { labels } => {
                Self::Categories(Softmax { slopes: reals(labels.len())?, intercepts: reals(labels.len())? })
            }
            Response::Ordinal { levels } => {
                Self::Ordinal(Ordinal { slope: reals(1)?[0], cuts: reals(levels.len() - 1)? })
            }
            Response::Real { low, high } => {
                let found = reals(3)?;
                let interval = PredictionInterval { below: found[0], above: found[1], coverage: found[2] };
                Self::Real { interval, range: [*low, *high] }
            }
            Response::Topics { .. } | Response::Links => return reader.fail("answers that no pair model gives"),
        };
        let is_good = match &found {
            Self::Binary(platt) => platt.slope >= 0.0,
            Self::Categories(softmax) => softmax.slopes.iter().all(|slope| *slope >= 0.0),
            Self::Ordinal(ordinal) => ordinal.slope >= 0.0 && ordinal.cuts.is_sorted(),
            Self::Real { interval, .. } => interval.below >= 0.0 && interval.above >= 0.0,
        };
        if is_good { Ok(found) } else { reader.fail("probabilities that fall as the score rises") }
    }
}

/// The number of heads of a machine for answers of this kind.
pub(crate) fn n_heads(response: &Response) -> usize {
    match response {
        Response::Categories { labels } => labels.len(),
        _ => 1,
    }
}

/// The index of the highest value, the first of several.
fn highest(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [(Response, AnswerCalibration, Vec<f64>); 4] {
        let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        [
            (
                Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
                AnswerCalibration::Binary(Platt { slope: 2.0, intercept: -0.5 }),
                vec![0.7],
            ),
            (
                Response::Categories { labels: strings(&["a", "b", "c"]) },
                AnswerCalibration::Categories(Softmax {
                    slopes: vec![1.0, 2.0, 0.5],
                    intercepts: vec![0.1, -0.3, 0.2],
                }),
                vec![0.2, 0.9, -1.0],
            ),
            (
                Response::Ordinal { levels: strings(&["low", "middle", "high"]) },
                AnswerCalibration::Ordinal(Ordinal { slope: 1.5, cuts: vec![0.5, 2.0] }),
                vec![1.1],
            ),
            (
                Response::Real { low: 0.0, high: 5.0 },
                AnswerCalibration::Real {
                    interval: PredictionInterval { below: 0.5, above: 1.0, coverage: 0.9 },
                    range: [0.0, 5.0],
                },
                vec![4.5],
            ),
        ]
    }

    #[test]
    fn what_was_written_is_read() {
        for (response, calibration, _) in all() {
            let bytes: Vec<u8> = calibration.write().iter().flat_map(|value| value.to_le_bytes()).collect();
            let mut reader = SectionReader::new("x", "head", &bytes);
            assert_eq!(AnswerCalibration::read(&mut reader, &response).unwrap(), calibration);
            reader.end().unwrap();
            let mut short = SectionReader::new("x", "head", &bytes[..bytes.len() - 1]);
            assert!(AnswerCalibration::read(&mut short, &response).is_err());
        }
        let falling: Vec<u8> = [-1.0_f64, 0.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut reader = SectionReader::new("x", "head", &falling);
        let binary = Response::Binary { labels: ["0".to_owned(), "1".to_owned()] };
        assert!(
            AnswerCalibration::read(&mut reader, &binary).unwrap_err().to_string().contains("fall as the score rises")
        );
    }

    #[test]
    fn the_most_probable_class_has_the_highest_score_and_probabilities_sum_to_one() {
        for (_, calibration, heads) in all() {
            match calibration.predict(&heads) {
                Prediction::Category { scores, probabilities, label } => {
                    assert_eq!((highest(&scores), highest(&probabilities)), (label, label));
                    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                }
                Prediction::Binary { score, label, .. } => assert_eq!((score, label), (0.7, true)),
                Prediction::Real { value, interval } => assert_eq!((value, interval), (4.5, [4.0, 5.0])),
            }
        }
    }

    #[test]
    fn what_is_asked_is_linear_in_the_heads() {
        let [(_, binary, one), (_, categories, heads), (_, scale, position), (_, real, value)] = all();
        let asked = |class: Option<usize>, against: Option<usize>| AskedClass { class, against };
        assert_eq!(binary.asked(AskedClass::ANSWER, &one).unwrap().value(&one), 0.7);
        assert_eq!(binary.asked(asked(Some(0), None), &one).unwrap().value(&one), -0.7);
        let Prediction::Category { scores, .. } = categories.predict(&heads) else { panic!("no category") };
        let of = |asked: AskedClass| categories.asked(asked, &heads).unwrap().value(&heads);
        for class in 0..3 {
            assert!((of(asked(Some(class), None)) - scores[class]).abs() < 1e-12);
            for against in (0..3).filter(|against| *against != class) {
                let difference = scores[class] - scores[against];
                assert!((of(asked(Some(class), Some(against))) - difference).abs() < 1e-12);
            }
        }
        assert!((of(AskedClass::ANSWER) - scores[1]).abs() < 1e-12);
        assert!((of(asked(None, Some(1))) - (scores[0] - scores[1])).abs() < 1e-12);
        let Prediction::Category { probabilities, .. } = scale.predict(&position) else { panic!("no category") };
        let odds = |p: f64| (p / (1.0 - p)).ln();
        let at_least = |level: usize| odds(probabilities[level..].iter().sum());
        let of = |asked: AskedClass| scale.asked(asked, &position).unwrap().value(&position);
        for (class, against, expected) in [
            (Some(2), None, at_least(2)),
            (Some(1), None, at_least(1)),
            (Some(0), None, -at_least(1)),
            (Some(0), Some(2), -at_least(2)),
            (Some(2), Some(0), at_least(2)),
        ] {
            assert!((of(asked(class, against)) - expected).abs() < 1e-9, "{class:?} against {against:?}");
        }
        assert_eq!(real.asked(AskedClass::ANSWER, &value).unwrap().value(&value), 4.5);
        assert_eq!(real.predict(&value).label(&Response::Real { low: 0.0, high: 5.0 }), None);
        for (calibration, heads, against, expected) in [
            (&binary, &one, None, Some(1)),
            (&binary, &one, Some(1), Some(0)),
            (&binary, &one, Some(0), Some(1)),
            (&categories, &heads, None, Some(1)),
            (&categories, &heads, Some(1), Some(0)),
            (&categories, &heads, Some(2), Some(1)),
            (&real, &value, None, None),
        ] {
            let resolved = asked(None, against).resolved(&calibration.predict(heads));
            assert_eq!(resolved, asked(expected, against));
        }
        for (calibration, asked, expected) in [
            (&real, asked(Some(0), None), "answers with a number"),
            (&categories, asked(Some(3), None), "class 3 of a model with 3 classes"),
            (&categories, asked(Some(1), Some(1)), "a class against itself"),
        ] {
            let error = calibration.asked(asked, &heads).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn explanations_are_completed() {
        let part = |value| Explanation {
            parts: vec![Explanation::leaf(What::Bias, value)],
            ..Explanation::leaf(What::Score, value)
        };
        let sum = |explanation: &Explanation| explanation.leaves().iter().map(|leaf| leaf.value).sum::<f64>();
        let [_, (_, categories, heads), _, (_, real, _)] = all();
        let combination = categories.asked(AskedClass { class: Some(1), against: None }, &heads).unwrap();
        let whole = combination.complete(part(1.8), &heads);
        assert!((whole.value - 1.5).abs() < 1e-12 && (sum(&whole) - 1.5).abs() < 1e-12);
        let combination = real.asked(AskedClass::ANSWER, &[6.0]).unwrap();
        let whole = combination.complete(part(6.0), &[6.0]);
        assert_eq!((whole.value, sum(&whole)), (5.0, 5.0));
        assert!(whole.parts.iter().any(|part| part.what == What::Range && part.value == -1.0));
    }
}
