//! An example: two texts, an optional label and further fields. The label is kept as read, because
//! only the task knows whether it must be binary. `Label::as_binary` is the only place that
//! interprets its spelling.

use resay_text::Analysis;

/// The analyses of source and target, if the file contains them.
pub type Analyses = Option<Box<[Analysis; 2]>>;

/// A pair of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The example's id in the file, or its 1-based row number.
    pub id: String,
    /// The group of examples that belong together, such as the candidates of one question or pairs
    /// that share a sentence.
    pub group: Option<String>,
    /// The first text, possibly empty.
    pub source: String,
    /// The second text, possibly empty.
    pub target: String,
    /// The label, if the file contains one.
    pub label: Option<Label>,
    /// The annotation of both texts, if the file contains it.
    pub analyses: Analyses,
}

/// A label as read, without surrounding blanks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(String);

/// The spellings accepted by [`Label::as_binary`], for messages.
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
    /// Makes a label. Returns `None` if `raw` is blank.
    pub fn new(raw: &str) -> Option<Self> {
        let trimmed = raw.trim();
        (!trimmed.is_empty()).then(|| Self(trimmed.to_owned()))
    }

    /// Returns the label as read.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the label as a boolean if it is one of the accepted spellings: 1/0, +1/-1, yes/no,
    /// true/false, positive/negative, match/no-match, paraphrase/non-paraphrase, entailment/unknown,
    /// contradiction, neutral or not_entailment. Case is ignored, and words may be joined by `-`,
    /// `_` or a blank.
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
    // A leading sign is not a joiner: " 1" and "_1" do not mean -1.
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
