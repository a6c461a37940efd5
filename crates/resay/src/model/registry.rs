//! The bundled models by name. These names are accepted wherever a model file is.

use super::file::AnyModel;
use super::{AlignModel, Ensemble, JudgementModel, KernelModel};
use crate::align::Aligner;
use crate::resources::Resources;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// A bundled model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledModel {
    /// The name of the model.
    pub name: &'static str,
    /// The file that holds it, without the extension.
    pub file: &'static str,
}

/// All bundled models; `judge` is the default.
pub const BUNDLED: [BundledModel; 6] = [
    BundledModel { name: "judge", file: "judge" },
    BundledModel { name: "judge-paraphrase", file: "judge-paraphrase" },
    BundledModel { name: "judge-entailment", file: "judge-entailment" },
    BundledModel { name: "paraphrase", file: "paraphrase" },
    BundledModel { name: "entailment", file: "entailment" },
    BundledModel { name: "align", file: "align" },
];

/// The pruning margin of the aligner: it skips a phrase whose words score this much less together
/// than each at its best.
const LEFT_OUT: f64 = 4.0;

/// The bundled model with this name, if any.
pub fn find(name: &str) -> Option<BundledModel> {
    BUNDLED.into_iter().find(|model| model.name == name)
}

/// The bundled model with this name, or an error that lists the names.
fn known(name: &str) -> Result<BundledModel> {
    find(name).ok_or_else(|| {
        let names = BUNDLED.map(|model| model.name).join(", ");
        Error::parameter(format!("no model named '{name}' is bundled, expected one of: {names}"))
    })
}

impl AnyModel {
    /// The bundled model with this name.
    pub fn bundled(name: &str, resources: &Resources) -> Result<Self> {
        let model = known(name)?;
        Self::from_bytes(model.name, &resources.bytes(model.file)?, resources)
    }

    /// The model of this file, or the bundled model with this name. An existing file takes
    /// precedence.
    pub fn resolve(name: &Path, resources: &Resources) -> Result<Self> {
        match name.to_str().filter(|_| !name.exists()) {
            Some(known) if find(known).is_some() => Self::bundled(known, resources),
            Some(word) if name.extension().is_none() && name.components().count() == 1 => {
                let names = BUNDLED.map(|model| model.name).join(", ");
                let message =
                    format!("no file '{word}', and no bundled model of that name: expected a file or {names}");
                Err(Error::parameter(message))
            }
            _ => Self::open(name, resources),
        }
    }
}

impl Ensemble {
    /// The bundled ensemble with this name.
    pub fn bundled(name: &str, resources: &Resources) -> Result<Self> {
        let model = known(name)?;
        Self::from_bytes(model.name, &resources.bytes(model.file)?, resources)
    }
}

impl JudgementModel {
    /// The bundled judge, asked whether two texts say the same.
    pub fn bundled(resources: &Resources) -> Result<Self> {
        let model = known("judge")?;
        Self::from_bytes(model.name, &resources.bytes(model.file)?, resources)
    }
}

impl KernelModel {
    /// The bundled kernel machine with this name.
    pub fn bundled(name: &str, resources: &Resources) -> Result<Self> {
        let model = known(name)?;
        Self::from_bytes(model.name, &resources.bytes(model.file)?, resources)
    }
}

impl AlignModel {
    /// The bundled aligner.
    pub fn bundled(resources: &Resources) -> Result<Self> {
        let model = known("align")?;
        Self::from_bytes(model.name, &resources.bytes(model.file)?, resources)
    }
}

/// The aligner for pair views, opened once per set of resources.
pub(crate) fn pair_aligner(resources: &Resources) -> Result<Arc<Aligner>> {
    resources.aligner(|name, bytes| Ok(AlignModel::read(name, bytes)?.1.leaving_out(LEFT_OUT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_model_opens_by_its_name() {
        let resources = Resources::bundled();
        for BundledModel { name, .. } in BUNDLED {
            let model = AnyModel::resolve(Path::new(name), &resources).unwrap();
            let header = model.header();
            assert!(!header.licence.is_empty() && !header.note.is_empty(), "{name} says where it is from");
            assert_eq!(matches!(model, AnyModel::Align(_)), name == "align");
        }
        let error = AnyModel::bundled("answers", &resources).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("expected one of: judge, judge-paraphrase"), "{error}");
        let resolve = |name: &str| AnyModel::resolve(Path::new(name), &resources).map(|_| ()).unwrap_err().to_string();
        assert!(resolve("no-such-model").contains("no bundled model of that name: expected a file or judge"));
        assert!(resolve("no-such.resay").contains("cannot read no-such.resay"));
    }
}
