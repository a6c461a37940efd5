//! Models by file or by bundled name. A model that a command has no use for is refused by what it
//! is, what was expected, and which commands take it.

use crate::args::{Common, PhraseArgs};
use crate::failure::Usage;
use resay::model::{AlignModel, AnyModel, Header, NamesModel, PairModel, ProgramModel, Question, Response, TopicModel};
use std::path::Path;

/// A model, and what it is called in answers.
pub(crate) struct Named<M> {
    pub(crate) model: M,
    pub(crate) name: String,
}

/// The model of a file or a bundled name, else the bundled model that is the default.
pub(crate) fn open(common: &Common, given: Option<&Path>, default: &str) -> anyhow::Result<Named<AnyModel>> {
    Ok(match given {
        Some(path) => Named { model: AnyModel::resolve(path, &common.resources)?, name: path.display().to_string() },
        None => Named { model: AnyModel::bundled(default, &common.resources)?, name: format!("{default} (bundled)") },
    })
}

/// The same model, asked this question. Only a joint judgement can be asked several.
pub(crate) fn asking(found: Named<AnyModel>, question: Option<Question>) -> anyhow::Result<Named<AnyModel>> {
    let Named { model, name } = found;
    let model = match (model, question) {
        (AnyModel::Judgement(model), Some(question)) => AnyModel::Judgement(Box::new(model.asking(question))),
        (model, None) => model,
        (_, Some(question)) => {
            let message = format!(
                "{name}: a model of one question, expected the bundled judge for --question {}",
                question.name()
            );
            return Err(Usage(message).into());
        }
    };
    Ok(Named { model, name })
}

/// Says no to own phrases for a model that does not look at any.
pub(crate) fn check_phrases(found: &Named<AnyModel>, own: &PhraseArgs) -> anyhow::Result<()> {
    if own.phrases.is_empty() || matches!(found.model, AnyModel::Judgement(_)) {
        return Ok(());
    }
    let name = &found.name;
    Err(Usage(format!("--phrases is for the bundled judge, and {name} is another model: leave it out")).into())
}

/// What is said of a model that is not of the kind that is needed.
fn unfit(name: &str, model: &AnyModel, needed: &str) -> anyhow::Error {
    let (does, takers) = match model {
        AnyModel::Align(_) => ("aligns words", "align, eval, explain and rules"),
        AnyModel::Topics(_) => ("sorts documents by topic", "predict, eval, explain and rules"),
        AnyModel::Names(_) => ("compares names", "predict, rank, eval, explain and rules"),
        AnyModel::Program(_) => ("decides over declared programmes", "predict, eval, explain and rules"),
        _ => ("decides about pairs", "predict, rank, eval, explain, rules and dedupe"),
    };
    let task = &model.header().task;
    Usage(format!("{name}: this model {does} (task {task}), {needed}; resay {takers} take this one")).into()
}

/// A model that decides about pairs.
pub(crate) fn pair_model(found: Named<AnyModel>, command: &str) -> anyhow::Result<Named<Box<dyn PairModel>>> {
    let Named { model, name } = found;
    let needed = format!("but {command} needs one that decides about pairs");
    let model = model.into_pair_model().map_err(|model| unfit(&name, &model, &needed))?;
    Ok(Named { model, name })
}

/// The same model, if it answers yes or no.
pub(crate) fn yes_or_no(found: Named<Box<dyn PairModel>>, command: &str) -> anyhow::Result<Named<Box<dyn PairModel>>> {
    let response = &found.model.header().response;
    if matches!(response, Response::Binary { .. }) {
        return Ok(found);
    }
    let answers = match response.labels() {
        [] => "a number".to_owned(),
        labels => format!("one of {}", labels.join(", ")),
    };
    let name = &found.name;
    Err(Usage(format!("{name}: this model answers with {answers}, but {command} needs one of yes or no")).into())
}

/// An aligner.
pub(crate) fn aligner(found: Named<AnyModel>, command: &str) -> anyhow::Result<Named<AlignModel>> {
    match found.model {
        AnyModel::Align(model) => Ok(Named { model: *model, name: found.name }),
        model => Err(unfit(&found.name, &model, &format!("but {command} needs an aligner (resay train align)"))),
    }
}

/// A model of names.
pub(crate) fn names_model(found: Named<AnyModel>, command: &str) -> anyhow::Result<Named<NamesModel>> {
    match found.model {
        AnyModel::Names(model) => Ok(Named { model: *model, name: found.name }),
        model => Err(unfit(&found.name, &model, &format!("but {command} needs a model of names (resay train names)"))),
    }
}

/// A model of topics.
pub(crate) fn topic_model(found: Named<AnyModel>, command: &str) -> anyhow::Result<Named<TopicModel>> {
    match found.model {
        AnyModel::Topics(model) => Ok(Named { model: *model, name: found.name }),
        model => Err(unfit(&found.name, &model, &format!("but {command} needs one of topics (resay train topics)"))),
    }
}

/// A model over declared programmes.
pub(crate) fn program_model(found: Named<AnyModel>, command: &str) -> anyhow::Result<Named<ProgramModel>> {
    match found.model {
        AnyModel::Program(model) => Ok(Named { model: *model, name: found.name }),
        model => {
            Err(unfit(&found.name, &model, &format!("but {command} needs one over programmes (resay train program)")))
        }
    }
}

/// The number of a class by its name.
pub(crate) fn class(header: &Header, name: &str) -> anyhow::Result<usize> {
    let labels = header.response.labels();
    let found = labels.iter().position(|label| label == name);
    let found = found.or_else(|| labels.iter().position(|label| label.to_lowercase() == name.to_lowercase()));
    found.ok_or_else(|| {
        let message = match labels {
            [] => "the model answers with a number, it has no classes".to_owned(),
            labels => format!("no class '{name}', expected one of: {}", labels.join(", ")),
        };
        Usage(message).into()
    })
}
