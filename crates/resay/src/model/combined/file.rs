//! A judge as a file: its weights by the names of their signs, and the files of the systems within.

use super::{CombinedAbout, CombinedModel, CombinedTrained, Weighing, observer};
use crate::data::write_whole;
use crate::model::file::read_file;
use crate::model::{LatentTrained, Model, Shared};
use crate::pack::{Container, Reader, put, put_str};
use crate::signs::{Observer, SYSTEMS, catalogue};
use crate::svm::calibrate::Platt;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// `head`, `signs`, `weights`, `rules`, `typed`, `latent`.
const N_SECTIONS: usize = 6;

impl CombinedModel {
    /// The model as the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let trained = &self.trained;
        let mut container = Container::new(trained.about.clone());
        let head = [trained.platt.slope, trained.platt.intercept];
        container.push("head", head.iter().flat_map(|value| value.to_le_bytes()).collect());
        let mut names = Vec::new();
        put(&mut names, trained.weighing.len() as u64);
        self.signs.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS).for_each(|name| put_str(&mut names, name));
        container.push("signs", names);
        container.push("weights", trained.weighing.pack());
        container.push("rules", trained.rules.to_bytes()?);
        container.push("typed", trained.typed.to_bytes()?);
        container.push("latent", trained.latent.to_bytes()?);
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_with(name, bytes, &Arc::new(observer()?))
    }

    /// A model that looks at pairs as another one does: what that takes is opened once for both.
    pub fn from_bytes_beside(name: &str, bytes: &[u8], other: &Self) -> Result<Self> {
        Self::from_bytes_with(name, bytes, &other.observer)
    }

    fn from_bytes_with(name: &str, bytes: &[u8], observer: &Arc<Observer>) -> Result<Self> {
        let container = Container::<CombinedAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != N_SECTIONS {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {N_SECTIONS}: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<Reader<'_>> {
            Ok(Reader::new(name, wanted, container.section(name, wanted)?))
        };
        let mut reader = section("head")?;
        let platt = Platt { slope: reader.real()?, intercept: reader.real()? };
        reader.end()?;
        if platt.slope < 0.0 {
            return reader.fail("probabilities that fall as the score rises");
        }
        let known = catalogue(about.shape);
        let mut names = known.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS);
        let mut reader = section("signs")?;
        for _ in 0..reader.count(1)? {
            let sign = reader.string()?;
            if names.next() != Some(sign) {
                return reader.fail(format!("'{sign}' is no sign of this version, or stands in the wrong place"));
            }
        }
        reader.end()?;
        if names.next().is_some() {
            return reader.fail("signs are missing");
        }
        let mut reader = section("weights")?;
        let weighing = Weighing::unpack(&mut reader, known.len() + SYSTEMS.len())?;
        reader.end()?;
        let shared = Shared { english: observer.english().clone(), lexicon: observer.lexicon().clone() };
        let model = |wanted: &str| Model::from_bytes_with(name, container.section(name, wanted)?, Some(&shared));
        let (rules, typed) = (model("rules")?, model("typed")?);
        let latent = LatentTrained::from_bytes(name, container.section(name, "latent")?)?;
        if latent.about.shape != about.shape {
            return section("latent")?.fail("a hidden alignment of another task");
        }
        Self::new(CombinedTrained { about, weighing, platt, rules, typed, latent }, observer.clone())
    }

    /// Opens a model's file.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes)
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}
