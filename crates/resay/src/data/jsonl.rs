//! Reads pairs in JSON Lines, one object per line. Shared code with documents is in `json.rs`.
//! Non-standard keys are recognised in the first object and then apply to the whole file.

use super::columns::{Columns, Field, Recognised};
use super::format::FormatRow;
use super::json::{self, Value};
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use super::{Example, Label};
use crate::Result;
use std::io::BufRead;

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    endings: &[".jsonl", ".ndjson", ".json"],
    // An array is not valid here either, but this reader gives the best error message for it.
    is_likely: |start| matches!(start.first(), Some(b'{' | b'[')),
    ..FormatRow::new("jsonl", "at least one object", |name, input, columns| {
        Ok(Box::new(JsonlReader::new(LineReader::new(name, input), columns)?))
    })
};

/// Streams the objects of a file.
struct JsonlReader<I> {
    lines: LineReader<I>,
    /// Whether the first line has been read but not yet returned.
    is_waiting: bool,
    asked: Columns,
    /// The column names, with recognised names filled in.
    columns: Columns,
    recognised: Recognised,
    /// Describes a valid line, for messages.
    expected: String,
    n_rows: u64,
}

impl<I: BufRead> JsonlReader<I> {
    /// Reads the first line, whose keys determine the names for the whole file.
    fn new(mut lines: LineReader<I>, asked: &Columns) -> Result<Self> {
        let is_waiting = lines.advance_to_visible()?;
        let keys = if is_waiting { json::keys(lines.line()) } else { Vec::new() };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let (columns, recognised) = asked.recognise(&keys, "key").map_err(|message| lines.error(message))?;
        let (source, target) = (shorten(&columns.source), shorten(&columns.target));
        let expected = format!("one object a line with the keys \"{source}\" and \"{target}\"");
        Ok(Self { lines, is_waiting, asked: asked.clone(), columns, recognised, expected, n_rows: 0 })
    }

    /// Parses the object on the current line. The error says what is wrong.
    fn parse(&self) -> Result<Example, String> {
        let Columns { source, target, label, id, group } = &self.columns;
        let keys = [source, target, label, id, group, &self.asked.label].map(String::as_str);
        let [values @ .., standard_label] = json::object(self.lines.line(), keys, &self.expected)?;
        for (value, field) in values.iter().zip(Field::ALL) {
            if self.asked.required(field) && matches!(value, Value::Missing) {
                let name = shorten(self.columns.of(field));
                return Err(format!("no key \"{name}\"; add it, or say which key holds the {}", field.name()));
            }
        }
        let [source, target, label, id, group] = values;
        let label = if matches!(standard_label, Value::Missing) { label } else { standard_label };
        Ok(Example {
            source: source.into_text(&self.columns.source)?,
            target: target.into_text(&self.columns.target)?,
            label: match label {
                Value::Missing | Value::Null => None,
                Value::Text(text) => Label::new(&text),
                Value::Number(number) => Label::new(&number),
                Value::Bool(yes) => Label::new(if yes { "true" } else { "false" }),
                other => return Err(other.is_not(&self.columns.label, "a string, a number, true or false")),
            },
            id: id.into_name(&self.columns.id)?.unwrap_or_else(|| self.n_rows.to_string()),
            group: group.into_name(&self.columns.group)?,
            analyses: None,
        })
    }
}

impl<I: BufRead + Send> Rows<Example> for JsonlReader<I> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        if !std::mem::take(&mut self.is_waiting) && !self.lines.advance_to_visible()? {
            return Ok(None);
        }
        self.n_rows += 1;
        match self.parse() {
            Ok(example) => Ok(Some((self.lines.number(), example))),
            Err(message) => Err(self.lines.error(message)),
        }
    }

    fn recognised(&self) -> &[(String, &'static str)] {
        &self.recognised
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::{Format, PairReader};

    fn check(input: &str, expected: &[&str]) {
        testing::check(Format::Jsonl, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(Format::Jsonl, input, expected);
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
        // A repeated key that is not requested does no harm: no value is lost.
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
        let read = |input: &str, columns: &Columns| -> Result<Vec<_>> {
            PairReader::new("pairs", input.to_owned().as_bytes(), Some(Format::Jsonl), columns)?.collect()
        };
        let rows = read(r#"{"q":"x","a":"y"}"#, &columns).expect("read");
        assert_eq!(testing::show_all(&rows), ["1|1|x|x|y|~"]);
        let columns = Columns { label: "gold".into(), ..Columns::default() };
        assert_eq!(
            read(r#"{"source":"x","target":"y"}"#, &columns).expect_err("no gold").to_string(),
            "pairs:1: no key \"gold\"; add it, or say which key holds the label"
        );
    }

    #[test]
    fn other_names_are_recognised_in_the_first_object() {
        check(
            "\n{\"id\":7,\"Premise\":\"a\",\"Hypothesis\":\"b\",\"gold_label\":1}\n{\"Hypothesis\":\"d\",\"Premise\":\"c\"}",
            &["2|7|~|a|b|1", "3|2|~|c|d|~"],
        );
        // A standard label takes precedence in the row that has one.
        check(
            "{\"text1\":\"a\",\"text2\":\"b\",\"score\":1}\n{\"text1\":\"c\",\"text2\":\"d\",\"score\":1,\"label\":0}",
            &["1|1|~|a|b|1", "2|2|~|c|d|0"],
        );
        check_error(
            "{\"Premise\":\"a\",\"Hypothesis\":\"b\"}\n{\"premise\":\"a\"}",
            "pairs:2: no key \"Premise\"; add it, or say which key holds the source",
        );
        check_error(
            r#"{"text1":"a","text2":"b","question1":"c","question2":"d"}"#,
            "pairs:1: keys \"text1\" and \"text2\", but also \"question1\" and \"question2\"; \
             say which keys hold the source and the target",
        );
        check_error(
            r#"{"text2":"a"}"#,
            "pairs:1: key \"text2\", but no key \"text1\" beside it; say which keys hold the source and the target",
        );
    }
}
