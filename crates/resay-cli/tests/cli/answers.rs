//! Helpers for reading the program's output.

use crate::world::World;
use serde_json::Value;

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub(crate) fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// Returns the rows of a table without its header, split at tabs.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// Returns the sum of all leaves below a node of an explanation.
pub(crate) fn leaves(node: &Value) -> f64 {
    match node["parts"].as_array() {
        Some(parts) => parts.iter().map(leaves).sum(),
        None => number(&node["value"]),
    }
}

/// Runs a command and expects status 2 and one line of message that contains `expected`. Returns
/// standard output.
pub(crate) fn refuse(world: &World, args: &[&str], expected: &str) -> String {
    let output = world.run(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
    assert!(said.starts_with("error: ") && said.contains(expected), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}
