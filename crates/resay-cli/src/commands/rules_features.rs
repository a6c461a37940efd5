//! `resay rules` with a model whose features have a name and a weight: latent alignments, names, ensembles.

use crate::args::{Common, RulesArgs, refuse};
use crate::output::Output;
use crate::render;
use anstyle::{AnsiColor, Style};
use resay::model::PairModel;
use resay_view::{json, text, wording};

const TOP: usize = 20;

pub(super) fn run(common: &Common, args: &RulesArgs, model: &dyn PairModel) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let weights = model.weights().into_iter().map(|weight| (wording::what(&weight.what), weight.weight));
    let mut features: Vec<(String, f64)> = weights.collect();
    features.retain(|(name, weight)| {
        let sign = if args.speaks_for { *weight > 0.0 } else { !args.against || *weight < 0.0 };
        sign && args.matching.as_deref().is_none_or(|text| name.contains(text))
    });
    // Of equals, by name.
    features.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
    features.truncate(args.top.unwrap_or(TOP));
    let mut out = Output::stdout();
    if common.json {
        for (feature, weight) in &features {
            out.json(&json::FeatureWeight { feature, weight: *weight })?;
        }
        return out.finish();
    }
    let mut table = vec![["weight", "feature"].map(str::to_owned).to_vec()];
    table.extend(features.iter().map(|(name, weight)| vec![text::signed(*weight), text::clean(name)]));
    let mut lines = render::table("><", &table).into_iter();
    if let Some(head) = lines.next() {
        out.line(&out.styled(Style::new().bold(), &head))?;
    }
    for (line, (_, weight)) in lines.zip(&features) {
        let colour = if *weight > 0.0 { AnsiColor::Green } else { AnsiColor::Red };
        out.line(&out.styled(colour.on_default(), &line))?;
    }
    out.finish()
}
