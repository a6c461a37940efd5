//! All rows of one or more files, with the line each row came from. Errors in a row are often found
//! long after reading, for example when labels must be binary; the message can then still name
//! `file:line`.

use super::format::FileFormat;
use super::reader::{Reader, Record};
use crate::{Error, Result};
use std::path::Path;

/// Rows in file order, from one or more files.
#[derive(Clone, Debug)]
pub struct Table<R> {
    /// The file name as the user gave it. The names of joined files are separated by `+`.
    pub name: String,
    /// The rows.
    pub rows: Vec<R>,
    /// The origin of each row.
    origins: Vec<Origin>,
    /// The names of the files.
    files: Vec<String>,
}

/// The origin of a row.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// Index into `files`.
    file_idx: usize,
    /// The line on which the row starts.
    line: u64,
}

impl<R: Record> Table<R> {
    /// Collects the remaining rows of a reader. An empty result is an error.
    pub fn collect(mut reader: Reader<'_, R>) -> Result<Self> {
        let mut table = Self::new(reader.name());
        for next in &mut reader {
            let (line, row) = next?;
            table.push(line, row);
        }
        let expected = reader.format().row().expected;
        table.check_not_empty(&format!("no {}: expected {expected}", R::ROWS))?;
        reader.complete(&mut table.rows);
        Ok(table)
    }
}

impl<R> Table<R> {
    /// Creates an empty table for one file.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), rows: Vec::new(), origins: Vec::new(), files: vec![name.to_owned()] }
    }

    /// Adds a row of the last file.
    pub(super) fn push(&mut self, line: u64, row: R) {
        self.rows.push(row);
        self.origins.push(Origin { file_idx: self.files.len() - 1, line });
    }

    /// Returns an error with this message if there are no rows.
    pub(super) fn check_not_empty(&self, message: &str) -> Result<()> {
        if self.is_empty() { Err(Error::file(&self.name, message)) } else { Ok(()) }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Appends the rows of another table.
    pub fn append(&mut self, other: Self) {
        let n_files = self.files.len();
        self.name.push('+');
        self.name.push_str(&other.name);
        self.rows.extend(other.rows);
        self.origins.extend(other.origins.into_iter().map(|o| Origin { file_idx: o.file_idx + n_files, ..o }));
        self.files.extend(other.files);
    }

    /// Joins tables in order. Returns `None` if there are none, or the first error.
    pub fn joined<E>(tables: impl IntoIterator<Item = Result<Self, E>>) -> Result<Option<Self>, E> {
        let mut tables = tables.into_iter();
        let Some(mut joined) = tables.next().transpose()? else { return Ok(None) };
        for table in tables {
            joined.append(table?);
        }
        Ok(Some(joined))
    }

    /// Returns the rows with these indices, in the given order. Errors in them still name file and
    /// line. Indices past the end are skipped.
    pub fn subset(&self, numbers: &[usize]) -> Self
    where
        R: Clone,
    {
        let kept = || numbers.iter().filter(|&&idx| idx < self.len());
        Self {
            name: self.name.clone(),
            rows: kept().map(|&idx| self.rows[idx].clone()).collect(),
            origins: kept().map(|&idx| self.origins[idx]).collect(),
            files: self.files.clone(),
        }
    }

    /// Keeps the rows for which `is_kept` returns true.
    pub fn retain(&mut self, is_kept: impl Fn(&R) -> bool) {
        let mut rows = self.rows.iter();
        self.origins.retain(|_| rows.next().is_some_and(&is_kept));
        self.rows.retain(is_kept);
    }

    /// Returns the file name without its folder.
    pub fn file_name(&self) -> String {
        let file_name = Path::new(&self.name).file_name();
        file_name.map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned())
    }

    /// Makes an error for one row that names its file and line.
    pub fn error(&self, row_idx: usize, message: impl Into<String>) -> Error {
        let file = |file_idx: usize| self.files.get(file_idx).unwrap_or(&self.name);
        match self.origins.get(row_idx) {
            Some(origin) => Error::line(file(origin.file_idx), origin.line, message),
            None => Error::file(file(self.files.len() - 1), message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AlignedPairs, Columns, Dataset, Documents, Format};
    use super::*;

    fn pairs(name: &str, rows: &str) -> Dataset {
        let input = format!("source\ttarget\n{rows}");
        Dataset::from_reader(name, input.as_bytes(), Some(Format::Tsv), &Columns::default()).expect(rows)
    }

    fn check_lines<R>(table: &Table<R>, expected: &[&str]) {
        let found: Vec<String> = (0..expected.len()).map(|idx| table.error(idx, "!").to_string()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn joined_files_still_name_their_own_lines() {
        let tables = [pairs("a", "a\tb\n"), pairs("x/b", "\na\tb\na\tb"), pairs("y/c", "a\tb\n")];
        let joined = Table::joined(tables.map(Ok::<_, Error>)).expect("no error").expect("some");
        assert_eq!((joined.name.as_str(), joined.len(), joined.file_name().as_str()), ("a+x/b+y/c", 4, "c"));
        check_lines(&joined, &["a:2: !", "x/b:3: !", "x/b:4: !", "y/c:2: !", "y/c: !"]);
        assert!(Dataset::joined::<Error>([]).expect("no error").is_none());
        assert_eq!(Dataset::joined([Ok(pairs("a", "a\tb\n")), Err("no")]).expect_err("the error"), "no");
    }

    #[test]
    fn parts_of_joined_files_still_name_their_own_lines() {
        let mut data = pairs("a.tsv", "a1\tb\n\na2\tb\n");
        data.append(pairs("b.tsv", "b1\tb\nb2\tb\n"));
        // In another order, with a repeated index and one past the end.
        let mut part = data.subset(&[3, 0, 1, 9, 3]);
        let sources: Vec<&str> = part.rows.iter().map(|example| &*example.source).collect();
        assert_eq!(sources, ["b2", "a1", "a2", "b2"]);
        check_lines(&part, &["b.tsv:3: !", "a.tsv:2: !", "a.tsv:4: !", "b.tsv:3: !"]);
        check_lines(&part.subset(&[2]), &["a.tsv:4: !"]);
        part.retain(|example| example.source != "a1");
        check_lines(&part, &["b.tsv:3: !", "a.tsv:4: !", "b.tsv:3: !", "b.tsv: !"]);
        assert!(data.subset(&[]).is_empty());
    }

    #[test]
    fn files_without_rows() {
        fn check<R: std::fmt::Debug>(table: Result<Table<R>>, expected: &str) {
            let error = table.expect_err(expected);
            assert!(error.is_usage() && error.to_string().starts_with(expected), "{error}");
        }
        let of_pairs = |name: &str, input: &str| {
            Dataset::from_reader(name, input.to_owned().as_bytes(), None, &Columns::default())
        };
        check(of_pairs("-", ""), "-: no rows: expected a header and at least one pair");
        check(of_pairs("f.tsv", "source\ttarget\n"), "f.tsv: no rows: expected a header and at least one pair");
        check(of_pairs("f.csv", "source,target\n"), "f.csv: no rows: expected a header and at least one pair");
        check(of_pairs("f.jsonl", "\n"), "f.jsonl: no rows: expected at least one object");
        check(of_pairs("f.xml", "<devset/>"), "f.xml: no rows: expected at least one <pair> with <t> and <h>");
        let of_documents = |name: &str, input: &str| Documents::from_reader(name, input.to_owned().as_bytes(), None);
        check(of_documents("f.txt", ""), "f.txt: no documents: expected at least one line");
        check(
            of_documents("f.jsonl", "\n\n"),
            "f.jsonl: no documents: expected at least one object with the key \"text\"",
        );
        check(of_documents("f.sgm", ""), "f.sgm: no <REUTERS ...> in it");
        let aligned = |name: &str, input: &str| AlignedPairs::from_reader(name, input.to_owned().as_bytes(), None);
        check(aligned("f.txt", ""), "f.txt: no pairs: expected at least one line of links: 0-0 1-2");
        check(
            aligned("f", "[]"),
            "f: no pairs: expected at least one object with \"source\", \"target\" and \"sureAlign\"",
        );
        check(aligned("f.align.txt", ""), "f.align.txt: no pairs: expected at least one \"# sentence pair\"");
        let missing = Path::new("no/such/file.json");
        check(Dataset::read(missing, None, &Columns::default()), "cannot read no/such/file.json: ");
        check(Documents::read(missing, None), "cannot read no/such/file.json: ");
        check(AlignedPairs::read(missing, None), "cannot read no/such/file.json: ");
    }
}
