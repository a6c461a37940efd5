//! Reads documents in JSON Lines, one object per line: `{"text": "...", "labels": ["a", "b"], "id":
//! "x"}`. Shared code with pairs is in `json.rs`.
//!
//! Three states of labels are distinguished: known labels (a list, or a string for a single label),
//! known to have none (an empty list), and unknown (no key, null or an empty string). Unknown
//! labels are for text that is yet to be classified.

use super::Document;
use super::document::label_set;
use super::format::FormatRow;
use super::json::{self, Value};
use super::lines::LineReader;
use crate::Result;

pub(super) const FORMAT: FormatRow<Document> = FormatRow {
    endings: &[".jsonl", ".ndjson", ".json"],
    is_certain: begins_object,
    ..FormatRow::new("jsonl", "at least one object with the key \"text\"", |name, input, ()| {
        let mut lines = LineReader::of_documents(name, input);
        let mut n_rows = 0;
        Ok(Box::new(move || {
            if !lines.advance_to_visible()? {
                return Ok(None);
            }
            n_rows += 1;
            match parse(lines.line(), n_rows) {
                Ok(document) => Ok(Some((lines.number(), document))),
                Err(message) => Err(lines.error(message)),
            }
        }))
    })
};

/// An object begins with a brace and a quote. A brace or a bracket alone may begin a sentence.
fn begins_object(start: &[u8]) -> bool {
    start.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

/// Parses one object into a document. The error says what is wrong.
fn parse(line: &str, row: u64) -> Result<Document, String> {
    let expected = "one object a line with the keys \"text\" and, if known, \"labels\"";
    let [text, labels, id] = json::object(line, ["text", "labels", "id"], expected)?;
    if matches!(text, Value::Missing) {
        return Err("no key \"text\"; add it, with the document's text as a string".to_owned());
    }
    let labels = names(labels)?;
    Ok(Document {
        text: text.into_text("text")?,
        id: id.into_name("id")?.unwrap_or_else(|| row.to_string()),
        split: None,
        is_labelled: labels.is_some(),
        labels: label_set(labels.into_iter().flatten()),
    })
}

/// Returns the labels as written, or `None` if they are unknown.
fn names(labels: Value) -> Result<Option<Vec<String>>, String> {
    let items = match labels {
        Value::List(items) => items,
        Value::Missing | Value::Null => return Ok(None),
        Value::Text(text) if text.trim().is_empty() => return Ok(None),
        single @ (Value::Text(_) | Value::Number(_)) => vec![single],
        other => return Err(other.is_not("labels", "a list of strings")),
    };
    let name = |item: Value| match item {
        Value::Text(name) if name.trim().is_empty() => {
            Err("key \"labels\" holds an empty string; take it out, or name the label".to_owned())
        }
        Value::Text(name) | Value::Number(name) => Ok(name),
        other => Err(format!("key \"labels\" holds {}, expected strings only", other.kind())),
    };
    items.into_iter().map(name).collect::<Result<_, _>>().map(Some)
}

#[cfg(test)]
mod tests {
    use crate::data::DocumentFormat;
    use crate::data::testing;

    fn check(input: &str, expected: &[&str]) {
        testing::check(DocumentFormat::Jsonl, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(DocumentFormat::Jsonl, input, expected);
    }

    #[test]
    fn objects() {
        check(r#"{"text":"It rains.","labels":["wet","cold","wet"],"id":"x"}"#, &["1|x|cold wet|It rains."]);
        check("\u{feff}{\"text\":\"a\"}\r\n\r\n\t\n", &["1|1|?|a"]);
        check(r#"{"text":"a","labels":[]}"#, &["1|1||a"]);
        check(r#"{"text":"a","labels":null,"id":null}"#, &["1|1|?|a"]);
        check(r#"{"text":"a","labels":" "}"#, &["1|1|?|a"]);
        check(r#"{"text":"a","labels":" wet "}"#, &["1|1|wet|a"]);
        check(r#"{"text":"a","labels":7,"id":7}"#, &["1|7|7|a"]);
        check(r#"{"text":"a","labels":[2,"1"],"id":""}"#, &["1|1|1 2|a"]);
        check(r#"{"labels":[],"text":"","title":{"x":[1]}}"#, &["1|1||"]);
        check("{\"text\":\"a\\nb\"}\n\n{\"text\":\"\\u00e9\",\"labels\":[]}", &["1|1|?|a\nb", "3|2||é"]);
        check("", &[]);
    }

    #[test]
    fn faults() {
        check_error(
            "{\"text\":\"a\"}\n{\"labels\":[]}",
            "docs:2: no key \"text\"; add it, with the document's text as a string",
        );
        check_error(r#"{"text":["a"]}"#, "docs:1: key \"text\" is a list, expected a string");
        check_error(r#"{"text":null}"#, "docs:1: key \"text\" is null, expected a string");
        check_error(r#"{"text":"a","text":"b"}"#, "docs:1: key \"text\" stands twice; keep one");
        check_error(
            r#"{"text":"a","labels":{"x":1}}"#,
            "docs:1: key \"labels\" is an object, expected a list of strings",
        );
        check_error(
            r#"{"text":"a","labels":true}"#,
            "docs:1: key \"labels\" is true or false, expected a list of strings",
        );
        check_error(
            r#"{"text":"a","labels":["x",["y"]]}"#,
            "docs:1: key \"labels\" holds a list, expected strings only",
        );
        check_error(
            r#"{"text":"a","labels":["x",""]}"#,
            "docs:1: key \"labels\" holds an empty string; take it out, or name the label",
        );
        check_error(r#"{"text":"a","id":[]}"#, "docs:1: key \"id\" is a list, expected a string or a number");
        check_error(
            "[1]",
            "docs:1: invalid type: sequence, expected one object a line with the keys \"text\" and, if known, \"labels\"",
        );
        check_error("It rains.", "docs:1: not JSON at byte 1: expected value; expected one object a line");
        testing::check_error(
            DocumentFormat::Jsonl,
            b"{\"text\":\"caf\xe9\"}",
            "docs:1: byte 13 (0xe9) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
    }
}
