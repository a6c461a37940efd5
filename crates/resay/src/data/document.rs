//! A text with any number of labels, for sorting by topic. A label is a name as the file spells it; which labels are
//! learned, and what a document without one means, is for others to say.

/// One document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its name in the file, else its row, counted from 1.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Its labels, sorted, each once.
    pub labels: Vec<String>,
    /// Whether its file says anything about its labels. Where it does not, there are none because nobody knows them.
    pub is_labelled: bool,
    /// The part of a corpus that it belongs to, if the corpus comes in parts.
    pub split: Option<Split>,
}

impl Document {
    /// Whether it has this label.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.binary_search_by(|own| own.as_str().cmp(label)).is_ok()
    }
}

/// The part of a corpus that a document belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// To learn from.
    Train,
    /// To measure on.
    Test,
    /// For neither.
    Unused,
}

/// Labels as a document holds them: without blanks around them, sorted, each once. A corpus may repeat one.
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
