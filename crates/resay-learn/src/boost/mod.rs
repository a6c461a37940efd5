//! Gradient-boosted regression trees (Friedman 2001) for any smooth loss over one or several heads,
//! grown leaf by leaf over binned inputs, with second-order leaf values (Chen and Guestrin 2016).
//!
//! Given: rows of inputs, and an [`Objective`] that knows the gradient and the curvature of the loss
//! in the scores of a row. Returned: for every head h a sum of trees
//!
//! ```text
//! score_h(x) = offset_h + Σ_t tree_{t,h}(x)
//! ```
//!
//! where every tree takes a step of size `rate` down the loss. A leaf with gradient sum G and
//! curvature sum H has the value −rate · G / (H + ridge); a split is chosen by how much it lowers
//! the second-order approximation of the loss:
//!
//! ```text
//! gain = G_l² / (H_l + ridge) + G_r² / (H_r + ridge) − G² / (H + ridge)
//! ```
//!
//! Every inner node keeps the value that it would have as a leaf. A score is then the value of the
//! root plus the changes of value along the path, each due to one input: that is how a score is
//! taken apart ([`Boosted::explain`]).
//!
//! Histograms are summed in the order of rows, one input by one thread: results do not depend on
//! the number of threads.

mod bins;
mod grow;
mod objective;
mod tree;
#[cfg(test)]
mod truth;

pub use objective::{Objective, PartialLabels, SquaredError};
pub use tree::{Tree, TreeNode};

use crate::progress::{Progress, Stage};
use crate::rng::SplitMix;
use crate::{Error, Result};
use bins::Binned;
use grow::Grower;
use rayon::prelude::*;

/// Rows of inputs, one after another.
#[derive(Clone, Copy, Debug)]
pub struct BoostRows<'a> {
    /// The number of inputs of a row.
    pub n_inputs: usize,
    /// All values, row by row.
    pub values: &'a [f32],
}

impl<'a> BoostRows<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.n_inputs.max(1)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row.
    pub fn row(&self, row: usize) -> &'a [f32] {
        &self.values[row * self.n_inputs..(row + 1) * self.n_inputs]
    }
}

/// How trees are grown.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostParams {
    /// How many trees each head has.
    pub rounds: usize,
    /// The size of a step.
    pub rate: f64,
    /// The most leaves of a tree.
    pub leaves: usize,
    /// The least curvature on either side of a split.
    pub min_curvature: f64,
    /// Added to the curvature of a leaf: keeps the values of small leaves small.
    pub ridge: f64,
    /// The share of inputs that a tree may use, drawn anew for every tree.
    pub inputs: f64,
    /// The seed of these draws.
    pub seed: u64,
}

impl Default for BoostParams {
    fn default() -> Self {
        Self { rounds: 200, rate: 0.08, leaves: 31, min_curvature: 10.0, ridge: 5.0, inputs: 0.5, seed: 1 }
    }
}

/// The most inputs of a row.
pub const MAX_INPUTS: usize = 1 << 15;

impl BoostParams {
    fn check(&self) -> Result<()> {
        let message = if self.leaves < 2 {
            "trees need at least two leaves"
        } else if !(self.rate > 0.0 && self.rate <= 1.0) {
            "the rate lies above 0 and is at most 1"
        } else if !(self.inputs > 0.0 && self.inputs <= 1.0) {
            "the share of inputs lies above 0 and is at most 1"
        } else if !(self.ridge > 0.0 && self.min_curvature >= 0.0) {
            "ridge is above 0, and the least curvature is at least 0"
        } else {
            return Ok(());
        };
        Err(Error::parameter(message))
    }
}

/// Boosted trees of all heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Boosted {
    /// The score of each head before any tree.
    pub offsets: Vec<f64>,
    /// The trees, round by round, one per head in each round.
    pub trees: Vec<Tree>,
}

impl Boosted {
    /// Learns trees. `offsets` has the score of each head before any tree.
    pub fn fit(
        rows: BoostRows<'_>,
        objective: &dyn Objective,
        offsets: Vec<f64>,
        params: &BoostParams,
        progress: Progress<'_>,
    ) -> Result<Self> {
        params.check()?;
        let n_heads = offsets.len();
        if rows.n_inputs == 0 || rows.n_inputs > MAX_INPUTS || rows.is_empty() || n_heads == 0 {
            let message = format!(
                "{} rows of {} inputs for {n_heads} heads, expected at least one of each and at most {MAX_INPUTS} inputs",
                rows.len(),
                rows.n_inputs
            );
            return Err(Error::parameter(message));
        }
        let binned = Binned::new(rows, progress)?;
        let n = rows.len();
        let mut scores: Vec<f64> = offsets.iter().copied().cycle().take(n * n_heads).collect();
        let mut slopes = vec![[0.0_f32; 2]; n * n_heads];
        let mut trees = Vec::with_capacity(params.rounds * n_heads);
        for round in 0..params.rounds {
            progress.report(Stage::Train, round, params.rounds)?;
            let gradient = |(row, (scores, slopes)): (usize, (&[f64], &mut [[f32; 2]]))| {
                objective.slopes(row, scores, slopes);
            };
            scores.par_chunks(n_heads).zip(slopes.par_chunks_mut(n_heads)).enumerate().for_each(gradient);
            for head in 0..n_heads {
                progress.check()?;
                let number = (round * n_heads + head) as u64;
                let inputs = drawn(rows.n_inputs, params.inputs, &mut SplitMix::stream(params.seed, number));
                let own: Vec<[f32; 2]> = slopes.iter().skip(head).step_by(n_heads).copied().collect();
                let (tree, leaf_of) = Grower { binned: &binned, slopes: &own, inputs, params, progress }.grow()?;
                for (leaf, rows) in leaf_of {
                    let value = f64::from(tree.nodes[leaf].value);
                    for row in rows {
                        scores[row as usize * n_heads + head] += value;
                    }
                }
                trees.push(tree);
            }
        }
        Ok(Self { offsets, trees })
    }

    /// The number of heads.
    pub fn n_heads(&self) -> usize {
        self.offsets.len()
    }

    /// The score of each head for these inputs.
    pub fn scores(&self, inputs: &[f32]) -> Vec<f64> {
        let mut scores = self.offsets.clone();
        for round in self.trees.chunks(self.n_heads()) {
            for (score, tree) in scores.iter_mut().zip(round) {
                *score += f64::from(tree.value(inputs));
            }
        }
        scores
    }

    /// Takes the score of a head apart: adds to `parts[input]` what the input contributes, and
    /// returns the rest. Parts and rest add up to the score, up to rounding.
    pub fn explain(&self, head: usize, inputs: &[f32], parts: &mut [f64]) -> f64 {
        let trees = self.trees.iter().skip(head).step_by(self.n_heads());
        self.offsets[head] + trees.map(|tree| tree.explain(inputs, parts)).sum::<f64>()
    }

    /// How much of the loss each input takes away, summed over all splits of a head.
    pub fn importance(&self, head: usize, n_inputs: usize) -> Vec<f64> {
        let mut sums = vec![0.0; n_inputs];
        for tree in self.trees.iter().skip(head).step_by(self.n_heads()) {
            tree.add_spread(&mut sums);
        }
        sums
    }
}

/// Draws a share of the inputs, ascending; at least one.
fn drawn(n_inputs: usize, share: f64, random: &mut SplitMix) -> Vec<usize> {
    let n = ((n_inputs as f64 * share).round() as usize).clamp(1, n_inputs);
    let mut all: Vec<usize> = (0..n_inputs).collect();
    if n < n_inputs {
        random.shuffle(&mut all);
        all.truncate(n);
        all.sort_unstable();
    }
    all
}
