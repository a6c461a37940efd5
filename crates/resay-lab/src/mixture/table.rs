//! Reads tables of tab-separated fields without quoting.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// A file in memory.
pub(super) struct Table {
    path: PathBuf,
    text: String,
}

/// One line of it, with what an error needs.
pub(super) struct Row<'a> {
    path: &'a Path,
    number: usize,
    fields: Vec<&'a str>,
}

impl Table {
    pub(super) fn open(path: PathBuf) -> Result<Self> {
        let text = crate::files::text(&path)?;
        Ok(Self { path, text })
    }

    /// The lines after a header of so many lines.
    pub(super) fn rows(&self, n_headers: usize) -> impl Iterator<Item = Row<'_>> {
        let lines = self.text.lines().enumerate().skip(n_headers);
        lines.map(|(index, line)| Row { path: &self.path, number: index + 1, fields: line.split('\t').collect() })
    }
}

impl<'a> Row<'a> {
    /// The fields, of which there must be so many.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&'a str; N]> {
        let here = || format!("{self}: {} fields instead of {N}", self.fields.len());
        self.fields.as_slice().try_into().ok().with_context(here)
    }

    /// The first fields, of which there must be so many.
    pub(super) fn first<const N: usize>(&self) -> Result<[&'a str; N]> {
        ensure!(self.fields.len() >= N, "{self}: {} fields instead of at least {N}", self.fields.len());
        self.fields[..N].try_into().with_context(|| self.to_string())
    }

    /// The field with this number, if there is one.
    pub(super) fn get(&self, index: usize) -> Option<&'a str> {
        self.fields.get(index).copied()
    }
}

/// Where it is: the file and the line.
impl std::fmt::Display for Row<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.path.display(), self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_where_they_are() {
        let table = Table { path: "pairs.tsv".into(), text: "source\ttarget\na\tb\r\nc\n".to_owned() };
        let rows: Vec<Row<'_>> = table.rows(1).collect();
        assert_eq!(rows[0].exactly::<2>().unwrap(), ["a", "b"]);
        assert_eq!((rows[0].first::<1>().unwrap(), rows[0].get(1), rows[0].get(2)), (["a"], Some("b"), None));
        let message = |result: Result<[&str; 2]>| result.unwrap_err().to_string();
        assert_eq!(message(rows[1].exactly()), "pairs.tsv:3: 1 fields instead of 2");
        assert_eq!(message(rows[1].first()), "pairs.tsv:3: 1 fields instead of at least 2");
    }
}
