//! Streams the sentences of a CoNLL-U file.
//!
//! The text of a sentence is its comment `# text` if that agrees with the forms and with
//! `SpaceAfter=No`; otherwise it is rebuilt from those, and the comment stays a comment. A form is
//! therefore always the text at its word's span. A multiword token is replaced by its words: if
//! their forms concatenate to its own ("don't" is "do" and "n't"), the text is unchanged; otherwise
//! the text has the words ("du" as "de le"), because words carry the annotation.
//!
//! Malformed input is an error: a wrong number of columns, ids out of order, missing heads, cycles
//! of heads. Several roots are allowed, and so is a word without a head.

use super::text::{Piece, locate, rebuild};
use super::{
    CHUNK, COLUMNS, ConlluSentence, ENTITY, ExtraKind, ExtraLine, Extras, NO_SPACE, NOTHING, WordExtras, comment_value,
    is_bio,
};
use crate::lines::{LineReader, MAX_LINE, shorten};
use crate::{Analysis, Head, Span, Tag, Upos, Word, head_cycle};
use crate::{Error, Result};
use std::io::BufRead;

/// Maximum size of a sentence in bytes, so that a file without blank lines cannot fill the memory.
const MAX_SENTENCE: usize = 16 * MAX_LINE;

/// An iterator of (first line, sentence). It ends after the first error.
#[derive(Debug)]
pub struct ConlluReader<R> {
    lines: LineReader<R>,
    is_done: bool,
}

impl<R: BufRead> ConlluReader<R> {
    /// Creates a reader of `input`. `name` is the file name as the user gave it.
    pub fn new(name: &str, input: R) -> Self {
        Self { lines: LineReader::new(name, input), is_done: false }
    }

    fn next_sentence(&mut self) -> Result<Option<(u64, ConlluSentence)>> {
        if !self.lines.advance_to_text()? {
            return Ok(None);
        }
        let start = self.lines.number();
        let mut block = Block::default();
        let mut n_bytes = 0;
        loop {
            n_bytes += self.lines.line().len();
            if n_bytes > MAX_SENTENCE {
                return Err(self.lines.error(format!(
                    "the sentence that starts in line {start} is longer than {MAX_SENTENCE} bytes, the most that is read; \
                     expected a blank line after each sentence"
                )));
            }
            block.add(self.lines.line(), self.lines.number()).map_err(|message| self.lines.error(message))?;
            if !self.lines.advance()? || self.lines.line().bytes().all(|byte| byte == b' ') {
                break;
            }
        }
        let name = self.lines.name();
        let sentence = block.finish().map_err(|(line, message)| Error::line(name, line.max(start), message))?;
        Ok(Some((start, sentence)))
    }
}

impl<R: BufRead> Iterator for ConlluReader<R> {
    type Item = Result<(u64, ConlluSentence)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.next_sentence();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// The lines of a sentence so far.
#[derive(Debug, Default)]
struct Block {
    comments: Vec<String>,
    rows: Vec<Row>,
    extra_lines: Vec<ExtraLine>,
    /// The number after the dot, if the previous line is an empty node; else 0.
    minor: u32,
    /// The last word of the last multiword token, from 1, and the line of that token.
    multiword: (u32, u64),
}

/// A word's line.
#[derive(Debug)]
struct Row {
    line: u64,
    form: Box<str>,
    /// The word; its span is not known yet.
    word: Word,
    extras: WordExtras,
}

/// The kind of a line, by its first column.
enum Id {
    Word(u32),
    Multiword(u32, u32),
    Empty(u32, u32),
}

/// Parses digits without a leading zero, so that every id has one spelling.
fn number(digits: &str) -> Option<u32> {
    let is_canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if is_canonical { digits.parse().ok() } else { None }
}

impl Id {
    fn parse(cell: &str) -> Option<Self> {
        if let Some((first, last)) = cell.split_once('-') {
            return Some(Self::Multiword(number(first)?, number(last)?));
        }
        if let Some((word, minor)) = cell.split_once('.') {
            return Some(Self::Empty(number(word)?, number(minor)?));
        }
        Some(Self::Word(number(cell)?))
    }
}

/// Returns the value of a column; `None` for `_`.
fn said(cell: &str) -> Option<Box<str>> {
    (cell != NOTHING).then(|| cell.into())
}

fn tag(cell: &str) -> Option<Tag> {
    (cell != NOTHING).then(|| Tag::Owned(cell.to_owned()))
}

impl Block {
    /// Adds a line. An error is a message about this line.
    fn add(&mut self, text: &str, line: u64) -> Result<(), String> {
        if text.contains('\r') {
            return Err("a carriage return within the line; expected lines that end with LF or CRLF".to_owned());
        }
        if text.starts_with('#') {
            if !self.rows.is_empty() || !self.extra_lines.is_empty() {
                return Err("a comment among words; expected comments before the first word of a sentence".to_owned());
            }
            self.comments.push(text.to_owned());
            return Ok(());
        }
        let mut cells = [""; COLUMNS.len()];
        let mut n_cells = 0;
        for cell in text.split('\t') {
            if let Some(slot) = cells.get_mut(n_cells) {
                *slot = cell;
            }
            n_cells += 1;
        }
        if n_cells != COLUMNS.len() {
            let plural = if n_cells == 1 { "" } else { "s" };
            return Err(format!(
                "{n_cells} column{plural}, expected 10 with tabs between them ({})",
                COLUMNS.join(", ")
            ));
        }
        if let Some((_, column)) = cells.iter().zip(COLUMNS).find(|(cell, _)| cell.is_empty()) {
            return Err(format!("{column} is empty; expected {NOTHING} where nothing is said"));
        }
        let [id, form, lemma, upos, xpos, feats, head, relation, deps, misc] = cells;
        let n_words = self.rows.len() as u32;
        match Id::parse(id) {
            Some(Id::Word(word)) if word == n_words + 1 => self.minor = 0,
            Some(Id::Multiword(first, last))
                if first == n_words + 1 && last >= first && n_words >= self.multiword.0 =>
            {
                self.multiword = (last, line);
                self.minor = 0;
                return self.add_extra(ExtraKind::Multiword { n_words: last - n_words }, text);
            }
            Some(Id::Empty(word, minor)) if word == n_words && minor == self.minor + 1 => {
                self.minor = minor;
                return self.add_extra(ExtraKind::Empty { minor }, text);
            }
            Some(_) => {
                return Err(format!("id {id} is out of order, expected {} for the next word", n_words + 1));
            }
            None => {
                return Err(format!(
                    "id \"{}\" is none; expected a number, a multiword token such as 3-4, or an empty node such as 3.1",
                    shorten(id)
                ));
            }
        }
        let head = match head {
            NOTHING => None,
            "0" => Some(Head::Root),
            _ => match number(head).and_then(|head| head.checked_sub(1)) {
                Some(head) => Some(Head::Word(head)),
                None => return Err(format!("head \"{}\" is no word; expected its number, 0 or _", shorten(head))),
            },
        };
        let known_upos = upos.parse::<Upos>().ok();
        let word = Word {
            // If the form is an underscore, so is the lemma.
            lemma: if form == NOTHING { Some(lemma.into()) } else { said(lemma) },
            upos: known_upos,
            xpos: tag(xpos),
            head,
            relation: tag(relation),
            ..Word::at(Span { start: 0, end: 0 })
        };
        let upos = if known_upos.is_none() { said(upos) } else { None };
        let extras = WordExtras { upos, feats: said(feats), deps: said(deps), misc: said(misc) };
        self.rows.push(Row { line, form: form.into(), word, extras });
        Ok(())
    }

    fn add_extra(&mut self, kind: ExtraKind, text: &str) -> Result<(), String> {
        let columns = text.split_once('\t').map_or("", |(_, columns)| columns).into();
        self.extra_lines.push(ExtraLine { n_before: self.rows.len() as u32, kind, columns });
        Ok(())
    }

    /// Builds the sentence. An error is a line number and a message.
    fn finish(mut self) -> Result<ConlluSentence, (u64, String)> {
        let n_words = self.rows.len();
        let (last, line) = self.multiword;
        if last as usize > n_words {
            return Err((line, format!("the multiword token ends with word {last}, but the sentence has {n_words}")));
        }
        for row in &self.rows {
            if let Some(Head::Word(head)) = row.word.head
                && head as usize >= n_words
            {
                let head = u64::from(head) + 1;
                return Err((row.line, format!("head {head} is not there: the sentence has {n_words} words")));
            }
        }
        if let Some(word) = head_cycle(&self.rows, |row| row.word.head) {
            let line = self.rows.get(word).map_or(0, |row| row.line);
            return Err((line, format!("the heads of word {} run in a circle; expected a way to the root", word + 1)));
        }
        let glued = self.settle_misc();
        let pieces: Vec<Piece<'_>> =
            self.rows.iter().zip(glued).map(|(row, is_glued)| Piece { form: &row.form, is_glued }).collect();
        let told = self.comments.iter().find_map(|comment| comment_value(comment, "text"));
        let located = told.and_then(|text| Some((text.to_owned(), locate(text, &pieces)?)));
        let (text, spans) = located.unwrap_or_else(|| rebuild(&pieces));
        let mut words = Vec::with_capacity(n_words);
        let mut extras = Extras { words: Vec::with_capacity(n_words), lines: self.extra_lines };
        for (row, span) in self.rows.into_iter().zip(spans) {
            words.push(Word { span, ..row.word });
            extras.words.push(row.extras);
        }
        if extras.words.iter().all(|word| *word == WordExtras::default()) {
            extras.words = Vec::new();
        }
        Ok(ConlluSentence { comments: self.comments, analysis: Analysis { text: text.into(), words }, extras })
    }

    /// Moves what the analysis can represent out of the last columns. Returns, per word, whether
    /// the next word follows without a space.
    fn settle_misc(&mut self) -> Vec<bool> {
        let n_words = self.rows.len();
        let mut glued = vec![false; n_words];
        // Spaces inside a multiword token are its own matter; its last column tells whether one
        // follows.
        let mut covered = vec![false; n_words];
        for extra in &self.extra_lines {
            let ExtraKind::Multiword { n_words: n_covered } = extra.kind else { continue };
            let start = extra.n_before as usize;
            let range = start..start + n_covered as usize;
            let form = extra.columns.split('\t').next().unwrap_or("");
            let words = self.rows.get(range.clone()).unwrap_or_default();
            let is_sum =
                words.iter().try_fold(form, |rest, row| rest.strip_prefix(&*row.form)).is_some_and(str::is_empty);
            let misc = extra.columns.rsplit('\t').next().unwrap_or("");
            let is_glued = misc.split('|').any(|item| item == NO_SPACE);
            for (offset, word) in range.clone().enumerate() {
                covered[word] = true;
                glued[word] = if offset + 1 == n_covered as usize { is_glued } else { is_sum };
            }
        }
        for (idx, row) in self.rows.iter_mut().enumerate() {
            let takes_space = !covered[idx] && idx + 1 < n_words;
            let Some(misc) = &row.extras.misc else { continue };
            let (mut others, mut n_taken): (Vec<&str>, usize) = (Vec::new(), 0);
            for item in misc.split('|') {
                let layer = match item.split_once('=') {
                    Some((CHUNK, value)) if is_bio(value) => Some((&mut row.word.chunk, value)),
                    Some((ENTITY, value)) if is_bio(value) => Some((&mut row.word.entity, value)),
                    _ => None,
                };
                match layer {
                    Some((layer @ None, value)) => *layer = Some(Tag::Owned(value.to_owned())),
                    _ if takes_space && !glued[idx] && item == NO_SPACE => glued[idx] = true,
                    _ => {
                        others.push(item);
                        continue;
                    }
                }
                n_taken += 1;
            }
            let n_others = others.len();
            others.retain(|item| !item.is_empty());
            if n_taken > 0 || others.len() < n_others {
                row.extras.misc = if others.is_empty() { None } else { Some(others.join("|").into()) };
            }
        }
        glued
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(input: &str) -> Result<Vec<(u64, ConlluSentence)>> {
        let at_once: Result<Vec<_>> = ConlluReader::new("f", input.as_bytes()).collect();
        let in_bytes: Result<Vec<_>> = ConlluReader::new("f", BufReader::with_capacity(1, input.as_bytes())).collect();
        match (&at_once, &in_bytes) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (one, other) => assert_eq!(
                one.as_ref().expect_err("one fails").to_string(),
                other.as_ref().expect_err("so does the other").to_string()
            ),
        }
        at_once
    }

    /// Builds lines from columns separated by spaces, because tabs are invisible.
    fn lines(input: &[&str]) -> String {
        let tabs = |line: &&str| match line.starts_with('#') {
            true => format!("{line}\n"),
            false => format!("{}\n", line.split(' ').collect::<Vec<_>>().join("\t")),
        };
        input.iter().map(tabs).collect()
    }

    /// Shows, per word, the form, lemma, tags, chunk, entity, head, relation and extras.
    fn show(sentence: &ConlluSentence) -> Vec<String> {
        let words = sentence.analysis.words.iter().enumerate();
        let row = |(idx, word): (usize, &Word)| {
            let head = match word.head {
                None => "~".to_owned(),
                Some(Head::Root) => "0".to_owned(),
                Some(Head::Word(head)) => (head + 1).to_string(),
            };
            let extras = sentence.extras.words.get(idx).cloned().unwrap_or_default();
            let extras = [extras.upos, extras.feats, extras.deps, extras.misc];
            let extras = extras.map(|extra| extra.map_or("~".to_owned(), String::from)).join(" ");
            let tags = [&word.xpos, &word.chunk, &word.entity, &word.relation];
            let [xpos, chunk, entity, relation] = tags.map(|tag| tag.as_deref().unwrap_or("~"));
            let lemma = word.lemma.as_deref().unwrap_or("~");
            let upos = word.upos.map_or("~", Upos::name);
            let form = sentence.analysis.form(idx);
            format!("{form} {lemma} {upos} {xpos} {chunk} {entity} {head} {relation} | {extras}")
        };
        words.map(row).collect()
    }

    fn check(input: &[&str], text: &str, expected: &[&str]) {
        let sentences = read(&lines(input)).expect("sound");
        assert_eq!(sentences.len(), 1);
        let sentence = &sentences[0].1;
        assert_eq!(&*sentence.analysis.text, text);
        assert_eq!(show(sentence), expected);
    }

    #[test]
    fn words_and_layers() {
        check(
            &[
                "# text = Ann  slept.",
                "1 Ann Ann PROPN NNP Number=Sing 2 nsubj 2:nsubj Chunk=B-NP|Entity=B-PER",
                "2 slept sleep VERB VBD _ 0 root _ Chunk=B-VP|Gloss=x|SpaceAfter=No",
                "3 . . PUNCT . _ 2 punct _ SpaceAfter=No",
            ],
            "Ann  slept.",
            &[
                "Ann Ann PROPN NNP B-NP B-PER 2 nsubj | ~ Number=Sing 2:nsubj ~",
                "slept sleep VERB VBD B-VP ~ 0 root | ~ ~ ~ Gloss=x",
                ". . PUNCT . ~ ~ 2 punct | ~ ~ ~ SpaceAfter=No",
            ],
        );
        check(
            &["1 Stop _ _ _ _ _ _ _ _", "2 ! _ _ _ _ _ _ _ _"],
            "Stop !",
            &["Stop ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ ~", "! ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ ~"],
        );
        check(&["1 _ _ CONJ _ _ _ _ _ _"], "_", &["_ _ ~ ~ ~ ~ ~ ~ | CONJ ~ ~ ~"]);
    }

    #[test]
    fn keys_of_the_last_column_that_are_not_ours_stay() {
        let bare = |misc: &str| format!("1 a _ _ _ _ _ _ _ {misc}");
        let check = |misc: &str, expected: &str| check(&[&bare(misc)], "a", &[expected]);
        check("Entity=(e1-person-1)", "a ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ Entity=(e1-person-1)");
        check("Chunk=NP|Entity=O", "a ~ ~ ~ ~ O ~ ~ | ~ ~ ~ Chunk=NP");
        check("Chunk=B-NP|Chunk=I-NP", "a ~ ~ ~ B-NP ~ ~ ~ | ~ ~ ~ Chunk=I-NP");
        check("Chunk=B-|Entity", "a ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ Chunk=B-|Entity");
        check("SpacesAfter=\\s\\s|TokenRange=0:1", "a ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ SpacesAfter=\\s\\s|TokenRange=0:1");
    }

    #[test]
    fn multiword_tokens_and_empty_nodes() {
        check(
            &[
                "# text = Don't go.",
                "1-2 Don't _ _ _ _ _ _ _ _",
                "1 Do do AUX _ _ 3 aux _ _",
                "2 n't not PART _ _ 3 advmod _ _",
                "3 go go VERB _ _ 0 root _ SpaceAfter=No",
                "3.1 there _ ADV _ _ _ _ 3:advmod _",
                "4 . . PUNCT _ _ 3 punct _ _",
            ],
            "Don't go.",
            &[
                "Do do AUX ~ ~ ~ 3 aux | ~ ~ ~ ~",
                "n't not PART ~ ~ ~ 3 advmod | ~ ~ ~ ~",
                "go go VERB ~ ~ ~ 0 root | ~ ~ ~ ~",
                ". . PUNCT ~ ~ ~ 3 punct | ~ ~ ~ ~",
            ],
        );
        // The words of "du" are not parts of it, so the text has the words.
        let words = &["de ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ ~", "le ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ ~", "? ~ ~ ~ ~ ~ ~ ~ | ~ ~ ~ ~"];
        check(
            &[
                "# text = du?",
                "1-2 du _ _ _ _ _ _ _ SpaceAfter=No",
                "1 de _ _ _ _ _ _ _ _",
                "2 le _ _ _ _ _ _ _ _",
                "3 ? _ _ _ _ _ _ _ _",
            ],
            "de le?",
            words,
        );
    }

    #[test]
    fn a_text_that_disagrees_is_only_a_comment() {
        let sentences =
            read(&lines(&["# text = Go away!", "1 Go _ _ _ _ _ _ _ _", "2 on _ _ _ _ _ _ _ _"])).expect("sound");
        assert_eq!(&*sentences[0].1.analysis.text, "Go on");
        assert_eq!(sentences[0].1.comments, ["# text = Go away!"]);
    }

    #[test]
    fn sentences_are_what_blank_lines_part() {
        let one = |form: &str| lines(&[&format!("1 {form} _ _ _ _ _ _ _ _")]);
        let input = format!(
            "\u{feff}\n\n# a\n{}\n  \n\n{}\n# nothing\n\n{}",
            one("x"),
            one("y").replace('\n', "\r\n"),
            one("z").trim()
        );
        let found = read(&input).expect("sound");
        let shown: Vec<_> = found.iter().map(|(line, s)| (*line, s.comments.len(), &*s.analysis.text)).collect();
        assert_eq!(shown, [(3, 1, "x"), (8, 0, "y"), (10, 1, ""), (12, 0, "z")]);
    }

    #[test]
    fn forms_may_have_blanks() {
        let found =
            read("1\t10 000\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\t%\t_\t_\t_\t_\t_\t_\t_\t_\n").expect("sound");
        assert_eq!((&*found[0].1.analysis.text, found[0].1.analysis.form(0)), ("10 000%", "10 000"));
    }

    #[test]
    fn faults() {
        let check = |input: &[&str], expected: &str| {
            let error = read(&lines(input)).expect_err(expected);
            assert_eq!(error.to_string(), expected);
            assert!(error.is_usage());
        };
        let columns = "with tabs between them (ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC)";
        check(&["1 a"], &format!("f:1: 2 columns, expected 10 {columns}"));
        check(&["1 a _ _ _ _ _ _ _ _ _"], &format!("f:1: 11 columns, expected 10 {columns}"));
        check(&["nothing"], &format!("f:1: 1 column, expected 10 {columns}"));
        check(&["1 a  _ _ _ _ _ _ _"], "f:1: LEMMA is empty; expected _ where nothing is said");
        let out = |id: &str, next: u32| {
            format!("is out of order, expected {next} for the next word").replace("is", &format!("id {id} is"))
        };
        let word = "1 a _ _ _ _ _ _ _ _";
        check(&["0 a _ _ _ _ _ _ _ _"], &format!("f:1: {}", out("0", 1)));
        check(&[word, "3 a _ _ _ _ _ _ _ _"], &format!("f:2: {}", out("3", 2)));
        check(&[word, "", word, word], &format!("f:4: {}", out("1", 2)));
        check(&[word, "1-2 a _ _ _ _ _ _ _ _"], &format!("f:2: {}", out("1-2", 2)));
        check(&["1-3 a _ _ _ _ _ _ _ _", word, "2-3 a _ _ _ _ _ _ _ _"], &format!("f:3: {}", out("2-3", 2)));
        check(&[word, "1.2 a _ _ _ _ _ _ _ _"], &format!("f:2: {}", out("1.2", 2)));
        let none = "is none; expected a number, a multiword token such as 3-4, or an empty node such as 3.1";
        check(&["x a _ _ _ _ _ _ _ _"], &format!("f:1: id \"x\" {none}"));
        check(&["01 a _ _ _ _ _ _ _ _"], &format!("f:1: id \"01\" {none}"));
        check(&["1- a _ _ _ _ _ _ _ _"], &format!("f:1: id \"1-\" {none}"));
        check(
            &["# c", "1-2 a _ _ _ _ _ _ _ _", word],
            "f:2: the multiword token ends with word 2, but the sentence has 1",
        );
        check(&[word, "2 a _ _ _ _ 3 _ _ _"], "f:2: head 3 is not there: the sentence has 2 words");
        check(&["1 a _ _ _ _ x _ _ _"], "f:1: head \"x\" is no word; expected its number, 0 or _");
        check(&["1 a _ _ _ _ -1 _ _ _"], "f:1: head \"-1\" is no word; expected its number, 0 or _");
        check(
            &["1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ 3 _ _ _", "3 b _ _ _ _ 2 _ _ _"],
            "f:2: the heads of word 2 run in a circle; expected a way to the root",
        );
        check(&["1 a _ _ _ _ 1 _ _ _"], "f:1: the heads of word 1 run in a circle; expected a way to the root");
        check(
            &["1 a\rb _ _ _ _ _ _ _ _"],
            "f:1: a carriage return within the line; expected lines that end with LF or CRLF",
        );
        check(&[word, "# late"], "f:2: a comment among words; expected comments before the first word of a sentence");
    }

    #[test]
    fn a_sentence_without_end_does_not_fill_the_memory() {
        struct Endless(u64, usize);
        impl std::io::Read for Endless {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                self.0 += 1;
                let line = format!("{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", self.0, "x".repeat(1000));
                let n = line.len().min(into.len());
                into[..n].copy_from_slice(&line.as_bytes()[..n]);
                self.1 += n;
                Ok(n)
            }
        }
        let mut endless = Endless(0, 0);
        let error = ConlluReader::new("f", BufReader::with_capacity(4096, &mut endless)).next();
        assert!(error.expect("an answer").expect_err("too long").to_string().contains("longer than 16777216 bytes"));
        assert!(endless.1 < MAX_SENTENCE + 2 * MAX_LINE);
    }
}
