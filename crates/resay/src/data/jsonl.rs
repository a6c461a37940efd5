//! One JSON object a line. Only the five keys that are asked for are looked at; others are checked to be JSON and
//! dropped without being built. A key that stands twice is a fault, because one of its values would be lost silently.

use super::columns::{Columns, Field};
use super::lines::{LineReader, shorten};
use super::{Example, Label};
use crate::Result;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::io::BufRead;

/// Streams the objects of a file.
#[derive(Debug)]
pub(super) struct JsonlReader<R> {
    lines: LineReader<R>,
    columns: Columns,
    n_rows: u64,
}

impl<R: BufRead> JsonlReader<R> {
    pub(super) fn new(lines: LineReader<R>, columns: &Columns) -> Self {
        Self { lines, columns: columns.clone(), n_rows: 0 }
    }

    /// The next object and its line.
    pub(super) fn next_example(&mut self) -> Result<Option<(u64, Example)>> {
        loop {
            if !self.lines.advance_to_text()? {
                return Ok(None);
            }
            if !self.lines.line().trim_ascii().is_empty() {
                break;
            }
        }
        self.n_rows += 1;
        match parse(self.lines.line(), &self.columns, self.n_rows) {
            Ok(example) => Ok(Some((self.lines.number(), example))),
            Err(message) => Err(self.lines.error(message)),
        }
    }
}

/// One object to one example, or what is wrong with it.
fn parse(line: &str, columns: &Columns, row: u64) -> Result<Example, String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let object = Object { columns }.deserialize(&mut deserializer).and_then(|values| {
        deserializer.end()?;
        Ok(values)
    });
    let values = object.map_err(|error| not_an_object(&error))?;
    for (value, field) in values.iter().zip(Field::ALL) {
        if columns.required(field) && matches!(value, Value::Missing) {
            let name = shorten(columns.of(field));
            return Err(format!("no key \"{name}\"; add it, or name another with --{}-column NAME", field.name()));
        }
    }
    let [source, target, label, id, group] = values;
    let text = |value: Value, field: Field| match value {
        Value::Text(text) => Ok(text),
        other => Err(wrong_type(columns, field, &other, "a string")),
    };
    let scalar = |value: Value, field: Field| match value {
        Value::Missing | Value::Null => Ok(None),
        Value::Text(text) => Ok((!text.is_empty()).then_some(text)),
        Value::Number(number) => Ok(Some(number)),
        other => Err(wrong_type(columns, field, &other, "a string or a number")),
    };
    Ok(Example {
        source: text(source, Field::Source)?,
        target: text(target, Field::Target)?,
        label: match label {
            Value::Missing | Value::Null => None,
            Value::Text(text) => Label::new(&text),
            Value::Number(number) => Label::new(&number),
            Value::Bool(yes) => Label::new(if yes { "true" } else { "false" }),
            other => return Err(wrong_type(columns, Field::Label, &other, "a string, a number, true or false")),
        },
        id: scalar(id, Field::Id)?.unwrap_or_else(|| row.to_string()),
        group: scalar(group, Field::Group)?,
    })
}

fn wrong_type(columns: &Columns, field: Field, found: &Value, expected: &str) -> String {
    let found = match found {
        Value::Missing => "missing",
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::Text(_) => "a string",
        Value::List => "a list",
        Value::Object => "an object",
    };
    format!("key \"{}\" is {found}, expected {expected}", shorten(columns.of(field)))
}

/// What serde_json says, without its line number: it counts within the line and so always says 1.
fn not_an_object(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
    if error.is_data() {
        return said.to_owned();
    }
    format!("not JSON at byte {}: {said}; expected one object a line", error.column())
}

/// A value of one of the keys that are asked for.
#[derive(Clone)]
enum Value {
    Missing,
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List,
    Object,
}

/// Reads an object into the values of the fields, in the order of `Field::ALL`.
struct Object<'c> {
    columns: &'c Columns,
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = [Value; Field::ALL.len()];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = [Value; Field::ALL.len()];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, target) = (&self.columns.source, &self.columns.target);
        write!(f, "one object a line with the keys \"{}\" and \"{}\"", shorten(source), shorten(target))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = [Value::Missing, Value::Missing, Value::Missing, Value::Missing, Value::Missing];
        while let Some(field) = map.next_key_seed(Key { columns: self.columns })? {
            let Some((idx, field)) = field else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value_seed(AnyValue)?;
            match values.get_mut(idx) {
                Some(slot @ Value::Missing) => *slot = value,
                _ => {
                    let name = shorten(self.columns.of(field));
                    return Err(A::Error::custom(format!("key \"{name}\" stands twice; keep one")));
                }
            }
        }
        // One key may serve two fields (say, the group is also the source); `Key` names only the first.
        for (idx, field) in Field::ALL.into_iter().enumerate() {
            let name = self.columns.of(field);
            if let Some(twin) = Field::ALL.into_iter().take(idx).position(|other| self.columns.of(other) == name) {
                values[idx] = values[twin].clone();
            }
        }
        Ok(values)
    }
}

/// Reads a key: the first field of that name and its place, if any.
struct Key<'c> {
    columns: &'c Columns,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<(usize, Field)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<(usize, Field)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Field::ALL.into_iter().enumerate().find(|&(_, field)| self.columns.of(field) == key))
    }
}

/// Reads any value; lists and objects are only walked through.
struct AnyValue;

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        // 1.0 is written "1", so a label that went through a table of floats still says yes.
        Ok(Value::Number(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Object)
    }
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
            "pairs:2: no key \"target\"; add it, or name another with --target-column NAME",
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
            "pairs:1: no key \"gold\"; add it, or name another with --label-column NAME"
        );
    }
}
