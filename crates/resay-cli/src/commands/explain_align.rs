//! `resay explain` with a model that aligns: the best way to cut the source into pieces that correspond, piece by piece, with
//! the features that spoke.

use super::align::check_length;
use super::explain::show_parts;
use crate::args::{Common, ExplainArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use anstyle::Style;
use resay::explain::What;
use resay::model::AlignModel;
use resay_text::English;
use resay_view::{json, reasons, text};

pub(super) fn run(common: &Common, args: &ExplainArgs, model: &AlignModel, name: &str) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one aligns")?;
    let Some(target) = &args.target else {
        let message = "the second sentence is missing: this model aligns pairs, give SOURCE and TARGET";
        return Err(Usage(message.to_owned()).into());
    };
    check_length(&English::whole(&args.source), &English::whole(target)).map_err(Usage)?;
    let (_, _, mut explanation) = model.explain(&args.source, target)?;
    explanation.parts.iter_mut().for_each(|part| reasons::sum_up(part, args.top));
    let mut out = Output::stdout();
    let task = &model.about().header.task;
    if common.json {
        let (source, score) = (&args.source, explanation.value);
        let explanation = json::Node::of(&explanation);
        out.json(&json::ExplainedAlignment { source, target, model: name, task, score, explanation })?;
        return out.finish();
    }
    let n_linked = explanation.parts.iter().filter(|part| is_linked(&part.what)).count();
    let head = format!("{task}: {n_linked} of {} pieces of the source correspond", explanation.parts.len());
    out.line(&out.styled(Style::new().bold(), &head))?;
    out.line(&format!("model {}", text::clean(name)))?;
    show_parts(&mut out, &explanation)?;
    out.line("")?;
    out.line("The leaves add up to the score of the best way to cut the source; links that")?;
    out.line("resay align gives are chosen by confidence in both directions, and may differ.")?;
    out.finish()
}

fn is_linked(what: &What) -> bool {
    matches!(what, What::Phrase { target: Some(_), .. })
}
