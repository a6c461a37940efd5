//! `resay explain` with a model that aligns: the best way to cut the source into pieces that correspond, piece by piece, with
//! the features that spoke.

use super::align::check_length;
use super::explain::show_parts;
use crate::args::{Common, ExplainArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use crate::{render, wire};
use anstyle::Style;
use resay::explain::{Explanation, What};
use resay::model::AlignModel;
use resay::text::English;

pub(super) fn run(common: &Common, args: &ExplainArgs, model: &AlignModel, name: &str) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one aligns")?;
    let Some(target) = &args.target else {
        let message = "the second sentence is missing: this model aligns pairs, give SOURCE and TARGET";
        return Err(Usage(message.to_owned()).into());
    };
    check_length(&English::whole(&args.source), &English::whole(target)).map_err(Usage)?;
    let (_, _, mut explanation) = model.explain(&args.source, target)?;
    explanation.parts.iter_mut().for_each(|part| sum_up(part, args.top));
    let mut out = Output::stdout();
    let task = &model.about().task;
    if common.json {
        let (source, score) = (&args.source, explanation.value);
        let explanation = wire::Node::of(&explanation);
        out.json(&wire::ExplainedAlignment { source, target, model: name, task, score, explanation })?;
        return out.finish();
    }
    let n_linked = explanation.parts.iter().filter(|part| is_linked(&part.what)).count();
    let head = format!("{task}: {n_linked} of {} pieces of the source correspond", explanation.parts.len());
    out.line(&out.styled(Style::new().bold(), &head))?;
    out.line(&format!("model {}", render::clean(name)))?;
    show_parts(&mut out, &explanation)?;
    out.line("")?;
    out.line("The leaves add up to the score of the best way to cut the source; links that")?;
    out.line("resay align gives are chosen by confidence in both directions, and may differ.")?;
    out.finish()
}

fn is_linked(what: &What) -> bool {
    matches!(what, What::Phrase { target: Some(_), .. })
}

/// Keeps the strongest parts, which come first, and adds up the rest.
fn sum_up(part: &mut Explanation, top: usize) {
    if part.parts.len() <= top {
        return;
    }
    let weaker = part.parts.split_off(top);
    let sum = weaker.iter().map(|part| part.value).sum();
    part.parts.push(Explanation::leaf(What::Rest(weaker.len()), sum));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_features_are_summed_up() {
        let check = |top: usize, expected: &[f64]| {
            let leaf = |value| Explanation::leaf(What::Measure(String::new()), value);
            let parts = vec![leaf(4.0), leaf(-2.0), leaf(1.0)];
            let mut part = Explanation { parts, ..Explanation::leaf(What::Score, 3.0) };
            sum_up(&mut part, top);
            assert_eq!(part.parts.iter().map(|part| part.value).collect::<Vec<_>>(), expected);
        };
        check(9, &[4.0, -2.0, 1.0]);
        check(3, &[4.0, -2.0, 1.0]);
        check(1, &[4.0, -1.0]);
        check(0, &[3.0]);
    }
}
