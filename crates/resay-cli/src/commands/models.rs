//! `resay models`: lists and exports the bundled models. Only the metadata of the files is read;
//! nothing is unpacked.

use crate::args::{Common, ModelsArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::render;
use anstyle::Style;
use resay::model::{About, AlignAbout, EnsembleAbout, Header, KernelAbout, ModelKind, registry};
use resay_text::container::{Container, Origin, Quality};
use resay_view::{json, text};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) fn run(common: &Common, args: &ModelsArgs) -> anyhow::Result<()> {
    if let (Some(name), Some(output)) = (&args.export, &args.output) {
        if output.is_stdout() {
            return Err(Usage("--export: a model is written to a file, not to -: give its name".to_owned()).into());
        }
        let file = registry::find(name).map_or(name.as_str(), |model| model.file);
        let bytes = common.resources.bytes(file)?;
        return Ok(output.write(|file| file.write_all(&bytes))?);
    }
    let mut out = Output::stdout();
    for (at, name) in common.resources.names().enumerate() {
        let bytes = common.resources.bytes(name)?;
        let size = bytes.len();
        if at > 0 && !common.json {
            out.line("")?;
        }
        let fields =
            match registry::find(name).map(|_| Header::read(name, &bytes)).transpose()?.map(|header| header.kind) {
                Some(ModelKind::Align) => described(&mut out, common, (name, &bytes), of_aligner)?,
                Some(ModelKind::Ensemble) => described(&mut out, common, (name, &bytes), of_ensemble)?,
                Some(_) => described(&mut out, common, (name, &bytes), of_kernel)?,
                None => {
                    let origin = Container::<Origin>::describe(name, &bytes)?;
                    if common.json {
                        out.json(&json::BundledResource { name, size, origin: &origin })?;
                        continue;
                    }
                    of_resource(&origin, size)
                }
            };
        if fields.is_empty() {
            continue;
        }
        let others = registry::BUNDLED.iter().filter(|model| model.file == name && model.name != name);
        let others: String = others.map(|model| format!(", also named {}", model.name)).collect();
        out.line(&format!("{}{others}", out.styled(Style::new().bold(), name)))?;
        for line in fields.iter().flat_map(|(name, text)| render::field(name, text)) {
            out.line(&line)?;
        }
    }
    out.finish()
}

/// Field names and their texts.
type Fields = Vec<(&'static str, String)>;

/// Describes a model. Returns no fields if it was printed as JSON.
fn described<D: Clone + Serialize + DeserializeOwned>(
    out: &mut Output,
    common: &Common,
    (name, bytes): (&str, &[u8]),
    say: fn(&About<D>, usize) -> Fields,
) -> anyhow::Result<Fields> {
    let about = Container::<About<D>>::describe(name, bytes)?;
    if common.json {
        out.json(&json::BundledModelJson { name, size: bytes.len(), about: &about })?;
        return Ok(Vec::new());
    }
    Ok(say(&about, bytes.len()))
}

/// Describes a kernel model.
fn of_kernel(about: &KernelAbout, size: usize) -> Fields {
    let quality = format!(
        "{} {:.4} on held-out folds of its data",
        about.header.measure,
        about.header.held_out.unwrap_or_default()
    );
    vec![
        ("task", about.header.task.clone()),
        ("size", format!("{}, {} rules of {}", text::size(size), about.details.n_rules[1], about.details.n_rules[0])),
        ("kernel", about.details.kernel.clone()),
        ("units", about.details.units.name().to_owned()),
        ("data", pairs_of_data(&about.header)),
        ("licence", about.header.licence.clone()),
        ("note", about.header.note.clone()),
        ("quality", quality),
    ]
}

/// Describes the number and origin of a model's training pairs.
fn pairs_of_data(header: &Header) -> String {
    format!("{} pairs ({} positive) of {}", header.n_examples, header.n_positive(), header.data)
}

/// Describes an ensemble.
fn of_ensemble(about: &EnsembleAbout, size: usize) -> Fields {
    vec![
        ("task", about.header.task.clone()),
        ("size", format!("{}, {} features", text::size(size), about.details.n_features)),
        ("learner", about.header.learner.clone()),
        ("data", pairs_of_data(&about.header)),
        ("licence", about.header.licence.clone()),
        ("note", about.header.note.clone()),
        (
            "quality",
            format!(
                "{} {:.4} on held-out folds of its data",
                about.header.measure,
                about.header.held_out.unwrap_or_default()
            ),
        ),
    ]
}

/// Describes the aligner.
fn of_aligner(about: &AlignAbout, size: usize) -> Fields {
    let quality = about.header.held_out.map_or_else(
        || "not measured".to_owned(),
        |f1| format!("F1 {f1:.4} on {} held-back pairs of its data", about.details.n_held_back),
    );
    let longest = if about.details.longest == 1 { "words" } else { "phrases" };
    vec![
        ("task", about.header.task.clone()),
        ("size", format!("{}, aligns {longest}", text::size(size))),
        ("features", about.details.features.join(", ")),
        (
            "data",
            format!("{} pairs ({} links) of {}", about.header.n_examples, about.details.n_links, about.header.data),
        ),
        ("licence", about.header.licence.clone()),
        ("note", about.header.note.clone()),
        ("quality", quality),
    ]
}

/// Describes an annotator or the lexicon.
fn of_resource(origin: &Origin, size: usize) -> Fields {
    let mut fields = vec![
        ("size", text::size(size)),
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
