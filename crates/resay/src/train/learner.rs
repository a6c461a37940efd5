//! A common interface to the linear and the dual learner: features are computed once, then fitted
//! on any rows at any cost.

use super::answers::HeadTarget;
use crate::kernel::{BoundKernel, Expression, Gram, RuleAnswers, RuleLimits, RuleMatrix};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_learn::svm::regression::{self, RegressionFit, RegressionParams, RegressionProblem};
use resay_learn::svm::search::{DualFit, Fit, LinearFit};
use resay_learn::svm::spectrum::{Clipped, clip};
use resay_learn::svm::{ClassWeights, SolverStop, dual, linear};
use resay_text::Pair;

/// Which learner to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelLearner {
    /// The faster of the two: dual up to [`MAX_AUTO_GRAM`] pairs, for numbers up to
    /// [`MAX_AUTO_GRAM_OF_NUMBERS`], or if rules cannot be listed; linear otherwise.
    #[default]
    Auto,
    /// Over listed rules. Time and memory grow linearly with the number of pairs. The bias is
    /// regularised, as in LIBLINEAR.
    Linear,
    /// Over the Gram matrix. Time and memory grow with the square of the number of pairs, but the
    /// search for a cost is several times faster for a few thousand. The bias is not regularised,
    /// as in LIBSVM.
    Dual,
}

/// How to treat negative eigenvalues of a kernel matrix. They occur only in kernels that compare
/// words by relations (`tesrk`). If rules can be listed, the matrix is positive semi-definite and
/// both variants are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spectrum {
    /// Keep them, as in the paper. The solver stops when no step improves the objective.
    #[default]
    Plain,
    /// Clip them to zero, which makes the problem convex. The model then depends on all training
    /// pairs.
    Clip,
}

/// Maximum number of pairs for which [`KernelLearner::Auto`] computes a Gram matrix, which then
/// takes 576 MB.
pub const MAX_AUTO_GRAM: usize = 12_000;

/// The same for pairs with numbers. Both learners then solve the same problem one pair at a time, and
/// a row of rules is shorter than one of the matrix: on 4,500 pairs of SICK the list took a third of
/// the time.
pub const MAX_AUTO_GRAM_OF_NUMBERS: usize = 1000;

/// Maximum number of pairs of which all rules are listed. Of more pairs, those are listed that
/// follow the answers best.
pub(super) const MAX_ALL_RULES: usize = 40_000;

/// Maximum number of pairs for which a Gram matrix is computed at all; it then takes 4.3 GB.
pub const MAX_GRAM: usize = 1 << 15;

impl KernelLearner {
    /// Returns whether to use the linear learner for this kernel and number of pairs.
    pub(super) fn is_linear(self, expression: &Expression, n_pairs: usize, are_numbers: bool) -> bool {
        let most = if are_numbers { MAX_AUTO_GRAM_OF_NUMBERS } else { MAX_AUTO_GRAM };
        match self {
            Self::Auto => expression.is_listable() && n_pairs > most,
            Self::Linear => true,
            Self::Dual => false,
        }
    }
}

/// What the features are computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) expression: &'a Expression,
    pub(super) is_linear: bool,
    pub(super) spectrum: Spectrum,
    /// Number of training pairs. Later pairs are only scored.
    pub(super) n_train: usize,
    /// What rules are chosen by if there are too many pairs to list all; none to list them all.
    pub(super) choose: Option<RuleAnswers<'a>>,
}

/// The features of all pairs: listed rules if the kernel has them, and a Gram matrix for the dual
/// learner.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) listing: Option<RuleMatrix>,
    matrix: Option<Matrix>,
}

/// The training matrix of the dual learner.
#[derive(Debug)]
enum Matrix {
    Plain(Gram),
    Clipped(Clipped),
}

impl Matrix {
    /// Computes the matrix. Training needs a symmetric matrix, so for one-way relations it uses
    /// `(K + Kᵀ) / 2`. Prediction uses plain rows K(x, ·) as for any other kernel, and so do the
    /// scores of pairs outside the training set: there the direction of a relation counts.
    ///
    /// Clipping is done once over all training pairs rather than per fold: it uses no labels, and
    /// the saved machine is clipped over all of them as well. The texts of a held-out fold thus
    /// influence the eigenvectors and so its scores. A development file (`CostChoice::Dev`) does
    /// not.
    fn new(bound: &BoundKernel, recipe: &Recipe<'_>, progress: Progress<'_>) -> Result<Self> {
        let mut gram = bound.square(progress)?;
        if !bound.is_symmetric() {
            gram = gram.symmetric_part(recipe.n_train, progress)?;
        }
        match recipe.spectrum {
            Spectrum::Clip if !recipe.expression.is_listable() => {
                clip(gram, recipe.n_train, progress).map(Self::Clipped)
            }
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
            let way_out = if expression.is_listable() { "use the linear learner" } else { "use kb instead of pw" };
            return Err(Error::data(format!(
                "{} pairs are too many for a Gram matrix, at most {MAX_GRAM}: {way_out}, or fewer pairs",
                pairs.len()
            )));
        }
        let matrix = || Matrix::new(&BoundKernel::new(expression, pairs, progress)?, recipe, progress);
        let matrix = if is_linear { None } else { Some(matrix()?) };
        // The linear learner needs the list, or an error that says why there is none.
        let wants_list = is_linear || expression.is_listable();
        let list = || match recipe.choose {
            Some(answers) => {
                let limits = RuleLimits::for_pairs(answers.members.len());
                RuleMatrix::choose(expression, pairs, answers, limits, progress)
            }
            None => RuleMatrix::new(expression, pairs, progress),
        };
        let listing = if wants_list { Some(list()?) } else { None };
        Ok(Self { listing, matrix })
    }

    /// Converts a machine fitted on the training matrix into one that scores plain rows of kernel
    /// values the same way. It has coefficients for the training pairs only.
    pub(super) fn for_plain_rows(&self, mut fitted: Fitted, n_train: usize) -> Fitted {
        fitted.coefficients.truncate(n_train);
        if let Some(Matrix::Clipped(clipped)) = &self.matrix {
            fitted.coefficients = clipped.project(&fitted.coefficients);
            let least = clipped.vectors.first().map_or(0.0, |pair| pair.value);
            fitted.stop += &format!(", {} negative eigenvalues clipped, the least {least:.3e}", clipped.vectors.len());
            if clipped.stop == SolverStop::Limit {
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

/// Features and the answers of one head, ready for fitting.
pub(super) enum Problem<'a> {
    Linear(LinearFit<'a>),
    Dual(DualFit<'a>),
    /// Numbers, as differences from this mean.
    Regression(RegressionFit<'a>, f64),
}

/// How exactly the linear learner fits. At large costs the last digits take most of the time, and
/// no answer depends on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exactness {
    tolerance: f64,
    max_passes: usize,
}

impl Exactness {
    /// For machines that are only compared on held-out pairs: most scores are right to two decimals.
    pub(super) const SEARCHED: Self = Self { tolerance: 1e-2, max_passes: 100 };
    /// For the machine that is kept.
    pub(super) const KEPT: Self = Self { tolerance: 1e-4, max_passes: 1000 };

    fn of(self, params: linear::LinearParams) -> linear::LinearParams {
        linear::LinearParams { tolerance: self.tolerance, max_passes: self.max_passes, ..params }
    }
}

/// How a machine is fitted, whatever it is fitted to.
#[derive(Clone, Copy, Debug)]
pub(super) struct HowToFit {
    /// The loss of the linear learner, for labels.
    pub(super) loss: linear::Loss,
    /// Whether both classes count the same.
    pub(super) balanced: bool,
    /// Seed of the visiting order.
    pub(super) seed: u64,
}

impl<'a> Problem<'a> {
    /// `members` are the training rows, which classes are balanced over.
    pub(super) fn new(
        prepared: &'a Prepared,
        target: &'a HeadTarget,
        how: HowToFit,
        members: &[usize],
        progress: Progress<'_>,
    ) -> Result<Self> {
        let nothing = || Error::data("no features to learn from");
        let labels = match target {
            HeadTarget::Labels(labels) => labels,
            HeadTarget::Numbers { centred, mean } => {
                let problem = match (&prepared.matrix, &prepared.listing) {
                    (Some(matrix), _) => RegressionProblem::over_gram(matrix.gram(), centred, progress)?,
                    (None, Some(listing)) => RegressionProblem::over_rows(&listing.rows, centred, progress)?,
                    (None, None) => return Err(nothing()),
                };
                let params = RegressionParams::in_units_of(centred, how.seed);
                return Ok(Self::Regression(RegressionFit { problem, params }, *mean));
            }
        };
        let class_weights =
            if how.balanced { ClassWeights::balanced(labels, members) } else { ClassWeights::default() };
        match (&prepared.matrix, &prepared.listing) {
            (Some(matrix), _) => {
                let params = dual::DualParams { class_weights, ..dual::DualParams::default() };
                Ok(Self::Dual(DualFit { problem: dual::DualProblem::new(matrix.gram(), labels, progress)?, params }))
            }
            (None, Some(listing)) => {
                let HowToFit { loss, seed, .. } = how;
                let params = Exactness::SEARCHED.of(linear::LinearParams {
                    loss,
                    class_weights,
                    seed,
                    ..linear::LinearParams::default()
                });
                let problem = linear::LinearProblem::new(&listing.rows, labels, progress)?;
                Ok(Self::Linear(LinearFit { problem, params }))
            }
            (None, None) => Err(nothing()),
        }
    }

    pub(super) fn as_fit(&self) -> &dyn Fit {
        match self {
            Self::Linear(fit) => fit,
            Self::Dual(fit) => fit,
            Self::Regression(fit, _) => fit,
        }
    }

    /// The value that scores of this head lack: the mean of numbers, which are learned as
    /// differences from it.
    pub(super) fn offset(&self) -> f64 {
        if let Self::Regression(_, mean) = self { *mean } else { 0.0 }
    }

    /// Fits a machine on these rows at this cost.
    pub(super) fn fit(
        &self,
        members: &[usize],
        cost: f64,
        exactness: Exactness,
        progress: Progress<'_>,
    ) -> Result<Fitted> {
        match self {
            Self::Linear(LinearFit { problem, params }) => {
                let params = exactness.of(linear::LinearParams { cost, ..*params }).check()?;
                let machine = linear::fit(problem, members, &params, None, progress)?;
                let sign = |label: &bool| if *label { 1.0 } else { -1.0 };
                let signed = machine.alphas.iter().zip(problem.labels()).map(|(alpha, label)| alpha * sign(label));
                let relative_gap = machine.gap / machine.objective.abs().max(f64::MIN_POSITIVE);
                let stop = format!("{}, relative gap {relative_gap:.1e}", why(machine.stop, machine.passes, "passes"));
                Ok(Fitted { coefficients: signed.collect(), bias: machine.bias, stop })
            }
            Self::Dual(DualFit { problem, params }) => {
                let params = dual::DualParams { cost, ..*params }.check()?;
                let machine = dual::fit(problem, members, &params, None, progress)?;
                let stop =
                    format!("{}, {} support pairs", why(machine.stop, machine.iterations, "steps"), machine.n_support);
                Ok(Fitted { coefficients: machine.coefficients, bias: machine.bias, stop })
            }
            Self::Regression(RegressionFit { problem, params }, mean) => {
                let params = RegressionParams { cost, ..*params }.check()?;
                let machine = regression::fit(problem, members, &params, None, progress)?;
                let stop = why(machine.stop, machine.passes, "passes");
                Ok(Fitted { coefficients: machine.coefficients, bias: machine.bias + mean, stop })
            }
        }
    }
}

fn why(stop: SolverStop, count: usize, unit: &str) -> String {
    match stop {
        SolverStop::Converged => format!("converged after {count} {unit}"),
        SolverStop::Limit => format!("stopped at the limit of {count} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Resources;
    use resay_learn::svm::spectrum;
    use resay_text::lexicon::OwnRelations;
    use resay_text::{Annotator, Interner, Sentence, Units};

    fn least(gram: &Gram) -> Result<f64> {
        spectrum::least(gram, Progress::none())
    }

    const KIN: &str = "tesrk(k=1,pattern=kin,variable=kin)";

    /// Parses a kernel over relations read from these lines.
    fn kin(kernel: &str, lines: &[&str]) -> Expression {
        let mut own = OwnRelations::new();
        own.read("own.tsv", lines.join("\n").replace(' ', "\t").as_bytes()).unwrap();
        Expression::parse(kernel, &|| Resources::bundled().lexicon_with(&own)).unwrap()
    }

    /// Eight pairs of words, in which each word is related only to its neighbours in the list.
    fn in_a_row() -> (Expression, Vec<Pair>) {
        let words = ["ash", "bay", "cob", "dun", "elm", "fen", "gum", "hay"];
        let mut lines: Vec<String> = words.iter().map(|word| format!("kin {word} {word}")).collect();
        for both in words.windows(2) {
            lines.extend([format!("kin {} {}", both[0], both[1]), format!("kin {} {}", both[1], both[0])]);
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        (kin(KIN, &lines), pairs(&words.map(|word| (word, word))))
    }

    fn pairs(texts: &[(&str, &str)]) -> Vec<Pair> {
        let (annotator, mut symbols) = (Annotator::new(Units::Tokens), Interner::new());
        let mut sentence = |text: &str| annotator.sentence(text, &mut symbols);
        texts.iter().map(|(source, target)| Pair { source: sentence(source), target: sentence(target) }).collect()
    }

    fn prepared(expression: &Expression, pairs: &[Pair], spectrum: Spectrum, n_train: usize) -> Prepared {
        let recipe = Recipe { expression, is_linear: false, spectrum, n_train, choose: None };
        Prepared::new(&recipe, pairs, Progress::none()).unwrap()
    }

    fn gram(prepared: &Prepared) -> &Gram {
        prepared.matrix.as_ref().unwrap().gram()
    }

    #[test]
    fn a_clipped_machine_scores_plain_rows_as_it_scored_its_own() {
        let (expression, pairs) = in_a_row();
        let bound = BoundKernel::new(&expression, &pairs[..6], Progress::none()).unwrap();
        let (plain, clipped) =
            (prepared(&expression, &pairs, Spectrum::Plain, 6), prepared(&expression, &pairs, Spectrum::Clip, 6));
        let leading = |gram: &Gram| Gram::new(6, (0..6).flat_map(|row| gram.row(row)[..6].to_vec()).collect());
        assert!(least(&leading(gram(&plain))).unwrap() < -0.01);
        assert!(least(&leading(gram(&clipped))).unwrap() > -1e-6);
        let labels = [true, true, false, true, false, false, true, false];
        let check = |prepared: &Prepared, expected: &str| {
            let how = HowToFit { loss: linear::Loss::default(), balanced: false, seed: 1 };
            let target = HeadTarget::Labels(labels.to_vec());
            let problem = Problem::new(prepared, &target, how, &[], Progress::none()).unwrap();
            let own = problem.fit(&[0, 1, 2, 3, 4, 5], 10.0, Exactness::KEPT, Progress::none()).unwrap();
            let own_scores = |row: usize| -> f64 {
                own.coefficients.iter().zip(gram(prepared).row(row)).map(|(a, &value)| a * f64::from(value)).sum()
            };
            let own_scores: Vec<f64> = (0..8).map(own_scores).collect();
            let fitted = prepared.for_plain_rows(own, 6);
            assert_eq!(fitted.coefficients.len(), 6);
            assert!(fitted.stop.ends_with(expected), "{}", fitted.stop);
            let mut row = [0.0; 6];
            for (pair, own_score) in pairs.iter().zip(own_scores) {
                bound.row(pair, &mut row, Progress::none()).unwrap();
                let score: f64 = fitted.coefficients.iter().zip(row).map(|(a, value)| a * value).sum();
                assert!((score - own_score).abs() < 1e-5, "{score} instead of {own_score}");
            }
        };
        check(&plain, "support pairs");
        let n_negative = match &clipped.matrix {
            Some(Matrix::Clipped(clipped)) => clipped.vectors.len(),
            _ => 0,
        };
        let found = least(&leading(gram(&plain))).unwrap();
        check(&clipped, &format!(", {n_negative} negative eigenvalues clipped, the least {found:.3e}"));
    }

    #[test]
    fn relations_one_way_are_learned_from_as_if_both_ways_by_half_and_scored_as_they_are() {
        let lines = ["kin ash ash", "kin bay bay", "kin cob cob", "kin ash bay", "kin cob ash"];
        let expression = kin(&format!("raw({KIN})"), &lines);
        let pairs = pairs(&[("ash", "ash"), ("bay", "bay"), ("cob", "cob")]);
        let bound = BoundKernel::new(&expression, &pairs, Progress::none()).unwrap();
        assert!(!bound.is_symmetric());
        // Every two pairs count 1 for their linked words, and 1 more if the words are related.
        let plain = bound.square(Progress::none()).unwrap();
        assert_eq!(plain, Gram::new(3, vec![2.0, 2.0, 1.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]));
        let check = |n_train: usize, expected: [f32; 9]| {
            let found = prepared(&expression, &pairs, Spectrum::Plain, n_train);
            assert_eq!(gram(&found), &Gram::new(3, expected.to_vec()));
        };
        check(3, [2.0, 1.5, 1.5, 1.5, 2.0, 1.0, 1.5, 1.0, 2.0]);
        check(2, [2.0, 1.5, 1.0, 1.5, 2.0, 1.0, 2.0, 1.0, 2.0]);
    }

    #[test]
    fn where_rules_can_be_listed_there_is_nothing_to_clip() {
        let (_, pairs) = in_a_row();
        let expression: Expression = "kb(k=1)+pr".parse().unwrap();
        let found = [Spectrum::Plain, Spectrum::Clip].map(|spectrum| prepared(&expression, &pairs, spectrum, 8));
        assert!(matches!(found[1].matrix, Some(Matrix::Plain(_))));
        assert_eq!(gram(&found[0]), gram(&found[1]));
    }

    #[test]
    fn too_large_a_matrix_is_refused_before_it_is_made() {
        let empty = || Sentence::of_units(Vec::new());
        let pairs: Vec<Pair> = (0..=MAX_GRAM).map(|_| Pair { source: empty(), target: empty() }).collect();
        let check = |kernel: &str, is_linear: bool, expected: &str| {
            let expression: Expression = kernel.parse().unwrap();
            let n_train = pairs.len();
            let recipe =
                Recipe { expression: &expression, is_linear, spectrum: Spectrum::Plain, n_train, choose: None };
            let found = Prepared::new(&recipe, &pairs, Progress::none());
            assert_eq!(found.map_or_else(|error| error.to_string(), |_| "made".to_owned()), expected, "{kernel}");
        };
        let too_many = "32769 pairs are too many for a Gram matrix, at most 32768";
        check("pw(k=1)", false, &format!("{too_many}: use kb instead of pw, or fewer pairs"));
        check("kb(k=1)", false, &format!("{too_many}: use the linear learner, or fewer pairs"));
        check("kb(k=1)", true, "made");
        check(
            "pw(k=1)",
            true,
            "the rules of pw(k=1,lambda=1) cannot be listed for a linear machine: use the dual learner",
        );
    }
}
