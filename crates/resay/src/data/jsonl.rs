//! Pairs as one JSON object a line; `json.rs` has what this shares with documents.

use super::columns::{Columns, Field};
use super::json::{self, Value};
use super::lines::{LineReader, shorten};
use super::{Example, Label};
use crate::Result;
use std::io::BufRead;

/// Streams the objects of a file.
#[derive(Debug)]
pub(super) struct JsonlReader<R> {
    lines: LineReader<R>,
    columns: Columns,
    /// What a line should be, for messages.
    expected: String,
    n_rows: u64,
}

impl<R: BufRead> JsonlReader<R> {
    pub(super) fn new(lines: LineReader<R>, columns: &Columns) -> Self {
        let (source, target) = (shorten(&columns.source), shorten(&columns.target));
        let expected = format!("one object a line with the keys \"{source}\" and \"{target}\"");
        Self { lines, columns: columns.clone(), expected, n_rows: 0 }
    }

    /// The next object and its line.
    pub(super) fn next_example(&mut self) -> Result<Option<(u64, Example)>> {
        if !self.lines.advance_to_visible()? {
            return Ok(None);
        }
        self.n_rows += 1;
        match parse(self.lines.line(), &self.columns, &self.expected, self.n_rows) {
            Ok(example) => Ok(Some((self.lines.number(), example))),
            Err(message) => Err(self.lines.error(message)),
        }
    }
}

/// One object to one example, or what is wrong with it.
fn parse(line: &str, columns: &Columns, expected: &str, row: u64) -> Result<Example, String> {
    let keys = Field::ALL.map(|field| columns.of(field));
    let values = json::object(line, keys, expected)?;
    for (value, field) in values.iter().zip(Field::ALL) {
        if columns.required(field) && matches!(value, Value::Missing) {
            let name = shorten(columns.of(field));
            return Err(format!("no key \"{name}\"; add it, or say which key holds the {}", field.name()));
        }
    }
    let [source, target, label, id, group] = values;
    Ok(Example {
        source: source.into_text(&columns.source)?,
        target: target.into_text(&columns.target)?,
        label: match label {
            Value::Missing | Value::Null => None,
            Value::Text(text) => Label::new(&text),
            Value::Number(number) => Label::new(&number),
            Value::Bool(yes) => Label::new(if yes { "true" } else { "false" }),
            other => return Err(other.is_not(&columns.label, "a string, a number, true or false")),
        },
        id: id.into_name(&columns.id)?.unwrap_or_else(|| row.to_string()),
        group: group.into_name(&columns.group)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::Format;

    fn check(input: &str, expected: &[&str]) {
        testing::check(Format::Jsonl, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(Format::Jsonl, input.as_bytes(), expected);
    }

    #[test]
    fn objects() {
        check(r#"{"source":"a b","target":"c"}"#, &["1|1|~|a b|c|~"]);
        check("\u{feff}{\"target\":\"c\",\"source\":\"a\"}\r\n\r\n\t\n", &["1|1|~|a|c|~"]);
        check(r#"{"source":"a","target":"c","label":1,"id":7,"group":"q"}"#, &["1|7|q|a|c|1"]);
        check(r#"{"source":"a","target":"c","label":true,"id":"x","group":3}"#, &["1|x|3|a|c|true"]);
        check(r#"{"source":"a","target":"c","label":false}"#, &["1|1|~|a|c|false"]);
        check(r#"{"source":"a","target":"c","label":1.0}"#, &["1|1|~|a|c|1"]);
        check(r#"{"source":"a","target":"c","label":-1}"#, &["1|1|~|a|c|-1"]);
        check(r#"{"source":"a","target":"c","label":null,"id":null,"group":null}"#, &["1|1|~|a|c|~"]);
        check(r#"{"source":"","target":"","label":"","id":"","group":""}"#, &["1|1|~|||~"]);
        check(r#"{"source":"\"\u00e9\ud83d\ude00\n","target":"\t","other":[{"a":[1]}]}"#, &["1|1|~|\"é😀\n|\t|~"]);
        check(
            "{\"source\":\"a\",\"target\":\"b\"}\n\n{\"source\":\"c\",\"target\":\"d\"}",
            &["1|1|~|a|b|~", "3|2|~|c|d|~"],
        );
        // A key that nobody asks for may stand twice: nothing is lost.
        check(r#"{"source":"a","x":1,"target":"c","x":2}"#, &["1|1|~|a|c|~"]);
        check("", &[]);
    }

    #[test]
    fn faults() {
        let head = "{\"source\":\"a\",\"target\":\"b\"}\n";
        check_error(
            &format!("{head}{{\"source\":\"a\"}}"),
            "pairs:2: no key \"target\"; add it, or say which key holds the target",
        );
        check_error(r#"{"source":1,"target":"b"}"#, "pairs:1: key \"source\" is a number, expected a string");
        check_error(r#"{"source":"a","target":null}"#, "pairs:1: key \"target\" is null, expected a string");
        check_error(r#"{"source":["a"],"target":"b"}"#, "pairs:1: key \"source\" is a list, expected a string");
        check_error(
            r#"{"source":"a","target":"b","label":{"x":[]}}"#,
            "pairs:1: key \"label\" is an object, expected a string, a number, true or false",
        );
        check_error(
            r#"{"source":"a","target":"b","id":true}"#,
            "pairs:1: key \"id\" is true or false, expected a string or a number",
        );
        check_error(r#"{"source":"a","source":"b","target":"c"}"#, "pairs:1: key \"source\" stands twice; keep one");
        check_error(
            "[1, 2]",
            "pairs:1: invalid type: sequence, expected one object a line with the keys \"source\" and \"target\"",
        );
        check_error("source\ttarget", "pairs:1: not JSON at byte 1: expected value; expected one object a line");
        check_error("{", "pairs:1: not JSON at byte 1: EOF while parsing an object; expected one object a line");
        check_error(
            r#"{"source":"a","target":"b"} x"#,
            "pairs:1: not JSON at byte 29: trailing characters; expected one object a line",
        );
        check_error(
            r#"{"source":"\ud800","target":"b"}"#,
            "pairs:1: not JSON at byte 18: unexpected end of hex escape; expected one object a line",
        );
    }

    #[test]
    fn nesting_costs_no_stack() {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        check(&format!(r#"{{"x":{open}{close},"source":"a","target":"b"}}"#), &["1|1|~|a|b|~"]);
        check_error(
            &format!(r#"{{"source":{open}{close},"target":"b"}}"#),
            "pairs:1: key \"source\" is a list, expected a string",
        );
        check_error(
            &open,
            "pairs:1: invalid type: sequence, expected one object a line with the keys \"source\" and \"target\"",
        );
    }

    #[test]
    fn other_key_names_and_one_key_for_two_fields() {
        let columns = Columns { source: "q".into(), target: "a".into(), group: "q".into(), ..Columns::default() };
        let read = |input: &str| testing::read("pairs", Format::Jsonl, input.as_bytes(), &columns);
        assert_eq!(testing::show(&read(r#"{"q":"x","a":"y"}"#).expect("read")), ["1|1|x|x|y|~"]);
        let columns = Columns { label: "gold".into(), ..Columns::default() };
        let error = testing::read("pairs", Format::Jsonl, br#"{"source":"x","target":"y"}"#, &columns);
        assert_eq!(
            error.expect_err("no gold").to_string(),
            "pairs:1: no key \"gold\"; add it, or say which key holds the label"
        );
    }
}
