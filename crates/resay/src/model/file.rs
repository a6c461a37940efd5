//! What all model files share: opening them, and the sections of words and of kernels' learned
//! state.

use super::contract::PairModel;
use super::header::{Header, ModelKind};
use super::{
    AdaptedJudgement, AlignModel, Ensemble, JudgementModel, KernelModel, LatentModel, NamesModel, ProgramModel,
    TopicModel,
};
use crate::data::write_whole;
use crate::kernel::Learned;
use crate::resources::Resources;
use crate::{Error, Result};
use resay_text::container::{MAX_SIZE, SectionReader, put, put_str};
use resay_text::{Intern, Interner};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A model of any kind.
#[non_exhaustive]
pub enum AnyModel {
    /// A kernel machine over pairs.
    Kernel(Box<KernelModel>),
    /// A classifier of pairs over a latent alignment.
    Latent(Box<LatentModel>),
    /// A classifier of pairs by features and base models.
    Ensemble(Box<Ensemble>),
    /// Names across scripts.
    Names(Box<NamesModel>),
    /// A classifier of documents.
    Topics(Box<TopicModel>),
    /// An aligner of pairs.
    Align(Box<AlignModel>),
    /// A classifier over declared programmes.
    Program(Box<ProgramModel>),
    /// A joint judgement of how two texts are related.
    Judgement(Box<JudgementModel>),
    /// A joint judgement that was adapted to other pairs.
    AdaptedJudgement(Box<AdaptedJudgement>),
}

impl AnyModel {
    /// Reads a model of any kind from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        Ok(match Header::read(name, bytes)?.kind {
            ModelKind::Kernel => Self::Kernel(Box::new(KernelModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Latent => Self::Latent(Box::new(LatentModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Ensemble => Self::Ensemble(Box::new(Ensemble::from_bytes(name, bytes, resources)?)),
            ModelKind::Names => Self::Names(Box::new(NamesModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Topics => Self::Topics(Box::new(TopicModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Align => Self::Align(Box::new(AlignModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Program => Self::Program(Box::new(ProgramModel::from_bytes(name, bytes, resources)?)),
            ModelKind::Judgement => Self::Judgement(Box::new(JudgementModel::from_bytes(name, bytes, resources)?)),
            ModelKind::AdaptedJudgement => {
                Self::AdaptedJudgement(Box::new(AdaptedJudgement::from_bytes(name, bytes, resources)?))
            }
        })
    }

    /// Opens a model file of any kind.
    pub fn open(path: &Path, resources: &Resources) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes, resources)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        match self {
            Self::Kernel(model) => model.header(),
            Self::Latent(model) => model.header(),
            Self::Ensemble(model) => model.header(),
            Self::Names(model) => model.header(),
            Self::Topics(model) => &model.about().header,
            Self::Align(model) => &model.about().header,
            Self::Program(model) => model.header(),
            Self::Judgement(model) => model.header(),
            Self::AdaptedJudgement(model) => model.header(),
        }
    }

    /// Converts to a pair model, or returns the model unchanged if it is none.
    pub fn into_pair_model(self) -> std::result::Result<Box<dyn PairModel>, Self> {
        match self {
            Self::Kernel(model) => Ok(model),
            Self::Latent(model) => Ok(model),
            Self::Ensemble(model) => Ok(model),
            Self::Names(model) => Ok(model),
            Self::Judgement(model) => Ok(model),
            Self::AdaptedJudgement(model) => Ok(model),
            Self::Topics(_) | Self::Align(_) | Self::Program(_) => Err(self),
        }
    }
}

/// Opening and saving, which all kinds of models do in the same way.
macro_rules! model_files {
    ($($model:ty),*) => {$(
        impl $model {
            /// Opens a model file.
            pub fn open(path: &Path, resources: &Resources) -> Result<Self> {
                let (name, bytes) = read_file(path)?;
                Self::from_bytes(&name, &bytes, resources)
            }

            /// Writes the model file atomically.
            pub fn save(&self, path: &Path) -> Result<()> {
                let bytes = self.to_bytes()?;
                write_whole(path, |out| out.write_all(&bytes))
            }
        }
    )*};
}

model_files!(
    AdaptedJudgement,
    AlignModel,
    Ensemble,
    JudgementModel,
    KernelModel,
    LatentModel,
    NamesModel,
    ProgramModel,
    TopicModel
);

/// Reads a file; returns its name for error messages and its bytes.
fn read_file(path: &Path) -> Result<(String, Vec<u8>)> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    let mut bytes = Vec::new();
    file.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    if bytes.len() > MAX_SIZE {
        return Err(Error::file(&name, format!("more than {MAX_SIZE} bytes, the most that a model may have")));
    }
    Ok((name, bytes))
}

/// Writes the number of words, then the words.
pub(super) fn write_words(symbols: &Interner) -> Vec<u8> {
    let mut words = Vec::new();
    put(&mut words, symbols.len() as u64);
    symbols.strings().for_each(|word| put_str(&mut words, word));
    words
}

pub(super) fn read_words(mut reader: SectionReader<'_>) -> Result<Interner> {
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

/// Writes the number of symbols and the symbols, then the number of numbers and the numbers.
pub(super) fn write_learned(learned: &Learned) -> Vec<u8> {
    let mut out = Vec::new();
    for list in [&learned.symbols, &learned.numbers] {
        put(&mut out, list.len() as u64);
        list.iter().for_each(|&number| put(&mut out, u64::from(number)));
    }
    out
}

pub(super) fn read_learned(mut reader: SectionReader<'_>, n_symbols: usize) -> Result<Learned> {
    let mut list = |limit: usize, what: &str| -> Result<Vec<u32>> {
        (0..reader.count(1)?).map(|_| reader.below(limit, what)).collect()
    };
    let learned = Learned { symbols: list(n_symbols, "a symbol")?, numbers: list(u32::MAX as usize, "a number")? };
    reader.end()?;
    Ok(learned)
}
