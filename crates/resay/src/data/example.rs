//! An example: two texts and what is known about them. The label is kept as it was read, because only the task
//! knows whether it must mean yes or no; `Label::as_binary` is the one place that knows the spellings.

use resay_text::Analysis;

/// The analyses of a pair's two texts, where its file has them: the source's and the target's.
pub type Analyses = Option<Box<[Analysis; 2]>>;

/// One pair of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The example's name: the file's own, or else the 1-based number of its row.
    pub id: String,
    /// Examples of one group belong together: one question's candidates, pairs that share a sentence.
    pub group: Option<String>,
    /// The first text; may be empty.
    pub source: String,
    /// The second text; may be empty.
    pub target: String,
    /// The label, if the file gives one.
    pub label: Option<Label>,
    /// What the file says about the words of both texts, if it says anything.
    pub analyses: Analyses,
}

/// A label as it was read, without blanks around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(String);

/// The spellings that [`Label::as_binary`] knows, for messages.
pub const ACCEPTED_BINARY: &str = "1/0, +1/-1, yes/no, true/false, positive/negative, match/no-match, \
     paraphrase/non-paraphrase, entailment/unknown, contradiction, neutral or not_entailment";

const YES: [&str; 8] = ["1", "+1", "yes", "true", "positive", "match", "paraphrase", "entailment"];

const NO: [&str; 16] = [
    "0",
    "-1",
    "no",
    "false",
    "negative",
    "no-match",
    "not-match",
    "non-match",
    "no-paraphrase",
    "not-paraphrase",
    "non-paraphrase",
    "unknown",
    "contradiction",
    "neutral",
    "not-entailment",
    "non-entailment",
];

impl Label {
    /// A label; `None` if nothing but blanks was given.
    pub fn new(raw: &str) -> Option<Self> {
        let trimmed = raw.trim();
        (!trimmed.is_empty()).then(|| Self(trimmed.to_owned()))
    }

    /// The label as it was read.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Yes or no, if the label is one of the accepted spellings (see [`ACCEPTED_BINARY`]). Case does not matter, and
    /// neither does whether words are joined by `-`, `_` or a blank.
    pub fn as_binary(&self) -> Option<bool> {
        let is = |spelling: &&str| same_spelling(&self.0, spelling);
        if YES.iter().any(is) {
            Some(true)
        } else if NO.iter().any(is) {
            Some(false)
        } else {
            None
        }
    }
}

fn same_spelling(found: &str, spelling: &str) -> bool {
    // The sign of a number stays a sign: " 1" and "_1" are no ways to write -1.
    let is_joiner = |idx: usize, byte: u8| idx > 0 && matches!(byte, b'-' | b'_' | b' ');
    found.len() == spelling.len()
        && found.bytes().zip(spelling.bytes()).enumerate().all(|(idx, (byte, expected))| {
            byte.eq_ignore_ascii_case(&expected) || (is_joiner(idx, byte) && expected == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: Option<bool>) {
        assert_eq!(Label::new(raw).expect(raw).as_binary(), expected, "{raw:?}");
    }

    #[test]
    fn binary_spellings() {
        for yes in ["1", "+1", "yes", "YES", " Yes ", "true", "TRUE", "entailment", "ENTAILMENT", "paraphrase", "match"]
        {
            check(yes, Some(true));
        }
        for no in ["0", "-1", "no", "NO", "False", "UNKNOWN", "contradiction", "neutral", "negative", "no-match"] {
            check(no, Some(false));
        }
        for joined in ["not_entailment", "not-entailment", "Not Entailment", "non-entailment", "non_paraphrase"] {
            check(joined, Some(false));
        }
        for neither in ["2", "_1", "1.5", "--1", "maybe", "yes!", "entail", "not", "нет", "-", "acq"] {
            check(neither, None);
        }
    }

    #[test]
    fn blanks_are_no_label() {
        assert_eq!(Label::new(""), None);
        assert_eq!(Label::new(" \t"), None);
        assert_eq!(Label::new(" acq ").expect("a label").as_str(), "acq");
    }

    #[test]
    fn the_message_names_only_what_is_accepted() {
        for spelling in ACCEPTED_BINARY.split([',', '/']).flat_map(|part| part.split(" or ")) {
            assert!(Label::new(spelling).and_then(|label| label.as_binary()).is_some(), "{spelling:?}");
        }
    }
}
