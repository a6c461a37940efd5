//! Settings of an aligner.

use super::crf::Costs;
use super::features::Catalogue;
use crate::id::AlignFeature;
use crate::{Error, Result};
use resay_text::Layers;

/// The features of an aligner and how to train it.
#[derive(Clone, Debug, PartialEq)]
pub struct AlignSettings {
    /// Names of the enabled feature templates, see [`super::feature_templates`].
    pub features: Vec<String>,
    /// Maximal number of words per phrase: 1 is the token model, 3 the paper's phrase model.
    pub longest: usize,
    /// The factor of half the squared norm of the weights in training.
    pub l2: f64,
    /// The costs of wrong states in training.
    pub costs: Costs,
    /// Maximal number of optimiser steps.
    pub max_steps: usize,
}

/// The name of the features that take a second pass.
pub(super) const FIRST_PASS: &str = "first-pass";

/// The longest phrases allowed.
pub const MAX_LONGEST: usize = 8;

impl AlignSettings {
    /// The token model, in one pass. It leaves out heads and chunks: on held-out folds of MSR06 and Edinburgh++
    /// they move F1 by at most a quarter of a point, and a parser takes longer than everything
    /// else.
    pub fn tokens() -> Self {
        let is_of_words = |name: &&str| !matches!(*name, "phrases" | "heads" | "chunks" | "first-pass");
        let features =
            super::feature_templates().map(|(name, _)| name).filter(is_of_words).map(str::to_owned).collect();
        Self { features, longest: 1, l2: 1.0, costs: Costs { missed: 1.0, extra: 1.0, wrong: 1.0 }, max_steps: 150 }
    }

    /// The phrase model. It also uses chunks, which indicate what a phrase is.
    pub fn phrases() -> Self {
        let features = super::feature_templates()
            .map(|(name, _)| name)
            .filter(|name| !matches!(*name, "heads" | "first-pass"))
            .map(str::to_owned)
            .collect();
        Self { features, longest: 3, ..Self::tokens() }
    }

    /// Returns whether a first pass finds probabilities of links for a second one.
    pub fn has_two_passes(&self) -> bool {
        self.features.iter().any(|name| name == FIRST_PASS)
    }

    /// Returns the annotation layers that the features need.
    pub fn layers(&self) -> Result<Layers> {
        Ok(Catalogue::new(&self.features)?.layers())
    }

    /// Returns all features, in the order of their weights.
    pub fn feature_ids(&self) -> Result<Vec<AlignFeature>> {
        Ok(Catalogue::new(&self.features)?.features().to_vec())
    }

    /// Returns how many of all features, from the first, the first of two passes has.
    pub(crate) fn n_first_features(&self) -> Result<usize> {
        let catalogue = Catalogue::new(&self.features)?;
        Ok(catalogue.second().unwrap_or(catalogue.features().len()))
    }

    /// Refuses invalid settings.
    pub(super) fn check(&self) -> Result<()> {
        let fail = |message: String| Err(Error::parameter(message));
        if !(1..=MAX_LONGEST).contains(&self.longest) {
            return fail(format!("phrases of at most {} words, expected 1 to {MAX_LONGEST}", self.longest));
        }
        if self.max_steps == 0 {
            return fail("0 steps, expected at least 1".to_owned());
        }
        let Costs { missed, extra, wrong } = self.costs;
        for (name, value) in [("l2", self.l2), ("missed", missed), ("extra", extra), ("wrong", wrong)] {
            if !(value.is_finite() && value >= 0.0) {
                return fail(format!("{name} is {value}, expected a number from 0 up"));
            }
        }
        Ok(())
    }
}
