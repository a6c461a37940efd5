//! Heads and relations: a projective dependency parser in linear time.
//!
//! [`Parser`] finds the tree with a beam over transitions (`state.rs`, `search.rs`) whose weights are those of a
//! structured perceptron (`train.rs`), then labels it (`labels.rs`). Any words give a tree: every word has one head, one
//! word alone is the root, there is no cycle.

mod averaged;
mod features;
mod labels;
mod oracle;
mod rows;
mod search;
mod state;
pub mod train;
mod weights;

use super::atoms::Atom;
use super::{Head, Tag, Upos};
use crate::pack::{Container, Origin, Reader, put, put_str};
use crate::{Error, Result};
use rows::LabelTable;
use search::Search;
use std::borrow::Cow;
use weights::{ActionTable, Weights};

/// The longest piece that is parsed at once, in words. A longer sentence is cut, and the pieces' roots hang on the first.
const MAX_PIECE: usize = 400;

/// The widest beam.
const MAX_WIDTH: usize = 64;

/// A word's tags as features see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair {
    /// The universal part of speech.
    pub upos: Upos,
    /// The hash of the name of the tag in the language's own set.
    pub xpos: u32,
}

impl TagPair {
    /// A pair of tags by their names.
    pub fn new(upos: Upos, xpos: &str) -> Self {
        Self { upos, xpos: super::learn::hash::word(xpos) }
    }
}

/// The parser.
#[derive(Clone, Debug)]
pub struct Parser {
    actions: ActionTable,
    labels: LabelTable,
    relations: Vec<Tag>,
    /// States in the beam.
    width: usize,
}

/// Room for parsing, kept from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct ParseScratch {
    search: Search,
    tree: labels::Tree,
    actions: Vec<state::Action>,
    stack: Vec<u32>,
    heads: Vec<Head>,
    features: Vec<u32>,
    room: rows::Room,
}

impl Parser {
    /// The head of every word, and the number of its relation in [`Parser::relations`].
    pub fn parse(&self, atoms: &[Atom], tags: &[TagPair], scratch: &mut ParseScratch, out: &mut Vec<(Head, u8)>) {
        out.clear();
        let n_words = atoms.len().min(tags.len());
        let mut first_root = None;
        while out.len() < n_words {
            let from = out.len();
            let to = from + piece_len(&tags[from..n_words]);
            self.parse_piece(&atoms[from..to], &tags[from..to], scratch, out);
            for (word, (head, relation)) in out.iter_mut().enumerate().skip(from) {
                match head {
                    Head::Word(head) => *head += from as u32,
                    Head::Root => match first_root {
                        None => first_root = Some(word as u32),
                        Some(root) => {
                            *head = Head::Word(root);
                            *relation = self.relation("parataxis");
                        }
                    },
                }
            }
        }
    }

    fn parse_piece(&self, atoms: &[Atom], tags: &[TagPair], scratch: &mut ParseScratch, out: &mut Vec<(Head, u8)>) {
        scratch.search.line.set(atoms, tags);
        find_heads(&self.actions, self.width, scratch);
        let root = atoms.len() as u16 + 1;
        scratch.tree.set(scratch.heads.iter().map(|head| match head {
            Head::Root => root,
            Head::Word(head) => *head as u16 + 1,
        }));
        scratch.tree.label(&scratch.search.line, &mut scratch.features, |_, features| {
            self.labels.best(features, &mut scratch.room)
        });
        let relations = scratch.tree.relations[1..].iter().map(|relation| relation - 1);
        out.extend(scratch.heads.iter().copied().zip(relations));
    }

    /// The number of a relation; the first where there is none of this name.
    fn relation(&self, name: &str) -> u8 {
        self.relations.iter().position(|known| known == name).unwrap_or(0) as u8
    }

    /// What relations' numbers stand for.
    pub fn relations(&self) -> &[Tag] {
        &self.relations
    }

    /// How many features have weights: for actions and for relations.
    pub fn n_features(&self) -> (usize, usize) {
        (self.actions.n_features(), self.labels.n_features())
    }
}

impl Parser {
    /// The parser as a file.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        put(&mut head, self.width as u64);
        put(&mut head, self.relations.len() as u64);
        self.relations.iter().for_each(|relation| put_str(&mut head, relation));
        let (mut actions, mut labels) = (Vec::new(), Vec::new());
        self.actions.write(&mut actions);
        self.labels.write(&mut labels);
        let mut container = Container::new(origin);
        container.push("head", head);
        container.push("actions", actions);
        container.push("labels", labels);
        container.pack()
    }

    /// Opens a parser; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::<Origin>::unpack(name, bytes)?;
        if container.about.resource != "parser" {
            let found = &container.about.resource;
            return Err(Error::file(name, format!("this is '{found}', expected 'parser': give the right file")));
        }
        let mut reader = Reader::new(name, "head", container.section(name, "head")?);
        let width = reader.below(MAX_WIDTH + 1, "width of the beam")?.max(1) as usize;
        let n_relations = reader.count(1)?;
        let mut relations: Vec<Tag> = Vec::with_capacity(n_relations);
        for _ in 0..n_relations {
            relations.push(Cow::Owned(reader.string()?.to_owned()));
        }
        reader.end()?;
        let mut reader = Reader::new(name, "actions", container.section(name, "actions")?);
        let actions = ActionTable::read(&mut reader)?;
        reader.end()?;
        let mut reader = Reader::new(name, "labels", container.section(name, "labels")?);
        let labels = LabelTable::read(&mut reader)?;
        if labels.n_labels() != n_relations || n_relations == 0 {
            return reader.fail(format_args!("{} labels for {n_relations} relations", labels.n_labels()));
        }
        reader.end()?;
        Ok(Self { actions, labels, relations, width })
    }
}

/// The best heads under some weights, for the sentence in the search's line.
fn find_heads<W: Weights>(weights: &W, width: usize, scratch: &mut ParseScratch) {
    let search = &mut scratch.search;
    let n_words = search.line.len();
    search.start(weights);
    for _ in 0..2 * n_words {
        search.step(weights, width);
    }
    scratch.actions.clear();
    if let Some(best) = search.beam.first() {
        scratch.actions.extend(search.way(best.last));
    }
    state::tree(scratch.actions.iter().rev().copied(), n_words, &mut scratch.stack, &mut scratch.heads);
}

/// How many of the words are parsed at once: all, or up to the last mark in the second half of what fits.
fn piece_len(tags: &[TagPair]) -> usize {
    if tags.len() <= MAX_PIECE {
        return tags.len();
    }
    let mark = (MAX_PIECE / 2..MAX_PIECE).rev().find(|&at| tags[at].upos == Upos::Punct);
    mark.map_or(MAX_PIECE, |at| at + 1)
}
