//! The text format of a programme: variables, their features, constraints, and a score for each
//! variable unless features determine it.
//!
//! ```text
//! # A hash starts a comment. Words are separated by spaces.
//! maximise 2 ab + 1.5 ac - 0.5 drop   # scores of variables; all are 0 if missing
//! binary ab ac drop                   # variables that are 0 or 1
//! real y 0 4                          # a number between two bounds (-inf and inf are bounds too)
//! free z                              # any number
//! feature ab same-letter 1            # variable, feature, value
//! subject to
//! once: ab + ac + drop = 1            # the name is optional
//! 2 ab - ac <= y + 1                  # variables and numbers on both sides; <=, >= or =
//! ```
//! Declarations may appear anywhere before `subject to`, in any order. A variable's name is any
//! word that is not a number, a sign or a keyword, and contains no colon. Scores may be learned
//! instead of written: a variable's score is then the sum over its features of weight times value,
//! with weights by feature name.

use super::{ConstraintSense, Program};
use crate::{Error, Result};
use rustc_hash::FxHashMap;

/// Programmes with more variables are rejected.
const MAX_VARIABLES: usize = 100_000;
/// Programmes with more terms, in objective, features and constraints together, are rejected.
const MAX_TERMS: usize = 1_000_000;
/// Words that start a line and so cannot be names.
const KEY_WORDS: [&str; 7] = ["maximise", "maximize", "binary", "real", "free", "feature", "subject"];
/// Signs that cannot be names.
const SIGNS: [&str; 5] = ["+", "-", "<=", ">=", "="];

/// A programme read from text.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramFile {
    /// Variables and constraints.
    pub program: Program,
    /// The names of variables, by number.
    pub names: Vec<String>,
    /// Variable, feature and value, in file order.
    pub features: Vec<(usize, String, f64)>,
    /// The score of each variable as written; 0 if missing.
    pub objective: Vec<f64>,
}

/// The state of the parser.
struct Parser<'a> {
    file: &'a str,
    line: u64,
    numbers: FxHashMap<&'a str, usize>,
    n_terms: usize,
    parsed: ProgramFile,
}

impl Program {
    /// Parses a programme; `file` is its name in error messages.
    pub fn parse(file: &str, text: &str) -> Result<ProgramFile> {
        let parsed =
            ProgramFile { program: Self::new(), names: Vec::new(), features: Vec::new(), objective: Vec::new() };
        let mut parser = Parser { file, line: 0, numbers: FxHashMap::default(), n_terms: 0, parsed };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = || (1..).zip(text.lines()).map(|(at, line)| (at, words(line)));
        // Variables first: other lines may refer to variables declared below them.
        let mut constraints_from = u64::MAX;
        for (at, words) in lines() {
            parser.line = at;
            if words.first() == Some(&"subject") {
                if words[1..] != ["to"] {
                    return Err(parser.fault("expected 'subject to' and nothing else in this line"));
                }
                constraints_from = at;
                break;
            }
            parser.declare(&words)?;
        }
        let n_variables = parser.parsed.names.len();
        parser.parsed.objective = vec![0.0; n_variables];
        let mut objective_at = None;
        for (at, words) in lines() {
            parser.line = at;
            let Some((&first, others)) = words.split_first() else { continue };
            if at > constraints_from {
                parser.constraint(&words)?;
            } else if first == "feature" {
                parser.feature(others)?;
            } else if first == "maximise" || first == "maximize" {
                if let Some(before) = objective_at.replace(at) {
                    return Err(parser.fault(&format!("a second objective; the first is in line {before}")));
                }
                parser.objective(others)?;
            }
        }
        Ok(parser.parsed)
    }
}

/// Splits a line into words, without its comment.
fn words(line: &str) -> Vec<&str> {
    line.split('#').next().unwrap_or_default().split_whitespace().collect()
}

impl<'a> Parser<'a> {
    fn fault(&self, message: &str) -> Error {
        Error::line(self.file, self.line, message)
    }

    /// Parses a line before `subject to` and adds the variables it declares.
    fn declare(&mut self, words: &[&'a str]) -> Result<()> {
        match words {
            [] | ["feature" | "maximise" | "maximize", ..] => Ok(()),
            ["binary" | "free"] => Err(self.fault("expected names of variables after the key word")),
            ["binary", names @ ..] => names.iter().try_for_each(|name| self.variable(name, None)),
            ["free", names @ ..] => {
                names.iter().try_for_each(|name| self.variable(name, Some((f64::NEG_INFINITY, f64::INFINITY))))
            }
            ["real", name, least, most] => {
                let bounds = (self.bound(least)?, self.bound(most)?);
                if bounds.0 > bounds.1 || bounds.0 == f64::INFINITY || bounds.1 == f64::NEG_INFINITY {
                    return Err(self.fault(&format!("bounds {least} and {most}: expected the smaller one first")));
                }
                self.variable(name, Some(bounds))
            }
            ["real", ..] => Err(self.fault("expected 'real NAME LEAST MOST'")),
            ["minimise" | "minimize", ..] => {
                Err(self.fault("only 'maximise' is known: turn the signs round and maximise"))
            }
            [other, ..] => Err(self.fault(&format!(
                "'{other}' begins no declaration; expected binary, real, free, feature, maximise, or 'subject to' \
                before the constraints"
            ))),
        }
    }

    fn variable(&mut self, name: &'a str, bounds: Option<(f64, f64)>) -> Result<()> {
        if KEY_WORDS.contains(&name) || SIGNS.contains(&name) || name.contains(':') || name.parse::<f64>().is_ok() {
            return Err(self.fault(&format!(
                "'{name}' cannot be a variable: a name is no number, no sign, no key word, and has no colon"
            )));
        }
        if self.parsed.names.len() >= MAX_VARIABLES {
            return Err(self.fault(&format!("more than {MAX_VARIABLES} variables; split the programme")));
        }
        let number = match bounds {
            None => self.parsed.program.binary(name),
            Some((least, most)) => self.parsed.program.real(name, least, most),
        };
        if self.numbers.insert(name, number).is_some() {
            return Err(self.fault(&format!("the variable '{name}' is declared twice")));
        }
        self.parsed.names.push(name.to_owned());
        Ok(())
    }

    /// Parses `feature VARIABLE FEATURE VALUE`, without the first word.
    fn feature(&mut self, words: &[&'a str]) -> Result<()> {
        let [variable, feature, value] = words else {
            return Err(self.fault("expected 'feature VARIABLE FEATURE VALUE'"));
        };
        let (variable, value) = (self.known(variable)?, self.number(value)?);
        self.count_term()?;
        self.parsed.features.push((variable, (*feature).to_owned(), value));
        Ok(())
    }

    fn objective(&mut self, words: &[&'a str]) -> Result<()> {
        let (terms, constant) = self.sum(words)?;
        if constant != 0.0 {
            return Err(self.fault("a number without a variable; expected 'NUMBER VARIABLE + NUMBER VARIABLE ...'"));
        }
        for (variable, factor) in terms {
            self.parsed.objective[variable] += factor;
        }
        match self.parsed.objective.iter().all(|score| score.is_finite()) {
            true => Ok(()),
            false => Err(self.fault("the score of a variable is too large")),
        }
    }

    fn constraint(&mut self, words: &[&'a str]) -> Result<()> {
        let (name, words) = match words.iter().position(|word| word.ends_with(':')) {
            Some(at) => (words[..=at].join(" ").trim_end_matches(':').to_owned(), &words[at + 1..]),
            None => (String::new(), words),
        };
        let relations: Vec<usize> = (0..words.len()).filter(|&at| ["<=", ">=", "="].contains(&words[at])).collect();
        let [at] = relations[..] else {
            return Err(self.fault("expected a constraint such as 'a + 2 b <= 1', with one <=, >= or ="));
        };
        let relation = match words[at] {
            "<=" => ConstraintSense::AtMost,
            ">=" => ConstraintSense::AtLeast,
            _ => ConstraintSense::Equal,
        };
        let (mut terms, left) = self.sum(&words[..at])?;
        let (right_terms, right) = self.sum(&words[at + 1..])?;
        if terms.is_empty() && right_terms.is_empty() {
            return Err(self.fault("a constraint without a variable"));
        }
        terms.extend(right_terms.iter().map(|&(variable, factor)| (variable, -factor)));
        let bound = right - left;
        if !bound.is_finite() {
            return Err(self.fault("the bound of the constraint is too large"));
        }
        self.parsed.program.constrain(name, &terms, relation, bound);
        Ok(())
    }

    /// Parses `[SIGN] [NUMBER] VARIABLE SIGN [NUMBER] VARIABLE ...`. Returns its terms, and the sum
    /// of the numbers without a variable.
    fn sum(&mut self, words: &[&'a str]) -> Result<(Vec<(usize, f64)>, f64)> {
        let (mut terms, mut constant, mut at) = (Vec::new(), 0.0, 0);
        if words.is_empty() {
            return Err(self.fault("a sum is missing; expected for example 'a + 2 b'"));
        }
        while at < words.len() {
            let sign = match words[at] {
                "+" => 1.0,
                "-" => -1.0,
                _ if at == 0 => 1.0,
                other => return Err(self.fault(&format!("'{other}' stands where + or - was expected"))),
            };
            if ["+", "-"].contains(&words[at]) {
                at += 1;
            }
            let Some(&word) = words.get(at) else { return Err(self.fault("the sum ends with a sign")) };
            at += 1;
            if word.parse::<f64>().is_err() {
                terms.push((self.known(word)?, sign));
            } else {
                let number = self.number(word)?;
                match words.get(at) {
                    Some(next) if !SIGNS.contains(next) => {
                        terms.push((self.known(next)?, sign * number));
                        at += 1;
                    }
                    _ => constant += sign * number,
                }
            }
            self.count_term()?;
        }
        Ok((terms, constant))
    }

    /// Returns the number of a declared variable.
    fn known(&self, name: &str) -> Result<usize> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let names = &self.parsed.names;
            let more = if names.len() > 8 { " ..." } else { "" };
            let declared = match names.len() {
                0 => "no variable is declared at all; declare it by a line such as 'binary ab'".to_owned(),
                n => format!("declared are: {}{more}", names[..n.min(8)].join(", ")),
            };
            self.fault(&format!("no variable '{name}' is declared; {declared}"))
        })
    }

    /// Parses a finite number.
    fn number(&self, word: &str) -> Result<f64> {
        word.parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.fault(&format!("'{word}' stands where a number such as 1, -0.5 or 2e3 was expected")))
    }

    /// Parses a bound of a variable, which may be infinite.
    fn bound(&self, word: &str) -> Result<f64> {
        word.parse()
            .ok()
            .filter(|number: &f64| !number.is_nan())
            .ok_or_else(|| self.fault(&format!("'{word}' stands where a bound such as 0, 2.5 or -inf was expected")))
    }

    fn count_term(&mut self) -> Result<()> {
        self.n_terms += 1;
        if self.n_terms > MAX_TERMS {
            return Err(self.fault(&format!("more than {MAX_TERMS} terms; split the programme")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: &str = "\u{feff}# a toy\nmaximise 2 ab + 1.5 ac - 0.5 drop + ab\r\nbinary ab ac drop\nreal y 0 4\nfree z\n\
        feature ab same-letter 1\nfeature ac vowel -0.5 # a remark\n\nsubject to\nonce: ab + ac + drop = 1\n\
        at the end: 2 ab - ac <= y + 1\nz <= 3\n";

    #[test]
    fn a_whole_file() {
        let file = Program::parse("toy.lp", WHOLE).unwrap();
        assert_eq!(file.names, ["ab", "ac", "drop", "y", "z"]);
        assert_eq!(file.objective, [3.0, 1.5, -0.5, 0.0, 0.0]);
        assert_eq!(file.features, [(0, "same-letter".to_owned(), 1.0), (1, "vowel".to_owned(), -0.5)]);
        let mut expected = Program::new();
        ["ab", "ac", "drop"].iter().for_each(|name| _ = expected.binary(*name));
        expected.real("y", 0.0, 4.0);
        expected.real("z", f64::NEG_INFINITY, f64::INFINITY);
        expected.constrain("once", &[(0, 1.0), (1, 1.0), (2, 1.0)], ConstraintSense::Equal, 1.0);
        expected.constrain("at the end", &[(0, 2.0), (1, -1.0), (3, -1.0)], ConstraintSense::AtMost, 1.0);
        expected.constrain("", &[(4, 1.0)], ConstraintSense::AtMost, 3.0);
        assert_eq!(file.program, expected);
        let solution = file.program.solve(&file.objective, None).unwrap();
        assert_eq!((solution.values[0], solution.score), (1.0, 3.0));
    }

    #[test]
    fn nothing_is_a_programme_too() {
        let file = Program::parse("empty", "").unwrap();
        assert_eq!(file.program.solve(&[], None).unwrap().score, 0.0);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let check = |text: &str, expected: &str| {
            let error = Program::parse("f.lp", text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("binary a b\nfeature c x 1", "f.lp:2: no variable 'c' is declared; declared are: a, b");
        check("maximise a", "f.lp:1: no variable 'a' is declared; no variable is declared at all");
        check("binary a b c d e f g h i\nsubject to\nz = 1", "declared are: a, b, c, d, e, f, g, h ...");
        check("binary a\n\nbinary a", "f.lp:3: the variable 'a' is declared twice");
        check("binary 1e5", "'1e5' cannot be a variable");
        check("binary inf", "'inf' cannot be a variable");
        check("binary x:", "'x:' cannot be a variable");
        check("binary subject", "'subject' cannot be a variable");
        check("binary", "expected names of variables");
        check("real x 1", "expected 'real NAME LEAST MOST'");
        check("real x 1 nan", "'nan' stands where a bound");
        check("real x 2 1", "expected the smaller one first");
        check("binary a\nfeature a", "expected 'feature VARIABLE FEATURE VALUE'");
        check("binary a\nfeature a f NaN", "'NaN' stands where a number");
        check("binary a\nmaximise inf a", "'inf' stands where a number");
        check("binary a\nmaximise a\nmaximise a", "f.lp:3: a second objective; the first is in line 2");
        check("binary a\nmaximise a 2", "'2' stands where + or - was expected");
        check("binary a\nmaximise a +", "the sum ends with a sign");
        check("binary a\nmaximise 3", "a number without a variable");
        check("binary a\nmaximise 1e308 a + 1e308 a", "too large");
        check("binary a\nminimise a", "turn the signs round");
        check("binary a\na <= 1", "'a' begins no declaration");
        check("binary a\nsubject to a <= 1", "nothing else in this line");
        check("binary a\nsubject to\na 1", "f.lp:3: expected a constraint such as");
        check("binary a\nsubject to\na <= 1 <= 2", "expected a constraint such as");
        check("binary a\nsubject to\na <=", "a sum is missing");
        check("binary a\nsubject to\n1 <= 2", "a constraint without a variable");
        check("binary a\nsubject to\nbinary b", "expected a constraint such as");
        check(&(0..=MAX_VARIABLES).map(|v| format!("binary v{v}\n")).collect::<String>(), "more than 100000 variables");
        check(&format!("binary a\nmaximise a{}", " + a".repeat(MAX_TERMS)), "more than 1000000 terms");
    }

    proptest! {
        #[test]
        fn hostile_text_is_an_error_at_worst(
            text in prop_oneof![
                any::<String>(),
                proptest::collection::vec(
                    prop_oneof![
                        Just("binary a b\n"), Just("\nsubject to\n"), Just(" a "), Just(" b "), Just(" + "), Just(" - "),
                        Just(" <= "), Just(" = "), Just(" 1 "), Just(" -1e308 "), Just("\n"), Just("x: "), Just("real y 0 1\n"),
                        Just("feature a f 1\n"), Just("maximise "), Just("free z\n"), Just(" y "), Just("\u{feff}"), Just("#"),
                    ],
                    0..20,
                ).prop_map(|words| words.concat()),
            ]
        ) {
            // Neither parsing nor solving the result may panic.
            if let Ok(file) = Program::parse("any", &text) {
                _ = file.program.solve(&file.objective, None);
            }
        }
    }
}
