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
