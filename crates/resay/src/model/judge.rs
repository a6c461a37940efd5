//! Models that decide about pairs of texts, whatever they are made of, behind one face.

use super::{AnyModel, CombinedModel, Decision, LatentModel, Model, NamesModel};
use crate::Result;
use crate::explain::Explanation;
use crate::latent::names::MachineScratch;
use rayon::prelude::*;

/// A model that says yes or no to a pair of texts.
pub trait Judge: Sync {
    /// What it decides.
    fn task(&self) -> &str;

    /// Names of the two answers: no, yes.
    fn labels(&self) -> [&str; 2];

    /// What it is made of: what that is called, and what it is.
    fn made_of(&self) -> (&'static str, String);

    /// Decides about many pairs in parallel, in order.
    fn decide_all(&self, pairs: &[(&str, &str)]) -> Result<Vec<Decision>>;

    /// One decision taken apart; leaves add up to its score.
    fn reasons(&self, source: &str, target: &str, top: usize) -> Result<Explanation>;
}

impl Judge for Model {
    fn task(&self) -> &str {
        &self.about().task
    }

    fn labels(&self) -> [&str; 2] {
        self.about().labels.each_ref().map(String::as_str)
    }

    fn made_of(&self) -> (&'static str, String) {
        ("kernel", self.about().kernel.clone())
    }

    fn decide_all(&self, pairs: &[(&str, &str)]) -> Result<Vec<Decision>> {
        self.score_all(pairs, |pair| *pair)
    }

    fn reasons(&self, source: &str, target: &str, top: usize) -> Result<Explanation> {
        Ok(self.explain(source, target, top)?.1)
    }
}

impl Judge for LatentModel {
    fn task(&self) -> &str {
        &self.about().task
    }

    fn labels(&self) -> [&str; 2] {
        self.about().labels.each_ref().map(String::as_str)
    }

    fn made_of(&self) -> (&'static str, String) {
        ("learner", format!("{}, {} features of hidden alignments", self.about().learner, self.about().n_features))
    }

    fn decide_all(&self, pairs: &[(&str, &str)]) -> Result<Vec<Decision>> {
        self.score_all(pairs, |pair| *pair)
    }

    fn reasons(&self, source: &str, target: &str, _top: usize) -> Result<Explanation> {
        Ok(self.explain(source, target)?.1)
    }
}

impl Judge for CombinedModel {
    fn task(&self) -> &str {
        &self.about().task
    }

    fn labels(&self) -> [&str; 2] {
        self.about().labels.each_ref().map(String::as_str)
    }

    fn made_of(&self) -> (&'static str, String) {
        ("learner", format!("{}, {} signs", self.about().learner, self.about().n_signs))
    }

    fn decide_all(&self, pairs: &[(&str, &str)]) -> Result<Vec<Decision>> {
        self.score_all(pairs, |pair| *pair)
    }

    fn reasons(&self, source: &str, target: &str, _top: usize) -> Result<Explanation> {
        Ok(self.explain(source, target)?.1)
    }
}

impl Judge for NamesModel {
    fn task(&self) -> &str {
        &self.about().task
    }

    fn labels(&self) -> [&str; 2] {
        ["0", "1"]
    }

    fn made_of(&self) -> (&'static str, String) {
        ("learner", format!("{}, {} features of character maps", self.about().learner, self.about().n_features[1]))
    }

    fn decide_all(&self, pairs: &[(&str, &str)]) -> Result<Vec<Decision>> {
        let score =
            |scratch: &mut MachineScratch, (source, target): &(&str, &str)| self.score_with(source, target, scratch);
        pairs.par_iter().map_init(MachineScratch::default, score).collect()
    }

    fn reasons(&self, source: &str, target: &str, _top: usize) -> Result<Explanation> {
        self.explain(source, target)
    }
}

impl AnyModel {
    /// The model as one that decides about pairs, or back as it is if it does not.
    pub fn judge(self) -> std::result::Result<Box<dyn Judge>, Self> {
        match self {
            Self::Pairs(model) => Ok(model),
            Self::Latent(model) => Ok(model),
            Self::Names(model) => Ok(model),
            Self::Combined(model) => Ok(model),
            Self::Topics(_) | Self::Align(_) => Err(self),
        }
    }
}
