//! The two machines behind one face: features made once, then fitted on any rows at any cost.

use super::train::{Progress, Stage};
use crate::kernel::{Bound, Expression, Gram, Listing};
use crate::svm::search::{DualFit, Fit, LinearFit};
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

/// The features of all pairs: listed rules wherever the kernel has them, and a Gram matrix if the dual machine learns.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) listing: Option<Listing>,
    gram: Option<Gram>,
}

impl Prepared {
    pub(super) fn new(
        expression: &Expression,
        pairs: &[Pair],
        is_linear: bool,
        progress: Progress<'_>,
    ) -> Result<Self> {
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
        let gram = if is_linear { None } else { Some(Bound::new(expression, pairs)?.square(&advance)) };
        // The linear machine needs the list, or an error that says why there is none.
        let wants_list = is_linear || expression.is_listable();
        let listing = if wants_list { Some(Listing::new(expression, pairs)?) } else { None };
        Ok(Self { listing, gram })
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
        match (&prepared.gram, &prepared.listing) {
            (Some(gram), _) => {
                let params = dual::Params { class_weights, ..dual::Params::default() };
                Ok(Self::Dual(DualFit { problem: dual::Problem::new(gram, labels)?, params }))
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
            let found = Prepared::new(&expression, &pairs, is_linear, &|_, _, _| {});
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
