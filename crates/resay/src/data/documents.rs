//! A table of documents, read from a file or folder, with queries about labels.

use super::reader::{Reader, open};
use super::table::Table;
use super::{Document, DocumentFormat, Split};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Streams documents as `(line number, document)`. It ends after the first error.
pub type DocumentReader<'a> = Reader<'a, Document>;

impl<'a> DocumentReader<'a> {
    /// Starts reading `input`. `name` is used in messages. Without a format, the format is guessed
    /// from the name and the first line.
    pub fn new(name: &str, input: impl BufRead + Send + 'a, format: Option<DocumentFormat>) -> Result<Self> {
        Self::open(name, input, format, &())
    }
}

/// Documents in file order, from one or more files.
pub type Documents = Table<Document>;

impl Documents {
    /// Reads a file (`-` is standard input) or a folder. A folder is read as all its `*.sgm` files
    /// in the order of their names.
    pub fn read(path: &Path, format: Option<DocumentFormat>) -> Result<Self> {
        let format = if path.is_dir() { format.or(Some(DocumentFormat::Reuters)) } else { format };
        let files = Self::files_of(path, format)?.into_iter().map(|file| {
            let (name, input) = open(&file)?;
            Self::from_reader(&name, input, format)
        });
        let name = path.display().to_string();
        let mut documents = Self::joined(files)?.unwrap_or_else(|| Self::new(&name));
        documents.name = name;
        Ok(documents)
    }

    /// Reads all of `input`. `name` is used in messages.
    pub fn from_reader(name: &str, input: impl BufRead + Send, format: Option<DocumentFormat>) -> Result<Self> {
        Self::collect(DocumentReader::new(name, input, format)?)
    }

    /// Returns the files that [`Documents::read`] reads for a path, in order. For a folder these
    /// are files in the Reuters format; for a file, the file itself.
    pub fn files_of(path: &Path, format: Option<DocumentFormat>) -> Result<Vec<PathBuf>> {
        if !path.is_dir() {
            return Ok(vec![path.to_owned()]);
        }
        let folder = path;
        let name = folder.display().to_string();
        if let Some(other) = format.filter(|format| *format != DocumentFormat::Reuters) {
            let message = format!("a folder is read as reuters only, not as {other}; name a file");
            return Err(Error::file(&name, message));
        }
        let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let entries = entries.map_err(|source| Error::read(folder, source))?;
        let is_sgm = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgm"));
        let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(is_sgm).collect();
        paths.sort_unstable();
        if paths.is_empty() {
            let message = "no *.sgm in the folder; expected the files of Reuters-21578, or the name of a single file";
            return Err(Error::file(&name, message));
        }
        Ok(paths)
    }

    /// Returns whether any document has known labels. If not, documents have no labels because they
    /// are unknown.
    pub fn has_labels(&self) -> bool {
        self.rows.iter().any(|document| document.is_labelled)
    }

    /// Returns the index of the first document with unknown labels. If other documents have labels,
    /// this is most likely a mistake: a document that belongs to no topic has an empty list.
    pub fn first_unlabelled(&self) -> Option<usize> {
        self.rows.iter().position(|document| !document.is_labelled)
    }

    /// Returns all labels, sorted and unique.
    pub fn label_names(&self) -> Vec<String> {
        self.counts().into_keys().map(str::to_owned).collect()
    }

    /// Returns the number of documents per label, most frequent first; ties are in alphabetical
    /// order.
    pub fn label_counts(&self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> =
            self.counts().into_iter().map(|(label, count)| (label.to_owned(), count)).collect();
        // The sort is stable, so ties keep the order of the map.
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for label in self.rows.iter().flat_map(|document| &document.labels) {
            *counts.entry(label.as_str()).or_insert(0) += 1;
        }
        counts
    }

    /// Returns, for each document, whether it has the label.
    pub fn members(&self, label: &str) -> Vec<bool> {
        self.rows.iter().map(|document| document.has_label(label)).collect()
    }

    /// Keeps the documents of one split. In a format without splits all documents are kept, because
    /// the user chose the file for training or testing.
    pub fn retain_split(&mut self, split: Split) {
        self.retain(|document| document.split.is_none_or(|own| own == split));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, input: &str) -> Result<Documents> {
        Documents::from_reader(name, input.as_bytes(), None)
    }

    fn check_error(result: Result<Documents>, expected: &str) {
        assert_eq!(result.expect_err(expected).to_string(), expected);
    }

    #[test]
    fn labels_of_all_documents() {
        let input = "{\"text\":\"a\",\"labels\":[\"wet\",\"cold\"]}\n{\"text\":\"b\",\"labels\":\"wet\"}\n\n\
                     {\"text\":\"c\",\"labels\":[]}\n{\"text\":\"d\",\"labels\":\"calm\"}";
        let documents = read("f.jsonl", input).expect("read");
        assert_eq!((documents.len(), documents.is_empty(), documents.has_labels()), (4, false, true));
        assert_eq!(documents.first_unlabelled(), None);
        assert_eq!(documents.label_names(), ["calm", "cold", "wet"]);
        let counts = documents.label_counts();
        let counts: Vec<(&str, usize)> = counts.iter().map(|(label, count)| (label.as_str(), *count)).collect();
        assert_eq!(counts, [("wet", 2), ("calm", 1), ("cold", 1)]);
        assert_eq!(documents.members("wet"), [true, true, false, false]);
        assert_eq!(documents.members("dry"), [false; 4]);
        assert_eq!(documents.error(2, "!").to_string(), "f.jsonl:4: !");
        assert_eq!(documents.error(4, "!").to_string(), "f.jsonl: !");
    }

    #[test]
    fn nothing_said_is_not_no_label() {
        let check = |input: &str, has_labels: bool, first_unlabelled: Option<usize>| {
            let documents = read("-", input).expect(input);
            assert_eq!(
                (documents.has_labels(), documents.first_unlabelled()),
                (has_labels, first_unlabelled),
                "{input}"
            );
        };
        check("It rains.\n", false, Some(0));
        check("{\"text\":\"a\"}", false, Some(0));
        check("{\"text\":\"a\",\"labels\":[]}", true, None);
        check("{\"text\":\"a\",\"labels\":[]}\n{\"text\":\"b\"}", true, Some(1));
    }

    #[test]
    fn splits_are_kept_with_their_lines() {
        let document = |id: usize, split: &str| {
            format!("<REUTERS TOPICS=\"YES\" LEWISSPLIT=\"{split}\" NEWID=\"{id}\"><TEXT>a</TEXT></REUTERS>\n")
        };
        let input: String =
            ["TEST", "TRAIN", "NOT-USED", "TRAIN"].iter().zip(1..).map(|(split, id)| document(id, split)).collect();
        let check = |split: Split, expected: &[&str]| {
            let mut documents = read("f.sgm", &input).expect("read");
            documents.retain_split(split);
            let ids: Vec<&str> = documents.rows.iter().map(|document| document.id.as_str()).collect();
            assert_eq!(ids, expected);
            for (idx, id) in expected.iter().enumerate() {
                assert_eq!(documents.error(idx, "!").to_string(), format!("f.sgm:{id}: !"));
            }
        };
        check(Split::Train, &["2", "4"]);
        check(Split::Test, &["1"]);
        check(Split::Unused, &["3"]);
        let mut without = read("f.txt", "a\nb\n").expect("read");
        without.retain_split(Split::Test);
        assert_eq!(without.len(), 2);
    }

    #[test]
    fn a_folder_is_one_set() {
        let folder = std::env::temp_dir().join(format!("resay-documents-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let name = folder.display().to_string();
        let write = |file: &str, content: &str| std::fs::write(folder.join(file), content).expect("written");
        write("a.txt", "It rains.");
        check_error(
            Documents::read(&folder, None),
            &format!(
                "{name}: no *.sgm in the folder; expected the files of Reuters-21578, or the name of a single file"
            ),
        );
        check_error(
            Documents::read(&folder, Some(DocumentFormat::Lines)),
            &format!("{name}: a folder is read as reuters only, not as lines; name a file"),
        );
        write("2.sgm", "\n<REUTERS NEWID=\"1\"><TEXT>a</TEXT></REUTERS>");
        write("1.SGM", "\n\n<REUTERS NEWID=\"2\"><TEXT>b</TEXT></REUTERS>");
        let documents = Documents::read(&folder, None).expect("two files");
        let ids: Vec<&str> = documents.rows.iter().map(|document| document.id.as_str()).collect();
        assert_eq!((documents.name.as_str(), ids), (name.as_str(), vec!["2", "1"]));
        assert_eq!(documents.error(1, "!").to_string(), format!("{}:2: !", folder.join("2.sgm").display()));
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    /// Number of ModApte documents in each of the ten largest topics, in the training and the test
    /// split, as published.
    const TOP_TEN: [(&str, usize, usize); 10] = [
        ("earn", 2877, 1087),
        ("acq", 1650, 719),
        ("money-fx", 538, 179),
        ("grain", 433, 149),
        ("crude", 389, 189),
        ("trade", 369, 117),
        ("interest", 347, 131),
        ("wheat", 212, 71),
        ("ship", 197, 89),
        ("corn", 181, 56),
    ];

    #[test]
    fn reuters_has_the_counts_of_modapte() {
        let Some(folder) = resay_testing::corpus("counts of Reuters", "reuters21578") else { return };
        let all = Documents::read(&folder, None).expect("the corpus");
        assert_eq!((all.len(), all.first_unlabelled()), (21578, None));
        for (idx, document) in all.rows.iter().enumerate() {
            assert_eq!(document.id, (idx + 1).to_string());
            assert!(!document.text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')), "{}", document.id);
            for left_over in ["<TITLE", "<BODY", "<DATELINE", "<AUTHOR", "</", "&lt;", "&#"] {
                assert!(!document.text.contains(left_over), "{} has {left_over}", document.id);
            }
        }
        let of_split = |split: Split| {
            let mut documents = all.clone();
            documents.retain_split(split);
            documents
        };
        let (train, test) = (of_split(Split::Train), of_split(Split::Test));
        assert_eq!((train.len(), test.len()), (9603, 3299));
        let largest: Vec<(String, usize)> = train.label_counts().into_iter().take(10).collect();
        let expected: Vec<(String, usize)> = TOP_TEN.iter().map(|(label, n, _)| ((*label).to_owned(), *n)).collect();
        assert_eq!(largest, expected);
        for (label, _, n_test) in TOP_TEN {
            assert_eq!(test.members(label).iter().filter(|is_member| **is_member).count(), n_test, "{label}");
        }
    }
}
