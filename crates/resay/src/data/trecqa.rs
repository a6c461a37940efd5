//! Reads the TREC data set for answer sentence selection: questions, each with sentences that
//! answer it and sentences that do not.
//!
//! The files look like XML but escape nothing, so they are read line by line. `<QApairs id='32.1'>`
//! contains a `<question>` and any number of `<positive>` and `<negative>`, each with one line per
//! column (tokens, parts of speech, dependency labels, heads, entities), tab-separated. A positive
//! has two more lines with the words of the answer. They are discarded, because the pair is
//! labelled as a whole.
//!
//! The question is the source and the group, and the sentence is the target. An example's id is its
//! question's id and the number of the sentence below it.

use super::annotated::{self, COLUMNS};
use super::format::FormatRow;
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use super::{Example, Label};
use crate::Result;
use resay_text::Analysis;
use std::io::BufRead;

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    is_certain: |start| start.starts_with(b"<QApairs"),
    ..FormatRow::new("trecqa", "at least one <positive> or <negative> below a <question>", |name, input, _| {
        Ok(Box::new(TrecqaReader::new(LineReader::new(name, input))))
    })
};

/// Streams the pairs of a file.
struct TrecqaReader<R> {
    lines: LineReader<R>,
    /// The current question.
    group: Option<Group>,
}

#[derive(Debug)]
struct Group {
    id: String,
    question: Option<Analysis>,
    n_sentences: u64,
}

const EXPECTED: &str =
    "expected <QApairs id='...'>, <question>, <positive>, <negative> or an end tag on a line of its own";

impl<R: BufRead + Send> Rows<Example> for TrecqaReader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        while self.lines.advance_to_text()? {
            let line = self.lines.line();
            match (&mut self.group, line) {
                (None, _) => match question_id(line) {
                    Some(id) => self.group = Some(Group { id: id.to_owned(), question: None, n_sentences: 0 }),
                    None => return Err(self.unexpected()),
                },
                (Some(_), "</QApairs>") => self.group = None,
                (Some(Group { question: None, .. }), "<question>") => {
                    let question = self.sentence("</question>", false)?;
                    if let Some(group) = &mut self.group {
                        group.question = Some(question);
                    }
                }
                (Some(Group { question: Some(_), .. }), "<positive>") => {
                    return self.pair("</positive>", true).map(Some);
                }
                (Some(Group { question: Some(_), .. }), "<negative>") => {
                    return self.pair("</negative>", false).map(Some);
                }
                (Some(Group { question: None, .. }), "<positive>" | "<negative>") => {
                    return Err(self.lines.error("a sentence without a question; expected <question> before it"));
                }
                _ => return Err(self.unexpected()),
            }
        }
        match self.group {
            None => Ok(None),
            Some(_) => Err(self.lines.error("the file ends within a question; expected </QApairs>")),
        }
    }
}

impl<R: BufRead> TrecqaReader<R> {
    fn new(lines: LineReader<R>) -> Self {
        Self { lines, group: None }
    }

    fn unexpected(&self) -> crate::Error {
        self.lines.error(format!("\"{}\" is out of place; {EXPECTED}", shorten(self.lines.line())))
    }

    fn pair(&mut self, end_tag: &str, is_positive: bool) -> Result<(u64, Example)> {
        let line = self.lines.number();
        let sentence = self.sentence(end_tag, is_positive)?;
        let Some(Group { id, question: Some(question), n_sentences }) = &mut self.group else {
            return Err(self.unexpected());
        };
        *n_sentences += 1;
        let example = Example {
            id: format!("{id}-{n_sentences}"),
            group: Some(id.clone()),
            source: question.text.to_string(),
            target: sentence.text.to_string(),
            label: Label::new(if is_positive { "positive" } else { "negative" }),
            analyses: Some(Box::new([question.clone(), sentence])),
        };
        Ok((line, example))
    }

    /// Reads the lines up to the end tag as a sentence.
    fn sentence(&mut self, end_tag: &str, has_answer: bool) -> Result<Analysis> {
        let mut columns: Vec<String> = Vec::with_capacity(COLUMNS.len());
        for name in COLUMNS {
            self.column_line(name)?;
            columns.push(self.lines.line().to_owned());
        }
        let cells: Vec<Vec<&str>> = columns.iter().map(|column| column.split('\t').collect()).collect();
        let [tokens, tags, labels, heads, entities] = cells.as_slice() else { return Err(self.unexpected()) };
        for (column, name) in cells.iter().zip(COLUMNS) {
            if column.len() != tokens.len() {
                let (found, expected) = (column.len(), tokens.len());
                return Err(self.lines.error(format!("{found} {name} for {expected} tokens; expected one per token")));
            }
        }
        if tokens.iter().any(|token| token.is_empty()) {
            return Err(self.lines.error("an empty token; expected tokens with single tabs between them"));
        }
        let analysis = annotated::analysis([tokens, tags, labels, heads, entities]);
        let analysis = analysis.map_err(|message| self.lines.error(message))?;
        if has_answer {
            for name in ["answer words", "numbers of the answer words"] {
                self.column_line(name)?;
            }
        }
        if !self.lines.advance()? || self.lines.line() != end_tag {
            return Err(self.lines.error(format!("expected {end_tag} here")));
        }
        Ok(analysis)
    }

    fn column_line(&mut self, name: &str) -> Result<()> {
        if !self.lines.advance()? || self.lines.line().starts_with("</") {
            return Err(self.lines.error(format!("the sentence ends too early; expected a line of {name}")));
        }
        Ok(())
    }
}

fn question_id(line: &str) -> Option<&str> {
    let id = line.trim_end().strip_prefix("<QApairs id=")?.strip_suffix('>')?;
    let quoted = |quote: char| id.strip_prefix(quote)?.strip_suffix(quote);
    quoted('\'').or_else(|| quoted('"'))
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, Dataset, Format, annotated, testing};
    use std::collections::BTreeMap;

    /// Formats a sentence's element, with `|` in `lines` for tabs.
    fn block(tag: &str, lines: &[&str]) -> String {
        let lines: String = lines.iter().map(|line| format!("{}\n", line.replace('|', "\t"))).collect();
        format!("<{tag}>\n{lines}</{tag}>\n")
    }

    fn file(blocks: &[String]) -> String {
        format!("<QApairs id='7.1'>\n{}</QApairs>\n", blocks.concat())
    }

    const WHO: [&str; 5] = ["Who|left|?", "WP|VBD|.", "SUB|ROOT|P", "2|0|2", "-|-|-"];
    const ANN: [&str; 5] = ["Ann|left", "NNP|VBD", "SUB|ROOT", "2|0", "PERSON-B|-"];

    fn answered() -> Vec<&'static str> {
        ANN.into_iter().chain(["Ann|", "1|"]).collect()
    }

    #[test]
    fn questions_and_sentences() {
        let input = file(&[block("question", &WHO), block("positive", &answered()), block("negative", &ANN)]);
        testing::check(
            Format::Trecqa,
            &input,
            &["9|7.1-1|7.1|Who left ?|Ann left|positive", "18|7.1-2|7.1|Who left ?|Ann left|negative"],
        );
        let data = Dataset::from_reader("f", input.as_bytes(), None, &Columns::default()).expect("read");
        let [question, sentence] = data.rows[1].analyses.as_deref().expect("analyses");
        assert_eq!(annotated::tests::show(question), "Who/WP/SUB/2/O left/VBD/ROOT/0/O ?/./P/2/O");
        assert_eq!(annotated::tests::show(sentence), "Ann/NNP/SUB/2/B-PERSON left/VBD/ROOT/0/O");
        assert_eq!(data.labels_binary().expect("labels"), [true, false]);
    }

    #[test]
    fn faults() {
        let check = |input: &str, expected: &str| testing::check_error(Format::Trecqa, input.as_bytes(), expected);
        let place = "is out of place; expected <QApairs id='...'>, <question>, <positive>, <negative> or an end tag on a line of its own";
        check("<question>\n", &format!("pairs:1: \"<question>\" {place}"));
        check("<QApairs id='1>\n", &format!("pairs:1: \"<QApairs id='1>\" {place}"));
        check(&file(&["x\n".to_owned()]), &format!("pairs:2: \"x\" {place}"));
        check(&file(&[block("question", &WHO), block("question", &WHO)]), &format!("pairs:9: \"<question>\" {place}"));
        check("<QApairs id='1'>\n", "pairs:1: the file ends within a question; expected </QApairs>");
        check(
            &file(&[block("negative", &ANN)]),
            "pairs:2: a sentence without a question; expected <question> before it",
        );
        check(
            &file(&[block("question", &WHO[..4])]),
            "pairs:7: the sentence ends too early; expected a line of entities",
        );
        let question = block("question", &WHO);
        check(
            &file(&[question.clone(), block("positive", &ANN)]),
            "pairs:15: the sentence ends too early; expected a line of answer words",
        );
        check(&file(&[question.clone(), block("negative", &answered())]), "pairs:15: expected </negative> here");
        check(
            &file(&[question.clone(), block("negative", &["a", "X|Y", "R", "0", "-"])]),
            "pairs:14: 2 parts of speech for 1 tokens; expected one per token",
        );
        check(
            &file(&[question.clone(), block("negative", &["a|", "X|Y", "R|R", "0|0", "-|-"])]),
            "pairs:14: an empty token; expected tokens with single tabs between them",
        );
        check(
            &file(&[question, block("negative", &["a", "X", "R", "5", "-"])]),
            "pairs:14: head \"5\" is not there: expected 0 or the number of one of 1 words",
        );
    }

    /// Counts obtained without this reader: questions, questions with any sentence, pairs, positive
    /// pairs, questions with both classes.
    const CORPUS: [(&str, [usize; 5]); 3] =
        [("train", [94, 93, 4718, 348, 78]), ("dev", [82, 81, 1148, 222, 65]), ("test", [100, 95, 1517, 284, 68])];

    #[test]
    fn the_corpus_has_its_counts() {
        let Some(folder) = resay_testing::corpus("counts of TREC-QA", "trecqa") else { return };
        for (part, expected) in CORPUS {
            let file = std::fs::read_to_string(folder.join(format!("{part}.xml"))).expect(part);
            let data = Dataset::from_reader(part, file.as_bytes(), None, &Columns::default()).expect(part);
            let labels = data.labels_binary().expect(part);
            // `classes[question]` holds the numbers of negative and positive pairs.
            let mut classes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
            for (group, &label) in data.groups().into_iter().zip(&labels) {
                classes.entry(group.expect("a group")).or_default()[usize::from(label)] += 1;
            }
            let n_questions = file.lines().filter(|line| *line == "<question>").count();
            let n_right = classes.values().map(|[_, n_right]| n_right).sum();
            let n_mixed = classes.values().filter(|[wrong, right]| *wrong > 0 && *right > 0).count();
            assert_eq!([n_questions, classes.len(), data.len(), n_right, n_mixed], expected, "{part}");
            for example in &data.rows {
                let [question, sentence] = example.analyses.as_deref().expect("analyses");
                assert_eq!((&*question.text, &*sentence.text), (&*example.source, &*example.target));
            }
        }
    }
}
