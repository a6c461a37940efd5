//! Sentences with their annotations as CoNLL-U, in and out.
//!
//! Ten tab-separated columns a word, `_` for what is not said, a blank line after each sentence, comments before it.
//! What a file says that an [`Analysis`] has no room for (features, enhanced dependencies, other keys of the last
//! column, multiword tokens, empty nodes) is kept as it stands in [`Extras`], so that a file that is read and written
//! is the same file; [`reader`] says where an analysis gets its text from.
//!
//! Chunks and entities, for which CoNLL-U has no column, stand in the last one as `Chunk=B-NP` and `Entity=B-PER`.
//! Others use the key `Entity` for mentions in brackets: a value that is not `O`, `B-x` or `I-x` is theirs and stays in
//! the extras.

mod reader;
mod text;
mod writer;

pub use reader::ConlluReader;
pub use writer::write_conllu;

use crate::Analysis;

/// The names of the ten columns.
const COLUMNS: [&str; 10] = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"];

/// How a column says that it says nothing.
const NOTHING: &str = "_";

/// The keys of the last column that an [`Analysis`] has room for.
const CHUNK: &str = "Chunk";
const ENTITY: &str = "Entity";
const TOKEN_RANGE: &str = "TokenRange";

/// The item of the last column that says that the next word follows without a blank.
const NO_SPACE: &str = "SpaceAfter=No";

/// A sentence as a CoNLL-U file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConlluSentence {
    /// The comment lines as they stand, each from its `#` on.
    pub comments: Vec<String>,
    /// The words and what is said about them.
    pub analysis: Analysis,
    /// What the analysis has no room for.
    pub extras: Extras,
}

impl AsMut<Analysis> for ConlluSentence {
    fn as_mut(&mut self) -> &mut Analysis {
        &mut self.analysis
    }
}

impl ConlluSentence {
    /// An analysis of our own, with the two comments that every treebank has. Line breaks and tabs in the text are
    /// blanks in its comment, one for each, so that places in it are places in the text.
    pub fn new(analysis: Analysis, sent_id: Option<&str>) -> Self {
        let mut comments: Vec<String> = sent_id.map(|id| format!("# sent_id = {id}")).into_iter().collect();
        comments.push(format!("# text = {}", analysis.text.replace(['\t', '\n', '\r'], " ")));
        Self { comments, analysis, extras: Extras::default() }
    }

    /// What a comment `# key = value` says, the first if there are several. A comment without `=` says "".
    pub fn comment(&self, key: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| comment_value(comment, key))
    }
}

/// The value of a comment if it has this key: all that follows `=` and one blank.
fn comment_value<'a>(comment: &'a str, key: &str) -> Option<&'a str> {
    let rest = comment.strip_prefix('#')?.trim_start().strip_prefix(key)?;
    if rest.trim_start().is_empty() {
        return Some("");
    }
    let value = rest.trim_start().strip_prefix('=')?;
    Some(value.strip_prefix(' ').unwrap_or(value))
}

/// What a file says of a sentence beyond its [`Analysis`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// One a word; none at all where no word has any.
    pub words: Vec<WordExtras>,
    /// Multiword tokens and empty nodes, in the order of the file.
    pub lines: Vec<ExtraLine>,
}

/// What a file says of a word beyond its layers; `None` where the file has `_`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordExtras {
    /// A universal part of speech that is none of the seventeen.
    pub upos: Option<Box<str>>,
    /// The features, as they stand.
    pub feats: Option<Box<str>>,
    /// The enhanced dependencies, as they stand.
    pub deps: Option<Box<str>>,
    /// The last column without what the analysis holds (chunk, entity, whether a blank follows). `SpaceAfter=No` of the
    /// last word stays here: it is about the next sentence.
    pub misc: Option<Box<str>>,
}

/// A line that is no word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraLine {
    /// How many words stand before it.
    pub n_before: u32,
    /// What it is.
    pub kind: ExtraKind,
    /// All columns but the first, tab-separated, as they stand.
    pub columns: Box<str>,
}

/// What a line that is no word can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraKind {
    /// A multiword token (`3-4`): the text has it in one piece, and it is the words that follow.
    Multiword {
        /// How many words it is.
        n_words: u32,
    },
    /// An empty node (`3.1`): a word that the text does not have.
    Empty {
        /// The number behind the point.
        minor: u32,
    },
}

/// Whether a tag is of the form `O`, `B-x` or `I-x`.
fn is_bio(tag: &str) -> bool {
    tag == "O" || tag.strip_prefix("B-").or_else(|| tag.strip_prefix("I-")).is_some_and(|kind| !kind.is_empty())
}

#[cfg(test)]
mod laws;
