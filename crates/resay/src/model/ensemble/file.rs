//! The file format of ensembles: weights by input code, and the embedded files of the base models.

use super::{Ensemble, EnsembleAbout, EnsembleTrained, KIND, QuadraticScorer};
use crate::id::EnsembleInput;
use crate::model::answer::{AnswerCalibration, n_heads};
use crate::model::header::expect_kind;
use crate::model::{KernelModel, LatentTrained};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_text::container::{Container, SectionReader, put};

/// `head`, `inputs`, `weights`, `rules`, `typed`, `latent`.
const N_SECTIONS: usize = 6;

impl Ensemble {
    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let trained = &self.trained;
        let mut container = Container::new(trained.about.clone());
        container.push("head", trained.calibration.write().iter().flat_map(|value| value.to_le_bytes()).collect());
        let mut codes = Vec::new();
        put(&mut codes, trained.inputs.len() as u64);
        trained.inputs.iter().for_each(|input| put(&mut codes, u64::from(input.code())));
        container.push("inputs", codes);
        container.push("weights", trained.machines.iter().flat_map(QuadraticScorer::pack).collect());
        container.push("rules", trained.rules.to_bytes()?);
        container.push("typed", trained.typed.to_bytes()?);
        container.push("latent", trained.latent.to_bytes()?);
        container.pack()
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, KIND)?;
        let container = Container::<EnsembleAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != N_SECTIONS {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {N_SECTIONS}: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<SectionReader<'_>> {
            Ok(SectionReader::new(name, wanted, container.section(name, wanted)?))
        };
        let mut reader = section("head")?;
        let calibration = AnswerCalibration::read(&mut reader, &about.header.response)?;
        reader.end()?;
        let mut reader = section("inputs")?;
        let mut inputs = Vec::new();
        for _ in 0..reader.count(1)? {
            let code = reader.below(usize::from(u16::MAX) + 1, "an input")? as u16;
            match EnsembleInput::of_code(code) {
                Some(input) if !inputs.contains(&input) => inputs.push(input),
                Some(_) => return reader.fail(format!("input {code} stands there twice")),
                None => return reader.fail(format!("input {code} is none that this version knows")),
            }
        }
        reader.end()?;
        let kernel = |wanted: &str| KernelModel::from_bytes(name, container.section(name, wanted)?, resources);
        let (rules, typed) = (kernel("rules")?, kernel("typed")?);
        let latent = LatentTrained::from_bytes(name, container.section(name, "latent")?)?;
        if latent.about.details.shape != about.details.shape {
            return section("latent")?.fail("a latent alignment of another task");
        }
        let n_bases = inputs.iter().filter(|input| matches!(input, EnsembleInput::Base(_))).count();
        let n_base_heads = rules.n_heads() + typed.n_heads() + latent.weights.len();
        let n_values = (inputs.len() - n_bases) + n_base_heads;
        let mut reader = section("weights")?;
        let machines = (0..n_heads(&about.header.response)).map(|_| QuadraticScorer::unpack(&mut reader, n_values));
        let machines = machines.collect::<Result<Vec<_>>>()?;
        reader.end()?;
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged, or of another version"));
        let trained = EnsembleTrained { about, inputs, machines, calibration, rules, typed, latent };
        Self::new(trained, resources).map_err(damaged)
    }
}
