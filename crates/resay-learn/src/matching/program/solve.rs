//! Solves a programme by branch and bound over linear relaxations (the crate `microlp`), and
//! verifies every answer: it is rounded, checked against all constraints, and scored again from the
//! caller's own numbers.
//!
//! There is no time limit, since results must not depend on the clock. Work is counted instead, and
//! a programme that takes more than [`WORK`] is rejected: an incomplete search would not be
//! optimal. Scores are first divided by a power of two, so that the solver's tolerances do not
//! depend on their magnitude.

use super::super::check_scores;
use super::{ConstraintSense, Domain, Program, Solution};
use crate::{Error, Result};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolutionStatus, SolveOptions, Variable};

/// Tolerated distance of a value from 0 or 1.
const INTEGRAL: f64 = 1e-6;
/// The work limit of a search. A case, which is one relaxation solved on the way, counts as one
/// access to every variable and every term for every constraint, its worst case. The whole limit
/// then takes some seconds.
const WORK: u64 = 1_000_000_000;

impl Program {
    /// Returns the values with the highest score, given one score per variable; minus infinity
    /// fixes a variable at 0. `start` is a warm start, a choice of 0/1 variables; it is ignored if
    /// it is not feasible.
    pub fn solve(&self, scores: &[f64], start: Option<&[u32]>) -> Result<Solution> {
        self.solve_within(scores, start, WORK)
    }

    fn solve_within(&self, scores: &[f64], start: Option<&[u32]>, work: u64) -> Result<Solution> {
        check_scores(scores, self.n_variables())?;
        self.check_numbers()?;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let scale = scale_of(scores);
        let variables: Vec<Variable> = self
            .domains
            .iter()
            .zip(scores)
            .map(|(domain, &score)| match *domain {
                // A forbidden variable is 0, whatever its domain.
                Domain::Binary if score == f64::NEG_INFINITY => problem.add_var(0.0, (0.0, 0.0)),
                Domain::Real(..) if score == f64::NEG_INFINITY => problem.add_var(0.0, (0.0, 0.0)),
                Domain::Binary => problem.add_binary_var(score / scale),
                Domain::Real(least, most) => problem.add_var(score / scale, (least, most)),
            })
            .collect();
        for row in &self.rows {
            let terms: Vec<(Variable, f64)> =
                self.terms_of(row).iter().map(|&(v, factor)| (variables[v], factor)).collect();
            let relation = match row.relation {
                ConstraintSense::AtMost => ComparisonOp::Le,
                ConstraintSense::AtLeast => ComparisonOp::Ge,
                ConstraintSense::Equal => ComparisonOp::Eq,
            };
            problem.add_constraint(terms, relation, row.bound);
        }
        let mut options = SolveOptions::default();
        options.warm_start = self.hint(&variables, scores, start);
        let most_cases = work / (1 + self.n_variables() + self.terms.len()) as u64 / (1 + self.rows.len()) as u64;
        options.node_limit = Some(most_cases);
        let outcome = problem.solve_with(options).map_err(|error| self.explain(&error, scores))?;
        let solution = outcome
            .into_solution()
            .ok()
            .filter(|solution| solution.status() == SolutionStatus::Optimal)
            .ok_or_else(|| self.too_hard(most_cases))?;
        let values = variables.iter().map(|&variable| solution.var_value(variable)).collect();
        self.verified(values, scores, solution.objective() * scale)
    }

    /// Converts a feasible start for the solver. Programmes with continuous variables have none: a
    /// choice does not determine their values.
    fn hint(&self, variables: &[Variable], scores: &[f64], start: Option<&[u32]>) -> Option<Vec<(Variable, f64)>> {
        let start = start?;
        self.check_choice(start).ok()?;
        if start.iter().any(|&variable| scores[variable as usize] == f64::NEG_INFINITY) {
            return None;
        }
        let mut hint: Vec<(Variable, f64)> = variables.iter().map(|&variable| (variable, 0.0)).collect();
        start.iter().for_each(|&variable| hint[variable as usize].1 = 1.0);
        Some(hint)
    }

    /// Rounds binary variables and verifies the whole solution.
    fn verified(&self, mut values: Vec<f64>, scores: &[f64], claimed: f64) -> Result<Solution> {
        for (variable, value) in values.iter_mut().enumerate() {
            if self.is_binary(variable) {
                let rounded = value.round();
                if (rounded - *value).abs() > INTEGRAL || !(0.0..=1.0).contains(&rounded) {
                    return Err(wrong(&format!("{} is {value}, expected 0 or 1", self.name(variable))));
                }
                // Not minus zero.
                *value = if rounded == 1.0 { 1.0 } else { 0.0 };
            }
        }
        self.check(&values).map_err(|error| wrong(&error.to_string()))?;
        let (mut score, mut size) = (0.0, 1.0);
        for (&value, &of_one) in values.iter().zip(scores).filter(|(value, _)| **value != 0.0) {
            if of_one == f64::NEG_INFINITY {
                return Err(wrong("it chose a variable that is forbidden"));
            }
            score += of_one * value;
            size += (of_one * value).abs();
        }
        if (score - claimed).abs() > 1e-6 * size || !score.is_finite() {
            return Err(wrong(&format!("it claims a score of {claimed} for a choice that scores {score}")));
        }
        Ok(Solution { values, score })
    }

    /// Rejects numbers that are not finite and variables that do not exist.
    fn check_numbers(&self) -> Result<()> {
        for (variable, domain) in self.domains.iter().enumerate() {
            if let Domain::Real(least, most) = *domain
                && (least.is_nan()
                    || most.is_nan()
                    || least > most
                    || least == f64::INFINITY
                    || most == f64::NEG_INFINITY)
            {
                return Err(Error::parameter(format!(
                    "{} may lie between {least} and {most}; expected the smaller bound first",
                    self.name(variable)
                )));
            }
        }
        for (at, row) in self.rows.iter().enumerate() {
            if !row.bound.is_finite() {
                let name = self.row_name(at);
                return Err(Error::parameter(format!("the bound of {name} is {}; expected a number", row.bound)));
            }
            for &(variable, factor) in self.terms_of(row) {
                let name = self.row_name(at);
                if variable >= self.n_variables() {
                    let n = self.n_variables();
                    return Err(Error::parameter(format!("{name} names variable {variable}; there are {n}, from 0")));
                }
                if !factor.is_finite() {
                    let variable = self.name(variable);
                    return Err(Error::parameter(format!("{name} has {factor} {variable}; expected a number")));
                }
            }
        }
        Ok(())
    }

    /// The error if a search exceeds its work limit.
    fn too_hard(&self, n_cases: u64) -> Error {
        Error::data(format!(
            "the best choice of {} variables under {} constraints was not found within {n_cases} cases; take variables \
            or constraints away, or split the programme",
            self.n_variables(),
            self.rows.len()
        ))
    }

    /// Turns a solver error into a message that names its likely cause.
    fn explain(&self, error: &microlp::Error, scores: &[f64]) -> Error {
        match error {
            microlp::Error::Infeasible => Error::data(match self.impossible_row(scores) {
                Some(row) => format!(
                    "no choice meets all constraints: {} alone cannot be met; change it, or allow one of its variables",
                    self.row_name(row)
                ),
                None => format!(
                    "no choice meets all {} constraints together, though each alone could be met; \
                    take some away until one is found that the others contradict",
                    self.rows.len()
                ),
            }),
            microlp::Error::Unbounded => {
                let names = self.unbounded_names(scores);
                Error::data(format!(
                    "the programme is unbounded: nothing keeps {names} from growing; add a constraint or a bound"
                ))
            }
            other => Error::data(format!(
                "the solver of the programme gave up ({other}); bring factors closer to each other in size, or take \
                constraints away"
            )),
        }
    }

    /// Returns a constraint that cannot be satisfied within the bounds, regardless of the others.
    fn impossible_row(&self, scores: &[f64]) -> Option<usize> {
        self.rows.iter().position(|row| {
            let (mut least, mut most) = (0.0, 0.0);
            for &(variable, factor) in self.terms_of(row) {
                let (low, high) = match self.domains[variable] {
                    _ if scores[variable] == f64::NEG_INFINITY => (0.0, 0.0),
                    Domain::Binary => (0.0, 1.0),
                    Domain::Real(low, high) => (low, high),
                };
                if factor != 0.0 {
                    let (a, b) = (factor * low, factor * high);
                    least += a.min(b);
                    most += a.max(b);
                }
            }
            match row.relation {
                ConstraintSense::AtMost => least > row.bound,
                ConstraintSense::AtLeast => most < row.bound,
                ConstraintSense::Equal => least > row.bound || most < row.bound,
            }
        })
    }

    /// Names the first few variables without a bound in the direction in which their score grows.
    fn unbounded_names(&self, scores: &[f64]) -> String {
        let open = |score: f64, domain: &Domain| match *domain {
            Domain::Binary => false,
            Domain::Real(least, most) => {
                (score >= 0.0 && most == f64::INFINITY) || (score <= 0.0 && least == f64::NEG_INFINITY)
            }
        };
        let is_open = |variable: &usize| open(scores[*variable], &self.domains[*variable]);
        // A variable with a score of its own is the most helpful to name.
        let scored = (0..self.n_variables()).filter(is_open).filter(|&variable| scores[variable] != 0.0);
        let names: Vec<String> = scored.take(3).map(|variable| self.name(variable)).collect();
        if names.is_empty() { "a variable".to_owned() } else { names.join(", ") }
    }
}

/// The error for an answer that fails verification.
fn wrong(what: &str) -> Error {
    Error::data(format!(
        "the solver of the programme gave a wrong answer, which was refused: {what}; this is a fault of the solver, \
        try the programme with other scores or fewer constraints"
    ))
}

/// A power of two near the largest score: dividing by it is exact and brings scores close to 1.
fn scale_of(scores: &[f64]) -> f64 {
    let largest = scores.iter().filter(|score| score.is_finite()).fold(0.0, |most: f64, score| most.max(score.abs()));
    if largest == 0.0 { 1.0 } else { largest.log2().floor().clamp(-1000.0, 1000.0).exp2() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::Space;

    /// A knapsack with three items.
    fn bag(room: f64) -> Program {
        let mut program = Program::new();
        let things: Vec<usize> = ["lamp", "rope", "tent"].iter().map(|name| program.binary(*name)).collect();
        program.constrain(
            "bag",
            &[(things[0], 1.0), (things[1], 2.0), (things[2], 3.0)],
            ConstraintSense::AtMost,
            room,
        );
        program
    }

    #[test]
    fn a_bag_is_packed() {
        let check = |room: f64, scores: [f64; 3], expected: &[u32], expected_score: f64| {
            let choice = bag(room).best(&scores, None, &mut ()).unwrap();
            assert_eq!((choice.active.as_slice(), choice.score), (expected, expected_score));
            // Neither a good start nor an invalid one changes the result.
            for start in [expected, &[0, 1, 2], &[0, 0], &[9], &[2]] {
                assert_eq!(bag(room).best(&scores, Some(start), &mut ()).unwrap().score, expected_score);
            }
        };
        check(3.0, [1.0, 2.0, 2.5], &[0, 1], 3.0);
        check(3.0, [1.0, 2.0, 3.5], &[2], 3.5);
        check(3.0, [1.0, f64::NEG_INFINITY, -1.0], &[0], 1.0);
        check(9.0, [1e-9, 2e-9, -1e-9], &[0, 1], 1e-9 + 2e-9);
        check(9.0, [1e12, -2e12, 1e12], &[0, 2], 2e12);
        check(3.0, [0.0, 0.0, 0.0], &[], 0.0);
    }

    #[test]
    fn continuous_variables_have_values() {
        let mut program = bag(3.0);
        let weight = program.real("weight", 0.0, 4.0);
        program.constrain("half", &[(weight, 1.0), (0, -0.5), (1, -0.5)], ConstraintSense::AtMost, 0.0);
        let solution = program.solve(&[1.0, 1.0, 1.0, 2.0], None).unwrap();
        assert_eq!(solution.values[..3], [1.0, 1.0, 0.0]);
        assert!((solution.values[3] - 1.0).abs() < 1e-9 && (solution.score - 4.0).abs() < 1e-9);
        assert_eq!(program.best(&[1.0, 1.0, 1.0, 2.0], Some(&[0]), &mut ()).unwrap().active, [0, 1]);
    }

    #[test]
    fn what_cannot_be_solved_is_said() {
        let check = |program: &Program, scores: &[f64], expected: &str| {
            let error = program.solve(scores, None).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&bag(-1.0), &[1.0; 3], "constraint 'bag' alone cannot be met");
        let mut both = bag(3.0);
        both.constrain("", &[(0, 1.0), (2, 1.0)], ConstraintSense::AtLeast, 2.0);
        check(&both, &[1.0; 3], "no choice meets all 2 constraints together");
        check(&both, &[1.0, 1.0, f64::NEG_INFINITY], "constraint 2 alone cannot be met");
        check(&bag(1.0), &[1.0], "1 scores for 3 parts");
        check(&bag(f64::NAN), &[1.0; 3], "the bound of constraint 'bag' is NaN");
        let mut open = bag(3.0);
        open.real("height", f64::NEG_INFINITY, f64::INFINITY);
        check(&open, &[1.0, 1.0, 1.0, 1.0], "unbounded: nothing keeps height from growing");
        open.constrain("", &[(7, 1.0)], ConstraintSense::Equal, 1.0);
        check(&open, &[1.0; 4], "constraint 2 names variable 7; there are 4");
        let mut factor = bag(3.0);
        factor.constrain("", &[(1, f64::INFINITY)], ConstraintSense::Equal, 1.0);
        check(&factor, &[1.0; 3], "constraint 2 has inf rope");
        let mut crossed = Program::new();
        crossed.real("x", 2.0, 1.0);
        check(&crossed, &[1.0], "x may lie between 2 and 1");
    }

    /// The pigeonhole problem: relaxations are uninformative, so every case is visited.
    fn pigeons(n_holes: usize) -> Program {
        let mut program = Program::new();
        let place = |pigeon: usize, hole: usize| pigeon * n_holes + hole;
        (0..(n_holes + 1) * n_holes).for_each(|number| _ = program.binary(format!("p{number}")));
        for pigeon in 0..=n_holes {
            let terms: Vec<_> = (0..n_holes).map(|hole| (place(pigeon, hole), 1.0)).collect();
            program.constrain("", &terms, ConstraintSense::AtLeast, 1.0);
            for (hole, other) in (0..n_holes).flat_map(|hole| (0..pigeon).map(move |other| (hole, other))) {
                let terms = [(place(pigeon, hole), 1.0), (place(other, hole), 1.0)];
                program.constrain("", &terms, ConstraintSense::AtMost, 1.0);
            }
        }
        program
    }

    #[test]
    fn a_search_without_an_end_is_given_up() {
        let program = pigeons(5);
        let scores = vec![1.0; program.n_variables()];
        let error = program.solve_within(&scores, None, 100_000).unwrap_err().to_string();
        assert!(
            error.contains("the best choice of 30 variables under 81 constraints was not found within 5 cases"),
            "{error}"
        );
        let error = program.solve(&scores, None).unwrap_err().to_string();
        assert!(error.contains("no choice meets all 81 constraints together"), "{error}");
    }

    #[test]
    fn wrong_answers_are_refused() {
        let check = |values: [f64; 3], claimed: f64, expected: &str| {
            let error = bag(3.0).verified(values.to_vec(), &[1.0, 2.0, f64::NEG_INFINITY], claimed).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        };
        check([0.5, 0.0, 0.0], 0.5, "lamp is 0.5, expected 0 or 1");
        check([2.0, 0.0, 0.0], 2.0, "lamp is 2, expected 0 or 1");
        check([1.0, 1.0, 1.0], 3.0, "constraint 'bag' is not met: its sum is 6, expected <= 3");
        check([0.0, 0.0, 1.0], 0.0, "a variable that is forbidden");
        check([1.0, 0.0, 0.0], 2.0, "claims a score of 2 for a choice that scores 1");
        let scores = [1.0, 2.0, f64::NEG_INFINITY];
        let right = bag(3.0).verified(vec![1.0 - 1e-9, 1.0, -0.0], &scores, 3.0).unwrap();
        assert_eq!((right.values, right.score), (vec![1.0, 1.0, 0.0], 3.0));
    }
}
