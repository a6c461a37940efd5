//! `resay rules` with a model that decides over hidden alignments: its features by weight.

use crate::args::{Common, RulesArgs, refuse};
use crate::output::Output;
use crate::{render, wire};
use anstyle::{AnsiColor, Style};

const TOP: usize = 20;

/// `features`: names and weights, heaviest first.
pub(super) fn run(common: &Common, args: &RulesArgs, mut features: Vec<(String, f64)>) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    features.retain(|(name, weight)| {
        let sign = if args.speaks_for { *weight > 0.0 } else { !args.against || *weight < 0.0 };
        sign && args.matching.as_deref().is_none_or(|text| name.contains(text))
    });
    features.truncate(args.top.unwrap_or(TOP));
    let mut out = Output::stdout();
    if common.json {
        for (feature, weight) in &features {
            out.json(&wire::HiddenFeature { feature, weight: *weight })?;
        }
        return out.finish();
    }
    let mut table = vec![["weight", "feature"].map(str::to_owned).to_vec()];
    table.extend(features.iter().map(|(name, weight)| vec![render::signed(*weight), render::clean(name)]));
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
