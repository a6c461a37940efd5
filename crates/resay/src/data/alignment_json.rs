//! Aligned pairs as JSON objects: `{"source": "a b", "target": "c", "sureAlign": "0-0",
//! "possibleAlign": "1-0"}`, in an array or one after another, with words separated by blanks.
//! Edinburgh++ is an array of such objects.

use super::alignment::{AlignedPair, parse_links, split_words};
use super::format::FormatRow;
use super::json::{self, Value};
use super::json_objects::ObjectReader;
use crate::Result;

pub(super) const FORMAT: FormatRow<AlignedPair> = FormatRow {
    other_names: &["edinburgh"],
    endings: &[".json", ".jsonl", ".ndjson"],
    is_certain: |start| matches!(start.first(), Some(b'{' | b'[')),
    ..FormatRow::new("json", "at least one object with \"source\", \"target\" and \"sureAlign\"", |name, input, ()| {
        let mut objects = ObjectReader::new(name, input);
        let mut n_rows = 0;
        Ok(Box::new(move || {
            let Some((line, object)) = objects.next_object()? else { return Ok(None) };
            n_rows += 1;
            match parse(&object, n_rows) {
                Ok(pair) => Ok(Some((line, pair))),
                Err(message) => Err(objects.error(line, message)),
            }
        }))
    })
};

/// Parses one object into a pair. The error says what is wrong.
fn parse(object: &str, row: u64) -> Result<AlignedPair, String> {
    let expected = "an object with the keys \"source\", \"target\" and \"sureAlign\"";
    let keys = ["id", "name", "source", "target", "sureAlign", "possibleAlign"];
    let [id, name, source, target, sure, possible] = json::object(object, keys, expected)?;
    let required = [("source", &source), ("target", &target), ("sureAlign", &sure)];
    if let Some((key, _)) = required.iter().find(|(_, value)| matches!(value, Value::Missing)) {
        return Err(format!("no key \"{key}\"; expected {expected}"));
    }
    let id = match id.into_name("id")? {
        Some(id) => Some(id),
        None => name.into_name("name")?,
    };
    let possible = match possible {
        Value::Missing | Value::Null => Vec::new(),
        other => parse_links(&other.into_text("possibleAlign")?)?,
    };
    AlignedPair::new(
        id.unwrap_or_else(|| row.to_string()),
        split_words(&source.into_text("source")?),
        split_words(&target.into_text("target")?),
        parse_links(&sure.into_text("sureAlign")?)?,
        possible,
    )
}

#[cfg(test)]
mod tests {
    use crate::data::AlignmentFormat;
    use crate::data::testing;

    fn check(input: &str, expected: &[&str]) {
        testing::check(AlignmentFormat::Json, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(AlignmentFormat::Json, input, expected);
    }

    #[test]
    fn objects() {
        check(
            "[\n {\"source\": \"It rains .\",\n  \"target\": \"rain !\", \"sureAlign\": \"2-1 1-0\", \"possibleAlign\": \"0-0\"},\n\
             {\"id\":\"x\",\"name\":\"y\",\"score\":[0.0],\"source\":\"a\",\"target\":\"a\",\"sureAlign\":\"\"}\n]",
            &["2|1|It rains .|rain !|1-0 2-1|0-0", "4|x|a|a||"],
        );
        check(
            "{\"name\":7,\"source\":\" a\\u00a0b \",\"target\":\"\",\"sureAlign\":\" \",\"possibleAlign\":null}\n\n\
             {\"id\":\"\",\"source\":\"a\",\"target\":\"b\",\"sureAlign\":\"0-0 0-0\",\"possibleAlign\":\"0-0\"}",
            &["1|7|a b|||", "3|2|a|b|0-0|"],
        );
        check("[]", &[]);
    }

    #[test]
    fn faults() {
        let expected = "expected an object with the keys \"source\", \"target\" and \"sureAlign\"";
        check_error("[{},\n{}]", &format!("pairs:1: no key \"source\"; {expected}"));
        check_error(
            "[{\"source\":\"a\",\"target\":\"b\",\"sureAlign\":\"0-0\"},\n{\"source\":\"a\",\"target\":\"b\"}]",
            &format!("pairs:2: no key \"sureAlign\"; {expected}"),
        );
        check_error(
            r#"{"source":["a"],"target":"b","sureAlign":""}"#,
            "pairs:1: key \"source\" is a list, expected a string",
        );
        check_error(
            r#"{"source":"a","target":"b","sureAlign":[]}"#,
            "pairs:1: key \"sureAlign\" is a list, expected a string",
        );
        check_error(
            r#"{"source":"a","target":"b","sureAlign":"","possibleAlign":1}"#,
            "pairs:1: key \"possibleAlign\" is a number, expected a string",
        );
        check_error(r#"{"source":"a","source":"b"}"#, "pairs:1: key \"source\" stands twice; keep one");
        check_error(
            "\n{\"source\":\"a b\",\"target\":\"b\",\"sureAlign\":\"1-0 0-1\"}",
            "pairs:2: link 0-1 points at no word: the source has 2 words and the target 1; expected source-target, counted from 0",
        );
        check_error(
            r#"{"source":"a","target":"b","sureAlign":"0:0"}"#,
            "pairs:1: \"0:0\" is no link; expected two numbers, source-target, counted from 0: 0-0 1-2",
        );
        check_error("{\n\"source\" 1}", "pairs:1: not JSON at byte 12: expected `:`; expected one object a line");
    }
}
