//! `resay explain` with a model that decides over a hidden alignment: what stands for what, what is left alone, and what each
//! part adds to the score.

use super::explain::{show_tree, verdict};
use crate::args::{Common, ExplainArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use crate::{render, wire};
use anstyle::Style;
use resay::explain::{Explanation, What};
use resay::model::Judge;

pub(super) fn run(common: &Common, args: &ExplainArgs, model: &dyn Judge, name: &str) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let Some(target) = &args.target else {
        let message = "the second text is missing: this model decides about pairs, give SOURCE and TARGET";
        return Err(Usage(message.to_owned()).into());
    };
    let decisions = model.decide_all(&[(args.source.as_str(), target.as_str())])?;
    let Some(&decision) = decisions.first() else { return Ok(()) };
    let mut explanation = model.reasons(&args.source, target, args.top)?;
    let mut out = Output::stdout();
    let [no, yes] = model.labels();
    if common.json {
        out.json(&wire::Explained {
            source: &args.source,
            target,
            model: name,
            task: model.task(),
            score: decision.score,
            probability: decision.probability,
            label: if decision.label { yes } else { no },
            explanation: wire::Node::of(&explanation),
        })?;
        return out.finish();
    }
    let is_mapped = |part: &&Explanation| matches!(&part.what, What::Phrase { source: Some(_), target: Some(_) });
    let n_mapped = explanation.parts.iter().filter(is_mapped).count();
    let n_alone = explanation.parts.iter().filter(|part| matches!(&part.what, What::Phrase { .. })).count() - n_mapped;
    let head = format!("{}: {}", model.task(), verdict(model, decision));
    out.line(&out.styled(Style::new().bold(), &render::clean(&head)))?;
    out.line(&format!("model {}", render::clean(name)))?;
    if n_mapped + n_alone > 0 {
        out.line(&format!("hidden alignment: {n_mapped} parts stand for each other, {n_alone} are left alone"))?;
    }
    // Of each part the strongest features: the alignment is what is looked for.
    explanation.parts.iter_mut().for_each(|part| render::sum_up(part, 3));
    render::sum_up(&mut explanation, args.top);
    show_tree(&mut out, &explanation)?;
    out.finish()
}
