//! The bundled models of whole tasks, opened.

use resay::bundled;
use resay::model::{AlignModel, CombinedModel, Model};

/// A bundled model.
pub(crate) fn model(name: &str) -> anyhow::Result<Model> {
    Ok(Model::from_bytes(name, bundled::bytes(name)?)?)
}

/// The bundled aligner.
pub(crate) fn aligner() -> anyhow::Result<AlignModel> {
    Ok(AlignModel::from_bytes(bundled::ALIGNER, bundled::bytes(bundled::ALIGNER)?)?)
}

/// The bundled judge of whether two texts say the same.
pub(crate) fn judge() -> anyhow::Result<CombinedModel> {
    let [name, _] = bundled::JUDGES;
    Ok(CombinedModel::from_bytes(name, bundled::bytes(name)?)?)
}

/// The bundled judge of whether one text follows from another, which looks at pairs as `judge` does.
pub(crate) fn judge_of_entailment(judge: &CombinedModel) -> anyhow::Result<CombinedModel> {
    let [_, name] = bundled::JUDGES;
    Ok(CombinedModel::from_bytes_beside(name, bundled::bytes(name)?, judge)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_model_opens_and_is_what_its_name_says() {
        for name in bundled::MODELS {
            let about = model(name).expect(name).about().clone();
            assert_eq!(about.task, name);
            assert!(about.n_rules[1] > 0 && about.n_rules[1] <= 50_000, "{name}: {:?}", about.n_rules);
            assert!(!about.note.is_empty(), "{name} says where it is from");
        }
        assert!(model("answers").is_err());
        let about = aligner().expect("the aligner").about().clone();
        assert_eq!(about.task, "align");
        assert!(!about.note.is_empty(), "the aligner says where it is from");
        let judge = judge().expect("the judge");
        let entailment = judge_of_entailment(&judge).expect("the judge of entailment");
        for (model, task) in [(&judge, "paraphrase"), (&entailment, "entailment")] {
            let about = model.about();
            assert_eq!((&about.task[..], &about.learner[..]), (task, "combined"));
            assert!(!about.note.is_empty(), "the judge says where it is from");
        }
    }
}
