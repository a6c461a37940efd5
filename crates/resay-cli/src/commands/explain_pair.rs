//! `resay explain` with a model that decides over a latent alignment: what stands for what, what is left alone, and what each
//! part adds to the score.

use super::explain::{show_tree, verdict};
use crate::args::{Common, ExplainArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use anstyle::Style;
use resay::explain::{Explanation, What};
use resay::model::{Explained, PairModel};
use resay_view::{json, reasons, text};

pub(super) fn run(common: &Common, args: &ExplainArgs, model: &dyn PairModel, name: &str) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let Some(target) = &args.target else {
        let message = "the second text is missing: this model decides about pairs, give SOURCE and TARGET";
        return Err(Usage(message.to_owned()).into());
    };
    // All of it: what is shown is cut below, and programs get the whole tree.
    let Explained { prediction, mut explanation, .. } = model.explain_one(&args.source, target, usize::MAX)?;
    let (decision, header) = (prediction.decision()?, model.header());
    let mut out = Output::stdout();
    let [no, yes] = header.binary_labels();
    if common.json {
        out.json(&json::Explained {
            source: &args.source,
            target,
            model: name,
            task: &header.task,
            score: decision.score,
            probability: decision.probability,
            label: if decision.label { yes } else { no },
            explanation: json::Node::of(&explanation),
        })?;
        return out.finish();
    }
    let is_mapped = |part: &&Explanation| matches!(&part.what, What::Phrase { source: Some(_), target: Some(_) });
    let n_mapped = explanation.parts.iter().filter(is_mapped).count();
    let n_alone = explanation.parts.iter().filter(|part| matches!(&part.what, What::Phrase { .. })).count() - n_mapped;
    let head = format!("{}: {}", header.task, verdict(header, decision));
    out.line(&out.styled(Style::new().bold(), &text::clean(&head)))?;
    out.line(&format!("model {}", text::clean(name)))?;
    if n_mapped + n_alone > 0 {
        out.line(&format!("latent alignment: {n_mapped} parts stand for each other, {n_alone} are left alone"))?;
    }
    // Of each part the strongest features: the alignment is what is looked for.
    explanation.parts.iter_mut().for_each(|part| reasons::sum_up(part, 3));
    reasons::sum_up(&mut explanation, args.top);
    show_tree(&mut out, &explanation)?;
    out.finish()
}
