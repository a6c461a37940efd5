//! Parses a JSON object of which only some keys matter, for the JSON Lines formats of pairs and
//! documents. Other keys are validated but never built. A repeated key is an error, because one of
//! its values would be lost silently.

use super::lines::shorten;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Maximum number of items in a list. Values take more memory than their text, so a line of commas
/// must not become an arbitrarily long list.
const MAX_ITEMS: usize = 1 << 16;

/// The value of a requested key.
#[derive(Clone)]
pub(super) enum Value {
    /// The object lacks the key.
    Missing,
    Null,
    Bool(bool),
    /// Formatted as Rust does: 1.0 becomes "1", so a label that went through a table of floats
    /// still means yes.
    Number(String),
    Text(String),
    /// The items. Items of nested lists are not kept.
    List(Vec<Value>),
    Object,
}

impl Value {
    /// Describes what is wrong with the value of `key`.
    pub(super) fn is_not(&self, key: &str, expected: &str) -> String {
        format!("key \"{}\" is {}, expected {expected}", shorten(key), self.kind())
    }

    /// Names the type of the value, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object => "an object",
        }
    }

    /// Converts a string or number into a name. An empty string, null or a missing key gives
    /// `None`.
    pub(super) fn into_name(self, key: &str) -> Result<Option<String>, String> {
        match self {
            Self::Missing | Self::Null => Ok(None),
            Self::Text(text) => Ok((!text.is_empty()).then_some(text)),
            Self::Number(number) => Ok(Some(number)),
            other => Err(other.is_not(key, "a string or a number")),
        }
    }

    /// Converts a string into a text. Anything else is an error.
    pub(super) fn into_text(self, key: &str) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(other.is_not(key, "a string")),
        }
    }
}

/// Parses the object in `line` and returns the values of `keys` in the given order. `expected`
/// describes a valid line for the error message. `keys` may contain duplicates.
pub(super) fn object<const N: usize>(line: &str, keys: [&str; N], expected: &str) -> Result<[Value; N], String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let values = Object { keys, expected }.deserialize(&mut deserializer).and_then(|values| {
        deserializer.end()?;
        Ok(values)
    });
    values.map_err(|error| not_an_object(&error))
}

/// Returns the keys of the object in `line`, sorted and unique. Returns none if there is no object;
/// [`object`] reports that error.
pub(super) fn keys(line: &str) -> Vec<String> {
    serde_json::from_str::<BTreeMap<String, IgnoredAny>>(line)
        .map_or_else(|_| Vec::new(), |map| map.into_keys().collect())
}

/// Formats an error of serde_json without its line number, which is relative to `line` and so
/// always 1.
fn not_an_object(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
    if error.is_data() {
        return said.to_owned();
    }
    format!("not JSON at byte {}: {said}; expected one object a line", error.column())
}

/// Deserialises an object into the values of the keys.
struct Object<'k, const N: usize> {
    keys: [&'k str; N],
    expected: &'k str,
}

impl<'de, const N: usize> DeserializeSeed<'de> for Object<'_, N> {
    type Value = [Value; N];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Object<'_, N> {
    type Value = [Value; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = [const { Value::Missing }; N];
        while let Some(idx) = map.next_key_seed(Key { keys: &self.keys })? {
            let Some(idx) = idx else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value_seed(AnyValue { is_item: false })?;
            if !matches!(values[idx], Value::Missing) {
                return Err(A::Error::custom(format!("key \"{}\" stands twice; keep one", shorten(self.keys[idx]))));
            }
            values[idx] = value;
        }
        // One key may serve two fields (say, the group is also the source). `Key` finds only the
        // first.
        for (idx, key) in self.keys.iter().enumerate() {
            if let Some(twin) = self.keys[..idx].iter().position(|other| other == key) {
                values[idx] = values[twin].clone();
            }
        }
        Ok(values)
    }
}

/// Deserialises a key into its first position among the requested keys, if any.
struct Key<'k> {
    keys: &'k [&'k str],
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, found: &str) -> Result<Self::Value, E> {
        Ok(self.keys.iter().position(|key| *key == found))
    }
}

/// Deserialises any value. Objects and nested lists are skipped.
struct AnyValue {
    is_item: bool,
}

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
        Ok(Value::Number(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        if self.is_item {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        } else {
            while let Some(item) = list.next_element_seed(Self { is_item: true })? {
                if items.len() == MAX_ITEMS {
                    return Err(A::Error::custom(format!(
                        "a list of more than {MAX_ITEMS} items, the most that is read"
                    )));
                }
                items.push(item);
            }
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(value: &Value) -> String {
        match value {
            Value::Number(text) | Value::Text(text) => format!("{} {text}", value.kind()),
            Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
            other => other.kind().to_owned(),
        }
    }

    #[test]
    fn values_of_all_kinds_and_lists_of_them() {
        let check = |line: &str, expected: &str| {
            let shown = object(line, ["a"], "an object").map(|[value]| show(&value));
            assert_eq!(shown.unwrap_or_else(|error| error), expected, "{line}");
        };
        check(r#"{"b":1}"#, "missing");
        check(r#"{"a":[]}"#, "[]");
        check(
            r#"{"a":["x",1,2.0,null,true,{"x":[1]},[["y"]]]}"#,
            "[a string x, a number 1, a number 2, null, true or false, an object, []]",
        );
        check(r#"{"a":[1,]}"#, "not JSON at byte 9: trailing comma; expected one object a line");
        check("[]", "invalid type: sequence, expected an object");
        let long = |n: usize| format!(r#"{{"a":[{}1]}}"#, "1,".repeat(n - 1));
        assert!(object(&long(MAX_ITEMS), ["a"], "").is_ok());
        check(&long(MAX_ITEMS + 1), "a list of more than 65536 items, the most that is read");
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        check(&format!(r#"{{"a":{open}{close}}}"#), "[[]]");
    }
}
