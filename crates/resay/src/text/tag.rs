//! Parts of speech: the universal and the Penn tag of every word, chosen together.
//!
//! A label is a pair of both, so that they never contradict each other ("IN" is a preposition or a subordinating
//! conjunction, never a verb). A word's features are its form and ends, what the table of words knows of it, and the same
//! of its neighbours; the label before it is the chain's.

use super::atoms::{Atom, CAPITAL, FIRST};
use super::learn::{Chain, ChainScratch, hash};
use super::{Tag, Upos};
use crate::pack::{Container, Origin, Reader, put, put_str};
use crate::{Error, Result};
use std::borrow::Cow;

/// The tagger.
#[derive(Clone, Debug)]
pub struct Tagger {
    chain: Chain,
    labels: Vec<(Upos, Tag)>,
}

impl Tagger {
    /// A tagger of a chain and the tags that its labels stand for.
    pub fn new(chain: Chain, labels: Vec<(Upos, Tag)>) -> Self {
        Self { chain, labels }
    }

    /// The universal and the Penn tag of every word, as numbers of [`Tagger::labels`].
    pub fn tag(&self, atoms: &[Atom], scratch: &mut ChainScratch, out: &mut Vec<u8>) {
        self.chain.decode(atoms.len(), |word, features| features_of(atoms, word, features), scratch, out);
    }

    /// What labels stand for.
    pub fn labels(&self) -> &[(Upos, Tag)] {
        &self.labels
    }

    /// How many features have weights.
    pub fn n_features(&self) -> usize {
        self.chain.table().n_features()
    }

    /// The tagger as a file.
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

    /// Opens a tagger; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::<Origin>::unpack(name, bytes)?;
        if container.about.resource != "tagger" {
            let found = &container.about.resource;
            return Err(Error::file(name, format!("this is '{found}', expected 'tagger': give the right file")));
        }
        let mut reader = Reader::new(name, "labels", container.section(name, "labels")?);
        let n = reader.count(2)?;
        let mut labels = Vec::with_capacity(n);
        for _ in 0..n {
            let upos = reader.string()?.parse().map_err(|error| Error::file(name, format!("{error}")))?;
            labels.push((upos, Cow::Owned(reader.string()?.to_owned())));
        }
        reader.end()?;
        let mut reader = Reader::new(name, "chain", container.section(name, "chain")?);
        let chain = Chain::read(&mut reader)?;
        reader.end()?;
        if chain.table().n_labels() != n {
            return Err(Error::file(
                name,
                format!("{n} tags for {} labels: the file is damaged", chain.table().n_labels()),
            ));
        }
        Ok(Self { chain, labels })
    }
}

/// The features of a word.
pub fn features_of(atoms: &[Atom], word: usize, out: &mut Vec<u32>) {
    let edge = Atom::default();
    let at = |offset: isize| word.checked_add_signed(offset).and_then(|at| atoms.get(at)).unwrap_or(&edge);
    let (w, l, r, ll, rr) = (at(0), at(-1), at(1), at(-2), at(2));
    let mut template = 0;
    let mut add = |values: &[u32]| {
        out.push(hash::feature(template, values));
        template += 1;
    };
    add(&[]);
    add(&[w.form]);
    add(&[w.lower]);
    for prefix in w.prefix {
        add(&[prefix]);
    }
    for suffix in w.suffix {
        add(&[suffix]);
    }
    let case = w.flags & (CAPITAL | FIRST);
    add(&[w.shape]);
    add(&[w.shape, case]);
    add(&[w.flags]);
    add(&[w.suffix[2], w.flags]);
    add(&[case, u32::from(w.lower_info.capital)]);
    add(&[u32::from(w.lower_info.pos)]);
    add(&[u32::from(w.lower_info.pos), w.suffix[1], case]);
    add(&[u32::from(w.lower_info.pos), u32::from(l.lower_info.pos)]);
    add(&[u32::from(w.lower_info.pos), u32::from(r.lower_info.pos)]);
    add(&[u32::from(w.lower_info.pos), l.lower]);
    add(&[u32::from(w.lower_info.pos), r.lower]);
    add(&[u32::from(w.lower_info.pos), l.lower, u32::from(r.lower_info.pos)]);
    add(&[w.info.brown]);
    add(&[w.brown(4)]);
    add(&[w.brown(6)]);
    add(&[w.brown(8)]);
    add(&[w.brown(10)]);
    add(&[u32::from(w.info.names), case]);
    add(&[u32::from(w.lower_info.fine)]);
    add(&[u32::from(w.lower_info.coarse)]);
    add(&[l.lower]);
    add(&[r.lower]);
    add(&[ll.lower]);
    add(&[rr.lower]);
    add(&[l.lower, w.lower]);
    add(&[w.lower, r.lower]);
    add(&[l.lower, r.lower]);
    add(&[ll.lower, l.lower]);
    add(&[r.lower, rr.lower]);
    add(&[l.info.brown]);
    add(&[r.info.brown]);
    add(&[ll.info.brown]);
    add(&[rr.info.brown]);
    add(&[l.brown(6)]);
    add(&[r.brown(6)]);
    add(&[l.info.brown, w.info.brown]);
    add(&[w.info.brown, r.info.brown]);
    add(&[l.brown(8), w.lower]);
    add(&[w.lower, r.brown(8)]);
    add(&[l.brown(8), w.brown(8), r.brown(8)]);
    add(&[l.suffix[2]]);
    add(&[r.suffix[2]]);
    add(&[l.suffix[1], w.suffix[1]]);
    add(&[w.suffix[1], r.suffix[1]]);
    add(&[l.flags, w.flags, r.flags]);
    add(&[l.shape, w.lower]);
    add(&[w.lower, r.shape]);
    add(&[u32::from(l.lower_info.coarse), u32::from(r.lower_info.coarse)]);
}
