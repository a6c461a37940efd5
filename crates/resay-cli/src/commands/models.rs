//! `resay models`: what is bundled, and a way to take it out. Only the files' descriptions are read, nothing is unpacked.

use crate::args::{Common, ModelsArgs};
use crate::output::Output;
use crate::{render, wire};
use anstyle::Style;
use resay::bundled;
use resay::data::write_whole;
use resay::model::{About, AlignAbout, CombinedAbout};
use resay::pack::{Container, Origin, Quality};
use std::path::Path;

pub(crate) fn run(common: &Common, args: &ModelsArgs) -> anyhow::Result<()> {
    if let Some([name, file]) = args.export.as_deref() {
        let bytes = bundled::bytes(name)?;
        return Ok(write_whole(Path::new(file), |out| out.write_all(bytes))?);
    }
    let mut out = Output::stdout();
    for (at, name) in bundled::names().enumerate() {
        let bytes = bundled::bytes(name)?;
        let size = bytes.len();
        if at > 0 && !common.json {
            out.line("")?;
        }
        let fields = if bundled::MODELS.contains(&name) {
            let about = Container::<About>::describe(name, bytes)?;
            if common.json {
                out.json(&wire::Bundled { name, size, about: &about })?;
                continue;
            }
            of_model(&about, size)
        } else if bundled::JUDGES.contains(&name) {
            let about = Container::<CombinedAbout>::describe(name, bytes)?;
            if common.json {
                out.json(&wire::BundledJudge { name, size, about: &about })?;
                continue;
            }
            of_judge(&about, size)
        } else if name == bundled::ALIGNER {
            let about = Container::<AlignAbout>::describe(name, bytes)?;
            if common.json {
                out.json(&wire::BundledAligner { name, size, about: &about })?;
                continue;
            }
            of_aligner(&about, size)
        } else {
            let origin = Container::<Origin>::describe(name, bytes)?;
            if common.json {
                out.json(&wire::BundledResource { name, size, origin: &origin })?;
                continue;
            }
            of_resource(&origin, size)
        };
        out.line(&out.styled(Style::new().bold(), name))?;
        for line in fields.iter().flat_map(|(name, text)| render::field(name, text)) {
            out.line(&line)?;
        }
    }
    out.finish()
}

/// What is said of a model of a whole task.
fn of_model(about: &About, size: usize) -> Vec<(&'static str, String)> {
    let quality = format!("{} {:.4} on held-out folds of its data", about.measure, about.held_out);
    vec![
        ("task", about.task.clone()),
        ("size", format!("{}, {} rules of {}", render::size(size), about.n_rules[1], about.n_rules[0])),
        ("kernel", about.kernel.clone()),
        ("units", about.units.name().to_owned()),
        ("data", format!("{} pairs ({} positive) of {}", about.n_pairs, about.n_positive, about.data)),
        ("note", about.note.clone()),
        ("quality", quality),
    ]
}

/// What is said of a judge.
fn of_judge(about: &CombinedAbout, size: usize) -> Vec<(&'static str, String)> {
    vec![
        ("task", about.task.clone()),
        ("size", format!("{}, {} signs", render::size(size), about.n_signs)),
        ("learner", about.learner.clone()),
        ("data", format!("{} pairs ({} positive) of {}", about.n_pairs, about.n_positive, about.data)),
        ("note", about.note.clone()),
        ("quality", format!("{} {:.4} on held-out folds of its data", about.measure, about.held_out)),
    ]
}

/// What is said of the aligner.
fn of_aligner(about: &AlignAbout, size: usize) -> Vec<(&'static str, String)> {
    let quality = about.held_out.map_or_else(
        || "not measured".to_owned(),
        |f1| format!("F1 {f1:.4} on {} held-back pairs of its data", about.n_held_back),
    );
    let longest = if about.longest == 1 { "words" } else { "phrases" };
    vec![
        ("task", about.task.clone()),
        ("size", format!("{}, aligns {longest}", render::size(size))),
        ("features", about.features.join(", ")),
        ("data", format!("{} pairs ({} links) of {}", about.n_pairs, about.n_links, about.data)),
        ("note", about.note.clone()),
        ("quality", quality),
    ]
}

/// What is said of a part of annotation or of the lexicon.
fn of_resource(origin: &Origin, size: usize) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("size", render::size(size)),
        ("data", origin.data.clone()),
        ("licence", origin.licence.clone()),
        ("made by", origin.made.clone()),
    ];
    let figure = |quality: &Quality| match quality.value {
        count if count.fract() == 0.0 => format!("{} {count}", quality.measure),
        share => format!("{} {share:.2}", quality.measure),
    };
    let figures: Vec<String> = origin.quality.iter().map(figure).collect();
    if !figures.is_empty() {
        fields.push(("quality", figures.join("; ")));
    }
    fields
}
