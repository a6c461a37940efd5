//! A text with any number of labels, for topic classification. A label is a name as the file spells
//! it. Which labels to train on, and what a document without labels means, is decided elsewhere.

/// One document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The document's id in the file, or its 1-based row number.
    pub id: String,
    /// The text.
    pub text: String,
    /// The labels, sorted and unique.
    pub labels: Vec<String>,
    /// Whether the file gives labels for this document. If not, `labels` is empty because they are
    /// unknown.
    pub is_labelled: bool,
    /// The split of the corpus that the document belongs to, if the corpus has splits.
    pub split: Option<Split>,
}

impl Document {
    /// Returns whether the document has this label.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.binary_search_by(|own| own.as_str().cmp(label)).is_ok()
    }
}

/// The split of a corpus that a document belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Training data.
    Train,
    /// Test data.
    Test,
    /// Neither training nor test data.
    Unused,
}

/// Normalises labels: trims blanks, sorts and removes duplicates, which occur in corpora.
pub(super) fn label_set(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut labels: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_a_set() {
        let check = |names: &[&str], expected: &[&str]| {
            let labels = label_set(names.iter().map(|name| (*name).to_owned()));
            assert_eq!(labels, expected);
            let document = Document { id: String::new(), text: String::new(), labels, is_labelled: true, split: None };
            assert!(expected.iter().all(|label| document.has_label(label)) && !document.has_label("b "));
        };
        check(&["b", "a", " b\n", "a"], &["a", "b"]);
        check(&[], &[]);
        check(&["é", "Z", "a", "a-b"], &["Z", "a", "a-b", "é"]);
    }
}
