//! The two machines behind one face: features made once, then fitted on any rows at any cost.

use super::train::{Progress, Stage};
use crate::kernel::{Bound, Expression, Gram, Listing};
use crate::svm::search::{DualFit, Fit, LinearFit};
use crate::svm::spectrum::{Clipped, clip};
use crate::svm::{ClassWeights, Stop, dual, linear};
use crate::text::Pair;
use crate::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which machine learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Learner {
    /// Dual up to [`MAX_AUTO_GRAM`] pairs or where rules cannot be listed, linear otherwise: the faster of the two.
    #[default]
    Auto,
    /// Over listed rules; time and memory grow with the number of pairs. The bias is regularised, as in LIBLINEAR.
    Linear,
    /// Over the Gram matrix; time and memory grow with the square of the number of pairs, but the search for a cost is
    /// several times faster on a few thousand. The bias is free, as in LIBSVM.
    Dual,
}

/// What becomes of the negative part of a kernel matrix's spectrum. Only kernels that compare words by relations
/// (`tesrk`) have one: where rules can be listed the matrix is positive semi-definite, and both mean the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spectrum {
    /// It stays, as in the paper; the machine ends where no step helps any more.
    #[default]
    Plain,
    /// It is taken out, so that the machine's problem is convex. The model then leans on all training pairs.
    Clip,
}

/// The most pairs that [`Learner::Auto`] fills a Gram matrix for: 144 MB of it.
pub const MAX_AUTO_GRAM: usize = 6000;

/// The most pairs that a Gram matrix is filled for at all: 4.3 GB of it.
pub const MAX_GRAM: usize = 1 << 15;

impl Learner {
    /// The machine that is meant, for this kernel and so many pairs.
    pub(super) fn is_linear(self, expression: &Expression, n_pairs: usize) -> bool {
        match self {
            Self::Auto => expression.is_listable() && n_pairs > MAX_AUTO_GRAM,
            Self::Linear => true,
            Self::Dual => false,
        }
    }
}

/// What features are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) expression: &'a Expression,
    pub(super) is_linear: bool,
    pub(super) spectrum: Spectrum,
    /// So many of the pairs are learned from; those behind them are only scored.
    pub(super) n_train: usize,
}

/// The features of all pairs: listed rules wherever the kernel has them, and a Gram matrix if the dual machine learns.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) listing: Option<Listing>,
    matrix: Option<Matrix>,
}

/// What the dual machine learns from.
#[derive(Debug)]
enum Matrix {
    Plain(Gram),
    Clipped(Clipped),
}

impl Matrix {
    /// A machine needs a symmetric matrix, so where relations go one way only it learns from (K + Kᵀ) / 2. What it
    /// predicts is by plain rows K(x, ·), as for any other kernel, and so are the scores of pairs that are not learned
    /// from: the direction of a relation counts there.
    ///
    /// Clipping is done once, with all pairs that are learned from, and not anew for each fold: it looks at no label, and
    /// the saved machine is clipped by all of them as well. What a held-out fold's texts do to the eigenvectors is
    /// thereby in its scores; a file of its own to choose on (`CostChoice::Dev`) has no part in them.
    fn new(bound: &Bound, recipe: &Recipe<'_>, done: &(dyn Fn(usize) + Sync)) -> Result<Self> {
        let mut gram = bound.square(done);
        if !bound.is_symmetric() {
            gram = gram.symmetric_part(recipe.n_train);
        }
        match recipe.spectrum {
            Spectrum::Clip if !recipe.expression.is_listable() => clip(gram, recipe.n_train).map(Self::Clipped),
            _ => Ok(Self::Plain(gram)),
        }
    }

    fn gram(&self) -> &Gram {
        match self {
            Self::Plain(gram) => gram,
            Self::Clipped(clipped) => &clipped.gram,
        }
    }
}

impl Prepared {
    pub(super) fn new(recipe: &Recipe<'_>, pairs: &[Pair], progress: Progress<'_>) -> Result<Self> {
        let Recipe { expression, is_linear, .. } = *recipe;
        if !is_linear && pairs.len() > MAX_GRAM {
            let way_out = if expression.is_listable() { "use --learner linear" } else { "use kb instead of pw" };
            return Err(Error::data(format!(
                "{} pairs are too many for a Gram matrix, at most {MAX_GRAM}: {way_out}, or fewer pairs",
                pairs.len()
            )));
        }
        let done = AtomicUsize::new(0);
        let advance = |rows| {
            let done = done.fetch_add(rows, Ordering::Relaxed) + rows;
            progress(Stage::Features, done, pairs.len());
        };
        let matrix =
            if is_linear { None } else { Some(Matrix::new(&Bound::new(expression, pairs)?, recipe, &advance)?) };
        // The linear machine needs the list, or an error that says why there is none.
        let wants_list = is_linear || expression.is_listable();
        let listing = if wants_list { Some(Listing::new(expression, pairs)?) } else { None };
        Ok(Self { listing, matrix })
    }

    /// The machine that scores plain rows of kernel values as `fitted` scores those that it learned from: coefficients of
    /// the training pairs alone.
    pub(super) fn for_plain_rows(&self, mut fitted: Fitted, n_train: usize) -> Fitted {
        fitted.coefficients.truncate(n_train);
        if let Some(Matrix::Clipped(clipped)) = &self.matrix {
            fitted.coefficients = clipped.project(&fitted.coefficients);
            let least = clipped.vectors.first().map_or(0.0, |pair| pair.value);
            fitted.stop += &format!(", {} negative eigenvalues clipped, the least {least:.3e}", clipped.vectors.len());
            if clipped.stop == Stop::Limit {
                fitted.stop += ", smaller ones left";
            }
        }
        fitted
    }
}

/// A fitted machine: `w = sum_i coefficients[i] * features_i`.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) coefficients: Vec<f64>,
    pub(super) bias: f64,
    pub(super) stop: String,
}

/// Features and labels, ready to be fitted.
pub(super) enum Problem<'a> {
    Linear(LinearFit<'a>),
    Dual(DualFit<'a>),
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        prepared: &'a Prepared,
        labels: &'a [bool],
        loss: linear::Loss,
        class_weights: ClassWeights,
        seed: u64,
    ) -> Result<Self> {
        match (&prepared.matrix, &prepared.listing) {
            (Some(matrix), _) => {
                let params = dual::Params { class_weights, ..dual::Params::default() };
                Ok(Self::Dual(DualFit { problem: dual::Problem::new(matrix.gram(), labels)?, params }))
            }
            (None, Some(listing)) => {
                let params = linear::Params { loss, class_weights, seed, ..linear::Params::default() };
                Ok(Self::Linear(LinearFit { problem: linear::Problem::new(&listing.rows, labels)?, params }))
            }
            (None, None) => Err(Error::data("no features to learn from")),
        }
    }

    pub(super) fn as_fit(&self) -> &dyn Fit {
        match self {
            Self::Linear(fit) => fit,
            Self::Dual(fit) => fit,
        }
    }

    /// The machine of these rows at this cost.
    pub(super) fn fit(&self, members: &[usize], cost: f64) -> Result<Fitted> {
        match self {
            Self::Linear(LinearFit { problem, params }) => {
                let machine = linear::fit(problem, members, &linear::Params { cost, ..*params }.check()?, None)?;
                let sign = |label: &bool| if *label { 1.0 } else { -1.0 };
                let signed = machine.alphas.iter().zip(problem.labels()).map(|(alpha, label)| alpha * sign(label));
                let relative_gap = machine.gap / machine.objective.abs().max(f64::MIN_POSITIVE);
                let stop = format!("{}, relative gap {relative_gap:.1e}", why(machine.stop, machine.passes, "passes"));
                Ok(Fitted { coefficients: signed.collect(), bias: machine.bias, stop })
            }
            Self::Dual(DualFit { problem, params }) => {
                let machine = dual::fit(problem, members, &dual::Params { cost, ..*params }.check()?, None)?;
                let stop =
                    format!("{}, {} support pairs", why(machine.stop, machine.iterations, "steps"), machine.n_support);
                Ok(Fitted { coefficients: machine.coefficients, bias: machine.bias, stop })
            }
        }
    }
}

fn why(stop: Stop, count: usize, unit: &str) -> String {
    match stop {
        Stop::Converged => format!("converged after {count} {unit}"),
        Stop::Limit => format!("stopped at the limit of {count} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Sentence;

    #[test]
    fn too_large_a_matrix_is_refused_before_it_is_made() {
        let empty = || Sentence::of_units(Vec::new());
        let pairs: Vec<Pair> = (0..=MAX_GRAM).map(|_| Pair { source: empty(), target: empty() }).collect();
        let check = |kernel: &str, is_linear: bool, expected: &str| {
            let expression: Expression = kernel.parse().unwrap();
            let n_train = pairs.len();
            let recipe = Recipe { expression: &expression, is_linear, spectrum: Spectrum::Plain, n_train };
            let found = Prepared::new(&recipe, &pairs, &|_, _, _| {});
            assert_eq!(found.map_or_else(|error| error.to_string(), |_| "made".to_owned()), expected, "{kernel}");
        };
        let too_many = "32769 pairs are too many for a Gram matrix, at most 32768";
        check("pw(k=1)", false, &format!("{too_many}: use kb instead of pw, or fewer pairs"));
        check("kb(k=1)", false, &format!("{too_many}: use --learner linear, or fewer pairs"));
        check("kb(k=1)", true, "made");
        check(
            "pw(k=1)",
            true,
            "the rules of pw(k=1,lambda=1) cannot be listed for a linear machine: use --learner dual",
        );
    }
}
