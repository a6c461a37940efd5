//! Models over declared programmes: weights by feature name, for examples of any kind.

use super::contract::{Decision, Explained, Weight};
use super::file::{read_words, write_words};
use super::header::{About, Header, ModelKind, expect_kind};
use crate::data::ProgramExample;
use crate::explain::{Explanation, What};
use crate::latent::program::{NumberedProgram, ProgramFeatures};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::Platt;
use resay_learn::matching::Choice;
use resay_learn::progress::{Progress, Stage};
use resay_text::container::{Container, SectionReader};
use resay_text::{Intern, Interner};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The learner that fixes structures before it learns the decision.
const TWO_STAGE: &str = "two-stage";
/// The largest absolute weight, so that sums over features stay finite.
const MAX_WEIGHT: f64 = 1e100;

/// Header fields of models over declared programmes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramDetails {
    /// The number of features in training, and of those kept because they have a weight.
    pub n_features: [usize; 2],
    /// The objective before the first iteration and after each one; it never increases.
    pub objectives: Vec<f64>,
    /// The optimality gap of the last convex problem, relative to the objective.
    pub gap: f64,
}

/// The header of a model over declared programmes.
pub type ProgramAbout = About<ProgramDetails>;

/// A model over declared programmes.
#[derive(Clone, Debug)]
pub struct ProgramModel {
    about: ProgramAbout,
    features: ProgramFeatures,
    /// One weight per feature, the constant's first.
    weights: Vec<f64>,
    /// Separate weights for inferring structures; `None` if the decision's weights do both.
    inference: Option<Vec<f64>>,
    platt: Platt,
    resources: Resources,
}

impl ProgramModel {
    /// A trained model. Features without weight are dropped. The number of features is filled in
    /// here.
    pub fn new(
        mut about: ProgramAbout,
        features: &ProgramFeatures,
        weights: &[f64],
        inference: Option<&[f64]>,
        platt: Platt,
        resources: &Resources,
    ) -> Result<Self> {
        let n_features = features.n_features();
        if weights.len() != n_features || inference.is_some_and(|inference| inference.len() != n_features) {
            return Err(Error::parameter(format!("{} weights for {n_features} features", weights.len())));
        }
        if !weights.iter().all(|weight| weight.abs() <= MAX_WEIGHT) {
            return Err(Error::data(format!("a weight above {MAX_WEIGHT}: take a smaller cost")));
        }
        let is_kept = |at: &usize| weights[*at] != 0.0 || inference.is_some_and(|inference| inference[*at] != 0.0);
        let kept: Vec<usize> = std::iter::once(0).chain((1..n_features).filter(is_kept)).collect();
        let mut names = Interner::new();
        kept.iter().filter_map(|&at| features.name(at as u32)).for_each(|name| _ = names.symbol(name));
        let of_kept = |weights: &[f64]| kept.iter().map(|&at| weights[at]).collect::<Vec<f64>>();
        about.details.n_features = [n_features - 1, names.len()];
        Ok(Self {
            about,
            features: ProgramFeatures::new(names),
            weights: of_kept(weights),
            inference: inference.map(of_kept),
            platt,
            resources: resources.clone(),
        })
    }

    /// The header and details.
    pub fn about(&self) -> &ProgramAbout {
        &self.about
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.about.header
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// The resources of the model.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    fn decide(&self, score: f64) -> Decision {
        Decision { score, probability: self.platt.probability(score), label: score > 0.0 }
    }

    /// The best structure of an example and its score. Unknown features contribute nothing.
    fn solve<'a>(&self, example: &'a ProgramExample) -> Result<(NumberedProgram<'a>, Choice, f64)> {
        let numbered = NumberedProgram::new(example, &self.features);
        let choice = numbered.best(self.inference.as_ref().unwrap_or(&self.weights), None)?;
        let score = numbered.score(&choice.active, &self.weights);
        if !score.is_finite() {
            return Err(Error::data(format!("a score of {score}: make the values of the features smaller")));
        }
        Ok((numbered, choice, score))
    }

    /// Decides about one example.
    pub fn predict_one(&self, example: &ProgramExample) -> Result<Decision> {
        self.solve(example).map(|(_, _, score)| self.decide(score))
    }

    /// Decides about many examples in parallel, with one result per example, in order.
    pub fn predict<T: Sync>(
        &self,
        items: &[T],
        example: impl Fn(&T) -> &ProgramExample + Sync,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<Decision>>> {
        let done = AtomicUsize::new(0);
        let predict = |item: &T| {
            progress.check()?;
            let decision = self.predict_one(example(item));
            progress.report(Stage::Score, 1 + done.fetch_add(1, Ordering::Relaxed), items.len())?;
            Ok(decision)
        };
        self.resources.threads().run(|| items.par_iter().map(predict).collect())?
    }

    /// Explains a decision: every variable of the best structure with the contributions of its
    /// features, and the features that all structures of the example share. The leaves add up to
    /// the score.
    pub fn explain(&self, example: &ProgramExample) -> Result<Explained> {
        let (numbered, choice, score) = self.solve(example)?;
        let leaves = |features: &[(u32, f64)]| {
            let leaf = |&(number, value): &(u32, f64)| {
                let what = self.features.name(number).map_or(What::Bias, |name| What::ProgramFeature(name.to_owned()));
                Explanation::leaf(what, self.weights[number as usize] * value)
            };
            let mut leaves: Vec<Explanation> = features.iter().map(leaf).collect();
            leaves.retain(|leaf| leaf.value != 0.0);
            Explanation::strongest_first(&mut leaves);
            leaves
        };
        let variable = |&variable: &u32| {
            let parts = leaves(numbered.of_variable(variable));
            let value = parts.iter().map(|part| part.value).sum::<f64>() + 0.0;
            let what = What::Variable(example.program.name(variable as usize));
            Explanation { parts, ..Explanation::leaf(what, value) }
        };
        let mut parts = leaves(numbered.shared());
        parts.extend(choice.active.iter().map(variable));
        Explanation::strongest_first(&mut parts);
        let explanation = Explanation { parts, ..Explanation::leaf(What::Score, score) };
        Ok(Explained { prediction: self.decide(score).into(), explanation, symbols: None })
    }

    /// Features with their weights, heaviest first; ties are in order of first occurrence in
    /// training.
    pub fn weights(&self) -> Vec<Weight> {
        let weighted = (0..).zip(&self.weights).filter(|(_, weight)| **weight != 0.0);
        let named = weighted.filter_map(|(number, weight)| {
            Some(Weight::of(What::ProgramFeature(self.features.name(number)?.to_owned()), *weight))
        });
        let mut weights: Vec<Weight> = named.collect();
        Weight::heaviest_first(&mut weights);
        weights
    }

    /// Serialises the model. `features`: their names. `weights`, and after two-stage learning
    /// `inference`: one per feature, the constant's first.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let reals = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        container.push("head", reals(&[self.platt.slope, self.platt.intercept]));
        container.push("features", write_words(self.features.names()));
        container.push("weights", reals(&self.weights));
        if let Some(inference) = &self.inference {
            container.push("inference", reals(inference));
        }
        container.pack()
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, ModelKind::Program)?;
        let container = Container::<ProgramAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let is_two_stage = about.header.learner == TWO_STAGE;
        let expected = if is_two_stage { 4 } else { 3 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<SectionReader<'_>> {
            Ok(SectionReader::new(name, wanted, container.section(name, wanted)?))
        };
        let features = ProgramFeatures::new(read_words(section("features")?)?);
        let reals = |wanted: &'static str, n: usize| -> Result<Vec<f64>> {
            let mut reader = section(wanted)?;
            let values = (0..n).map(|_| reader.real()).collect::<Result<Vec<f64>>>()?;
            reader.end()?;
            match values.iter().find(|value| value.abs() > MAX_WEIGHT) {
                Some(value) => reader.fail(format_args!("a weight of {value}")),
                None => Ok(values),
            }
        };
        let head = reals("head", 2)?;
        let platt = Platt { slope: head[0], intercept: head[1] };
        if platt.slope < 0.0 {
            return section("head")?.fail("probabilities that fall as the score rises");
        }
        let weights = reals("weights", features.n_features())?;
        let inference = is_two_stage.then(|| reals("inference", features.n_features())).transpose()?;
        Ok(Self { about, features, weights, inference, platt, resources: resources.clone() })
    }
}
