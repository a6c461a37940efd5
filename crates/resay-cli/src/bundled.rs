//! The models inside the program. How each file was made stands in models/README.md.

use crate::failure::Usage;
use resay::model::Model;

/// Every bundled model: its name and its file.
const MODELS: [(&str, &[u8]); 2] = [
    ("paraphrase", include_bytes!("../../../models/paraphrase.resay")),
    ("entailment", include_bytes!("../../../models/entailment.resay")),
];

/// The names of all bundled models.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|(name, _)| *name)
}

/// The file of a bundled model.
pub(crate) fn bytes(name: &str) -> anyhow::Result<&'static [u8]> {
    match MODELS.iter().find(|(known, _)| *known == name) {
        Some((_, bytes)) => Ok(bytes),
        None => {
            let known: Vec<&str> = names().collect();
            Err(Usage(format!("no bundled model '{name}', expected one of: {}", known.join(", "))).into())
        }
    }
}

/// A bundled model.
pub(crate) fn model(name: &str) -> anyhow::Result<Model> {
    Ok(Model::from_bytes(name, bytes(name)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_model_opens_and_is_what_its_name_says() {
        for name in names() {
            let about = model(name).expect(name).about().clone();
            assert_eq!(about.task, name);
            assert!(about.n_rules[1] > 0 && about.n_rules[1] <= 50_000, "{name}: {:?}", about.n_rules);
            assert!(!about.note.is_empty(), "{name} says where it is from");
        }
        assert!(model("answers").is_err());
    }
}
