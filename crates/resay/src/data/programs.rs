//! Reads labelled 0/1 linear programmes, one JSON object per line.
//!
//! ```json
//! {"id": "order-1", "label": true, "features": {"items": 2},
//!  "variables": {"pear-plum": {"fruit": 1}, "pear-nail": {"other": 1}},
//!  "constraints": ["pear-plum + pear-nail <= 1"]}
//! ```
//!
//! `variables` names the binary variables, each with its features. Every assignment that satisfies
//! all `constraints` is a structure of the example. `features` are shared by all structures. A
//! constraint is a line in the text format of programmes ([`resay_learn::matching::program`]): sums
//! of variables and numbers on both sides of `<=`, `>=` or `=`, separated by blanks, optionally
//! preceded by a name and a colon. `label`, `id`, `features`, `constraints` and the free-text
//! `note` are optional. Any other key is rejected, because it may be a typo.

use super::lines::shorten;
use super::{LineReader, open};
use crate::{Error, Result};
use resay_learn::matching::Program;
use resay_learn::matching::program::ProgramFile;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;
use std::path::Path;

/// Maximum number of variables per example. Training solves the programme again in every round.
pub const MAX_PROGRAM_VARIABLES: usize = 1_000;
/// Maximum number of constraints per example.
pub const MAX_PROGRAM_CONSTRAINTS: usize = 1_000;
/// Maximum absolute value of a feature: training sums squares of values.
pub const MAX_FEATURE_VALUE: f64 = 1e6;

/// Features as `(name, value)`, with unique names.
pub type NamedFeatures = Vec<(String, f64)>;

/// One example: binary variables, the constraints between them, and features.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramExample {
    /// The id in the file, or the 1-based number of the example.
    pub id: String,
    /// The file it was read from.
    pub file: String,
    /// Its 1-based line in the file.
    pub line: u64,
    /// The label, if known.
    pub label: Option<bool>,
    /// Features shared by all structures.
    pub shared: NamedFeatures,
    /// The features of each variable, indexed by the variable's number in the programme.
    pub of_variables: Vec<NamedFeatures>,
    /// The variables and constraints.
    pub program: Program,
}

impl ProgramExample {
    /// Parses an example in the text format of programmes, including features. `file` is used in
    /// messages.
    pub fn parse(file: &str, text: &str, label: Option<bool>) -> Result<Self> {
        let ProgramFile { program, features, names, .. } = Program::parse(file, text)?;
        let mut of_variables = vec![Vec::new(); program.n_variables()];
        for (variable, feature, value) in features {
            let name = &names[variable];
            if !program.is_binary(variable) {
                let message =
                    format!("'{name}' has a feature but is not 0 or 1: declare it binary, or leave its features out");
                return Err(Error::file(file, message));
            }
            check_value(&feature, value)
                .map_err(|message| Error::file(file, format!("variable '{name}': {message}")))?;
            of_variables[variable].push((feature, value));
        }
        let id = "1".to_owned();
        Ok(Self { id, file: file.to_owned(), line: 1, label, shared: Vec::new(), of_variables, program })
    }

    /// Makes an error for this example that names its file and line.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::line(&self.file, self.line, message)
    }
}

/// The examples of one or more files.
#[derive(Clone, Debug, PartialEq)]
pub struct Programs {
    /// The file name as the user gave it.
    pub name: String,
    /// The examples in file order.
    pub examples: Vec<ProgramExample>,
}

impl Programs {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self> {
        let (name, input) = open(path)?;
        Self::from_reader(&name, input)
    }

    /// Reads all of `input`. `name` is used in messages.
    pub fn from_reader(name: &str, input: impl BufRead) -> Result<Self> {
        let examples = ProgramReader::new(name, input).collect::<Result<Vec<_>>>()?;
        if examples.is_empty() {
            return Err(Error::file(name, format!("no examples: expected {EXPECTED}")));
        }
        Ok(Self { name: name.to_owned(), examples })
    }

    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Returns whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Appends the examples of another file.
    pub fn append(&mut self, other: Self) {
        self.name.push('+');
        self.name.push_str(&other.name);
        self.examples.extend(other.examples);
    }

    /// Returns the label of every example. A missing label is an error.
    pub fn labels(&self) -> Result<Vec<bool>> {
        let label = |example: &ProgramExample| {
            example.label.ok_or_else(|| example.error("no label: add \"label\": true or \"label\": false"))
        };
        self.examples.iter().map(label).collect()
    }
}

/// Streams the examples of a file.
#[derive(Debug)]
pub struct ProgramReader<R> {
    lines: LineReader<R>,
    n_read: usize,
}

impl<R: BufRead> ProgramReader<R> {
    /// Starts reading `input`. `name` is used in messages.
    pub fn new(name: &str, input: R) -> Self {
        Self { lines: LineReader::new(name, input).of("example"), n_read: 0 }
    }
}

impl<R: BufRead> Iterator for ProgramReader<R> {
    type Item = Result<ProgramExample>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.lines.advance_to_text() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        self.n_read += 1;
        let example = example(self.lines.line(), self.n_read).map_err(|message| self.lines.error(message));
        Some(example.map(|example| ProgramExample {
            file: self.lines.name().to_owned(),
            line: self.lines.number(),
            ..example
        }))
    }
}

/// Describes a valid line, for messages.
const EXPECTED: &str = "one object per line such as {\"label\": true, \"variables\": {\"a\": {\"f\": 1}, \"b\": {}}, \
    \"constraints\": [\"a + b <= 1\"]}";

/// A line as deserialised.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the key \"variables\"")]
struct Written {
    #[serde(default)]
    id: Option<WrittenId>,
    #[serde(default)]
    label: Option<WrittenLabel>,
    #[serde(default)]
    features: Entries<f64>,
    variables: Entries<Entries<f64>>,
    #[serde(default)]
    constraints: Vec<String>,
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a whole number as id")]
enum WrittenId {
    Text(String),
    Number(i64),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected true or false as label")]
enum WrittenLabel {
    Bool(bool),
    Number(f64),
}

/// The entries of an object in file order, with unique keys.
struct Entries<V>(Vec<(String, V)>);

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<V> {
    type Value = Entries<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and their values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut entries, mut known) = (Vec::new(), rustc_hash::FxHashSet::default());
        while let Some(key) = map.next_key::<String>()? {
            // Prefixes an error in a value with its key.
            let at_key =
                |error: A::Error| A::Error::custom(format!("\"{}\": {}", shorten(&key), without_place(&error)));
            let value = map.next_value().map_err(at_key)?;
            if !known.insert(key.clone()) {
                return Err(A::Error::custom(format!("\"{}\" stands twice; keep one", shorten(&key))));
            }
            entries.push((key, value));
        }
        Ok(Entries(entries))
    }
}

/// Formats an error of serde_json without its position, which is relative to the line and so always
/// on line 1.
fn without_place(error: &impl fmt::Display) -> String {
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
    said.replace("expected f64", "expected a number")
}

/// Parses one line into an example. `number` is its 1-based position among the examples. The error
/// says what is wrong.
fn example(line: &str, number: usize) -> Result<ProgramExample, String> {
    let written: Written = serde_json::from_str(line).map_err(|error| {
        let (said, byte) = (without_place(&error), error.column());
        if error.is_data() { said } else { format!("not JSON at byte {byte}: {said}; expected {EXPECTED}") }
    })?;
    let variables = written.variables.0;
    let program = program(&variables, &written.constraints)?;
    let checked = |features: Entries<f64>, whose: &str| -> Result<NamedFeatures, String> {
        let fault = features.0.iter().try_for_each(|(feature, value)| check_value(feature, *value));
        fault.map_err(|message| format!("{whose}{message}")).map(|()| features.0)
    };
    let of_variables = variables
        .into_iter()
        .map(|(name, features)| checked(features, &format!("variable '{}': ", shorten(&name))))
        .collect::<Result<Vec<_>, String>>()?;
    Ok(ProgramExample {
        id: match written.id {
            Some(WrittenId::Text(id)) if !id.is_empty() => id,
            Some(WrittenId::Number(id)) => id.to_string(),
            _ => number.to_string(),
        },
        file: String::new(),
        line: 0,
        label: match written.label {
            None => None,
            Some(WrittenLabel::Bool(label)) => Some(label),
            Some(WrittenLabel::Number(1.0)) => Some(true),
            Some(WrittenLabel::Number(0.0)) => Some(false),
            Some(WrittenLabel::Number(other)) => {
                return Err(format!("a label of {other}, expected true or false (or 1 or 0)"));
            }
        },
        shared: checked(written.features, "")?,
        of_variables,
        program,
    })
}

/// Builds the programme of a line. Writes the variables and constraints in the text format, one per
/// line, and parses that text: an error in its line `n` is an error in the `n`-th of them.
fn program(variables: &[(String, Entries<f64>)], constraints: &[String]) -> Result<Program, String> {
    let limits = [
        ("variables", variables.len(), MAX_PROGRAM_VARIABLES),
        ("constraints", constraints.len(), MAX_PROGRAM_CONSTRAINTS),
    ];
    if let Some((what, found, most)) = limits.into_iter().find(|(_, found, most)| found > most) {
        return Err(format!("{found} {what}, at most {most} are solved; split the example or leave some out"));
    }
    if variables.is_empty() && !constraints.is_empty() {
        return Err("constraints, but no variables; name what they are about under \"variables\"".to_owned());
    }
    let mut text = String::new();
    for (name, _) in variables {
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '#') {
            return Err(format!("'{}' cannot be a variable: a name is one word without '#'", shorten(name)));
        }
        text.extend(["binary ", name, "\n"]);
    }
    text.push_str("subject to\n");
    let of_constraint = |at: usize, message: &str| {
        format!("constraint {} ('{}'): {message}", at + 1, shorten(constraints.get(at).map_or("", |text| text)))
    };
    for (at, constraint) in constraints.iter().enumerate() {
        let words = constraint.split('#').next().unwrap_or_default();
        if words.trim().is_empty() || constraint.contains('\n') {
            return Err(of_constraint(at, "expected one constraint such as 'a + 2 b <= 1'"));
        }
        text.extend([constraint, "\n"]);
    }
    Program::parse("", &text).map(|file| file.program).map_err(|error| match error {
        Error::Line { line, message, .. } => match (line as usize).checked_sub(variables.len() + 2) {
            Some(at) => of_constraint(at, &message),
            None => message,
        },
        other => other.to_string(),
    })
}

/// Rejects values too large to be summed in training.
fn check_value(feature: &str, value: f64) -> Result<(), String> {
    if value.abs() <= MAX_FEATURE_VALUE {
        return Ok(());
    }
    let feature = shorten(feature);
    Err(format!("feature '{feature}' is {value}, expected at most {MAX_FEATURE_VALUE} either way; scale it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use resay_learn::matching::program::ConstraintSense;

    const ONE: &str = "{\"id\": \"a\", \"label\": true, \"note\": [\"any\", 1], \"features\": {\"size\": 2.5}, \
        \"variables\": {\"v1\": {\"same fruit\": 1, \"near\": -0.5}, \"v2\": {}}, \
        \"constraints\": [\"once: v1 + v2 <= 1\", \"v1 - 2 v2 >= -1 # a remark\"]}";

    fn read(input: &str) -> Result<Programs> {
        Programs::from_reader("p.jsonl", input.as_bytes())
    }

    #[test]
    fn a_whole_line() {
        let programs = read(&format!("\u{feff}{ONE}\r\n\n{{\"variables\": {{}}, \"label\": 0}}\n")).unwrap();
        let mut program = Program::new();
        let (first, second) = (program.binary("v1"), program.binary("v2"));
        program.constrain("once", &[(first, 1.0), (second, 1.0)], ConstraintSense::AtMost, 1.0);
        program.constrain("", &[(first, 1.0), (second, -2.0)], ConstraintSense::AtLeast, -1.0);
        let named = |features: &[(&str, f64)]| -> NamedFeatures {
            features.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        let expected = ProgramExample {
            id: "a".to_owned(),
            file: "p.jsonl".to_owned(),
            line: 1,
            label: Some(true),
            shared: named(&[("size", 2.5)]),
            of_variables: vec![named(&[("same fruit", 1.0), ("near", -0.5)]), Vec::new()],
            program,
        };
        assert_eq!(programs.examples[0], expected);
        let second = &programs.examples[1];
        assert_eq!((&second.id[..], second.line, second.label, second.program.n_variables()), ("2", 3, Some(false), 0));
        assert_eq!((programs.len(), programs.labels().unwrap()), (2, vec![true, false]));
        let mut joined = programs.clone();
        joined.append(read("{\"id\": 7, \"variables\": {}}").unwrap());
        assert_eq!((&joined.name[..], &joined.examples[2].id[..]), ("p.jsonl+p.jsonl", "7"));
        let error = joined.labels().unwrap_err().to_string();
        assert_eq!(error, "p.jsonl:1: no label: add \"label\": true or \"label\": false");
    }

    #[test]
    fn faults_say_where_and_what_to_do() {
        let check = |line: &str, expected: &str| {
            let error = read(&format!("{ONE}\n{line}\n")).unwrap_err();
            let message = error.to_string();
            assert!(error.is_usage() && message.starts_with("p.jsonl:2: "), "{message}");
            assert!(message.contains(expected), "{message}, expected {expected}");
        };
        let with = |variables: &str, constraints: &str| {
            format!("{{\"variables\": {{{variables}}}, \"constraints\": [{constraints}]}}")
        };
        check("{", "not JSON at byte 1: EOF while parsing");
        check("[]", "expected an object with the key \"variables\"");
        check("{}", "missing field `variables`");
        check("{\"variables\": {}, \"constraint\": []}", "unknown field `constraint`, expected one of `id`");
        check("{\"variables\": {}, \"variables\": {}}", "duplicate field `variables`");
        check("{\"variables\": {}, \"label\": \"yes\"}", "expected true or false as label");
        check("{\"variables\": {}, \"label\": 2}", "a label of 2, expected true or false");
        check("{\"variables\": {}, \"id\": []}", "expected a string or a whole number as id");
        check("{\"variables\": {}, \"features\": {\"f\": NaN}}", "\"f\": expected value");
        check("{\"variables\": {}, \"features\": {\"f\": 1e7}}", "feature 'f' is 10000000, expected at most 1000000");
        check(&with("\"v\": {\"f\": \"1\"}", ""), "\"v\": \"f\": invalid type: string \"1\", expected a number");
        check(&with("\"v\": {\"f\": 1e999}", ""), "\"v\": \"f\": number out of range");
        check(&with("\"v\": {\"f\": -1e9}", ""), "variable 'v': feature 'f' is -1000000000, expected at most");
        check(&with("\"v\": {\"f\": 1, \"f\": 2}", ""), "\"v\": \"f\" stands twice; keep one");
        check(&with("\"v\": {}, \"v\": {}", ""), "\"v\" stands twice; keep one");
        check(&with("\"a b\": {}", ""), "'a b' cannot be a variable: a name is one word");
        check(&with("\"\": {}", ""), "'' cannot be a variable");
        check(&with("\"7\": {}", ""), "'7' cannot be a variable: a name is no number");
        check(
            &with("\"a\": {}", "\"a + c <= 1\""),
            "constraint 1 ('a + c <= 1'): no variable 'c' is declared; declared are: a",
        );
        check(&with("\"a\": {}", "\"a <= 1\", \"a < 1\""), "constraint 2 ('a < 1'): expected a constraint such as");
        check(&with("\"a\": {}", "\"a <= nan\""), "constraint 1 ('a <= nan'): 'nan' stands where a number");
        check(&with("\"a\": {}", "\" # a\""), "constraint 1 (' # a'): expected one constraint");
        check(&with("\"a\": {}", "\"a <= 1\\na >= 1\""), "constraint 1 ('a <= 1\\na >= 1'): expected one constraint");
        check(&with("", "\"a <= 1\""), "constraints, but no variables");
        let many: Vec<String> = (0..=MAX_PROGRAM_VARIABLES).map(|at| format!("\"v{at}\": {{}}")).collect();
        check(&with(&many.join(", "), ""), "1001 variables, at most 1000 are solved");
        let many = vec!["\"a <= 1\""; MAX_PROGRAM_CONSTRAINTS + 1].join(", ");
        check(&with("\"a\": {}", &many), "1001 constraints, at most 1000 are solved");
        check(&" \"".repeat(1 << 20), "expected one example a line: break it up");
        let empty = read("\n \n").unwrap_err().to_string();
        assert!(empty.starts_with("p.jsonl: no examples: expected one object per line"), "{empty}");
    }

    proptest! {
        #[test]
        fn hostile_lines_are_an_error_at_worst(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ":", ",", "\"variables\"", "\"constraints\"", "\"a\"", "\"b + a <= 1\"", "\"a = 1\"", "1", "-1e308",
                "null", "true", "\"label\"", "{\"variables\": {\"a\": {\"f\": 1}, \"b\": {}}, \"constraints\": [", "]}", "\n", "\"x: a >= 2\"",
            ]), 0..16)
        ) {
            for example in ProgramReader::new("any", pieces.concat().as_bytes()).flatten() {
                _ = example.program.solve(&vec![1.0; example.program.n_variables()], None);
            }
        }
    }
}
