//! Part-of-speech tagging: the universal and the Penn tag of every word, chosen jointly.
//!
//! A label is a pair of both tags, so that they never contradict each other ("IN" is a preposition
//! or a subordinating conjunction, never a verb). The features are in `tag_features.rs`; the chain
//! model adds the previous label.

use super::atoms::Atom;
use super::learn::{Chain, ChainScratch};
use super::tag_features::TagFeatures;
use super::{Tag, Upos};
use crate::container::{Container, Origin, SectionReader, put, put_str};
use crate::{Error, Result};
use std::borrow::Cow;

/// The tags of the Penn Treebank and those added by web treebanks, sorted.
pub const PENN_TAGS: [&str; 50] = [
    "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW", "HYPH", "IN", "JJ",
    "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP",
    "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB", "XX", "``",
];

/// Returns a Penn tag by name, borrowed if it is one of [`PENN_TAGS`].
pub fn penn_tag(name: &str) -> Tag {
    match PENN_TAGS.binary_search(&name) {
        Ok(at) => Cow::Borrowed(PENN_TAGS[at]),
        Err(_) => Cow::Owned(name.to_owned()),
    }
}

/// The tagger.
#[derive(Clone, Debug)]
pub struct Tagger {
    chain: Chain,
    labels: Vec<(Upos, Tag)>,
    features: TagFeatures,
}

impl Tagger {
    /// Creates a tagger from a chain and the tags of its labels.
    pub fn new(chain: Chain, labels: Vec<(Upos, Tag)>) -> Self {
        Self { chain, labels, features: TagFeatures::new() }
    }

    /// Computes the universal and the Penn tag of every word, as indices into [`Tagger::labels`].
    pub fn tag(&self, atoms: &[Atom], scratch: &mut ChainScratch, out: &mut Vec<u8>) {
        let mut clues = std::mem::take(&mut scratch.clues);
        self.features.clues(atoms, &mut clues);
        self.chain.decode(atoms.len(), |word, out| self.features.of(atoms, &clues, word, out), scratch, out);
        scratch.clues = clues;
    }

    /// Returns the pair of tags per label.
    pub fn labels(&self) -> &[(Upos, Tag)] {
        &self.labels
    }

    /// Returns the number of features with weights.
    pub fn n_features(&self) -> usize {
        self.chain.table().n_features()
    }

    /// Serialises the tagger.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let mut labels = Vec::new();
        put(&mut labels, self.labels.len() as u64);
        for (upos, xpos) in &self.labels {
            put_str(&mut labels, upos.name());
            put_str(&mut labels, xpos);
        }
        let mut chain = Vec::new();
        self.chain.write(&mut chain);
        let mut container = Container::new(origin);
        container.push("labels", labels);
        container.push("chain", chain);
        container.pack()
    }

    /// Reads a tagger. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "tagger")?;
        let mut reader = SectionReader::new(name, "labels", container.section(name, "labels")?);
        let n = reader.count(2)?;
        let mut labels = Vec::with_capacity(n);
        for _ in 0..n {
            let upos = reader.string()?.parse().map_err(|error| Error::file(name, format!("{error}")))?;
            labels.push((upos, penn_tag(reader.string()?)));
        }
        reader.end()?;
        let mut reader = SectionReader::new(name, "chain", container.section(name, "chain")?);
        let chain = Chain::read(&mut reader)?;
        reader.end()?;
        if chain.table().n_labels() != n {
            return Err(Error::file(
                name,
                format!("{n} tags for {} labels: the file is damaged", chain.table().n_labels()),
            ));
        }
        Ok(Self::new(chain, labels))
    }
}
