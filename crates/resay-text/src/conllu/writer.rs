//! Writes a sentence as CoNLL-U: comments, then exactly ten columns per word, then a blank line.
//!
//! Forms come from the text, so they are the user's, unnormalised. No string can break out of its
//! column: tabs and line breaks become spaces, and `|` in a chunk or entity becomes `/`. The
//! analysis's own keys are merged into the last column in alphabetical order, as treebanks have
//! them.

use super::{CHUNK, ConlluSentence, ENTITY, ExtraKind, ExtraLine, NO_SPACE, NOTHING, TOKEN_RANGE, WordExtras};
use crate::{Analysis, Head, Upos, Word};
use std::fmt::Write;

/// Appends a sentence to `out`. With `range_base`, every word has `TokenRange=start:end` in
/// characters from the start of the document; `range_base` is the number of characters before this
/// sentence's text.
pub fn write_conllu(sentence: &ConlluSentence, range_base: Option<usize>, out: &mut String) {
    for comment in &sentence.comments {
        if !comment.starts_with('#') {
            out.push_str("# ");
        }
        // Tabs are allowed here.
        out.push_str(&comment.replace(['\n', '\r'], " "));
        out.push('\n');
    }
    let analysis = &sentence.analysis;
    let mut extra_lines = sentence.extras.lines.iter().peekable();
    let mut ranges = range_base.map(|base| Ranges { text: &analysis.text, at_byte: 0, at_character: base });
    let nothing = WordExtras::default();
    // Words below this index are inside a multiword token, whose own line tells whether a space
    // follows.
    let mut covered = 0;
    for (idx, word) in analysis.words.iter().enumerate() {
        while let Some(extra) = extra_lines.next_if(|extra| extra.n_before as usize <= idx) {
            if let ExtraKind::Multiword { n_words } = extra.kind {
                covered = idx + n_words as usize;
            }
            write_extra(extra, out);
        }
        let is_glued =
            idx >= covered && analysis.words.get(idx + 1).is_some_and(|next| next.span.start == word.span.end);
        let extras = sentence.extras.words.get(idx).unwrap_or(&nothing);
        let range = ranges.as_mut().map(|ranges| ranges.of(word));
        write_word(analysis, idx, word, extras, is_glued, range, out);
    }
    for extra in extra_lines {
        write_extra(extra, out);
    }
    out.push('\n');
}

/// Counts characters incrementally from word to word, so that a sentence is scanned once.
struct Ranges<'a> {
    text: &'a str,
    at_byte: usize,
    at_character: usize,
}

impl Ranges<'_> {
    fn of(&mut self, word: &Word) -> (usize, usize) {
        (self.step_to(word.span.start as usize), self.step_to(word.span.end as usize))
    }

    fn step_to(&mut self, byte: usize) -> usize {
        let passed = self.text.get(self.at_byte..byte).unwrap_or("");
        self.at_character += passed.chars().count();
        self.at_byte = byte;
        self.at_character
    }
}

/// Writes a line that is not a word, always with ten columns including the id.
fn write_extra(extra: &ExtraLine, out: &mut String) {
    let before = extra.n_before;
    // Writing to a string cannot fail.
    let _ = match extra.kind {
        ExtraKind::Multiword { n_words } => {
            write!(out, "{}-{}", u64::from(before) + 1, u64::from(before) + u64::from(n_words))
        }
        ExtraKind::Empty { minor } => write!(out, "{before}.{minor}"),
    };
    let mut columns = extra.columns.split('\t');
    for _ in 1..super::COLUMNS.len() {
        out.push('\t');
        push_column(columns.next().unwrap_or(NOTHING), out);
    }
    out.push('\n');
}

fn write_word(
    analysis: &Analysis,
    idx: usize,
    word: &Word,
    extras: &WordExtras,
    is_glued: bool,
    range: Option<(usize, usize)>,
    out: &mut String,
) {
    let _ = write!(out, "{}\t", idx + 1);
    push_column(analysis.text.get(word.span.range()).unwrap_or(NOTHING), out);
    for column in [
        word.lemma.as_deref(),
        word.upos.map(Upos::name).or(extras.upos.as_deref()),
        word.xpos.as_deref(),
        extras.feats.as_deref(),
    ] {
        out.push('\t');
        push_column(column.unwrap_or(NOTHING), out);
    }
    let _ = match word.head {
        None => write!(out, "\t{NOTHING}"),
        Some(Head::Root) => write!(out, "\t0"),
        Some(Head::Word(head)) => write!(out, "\t{}", u64::from(head) + 1),
    };
    for column in [word.relation.as_deref(), extras.deps.as_deref()] {
        out.push('\t');
        push_column(column.unwrap_or(NOTHING), out);
    }
    out.push('\t');
    push_misc(word, extras.misc.as_deref(), is_glued, range, out);
    out.push('\n');
}

/// Writes the last column: our keys merged with the others.
fn push_misc(word: &Word, others: Option<&str>, is_glued: bool, range: Option<(usize, usize)>, out: &mut String) {
    let item = |key: &str, value: &str| format!("{key}={}", value.replace('|', "/"));
    let ours = [
        word.chunk.as_deref().map(|chunk| item(CHUNK, chunk)),
        word.entity.as_deref().map(|entity| item(ENTITY, entity)),
        is_glued.then(|| NO_SPACE.to_owned()),
        range.map(|(start, end)| format!("{TOKEN_RANGE}={start}:{end}")),
    ];
    let mut ours = ours.iter().flatten().map(String::as_str).peekable();
    let start = out.len();
    let mut push = |item: &str| {
        if out.len() > start {
            out.push('|');
        }
        push_clean(item, out);
    };
    for other in others.into_iter().flat_map(|others| others.split('|')) {
        // The requested range replaces one that was read.
        if range.is_some() && key(other) == TOKEN_RANGE {
            continue;
        }
        while let Some(item) = ours.next_if(|item| key(item) <= key(other)) {
            push(item);
        }
        push(other);
    }
    ours.for_each(&mut push);
    if out.len() == start {
        out.push_str(NOTHING);
    }
}

fn key(item: &str) -> &str {
    item.split_once('=').map_or(item, |(key, _)| key)
}

fn push_column(value: &str, out: &mut String) {
    if value.is_empty() {
        out.push_str(NOTHING);
    } else {
        push_clean(value, out);
    }
}

fn push_clean(value: &str, out: &mut String) {
    if value.bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
        out.push_str(&value.replace(['\t', '\n', '\r'], " "));
    } else {
        out.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Span, Tag};

    /// Compares the output, with `>` for tabs, line by line.
    fn check(sentence: &ConlluSentence, range_base: Option<usize>, expected: &[&str]) {
        let mut out = String::new();
        write_conllu(sentence, range_base, &mut out);
        let lines: Vec<String> = out.lines().map(|line| line.replace('\t', ">")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn ours() {
        let span = |start, end| Span { start, end };
        let mut analysis = Analysis::bare("Zoë\tran.", [span(0, 4), span(5, 8), span(8, 9)]);
        check(
            &ConlluSentence::new(analysis.clone(), None),
            None,
            &[
                "# text = Zoë ran.",
                "1>Zoë>_>_>_>_>_>_>_>_",
                "2>ran>_>_>_>_>_>_>_>SpaceAfter=No",
                "3>.>_>_>_>_>_>_>_>_",
                "",
            ],
        );
        let word = &mut analysis.words[0];
        word.lemma = Some("Zoë".into());
        word.upos = Some(Upos::Propn);
        word.xpos = Some(Tag::Borrowed("NNP"));
        word.chunk = Some(Tag::Borrowed("B-NP"));
        word.entity = Some(Tag::Borrowed("B-PER"));
        word.head = Some(Head::Word(1));
        word.relation = Some(Tag::Borrowed("nsubj"));
        analysis.words[1].head = Some(Head::Root);
        check(
            &ConlluSentence::new(analysis, Some("s1")),
            Some(10),
            &[
                "# sent_id = s1",
                "# text = Zoë ran.",
                "1>Zoë>Zoë>PROPN>NNP>_>2>nsubj>_>Chunk=B-NP|Entity=B-PER|TokenRange=10:13",
                "2>ran>_>_>_>_>0>_>_>SpaceAfter=No|TokenRange=14:17",
                "3>.>_>_>_>_>_>_>_>TokenRange=17:18",
                "",
            ],
        );
    }

    #[test]
    fn nothing_breaks_out_of_its_column() {
        let mut analysis = Analysis::from_forms(["a"]);
        analysis.words[0].lemma = Some("x\ty\r\nz".into());
        analysis.words[0].xpos = Some(Tag::Borrowed(""));
        analysis.words[0].entity = Some(Tag::Borrowed("B-a|b\tc"));
        let mut sentence = ConlluSentence::new(analysis, Some("s\n1>a"));
        sentence.comments.push("no mark\r".to_owned());
        let misc = Some("A=\t1|TokenRange=7:9|Z=2".into());
        sentence.extras.words.push(WordExtras { misc, ..WordExtras::default() });
        let kind = ExtraKind::Empty { minor: 1 };
        sentence.extras.lines.push(ExtraLine { n_before: 9, kind, columns: "f\t\tg\n".into() });
        check(
            &sentence,
            Some(0),
            &[
                "# sent_id = s 1>a",
                "# text = a",
                "# no mark ",
                "1>a>x y  z>_>_>_>_>_>_>A= 1|Entity=B-a/b c|TokenRange=0:1|Z=2",
                "9.1>f>_>g >_>_>_>_>_>_",
                "",
            ],
        );
    }
}
