//! Sentences that a corpus supplies word by word with its own annotation: part of speech,
//! dependency label, head, entity.
//!
//! Two corpora of pairs come in this form, annotated with the same tools. Their tokens use the
//! escapes of the Penn Treebank. This module reverses them (`-LRB-` becomes `(`, and so on) and
//! turns both kinds of quotation mark into `"`, because the rest of the library compares words in
//! ordinary spelling. The tags still tell opening from closing quotes and brackets. The text of a
//! sentence is its tokens joined by blanks.

use resay_text::{Analysis, Head, Tag, Word, head_cycle};

/// The columns of a sentence, each with one cell per word.
pub(super) const COLUMNS: [&str; 5] = ["tokens", "parts of speech", "dependency labels", "heads", "entities"];

/// Builds the analysis of a sentence from columns of equal length. The error says what is wrong.
pub(super) fn analysis(columns: [&[&str]; 5]) -> Result<Analysis, String> {
    let [tokens, tags, labels, heads, entities] = columns;
    let mut analysis = Analysis::from_forms(tokens.iter().map(|token| unescaped(token)));
    let cells = tags.iter().zip(labels).zip(heads).zip(entities);
    for (word, (((tag, label), head), entity)) in analysis.words.iter_mut().zip(cells) {
        word.xpos = named(tag);
        word.relation = named(label);
        word.head = Some(parse_head(head, tokens.len())?);
        word.entity = Some(entity_tag(entity)?);
    }
    if let Some(word) = head_cycle(&analysis.words, |word: &Word| word.head) {
        return Err(format!("the heads of word {} run in a circle; expected a way to the root", word + 1));
    }
    Ok(analysis)
}

fn named(cell: &str) -> Option<Tag> {
    (!cell.is_empty()).then(|| Tag::Owned(cell.to_owned()))
}

fn parse_head(cell: &str, n_words: usize) -> Result<Head, String> {
    let head = if cell.bytes().all(|byte| byte.is_ascii_digit()) { cell.parse::<u32>().ok() } else { None };
    match head {
        Some(0) => Ok(Head::Root),
        Some(head) if head as usize <= n_words => Ok(Head::Word(head - 1)),
        _ => Err(format!(
            "head \"{}\" is not there: expected 0 or the number of one of {n_words} words",
            super::lines::shorten(cell)
        )),
    }
}

/// Rewrites `PERSON-B` as `B-PERSON`, and `-` and `O` as `O`. The names of the entity types are
/// kept.
fn entity_tag(cell: &str) -> Result<Tag, String> {
    if matches!(cell, "-" | "O") {
        return Ok(Tag::Borrowed("O"));
    }
    match cell.rsplit_once('-') {
        Some((kind, place @ ("B" | "I"))) if !kind.is_empty() => Ok(Tag::Owned(format!("{place}-{kind}"))),
        _ => Err(format!("entity \"{}\" is none; expected NAME-B, NAME-I, O or -", super::lines::shorten(cell))),
    }
}

fn unescaped(token: &str) -> &str {
    match token {
        "-LRB-" => "(",
        "-RRB-" => ")",
        "-LSB-" => "[",
        "-RSB-" => "]",
        "-LCB-" => "{",
        "-RCB-" => "}",
        "``" | "''" => "\"",
        _ => token,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Formats a sentence's words as `form/xpos/relation/head/entity`.
    pub(in crate::data) fn show(analysis: &Analysis) -> String {
        let word = |(idx, word): (usize, &Word)| {
            let head = match word.head {
                Some(Head::Word(head)) => (head + 1).to_string(),
                Some(Head::Root) => "0".to_owned(),
                None => "~".to_owned(),
            };
            let [xpos, relation, entity] =
                [&word.xpos, &word.relation, &word.entity].map(|tag| tag.as_deref().unwrap_or("~"));
            format!("{}/{xpos}/{relation}/{head}/{entity}", analysis.form(idx))
        };
        analysis.words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn columns_become_an_analysis() {
        let check = |columns: [&[&str]; 5], expected: &str| {
            let shown = analysis(columns).map_or_else(|fault| fault, |analysis| show(&analysis));
            assert_eq!(shown, expected);
        };
        check(
            [
                &["``", "Ann", "-LRB-"],
                &["``", "NNP", "-LRB-"],
                &["P", "ROOT", "P"],
                &["2", "0", "2"],
                &["-", "PER_DESC-B", "O"],
            ],
            "\"/``/P/2/O Ann/NNP/ROOT/0/B-PER_DESC (/-LRB-/P/2/O",
        );
        check(
            [&["a"], &["X"], &["R"], &["2"], &["O"]],
            "head \"2\" is not there: expected 0 or the number of one of 1 words",
        );
        check(
            [&["a"], &["X"], &["R"], &["-1"], &["O"]],
            "head \"-1\" is not there: expected 0 or the number of one of 1 words",
        );
        check(
            [&["a"], &["X"], &["R"], &["1"], &["O"]],
            "the heads of word 1 run in a circle; expected a way to the root",
        );
        check([&["a"], &["X"], &["R"], &["0"], &["PER"]], "entity \"PER\" is none; expected NAME-B, NAME-I, O or -");
        check([&["a"], &["X"], &["R"], &["0"], &["-B"]], "entity \"-B\" is none; expected NAME-B, NAME-I, O or -");
    }
}
