//! Declared latent structures: each example is a 0/1 linear programme whose variables have
//! features. A user with a new task writes down its variables, features and constraints
//! (`data/programs.rs` defines the format) and trains a model without writing code.
//!
//! With `x[v]` = 1 for the variables of a structure h and 0 for the others,
//!
//! ```text
//! Φ(x, h) = 1 for the constant, + features of the example + Σ over v of x[v] · features of v
//! ```
//!
//! which is Eq. 1 of the paper plus the features that all structures of an example share. Features
//! with the same name are the same feature, whichever variable or example has them.

use super::{LatentProblem, Sparse};
use crate::data::ProgramExample;
use crate::{Error, Result};
use resay_learn::latent::dot;
use resay_learn::matching::{Choice, Program, Space};
use resay_text::{Intern, Interner};
use std::collections::BTreeMap;

/// The number of the constant, which every structure has and which has no name.
const CONSTANT: u32 = 0;

/// Named features, numbered from 1; number 0 is the constant.
#[derive(Clone, Debug, Default)]
pub struct ProgramFeatures(Interner);

impl ProgramFeatures {
    /// Features with these distinct names, in this order.
    pub fn new(names: Interner) -> Self {
        Self(names)
    }

    /// The number of features, including the constant.
    pub fn n_features(&self) -> usize {
        1 + self.0.len()
    }

    /// The names, ordered by feature number.
    pub fn names(&self) -> &Interner {
        &self.0
    }

    /// The name of a feature; `None` for the constant.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.0.string(number.checked_sub(1)?)
    }

    /// The number of a feature, if it is known.
    pub fn number(&self, name: &str) -> Option<u32> {
        Some(1 + self.0.get(name)?)
    }

    fn add(&mut self, name: &str) -> u32 {
        1 + self.0.symbol(name)
    }
}

/// An example with numbered features.
#[derive(Clone, Debug)]
pub struct NumberedProgram<'a> {
    program: &'a Program,
    /// Features that all structures share, the constant first.
    shared: Vec<(u32, f64)>,
    /// The features of each variable.
    of_variables: Vec<Vec<(u32, f64)>>,
}

impl<'a> NumberedProgram<'a> {
    /// Numbers the features of an example; drops unknown features.
    pub fn new(example: &'a ProgramExample, features: &ProgramFeatures) -> Self {
        Self::numbered(example, |name| features.number(name))
    }

    fn numbered(example: &'a ProgramExample, mut number: impl FnMut(&str) -> Option<u32>) -> Self {
        let mut numbered = |named: &[(String, f64)]| -> Vec<(u32, f64)> {
            named.iter().filter_map(|(name, value)| Some((number(name)?, *value))).collect()
        };
        let shared = std::iter::once((CONSTANT, 1.0)).chain(numbered(&example.shared)).collect();
        let of_variables = example.of_variables.iter().map(|features| numbered(features)).collect();
        Self { program: &example.program, shared, of_variables }
    }

    /// The structure with the highest score under these weights. Its score excludes the shared
    /// features.
    pub fn best(&self, weights: &[f64], start: Option<&[u32]>) -> Result<Choice> {
        let scores: Vec<f64> = self.of_variables.iter().map(|features| dot(features, weights)).collect();
        self.program.best(&scores, start, &mut ())
    }

    /// The score of a structure: the shared features first, then variable by variable.
    pub fn score(&self, active: &[u32], weights: &[f64]) -> f64 {
        active.iter().fold(dot(&self.shared, weights), |sum, &variable| sum + dot(self.of_variable(variable), weights))
    }

    /// Features that all structures share, the constant first.
    pub fn shared(&self) -> &[(u32, f64)] {
        &self.shared
    }

    /// The features of a variable; empty if the variable does not exist.
    pub fn of_variable(&self, variable: u32) -> &[(u32, f64)] {
        self.of_variables.get(variable as usize).map_or(&[], |features| features)
    }

    /// Φ of a structure.
    fn features(&self, active: &[u32]) -> Sparse {
        let chosen = active.iter().flat_map(|&variable| self.of_variable(variable));
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (feature, value) in self.shared.iter().chain(chosen) {
            *sums.entry(*feature).or_default() += value;
        }
        sums.into_iter().collect()
    }
}

/// Training examples; an example without a label is negative.
#[derive(Clone, Debug)]
pub struct ProgramProblem<'a> {
    examples: Vec<(&'a ProgramExample, NumberedProgram<'a>)>,
    features: ProgramFeatures,
}

impl<'a> ProgramProblem<'a> {
    /// Numbers features in order of their first occurrence.
    pub fn new(examples: impl IntoIterator<Item = &'a ProgramExample>) -> Self {
        let mut features = ProgramFeatures::default();
        let numbered = |example| (example, NumberedProgram::numbered(example, |name| Some(features.add(name))));
        let examples = examples.into_iter().map(numbered).collect();
        Self { examples, features }
    }

    /// All features of the examples.
    pub fn named_features(&self) -> &ProgramFeatures {
        &self.features
    }

    /// Weights for inferring the initial structures: as given by `named`, 0 for all others. If
    /// `named` is empty, every feature of a variable has weight 1, which selects as much as the
    /// constraints allow.
    pub fn first_weights(&self, named: &[(String, f64)]) -> Result<Vec<f64>> {
        let mut weights = vec![0.0; self.features.n_features()];
        for (name, weight) in named {
            let number = self.features.number(name).ok_or_else(|| {
                Error::parameter(format!("no example has the feature '{name}', which is to find the first structures"))
            })?;
            weights[number as usize] = *weight;
        }
        if named.is_empty() {
            let all = self.examples.iter().flat_map(|(_, example)| example.of_variables.iter().flatten());
            all.for_each(|(feature, _)| weights[*feature as usize] = 1.0);
        }
        Ok(weights)
    }

    /// The score of an example's best structure, which is chosen under the weights `inference`.
    pub fn score(&self, example: usize, inference: &[f64], weights: &[f64]) -> Result<f64> {
        let choice = self.best(example, inference, None, &mut ())?;
        Ok(self.examples[example].1.score(&choice.active, weights))
    }
}

impl LatentProblem for ProgramProblem<'_> {
    type Scratch = ();

    fn n_examples(&self) -> usize {
        self.examples.len()
    }

    fn n_features(&self) -> usize {
        self.features.n_features()
    }

    fn is_positive(&self, example: usize) -> bool {
        self.examples[example].0.label == Some(true)
    }

    /// An error names the location of the unsolvable programme.
    fn best(&self, example: usize, weights: &[f64], start: Option<&[u32]>, (): &mut ()) -> Result<Choice> {
        let (example, numbered) = &self.examples[example];
        numbered.best(weights, start).map_err(|error| example.error(error.to_string()))
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        self.examples[example].1.features(active)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latent::{LatentParams, learn, two_stage};
    use resay_learn::progress::Progress;

    /// A word is read from the left or from the right; the reading that looks better at first is
    /// uninformative.
    fn word(telling: &str, is_positive: bool) -> ProgramExample {
        let text = format!(
            "binary left right\nfeature left looks-good 1\nfeature right {telling} 1\nsubject to\none: left + right = 1\n"
        );
        ProgramExample::parse("x.txt", &text, Some(is_positive)).unwrap()
    }

    #[test]
    fn declared_programmes_are_learned_over() {
        let words: Vec<ProgramExample> =
            (0..30).map(|number| word(if number < 10 { "vowel" } else { "consonant" }, number < 10)).collect();
        let problem = ProgramProblem::new(&words);
        let all: Vec<usize> = (0..30).collect();
        let params = LatentParams { lambda: 0.01, ..LatentParams::default() };
        let heuristic = problem.first_weights(&[("looks-good".to_owned(), 1.0)]).unwrap();
        let first = two_stage(&problem, &all, &heuristic, &params, Progress::none()).unwrap();
        let machine = learn(&problem, &all, &first.weights, &params, Progress::none(), &mut |_| Ok(())).unwrap();
        let wrong = |inference: &[f64], weights: &[f64]| {
            let is_yes = |example: usize| problem.score(example, inference, weights).unwrap() > 0.0;
            all.iter().filter(|&&example| is_yes(example) != problem.is_positive(example)).count()
        };
        assert_eq!(wrong(&heuristic, &first.weights), 10);
        assert_eq!(wrong(&machine.weights, &machine.weights), 0);
    }

    #[test]
    fn features_have_numbers_and_the_constant_has_the_first() {
        let mut example = word("vowel", true);
        example.shared = vec![("length".to_owned(), 2.0), ("vowel".to_owned(), 0.5)];
        let problem = ProgramProblem::new([&example]);
        let features = problem.named_features();
        assert_eq!((features.n_features(), features.name(0), features.name(2)), (4, None, Some("vowel")));
        assert_eq!((features.number("length"), features.number("width"), features.name(9)), (Some(1), None, None));
        assert_eq!(problem.first_weights(&[]).unwrap(), [0.0, 0.0, 1.0, 1.0]);
        let named = problem.first_weights(&[("length".to_owned(), 3.0)]).unwrap();
        assert_eq!(named, [0.0, 3.0, 0.0, 0.0]);
        let unknown = problem.first_weights(&[("width".to_owned(), 1.0)]).unwrap_err().to_string();
        assert!(unknown.contains("no example has the feature 'width'"), "{unknown}");
        // The right reading has a feature that the example also has: 0.5 + 1.
        assert_eq!(problem.features(0, &[1]).to_vec(), [(0, 1.0), (1, 2.0), (2, 1.5)]);
        assert_eq!(problem.examples[0].1.score(&[1], &[10.0, 1.0, 2.0, 100.0]), 10.0 + 2.0 + 3.0);
        // Unknown features are dropped.
        let mut names = Interner::new();
        names.symbol("looks-good");
        let known = NumberedProgram::new(&example, &ProgramFeatures::new(names));
        assert_eq!(
            (known.shared(), known.of_variable(0), known.of_variable(1)),
            (&[(0, 1.0)][..], &[(1, 1.0)][..], &[][..])
        );
    }

    #[test]
    fn what_cannot_be_is_said() {
        let check = |text: &str, expected: &str| {
            let error = ProgramExample::parse("x.txt", text, Some(true)).and_then(|example| {
                let problem = ProgramProblem::new([&example]);
                problem.best(0, &vec![1.0; problem.n_features()], None, &mut ())
            });
            let error = error.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check("binary a\nfeature b f 1\n", "x.txt:2: no variable 'b' is declared");
        check("binary a b\nfeature a f 1\nsubject to\na + b >= 3\n", "x.txt:1: no choice meets all constraints");
        check("real y 0 4\nfeature y f 1\n", "'y' has a feature but is not 0 or 1");
        check("binary a\nfeature a f 1e7\n", "variable 'a': feature 'f' is 10000000, expected at most 1000000");
    }
}
