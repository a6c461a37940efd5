//! Hidden structures that are declared: each example is a 0/1 linear programme with features of its variables, in the text
//! of [`resay_learn::matching::program`]. Whoever has another task than ours writes its variables, features and constraints
//! down, and learns over them without a line of code.

use super::{LatentProblem, Sparse};
use crate::{Error, Result};
use resay_learn::matching::program::ProgramFile;
use resay_learn::matching::{Choice, Program, Space};
use resay_text::{Intern, Interner};

/// One example.
#[derive(Clone, Debug)]
struct Example {
    program: Program,
    /// Features of each variable, by number.
    features: Vec<Vec<(u32, f64)>>,
    is_positive: bool,
}

/// Labelled programmes. All structures share a feature that is always there, [`BIAS`].
#[derive(Clone, Debug)]
pub struct Declared {
    examples: Vec<Example>,
    names: Interner,
}

/// The name of the feature that every structure has.
pub const BIAS: &str = "(always)";

impl Default for Declared {
    fn default() -> Self {
        Self::new()
    }
}

impl Declared {
    /// No example yet.
    pub fn new() -> Self {
        let mut names = Interner::new();
        names.symbol(BIAS);
        Self { examples: Vec::new(), names }
    }

    /// Reads one example; `file` is what messages call its text. Features with the same name are the same in all examples.
    pub fn add(&mut self, file: &str, text: &str, is_positive: bool) -> Result<()> {
        let ProgramFile { program, features, names, .. } = Program::parse(file, text)?;
        let mut of_variable = vec![Vec::new(); program.n_variables()];
        for (variable, feature, value) in features {
            if !program.is_binary(variable) {
                let message = format!(
                    "'{}' has a feature but is not 0 or 1: declare it binary, or leave its features out",
                    names[variable]
                );
                return Err(Error::file(file, message));
            }
            of_variable[variable].push((self.names.symbol(&feature), value));
        }
        self.examples.push(Example { program, features: of_variable, is_positive });
        Ok(())
    }

    /// Weights by the names of features; 0 for what is not named.
    pub fn weights(&self, named: &[(&str, f64)]) -> Vec<f64> {
        let weight = |name: &str| named.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, weight)| *weight);
        self.names.strings().map(weight).collect()
    }

    /// The name of a feature.
    pub fn name(&self, feature: u32) -> Option<&str> {
        self.names.string(feature)
    }
}

impl LatentProblem for Declared {
    type Scratch = ();

    fn n_examples(&self) -> usize {
        self.examples.len()
    }

    fn n_features(&self) -> usize {
        self.names.len()
    }

    fn is_positive(&self, example: usize) -> bool {
        self.examples[example].is_positive
    }

    fn best(&self, example: usize, weights: &[f64], start: Option<&[u32]>, (): &mut ()) -> Result<Choice> {
        let Example { program, features, .. } = &self.examples[example];
        let score = |features: &Vec<(u32, f64)>| -> f64 {
            features.iter().map(|(feature, value)| weights[*feature as usize] * value).sum()
        };
        let scores: Vec<f64> = features.iter().map(score).collect();
        program.best(&scores, start, &mut Default::default())
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        let mut dense: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::from([(0, 1.0)]);
        for (feature, value) in active.iter().flat_map(|part| &self.examples[example].features[*part as usize]) {
            *dense.entry(*feature).or_default() += value;
        }
        dense.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latent::{LatentParams, learn, two_stage};
    use resay_learn::progress::Progress;

    /// A word of two letters is read left or right; the reading that looks best beforehand tells nothing.
    fn text(telling: &str) -> String {
        format!(
            "binary left right\nfeature left looks-good 1\nfeature right {telling} 1\nsubject to\none: left + right = 1\n"
        )
    }

    #[test]
    fn declared_programmes_are_learned_over() {
        let mut problem = Declared::new();
        for number in 0..30 {
            let is_positive = number < 10;
            problem.add("x.txt", &text(if is_positive { "vowel" } else { "consonant" }), is_positive).unwrap();
        }
        let all: Vec<usize> = (0..30).collect();
        let params = LatentParams { lambda: 0.01, ..LatentParams::default() };
        let heuristic = problem.weights(&[("looks-good", 1.0)]);
        let first = two_stage(&problem, &all, &heuristic, &params, Progress::none()).unwrap();
        let machine = learn(&problem, &all, &first.weights, &params, Progress::none(), &mut |_| Ok(())).unwrap();
        let score = |inference: &[f64], weights: &[f64], example: usize| {
            let choice = problem.best(example, inference, None, &mut ()).unwrap();
            problem.features(example, &choice.active).iter().map(|(f, v)| weights[*f as usize] * v).sum::<f64>()
        };
        let wrong = |inference: &[f64], weights: &[f64]| {
            all.iter().filter(|&&e| (score(inference, weights, e) > 0.0) != problem.is_positive(e)).count()
        };
        assert_eq!(wrong(&heuristic, &first.weights), 10);
        assert_eq!(wrong(&machine.weights, &machine.weights), 0);
        assert_eq!((problem.name(0), problem.name(9)), (Some(BIAS), None));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let check = |text: &str, expected: &str| {
            let mut problem = Declared::new();
            let error = problem.add("x.txt", text, true).and_then(|()| {
                let weights = vec![1.0; problem.n_features()];
                problem.best(0, &weights, None, &mut ()).map(|_| ())
            });
            let error = error.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check("binary a\nfeature b f 1\n", "x.txt:2: no variable 'b' is declared");
        check("binary a b\nfeature a f 1\nsubject to\na + b >= 3\n", "no choice meets all constraints");
        check("real y 0 4\nfeature y f 1\n", "is not 0 or 1");
    }
}
