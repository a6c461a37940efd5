//! `resay models`: what is bundled, and a way to take it out.

use crate::args::{Common, ModelsArgs};
use crate::output::Output;
use crate::{bundled, render, wire};
use anstyle::Style;
use resay::data::write_whole;
use std::path::Path;

pub(crate) fn run(common: &Common, args: &ModelsArgs) -> anyhow::Result<()> {
    if let Some([name, file]) = args.export.as_deref() {
        let bytes = bundled::bytes(name)?;
        return Ok(write_whole(Path::new(file), |out| out.write_all(bytes))?);
    }
    let mut out = Output::stdout();
    for (at, name) in bundled::names().enumerate() {
        let model = bundled::model(name)?;
        let (about, size) = (model.about(), bundled::bytes(name)?.len());
        let held_out = render::held_out(about);
        if common.json {
            out.json(&wire::Bundled { name, size, about, held_out: held_out.map(|(mean, _)| mean) })?;
            continue;
        }
        if at > 0 {
            out.line("")?;
        }
        out.line(&out.styled(Style::new().bold(), name))?;
        let quality = held_out.map_or_else(
            || "not measured".to_owned(),
            |(mean, spread)| format!("{} {mean:.4} on held-out folds, spread {spread:.4}", about.measure),
        );
        let fields = [
            ("task", about.task.clone()),
            ("size", format!("{}, {} rules of {}", render::size(size), about.n_rules[1], about.n_rules[0])),
            ("kernel", about.kernel.clone()),
            ("units", about.units.name().to_owned()),
            ("data", format!("{} pairs ({} positive) of {}", about.n_pairs, about.n_positive, about.data)),
            ("note", about.note.clone()),
            ("quality", quality),
        ];
        for line in fields.iter().flat_map(|(name, text)| render::field(name, text)) {
            out.line(&line)?;
        }
    }
    out.finish()
}
