//! When a model may be sure: thresholds of probability for a wished precision.
//!
//! Given: the answers of held-out rows, by machines that were not trained on them, and a precision
//! P. For each label, the threshold is the lowest probability such that, of the rows that get this
//! label with at least this probability, a share of at least P has it in truth. A label without
//! such a threshold is never said for sure.

use super::answers::{Answers, Given};
use crate::model::{AnswerCalibration, Prediction, SureAbout};
use crate::{Error, Result};
use resay_learn::eval::threshold::PrecisionThreshold;

/// The level of the intervals, which are not kept.
const LEVEL: f64 = 0.95;

/// Finds the thresholds on the head scores of these rows.
pub(super) fn thresholds(
    answers: &Answers,
    scores: &[Vec<f64>],
    rows: &[usize],
    calibration: &AnswerCalibration,
    precision: Option<f64>,
) -> Result<Option<SureAbout>> {
    let Some(precision) = precision else { return Ok(None) };
    if !(precision > 0.0 && precision <= 1.0) {
        return Err(Error::parameter(format!("a precision of {precision}, expected a number above 0 and at most 1")));
    }
    let gold = |row: usize| match &answers.given {
        Given::Labels(labels) => Ok(usize::from(labels[row])),
        Given::Classes(classes) => Ok(classes[row]),
        Given::Numbers(_) => Err(Error::parameter("a precision is for labels: numbers have intervals instead")),
    };
    let n_labels = answers.response.labels().len();
    let mut said: Vec<(Vec<f64>, Vec<bool>)> = vec![(Vec::new(), Vec::new()); n_labels];
    let mut n_rows = 0;
    for &row in rows {
        let heads: Vec<f64> = scores.iter().map(|head| head[row]).collect();
        let truth = gold(row)?;
        let Some((label, probability)) = confidence(&calibration.predict(&heads)) else { continue };
        said[label].0.push(probability);
        said[label].1.push(label == truth);
        n_rows += 1;
    }
    let found: Vec<Option<PrecisionThreshold>> = said
        .iter()
        .map(|(probabilities, is_right)| PrecisionThreshold::of(probabilities, is_right, precision, LEVEL))
        .collect();
    let n_sure: usize = found.iter().flatten().map(|found| found.n_above).sum();
    Ok(Some(SureAbout {
        precision,
        thresholds: found.iter().map(|found| found.map(|found| found.threshold)).collect(),
        coverage: n_sure as f64 / n_rows.max(1) as f64,
    }))
}

/// The label that was said and its probability; none for numbers.
fn confidence(prediction: &Prediction) -> Option<(usize, f64)> {
    match prediction {
        Prediction::Binary { probability, label, .. } => {
            Some((usize::from(*label), if *label { *probability } else { 1.0 - probability }))
        }
        Prediction::Category { probabilities, label, .. } => Some((*label, probabilities[*label])),
        Prediction::Real { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Response;
    use resay_learn::calibrate::Platt;

    fn binary(labels: Vec<bool>) -> Answers {
        let response = Response::Binary { labels: ["0".to_owned(), "1".to_owned()] };
        Answers { response, given: Given::Labels(labels), merged: Vec::new() }
    }

    #[test]
    fn each_label_has_the_lowest_threshold_that_is_precise_enough() {
        let calibration = AnswerCalibration::Binary(Platt { slope: 1.0, intercept: 0.0 });
        // Said yes: right, right, wrong, right by falling score; said no: all right.
        let scores = vec![vec![4.0, 3.0, 2.0, 1.0, -1.0, -2.0]];
        let answers = binary(vec![true, true, false, true, false, false]);
        let rows: Vec<usize> = (0..6).collect();
        let at = |precision| thresholds(&answers, &scores, &rows, &calibration, Some(precision)).unwrap().unwrap();
        let p = |score: f64| 1.0 / (1.0 + (-score).exp());
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        let strict = at(1.0);
        assert!(close(strict.thresholds[1], p(3.0)) && close(strict.thresholds[0], p(1.0)));
        assert!((strict.coverage - 4.0 / 6.0).abs() < 1e-12);
        assert!(close(at(0.75).thresholds[1], p(1.0)));
        assert_eq!(thresholds(&answers, &scores, &rows, &calibration, None).unwrap(), None);
        let wrong = binary(vec![false; 6]);
        let found = thresholds(&wrong, &scores, &rows, &calibration, Some(0.9)).unwrap().unwrap();
        assert_eq!(found.thresholds[1], None);
        assert!(thresholds(&answers, &scores, &rows, &calibration, Some(1.5)).is_err());
    }
}
