//! Whether a trained model is plausible: a text and itself should get a higher score than two texts
//! that have nothing to do with each other. If not, labels are probably swapped, or every pair of
//! the data shares all its words.

use super::Task;
use crate::Result;
use crate::data::Dataset;
use crate::model::{PairModel, Prediction, Response};
use resay_learn::progress::Progress;

/// Fewer pairs teach too little to warn of what was learned.
const LEAST: usize = 40;

/// How many texts are tried.
const TRIED: usize = 40;

/// A model that scores a text and itself lower than unrelated texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implausible {
    /// The mean probability or number of a text and itself.
    pub same: f64,
    /// The mean of the sources of some pairs and the targets of others.
    pub others: f64,
}

/// Tries a trained model on texts of its training data. None if it is plausible, or if nobody knows
/// what its labels mean.
pub fn implausible(model: &dyn PairModel, dataset: &Dataset) -> Result<Option<Implausible>> {
    let is_known = [Task::Paraphrase, Task::Entailment, Task::Similarity].map(Task::name);
    let header = model.header();
    if !is_known.contains(&header.task.as_str()) || dataset.len() < LEAST {
        return Ok(None);
    }
    let class = header.response.labels().iter().position(|label| label.eq_ignore_ascii_case("entailment"));
    let value = |prediction: Prediction| match (prediction, &header.response) {
        (Prediction::Binary { probability, .. }, _) => Some(probability),
        (Prediction::Category { probabilities, .. }, Response::Ordinal { .. }) => {
            Some(probabilities.iter().enumerate().map(|(level, share)| level as f64 * share).sum())
        }
        (Prediction::Category { probabilities, .. }, _) => Some(probabilities[class?]),
        (Prediction::Real { value, .. }, _) => Some(value),
    };
    let n = dataset.len().min(TRIED);
    // Spread over the file; the partner is far away, because neighbours may be about the same.
    let row = |at: usize| &dataset.rows[at * dataset.len() / n];
    let same: Vec<(&str, &str)> = (0..n).map(|at| (&*row(at).source, &*row(at).source)).collect();
    let others: Vec<(&str, &str)> = (0..n).map(|at| (&*row(at).source, &*row((at + n / 2) % n).target)).collect();
    let mean = |pairs: &[(&str, &str)]| -> Result<Option<f64>> {
        let found = model.predict(pairs, |pair| *pair, Progress::none())?;
        let values: Vec<f64> = found.into_iter().filter_map(|found| value(found.ok()?)).collect();
        Ok((!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64))
    };
    let (Some(same), Some(others)) = (mean(&same)?, mean(&others)?) else { return Ok(None) };
    Ok((same < others).then_some(Implausible { same, others }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Columns;
    use crate::resources::Resources;
    use crate::train::{CostChoice, TrainOptions, train};

    fn model(same: &str, other: &str) -> Option<Implausible> {
        let subjects = ["the cat", "a dog", "my sister", "the ship", "an old man", "the baker", "our team", "the king"];
        let verbs = ["sleeps at noon", "left the house", "won a prize"];
        let mut rows = "source\ttarget\tlabel\n".to_owned();
        for (at, subject) in subjects.iter().enumerate() {
            for (of, verb) in verbs.iter().enumerate() {
                let text = format!("{subject} {verb}");
                rows += &format!("{text} {of}\t{text} {of}\t{same}\n");
                let far = format!("{} {}", subjects[(at + 3) % 8], verbs[(of + 1) % 3]);
                rows += &format!("{text}\t{far}\t{other}\n");
            }
        }
        let dataset = Dataset::from_reader("f.tsv", rows.as_bytes(), None, &Columns::default()).unwrap();
        let options =
            TrainOptions { costs: vec![1.0], choice: CostChoice::Folds(2), ..TrainOptions::new(Task::Paraphrase) };
        let model = train(&dataset, &options, &Resources::bundled(), Progress::none()).unwrap();
        implausible(&model, &dataset).unwrap()
    }

    #[test]
    fn swapped_labels_are_noticed() {
        assert_eq!(model("1", "0"), None);
        let found = model("0", "1").unwrap();
        assert!(found.same < found.others, "{found:?}");
    }
}
