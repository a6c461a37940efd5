//! What the files of all kinds of models share: opening them, and the sections with words and with what kernels learned.

use super::{AlignModel, CombinedModel, LatentModel, Model, NamesModel, TopicModel};
use crate::kernel::Learned;
use crate::pack::{Container, MAX_SIZE, Reader, put, put_str};
use crate::text::{Intern, Interner};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A model of whatever kind.
pub enum AnyModel {
    /// It decides about pairs.
    Pairs(Box<Model>),
    /// It sorts documents.
    Topics(Box<TopicModel>),
    /// It aligns pairs.
    Align(Box<AlignModel>),
    /// It decides about pairs over a hidden alignment.
    Latent(Box<LatentModel>),
    /// It compares names across scripts.
    Names(Box<NamesModel>),
    /// It decides about pairs by all that is known of them.
    Combined(Box<CombinedModel>),
}

/// Opens a model's file, whatever it is a model of.
pub fn open(path: &Path) -> Result<AnyModel> {
    let (name, bytes) = read_file(path)?;
    let Kind { task, learner } = Container::<Kind>::describe(&name, &bytes)?;
    let learner = learner.as_deref().filter(|_| task != super::names::TASK);
    if learner.is_some_and(|learner| super::latent::LEARNERS.contains(&learner)) {
        return Ok(AnyModel::Latent(Box::new(LatentModel::from_bytes(&name, &bytes)?)));
    }
    if learner == Some(super::combined::LEARNER) {
        return Ok(AnyModel::Combined(Box::new(CombinedModel::from_bytes(&name, &bytes)?)));
    }
    Ok(match task.as_str() {
        super::topics::TASK => AnyModel::Topics(Box::new(TopicModel::from_bytes(&name, &bytes)?)),
        super::align::TASK => AnyModel::Align(Box::new(AlignModel::from_bytes(&name, &bytes)?)),
        super::names::TASK => AnyModel::Names(Box::new(NamesModel::from_bytes(&name, &bytes)?)),
        _ => AnyModel::Pairs(Box::new(Model::from_bytes(&name, &bytes)?)),
    })
}

/// As much of a description as all kinds have.
#[derive(Clone, Serialize, Deserialize)]
struct Kind {
    task: String,
    learner: Option<String>,
}

/// The task of a model of whatever kind.
pub(super) fn kind(name: &str, bytes: &[u8]) -> Result<String> {
    Ok(Container::<Kind>::describe(name, bytes)?.task)
}

/// The name of a file for messages, and its bytes.
pub(super) fn read_file(path: &Path) -> Result<(String, Vec<u8>)> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    let mut bytes = Vec::new();
    file.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    if bytes.len() > MAX_SIZE {
        return Err(Error::file(&name, format!("more than {MAX_SIZE} bytes, the most that a model may have")));
    }
    Ok((name, bytes))
}

/// A number and as many words.
pub(super) fn write_words(symbols: &Interner) -> Vec<u8> {
    let mut words = Vec::new();
    put(&mut words, symbols.len() as u64);
    symbols.strings().for_each(|word| put_str(&mut words, word));
    words
}

pub(super) fn read_words(mut reader: Reader<'_>) -> Result<Interner> {
    let mut symbols = Interner::new();
    for number in 0..reader.count(1)? {
        let word = reader.string()?;
        if symbols.symbol(word) as usize != number {
            return reader.fail("a word occurs twice");
        }
    }
    reader.end()?;
    Ok(symbols)
}

/// A number and as many symbols; a number and as many numbers.
pub(super) fn write_learned(learned: &Learned) -> Vec<u8> {
    let mut out = Vec::new();
    for list in [&learned.symbols, &learned.numbers] {
        put(&mut out, list.len() as u64);
        list.iter().for_each(|&number| put(&mut out, u64::from(number)));
    }
    out
}

pub(super) fn read_learned(mut reader: Reader<'_>, n_symbols: usize) -> Result<Learned> {
    let mut list = |limit: usize, what: &str| -> Result<Vec<u32>> {
        (0..reader.count(1)?).map(|_| reader.below(limit, what)).collect()
    };
    let learned = Learned { symbols: list(n_symbols, "a symbol")?, numbers: list(u32::MAX as usize, "a number")? };
    reader.end()?;
    Ok(learned)
}
