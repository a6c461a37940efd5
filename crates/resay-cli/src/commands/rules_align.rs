//! `resay rules` with a model that aligns: its features by weight, from source to target and back.

use crate::args::{Common, RulesArgs};
use crate::output::Output;
use crate::render;
use anstyle::{AnsiColor, Style};
use resay::model::AlignModel;
use resay_view::{json, text, wording};

const TOP: usize = 20;

pub(super) fn run(common: &Common, args: &RulesArgs, model: &AlignModel) -> anyhow::Result<()> {
    let is_wanted = |name: &str, both: [f64; 2]| {
        let mean = both[0] + both[1];
        let sign = if args.speaks_for { mean > 0.0 } else { !args.against || mean < 0.0 };
        sign && both != [0.0; 2] && args.matching.as_deref().is_none_or(|text| name.contains(text))
    };
    let named = model.aligner().weights().map(|(feature, both)| (wording::align_feature(feature), both));
    let mut features: Vec<(String, [f64; 2])> = named.filter(|(name, both)| is_wanted(name, *both)).collect();
    let weight = |both: &[f64; 2]| both[0].abs() + both[1].abs();
    features.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1))); // Stable: of equals, the order of the model.
    features.truncate(args.top.unwrap_or(TOP));

    let mut out = Output::stdout();
    if common.json {
        for (feature, [forward, backward]) in &features {
            out.json(&json::AlignFeature { feature, forward: *forward, backward: *backward })?;
        }
        return out.finish();
    }
    let mut table = vec![["forward", "backward", "feature"].map(str::to_owned).to_vec()];
    let row = |(name, both): &(String, [f64; 2])| vec![text::signed(both[0]), text::signed(both[1]), text::clean(name)];
    table.extend(features.iter().map(row));
    let mut lines = render::table(">><", &table).into_iter();
    if let Some(head) = lines.next() {
        out.line(&out.styled(Style::new().bold(), &head))?;
    }
    for (line, (_, both)) in lines.zip(&features) {
        let colour = if both[0] + both[1] > 0.0 { AnsiColor::Green } else { AnsiColor::Red };
        out.line(&out.styled(colour.on_default(), &line))?;
    }
    out.finish()
}
