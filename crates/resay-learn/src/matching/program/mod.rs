//! General 0/1 linear programmes: binary variables, linear constraints between them, and the choice
//! with the highest score.
//!
//! ```text
//! maximise   sum over v of score[v] x[v]
//! subject to sum over v of a[r, v] x[v]  <= or >= or =  bound[r]      for every constraint r
//!            x[v] is 0 or 1, or, where declared so, any number between two bounds
//! ```
//! Chang, Goldwasser, Roth and Srikumar (2010) state all latent structure this way (section 4).
//! Spaces with their own solvers are declared like this too, as a check of those solvers. Users may
//! declare a space that has no other solver, in code or in a file (`file.rs` has the format).
//!
//! Scores are given when a programme is solved, not when it is built: one space, many scores.
//! [`Program::solve`] returns all values, [`Space::best`] the variables that are 1.

mod file;
mod solve;

pub use file::ProgramFile;

use super::{Choice, Space};
use crate::{Error, Result};

/// Tolerated violation of a constraint, relative to the size of its terms, before a solution counts
/// as wrong.
const SLACK: f64 = 1e-6;

/// The sense of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintSense {
    /// The sum is at most the bound.
    AtMost,
    /// The sum is at least the bound.
    AtLeast,
    /// The sum equals the bound.
    Equal,
}

impl ConstraintSense {
    fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Equal => "=",
        }
    }
}

/// A value for every variable, with the score.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// One value per variable; exactly 0 or 1 unless the variable is continuous.
    pub values: Vec<f64>,
    /// The sum of score times value, added in the order of variables.
    pub score: f64,
}

/// The domain of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Domain {
    Binary,
    /// Any number between two bounds, which may be infinite.
    Real(f64, f64),
}

/// One constraint; its terms are `terms[start..end]` of the programme.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    name: String,
    start: usize,
    end: usize,
    relation: ConstraintSense,
    bound: f64,
}

/// A 0/1 linear programme without scores. Building never fails; errors are reported when it is
/// solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    names: Vec<String>,
    domains: Vec<Domain>,
    rows: Vec<Row>,
    /// Variable and factor, sorted by variable within a row and without duplicates.
    terms: Vec<(usize, f64)>,
}

impl Program {
    /// Returns a programme without variables or constraints.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a 0/1 variable and returns its number. The name is for messages and files; it may be
    /// empty.
    pub fn binary(&mut self, name: impl Into<String>) -> usize {
        self.add(name.into(), Domain::Binary)
    }

    /// Adds a continuous variable between two bounds, which may be infinite, and returns its
    /// number.
    pub fn real(&mut self, name: impl Into<String>, least: f64, most: f64) -> usize {
        self.add(name.into(), Domain::Real(least, most))
    }

    fn add(&mut self, name: String, domain: Domain) -> usize {
        self.names.push(name);
        self.domains.push(domain);
        self.names.len() - 1
    }

    /// Adds a constraint: the sum of factor times variable is at most, at least, or equal to the
    /// bound. Factors of a repeated variable are added up.
    pub fn constrain(
        &mut self,
        name: impl Into<String>,
        terms: &[(usize, f64)],
        relation: ConstraintSense,
        bound: f64,
    ) {
        let start = self.terms.len();
        self.terms.extend_from_slice(terms);
        self.terms[start..].sort_by_key(|term| term.0);
        let mut end = start;
        for at in start..self.terms.len() {
            if end > start && self.terms[end - 1].0 == self.terms[at].0 {
                self.terms[end - 1].1 += self.terms[at].1;
            } else {
                self.terms[end] = self.terms[at];
                end += 1;
            }
        }
        self.terms.truncate(end);
        self.rows.push(Row { name: name.into(), start, end, relation, bound });
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.names.len()
    }

    /// Number of constraints.
    pub fn n_constraints(&self) -> usize {
        self.rows.len()
    }

    /// Whether the variable exists and is binary.
    pub fn is_binary(&self, variable: usize) -> bool {
        self.domains.get(variable) == Some(&Domain::Binary)
    }

    /// Returns a variable's name, or its number if it has none.
    pub fn name(&self, variable: usize) -> String {
        match self.names.get(variable) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("variable {variable}"),
        }
    }

    /// Returns a constraint's name, or its 1-based number if it has none.
    fn row_name(&self, row: usize) -> String {
        match self.rows.get(row) {
            Some(Row { name, .. }) if !name.is_empty() => format!("constraint '{name}'"),
            _ => format!("constraint {}", row + 1),
        }
    }

    fn terms_of(&self, row: &Row) -> &[(usize, f64)] {
        &self.terms[row.start..row.end]
    }

    /// Checks that values, one per variable, satisfy all bounds and constraints up to rounding. The
    /// error names the first violation.
    pub fn check(&self, values: &[f64]) -> Result<()> {
        if values.len() != self.n_variables() {
            return Err(Error::parameter(format!("{} values for {} variables", values.len(), self.n_variables())));
        }
        for (variable, (&value, domain)) in values.iter().zip(&self.domains).enumerate() {
            let is_allowed = match *domain {
                Domain::Binary => value == 0.0 || value == 1.0,
                Domain::Real(least, most) => {
                    let slack = SLACK * (1.0 + value.abs());
                    value >= least - slack && value <= most + slack && value.is_finite()
                }
            };
            if !is_allowed {
                let name = self.name(variable);
                return Err(Error::data(format!("{name} is {value}, which it may not be")));
            }
        }
        for (at, row) in self.rows.iter().enumerate() {
            let (mut sum, mut size) = (0.0, 1.0 + row.bound.abs());
            for &(variable, factor) in self.terms_of(row) {
                sum += factor * values[variable];
                size += (factor * values[variable]).abs();
            }
            let (above, below) = (sum - row.bound > SLACK * size, row.bound - sum > SLACK * size);
            let is_met = match row.relation {
                ConstraintSense::AtMost => !above,
                ConstraintSense::AtLeast => !below,
                ConstraintSense::Equal => !above && !below,
            };
            if !is_met || sum.is_nan() {
                let (name, sign, bound) = (self.row_name(at), row.relation.sign(), row.bound);
                return Err(Error::data(format!("{name} is not met: its sum is {sum}, expected {sign} {bound}")));
            }
        }
        Ok(())
    }

    /// The same for a choice: listed variables are 1, others 0.
    pub fn check_choice(&self, active: &[u32]) -> Result<()> {
        let mut values = vec![0.0; self.n_variables()];
        for &variable in active {
            match values.get_mut(variable as usize) {
                Some(value) => *value = 1.0,
                None => return Err(Error::parameter(format!("there is no variable {variable}"))),
            }
        }
        self.check(&values)
    }
}

impl Space for Program {
    type Scratch = ();

    fn n_parts(&self) -> usize {
        self.n_variables()
    }

    /// `active` lists the binary variables that are 1. Continuous variables count in the score but
    /// are not listed (see [`Program::solve`]).
    fn best(&self, scores: &[f64], start: Option<&[u32]>, _scratch: &mut ()) -> Result<Choice> {
        let solution = self.solve(scores, start)?;
        let is_active = |variable: &usize| self.is_binary(*variable) && solution.values[*variable] == 1.0;
        let active = (0..self.n_variables()).filter(is_active).map(|variable| variable as u32).collect();
        Ok(Choice { active, score: solution.score })
    }

    fn program(&self) -> Program {
        self.clone()
    }
}
