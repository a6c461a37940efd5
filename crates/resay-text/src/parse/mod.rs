//! Dependency parsing: a projective, labelled parser in linear time.
//!
//! [`Parser`] finds the tree by beam search over transitions (`state.rs`, `search.rs`), with the
//! weights of a structured perceptron (`train.rs`), then labels it (`labels.rs`). Any words give a
//! tree: every word has one head, exactly one word is the root, and there is no cycle.

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
use crate::Result;
use crate::container::{Container, Origin, SectionReader, put, put_str};
use rows::LabelTable;
use search::{Beam, Search};
use std::borrow::Cow;
use weights::{ActionTable, Weights};

/// The longest segment parsed at once, in words. A longer sentence is cut, and the roots of the
/// segments are attached to the first one.
const MAX_PIECE: usize = 400;

/// Maximum beam width.
const MAX_WIDTH: usize = 64;

/// A word's tags, as used by features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair {
    /// The universal part of speech.
    pub upos: Upos,
    /// The hash of the language-specific tag.
    pub xpos: u32,
}

impl TagPair {
    /// Creates a pair of tags.
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
    beam: Beam,
}

/// Buffers for parsing, reused from sentence to sentence.
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
    /// Computes the head of every word, and its relation as an index into [`Parser::relations`].
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
        find_heads(&self.actions, self.beam, scratch);
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

    /// Returns the index of a relation; 0 if the name is unknown.
    fn relation(&self, name: &str) -> u8 {
        self.relations.iter().position(|known| known == name).unwrap_or(0) as u8
    }

    /// Returns the names of the relations.
    pub fn relations(&self) -> &[Tag] {
        &self.relations
    }

    /// Returns the number of features with weights, for actions and for relations.
    pub fn n_features(&self) -> (usize, usize) {
        (self.actions.n_features(), self.labels.n_features())
    }
}

impl Parser {
    /// Serialises the parser.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        put(&mut head, self.beam.width as u64);
        put(&mut head, self.beam.margin as u64);
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

    /// Reads a parser. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "parser")?;
        let mut reader = SectionReader::new(name, "head", container.section(name, "head")?);
        let width = reader.below(MAX_WIDTH + 1, "width of the beam")?.max(1) as usize;
        let margin = reader.below(1 << 31, "margin of the beam")? as i32;
        let n_relations = reader.count(1)?;
        let mut relations: Vec<Tag> = Vec::with_capacity(n_relations);
        for _ in 0..n_relations {
            relations.push(Cow::Owned(reader.string()?.to_owned()));
        }
        reader.end()?;
        let mut reader = SectionReader::new(name, "actions", container.section(name, "actions")?);
        let actions = ActionTable::read(&mut reader)?;
        reader.end()?;
        let mut reader = SectionReader::new(name, "labels", container.section(name, "labels")?);
        let labels = LabelTable::read(&mut reader)?;
        if labels.n_labels() != n_relations || n_relations == 0 {
            return reader.fail(format_args!("{} labels for {n_relations} relations", labels.n_labels()));
        }
        reader.end()?;
        Ok(Self { actions, labels, relations, beam: Beam { width, margin } })
    }
}

/// Finds the best heads under some weights, for the sentence in the search's line.
fn find_heads<W: Weights>(weights: &W, beam: Beam, scratch: &mut ParseScratch) {
    let search = &mut scratch.search;
    let n_words = search.line.len();
    search.start(weights);
    for _ in 0..2 * n_words {
        search.step(weights, beam);
    }
    scratch.actions.clear();
    if let Some(best) = search.beam.first() {
        scratch.actions.extend(search.way(best.last));
    }
    state::tree(scratch.actions.iter().rev().copied(), n_words, &mut scratch.stack, &mut scratch.heads);
}

/// Returns the number of words to parse at once: all, or up to the last punctuation mark in the
/// second half of what fits.
fn piece_len(tags: &[TagPair]) -> usize {
    if tags.len() <= MAX_PIECE {
        return tags.len();
    }
    let mark = (MAX_PIECE / 2..MAX_PIECE).rev().find(|&at| tags[at].upos == Upos::Punct);
    mark.map_or(MAX_PIECE, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::train::{ParserExample, ParserOptions, measure, train};
    use super::*;
    use crate::atoms::atoms;
    use crate::words::Words;
    use proptest::prelude::*;

    /// Converts words with tags, as `dog/NOUN/NN`, to parser input.
    pub(super) fn sentence(text: &str) -> (Vec<Atom>, Vec<TagPair>) {
        let parts: Vec<Vec<&str>> = text.split_whitespace().map(|word| word.split('/').collect()).collect();
        let mut out = Vec::new();
        atoms(parts.iter().map(|part| part[0]), &Words::new(&[]), &mut out);
        (out, parts.iter().map(|part| TagPair::new(part[1].parse().unwrap(), part[2])).collect())
    }

    /// Returns a text of `n` words.
    pub(super) fn words_of(n: usize) -> String {
        let word =
            ["the/DET/DT", "dog/NOUN/NN", "sees/VERB/VBZ", ",/PUNCT/,", "and/CCONJ/CC", "a/DET/DT", "cat/NOUN/NN"];
        (0..n).map(|at| word[(at * at + at / 3) % word.len()]).collect::<Vec<_>>().join(" ")
    }

    /// Creates an example with heads (from 1, 0 for the root) and relations.
    fn example(text: &str, tree: &str) -> ParserExample {
        let (atoms, tags) = sentence(text);
        let (heads, relations) = tree
            .split(' ')
            .map(|arc| {
                let (head, relation) = arc.split_once(':').unwrap();
                let head = head.parse::<u32>().unwrap();
                let head = if head == 0 { Head::Root } else { Head::Word(head - 1) };
                (head, Cow::Owned(relation.to_owned()))
            })
            .unzip();
        ParserExample { atoms, tags, heads, relations }
    }

    fn training_examples() -> Vec<ParserExample> {
        vec![
            example("the/DET/DT dog/NOUN/NN sleeps/VERB/VBZ ./PUNCT/.", "2:det 3:nsubj 0:root 3:punct"),
            example(
                "a/DET/DT girl/NOUN/NN sees/VERB/VBZ the/DET/DT man/NOUN/NN with/ADP/IN glasses/NOUN/NNS",
                "2:det 3:nsubj 0:root 5:det 3:obj 7:case 3:obl",
            ),
            example(
                "a/DET/DT girl/NOUN/NN knows/VERB/VBZ the/DET/DT man/NOUN/NN with/ADP/IN hats/NOUN/NNS",
                "2:det 3:nsubj 0:root 5:det 3:obj 7:case 5:nmod",
            ),
            example(
                "what/PRON/WP do/AUX/VBP you/PRON/PRP want/VERB/VB ?/PUNCT/.",
                "4:obj 4:aux 4:nsubj 0:root 4:punct",
            ),
            // The arc from 4 to 1 crosses the root's arc. It is lifted for training, so it cannot
            // be found.
            example("hats/NOUN/NNS sell/VERB/VBP today/NOUN/NN red/ADJ/JJ", "2:nsubj 0:root 2:obl:tmod 1:amod"),
        ]
    }

    fn learned() -> Parser {
        let options = ParserOptions {
            learn_width: 4,
            width: 4,
            margin: 100.0,
            epochs: 12,
            label_epochs: 12,
            max_features: 100_000,
            max_label_features: 100_000,
            limit: 10.0,
            label_limit: 10.0,
        };
        train(&training_examples(), &[], &options, |epoch, numbers| numbers.rotate_left(epoch % 3), |_| {})
    }

    fn origin() -> Origin {
        let none = String::new;
        Origin { resource: "parser".to_owned(), data: none(), licence: none(), made: none(), quality: Vec::new() }
    }

    fn check_is_tree(parser: &Parser, out: &[(Head, u8)]) {
        let n_roots = out.iter().filter(|(head, _)| *head == Head::Root).count();
        assert_eq!(n_roots, usize::from(!out.is_empty()));
        // Words whose path to the root is known to end. Every word is visited at most twice.
        let mut is_good = vec![false; out.len()];
        for start in 0..out.len() {
            let (mut at, mut way) = (start, Vec::new());
            while !is_good[at] {
                assert!(way.len() <= out.len(), "a cycle through word {start}");
                way.push(at);
                match out[at].0 {
                    Head::Root => break,
                    Head::Word(head) => at = head as usize,
                }
            }
            way.into_iter().for_each(|word| is_good[word] = true);
        }
        assert!(out.iter().all(|(_, relation)| (*relation as usize) < parser.relations().len()));
    }

    #[test]
    fn a_few_trees_are_learned_by_heart() {
        let parser = learned();
        let training_examples = training_examples();
        let found = measure(&parser, &training_examples[..4]);
        assert_eq!((found.heads, found.labelled, found.universal), (100.0, 100.0, 100.0));
        let crossing = measure(&parser, &training_examples[4..]);
        assert_eq!(crossing.heads, 75.0);
        assert_eq!(parser.relations().len(), 11);
        let again = learned();
        assert_eq!(parser.to_bytes(origin()).unwrap(), again.to_bytes(origin()).unwrap());
    }

    #[test]
    fn a_parser_comes_back_from_a_file() {
        let parser = learned();
        let file = parser.to_bytes(origin()).unwrap();
        let back = Parser::from_bytes("parser.resay", &file).unwrap();
        assert_eq!(back.n_features(), parser.n_features());
        assert_eq!(back.relations(), parser.relations());
        let (mut scratch, mut one, mut other) = (ParseScratch::default(), Vec::new(), Vec::new());
        for n_words in 0..40 {
            let (atoms, tags) = sentence(&words_of(n_words));
            parser.parse(&atoms, &tags, &mut scratch, &mut one);
            back.parse(&atoms, &tags, &mut ParseScratch::default(), &mut other);
            assert_eq!(one, other);
        }
        assert!(Parser::from_bytes("parser.resay", &file[..file.len() / 2]).is_err());
        let other = Origin { resource: "tagger".to_owned(), ..origin() };
        let error = Parser::from_bytes("parser.resay", &parser.to_bytes(other).unwrap()).unwrap_err();
        assert!(error.to_string().contains("this is 'tagger', expected 'parser'"), "{error}");
    }

    #[test]
    fn sentences_of_any_length_have_a_tree() {
        let parser = learned();
        let (mut scratch, mut out) = (ParseScratch::default(), Vec::new());
        for n_words in [0, 1, 2, MAX_PIECE - 1, MAX_PIECE, MAX_PIECE + 1, 10_000] {
            for text in [words_of(n_words), "!/PUNCT/. ".repeat(n_words), "so/ADV/RB ".repeat(n_words)] {
                let (atoms, tags) = sentence(&text);
                parser.parse(&atoms, &tags, &mut scratch, &mut out);
                assert_eq!(out.len(), n_words);
                check_is_tree(&parser, &out);
            }
        }
    }

    #[test]
    fn long_sentences_are_cut_after_a_mark() {
        let tags = |marks: &[usize], n: usize| -> Vec<TagPair> {
            let tag = |at| TagPair::new(if marks.contains(&at) { Upos::Punct } else { Upos::Noun }, "x");
            (0..n).map(tag).collect()
        };
        assert_eq!(piece_len(&tags(&[], 17)), 17);
        assert_eq!(piece_len(&tags(&[250], MAX_PIECE)), MAX_PIECE);
        assert_eq!(piece_len(&tags(&[], MAX_PIECE + 1)), MAX_PIECE);
        assert_eq!(piece_len(&tags(&[7, 250, 260], MAX_PIECE + 1)), 261);
        assert_eq!(piece_len(&tags(&[7], MAX_PIECE + 1)), MAX_PIECE);
    }

    proptest! {
        #[test]
        fn any_words_have_a_tree(words in prop::collection::vec((".{0,6}", 0_usize..17, any::<u32>()), 0..30)) {
            let parser = learned_once();
            let mut list = Vec::new();
            atoms(words.iter().map(|word| word.0.as_str()), &Words::new(&[]), &mut list);
            let tags: Vec<TagPair> =
                words.iter().map(|(_, upos, xpos)| TagPair { upos: Upos::ALL[*upos], xpos: *xpos }).collect();
            let mut out = Vec::new();
            parser.parse(&list, &tags, &mut ParseScratch::default(), &mut out);
            prop_assert_eq!(out.len(), words.len());
            check_is_tree(parser, &out);
        }
    }

    fn learned_once() -> &'static Parser {
        static PARSER: std::sync::OnceLock<Parser> = std::sync::OnceLock::new();
        PARSER.get_or_init(learned)
    }
}
