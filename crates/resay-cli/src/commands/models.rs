//! `resay models`: lists, describes and exports models. Only the metadata of the files is read;
//! nothing is unpacked.

use crate::args::{Common, ModelsArgs, OutputFile};
use crate::failure::Usage;
use crate::output::Output;
use crate::{files, input, render};
use anstyle::Style;
use resay::model::{
    About, AdaptedJudgementAbout, AdaptedJudgementDetails, AlignAbout, EnsembleAbout, Header, JudgementAbout,
    JudgementDetails, KernelAbout, LatentAbout, ModelKind, NamesDetails, ProgramDetails, Response, TopicDetails,
    registry,
};
use resay_text::container::{Container, Origin, Quality};
use resay_view::{json, text, wording};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::path::Path;

pub(crate) fn run(common: &Common, args: &ModelsArgs) -> anyhow::Result<()> {
    match (&args.export, &args.target) {
        (Some(name), Some(file)) => export(common, name, &OutputFile::new(file)),
        (Some(_), None) => Err(Usage("--export: expected the file to write after the model's name".to_owned()).into()),
        (None, Some(name)) => one(common, name),
        (None, None) => all(common),
    }
}

/// Writes a bundled model to a file.
fn export(common: &Common, name: &str, output: &OutputFile) -> anyhow::Result<()> {
    if output.is_stdout() {
        return Err(Usage("--export: a model is written to a file, not to -: give its name".to_owned()).into());
    }
    files::check_place(output.path())?;
    let bytes = common.resources.bytes(file_of(name))?;
    Ok(output.write(|file| file.write_all(&bytes))?)
}

/// Returns the name of the file that holds a bundled model.
fn file_of(name: &str) -> &str {
    registry::find(name).map_or(name, |model| model.file)
}

/// Describes one model: a file, or something bundled. An existing file takes precedence.
fn one(common: &Common, name: &str) -> anyhow::Result<()> {
    let path = input::find(common, Path::new(name));
    let looks_like_a_file = Path::new(name).extension().is_some() || Path::new(name).components().count() > 1;
    let bytes = if path.exists() || looks_like_a_file {
        Cow::Owned(std::fs::read(&path).map_err(|error| resay::Error::read(&path, error))?)
    } else {
        common.resources.bytes(file_of(name))?
    };
    let mut out = Output::stdout();
    card(&mut out, common, name, &bytes)?;
    out.finish()
}

/// Lists everything bundled: a table for people, all metadata as JSON.
fn all(common: &Common) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let mut models = vec![["model", "task", "size", "on held-out data", "licence"].map(str::to_owned).to_vec()];
    let mut resources = vec![["resource", "size", "licence"].map(str::to_owned).to_vec()];
    for name in common.resources.names() {
        let bytes = common.resources.bytes(name)?;
        if common.json {
            card(&mut out, common, name, &bytes)?;
            continue;
        }
        let size = text::size(bytes.len());
        match Container::<Origin>::describe(name, &bytes) {
            Ok(origin) => resources.push(vec![name.to_owned(), size, origin.licence]),
            Err(_) => {
                let header = Header::read(name, &bytes)?;
                let quality = quality(&header).unwrap_or_default();
                models.push(vec![names_of(name), header.task, size, quality, header.licence]);
            }
        }
    }
    if !common.json {
        for line in render::table("<<><", &models) {
            out.line(&render::cut(&line))?;
        }
        out.line("")?;
        for line in render::table("<><", &resources) {
            out.line(&render::cut(&line))?;
        }
        out.line("")?;
        out.line("'resay models NAME' says all about one of them, or about a model file.")?;
    }
    out.finish()
}

/// Returns the names of the model in this bundled file.
fn names_of(file: &str) -> String {
    let others = registry::BUNDLED.iter().filter(|model| model.file == file && model.name != file);
    others.map(|model| format!("{}, ", model.name)).collect::<String>() + file
}

/// Field names and their texts.
type Fields = Vec<(&'static str, String)>;

/// Prints all that is known of a model or resource.
fn card(out: &mut Output, common: &Common, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let file = (name, bytes);
    let fields = if let Ok(origin) = Container::<Origin>::describe(name, bytes) {
        if common.json {
            return out.json(&json::BundledResource { name, size: bytes.len(), origin: &origin });
        }
        of_resource(&origin, bytes.len())
    } else {
        match Header::read(name, bytes)?.kind {
            ModelKind::Kernel => described(out, common, file, of_kernel)?,
            ModelKind::Ensemble => described(out, common, file, of_ensemble)?,
            ModelKind::Align => described(out, common, file, of_aligner)?,
            ModelKind::Latent => described(out, common, file, of_latent)?,
            ModelKind::Names => described(out, common, file, of_any::<NamesDetails>)?,
            ModelKind::Topics => described(out, common, file, of_any::<TopicDetails>)?,
            ModelKind::Program => described(out, common, file, of_any::<ProgramDetails>)?,
            ModelKind::Judgement => described(out, common, file, of_judgement)?,
            ModelKind::AdaptedJudgement => described(out, common, file, of_adapted)?,
            _ => return Err(Usage(format!("{name}: a kind of model that this version does not know")).into()),
        }
    };
    if fields.is_empty() {
        return Ok(());
    }
    out.line(&out.styled(Style::new().bold(), &names_of(file_of(name))))?;
    for line in fields.iter().filter(|(_, text)| !text.is_empty()).flat_map(|(name, text)| render::field(name, text)) {
        out.line(&line)?;
    }
    Ok(())
}

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

/// Returns the figure on held-out data, if there is one.
fn quality(header: &Header) -> Option<String> {
    header.held_out.map(|figure| format!("{} {figure:.4}", header.measure))
}

/// Describes a model by its header, with what is special about its kind after the size.
fn fields(header: &Header, size: String, data: String, special: Fields) -> Fields {
    let quality = quality(header).map_or_else(|| "not measured".to_owned(), |figure| figure + " on held-out data");
    let mut fields = vec![("task", header.task.clone()), ("size", size), ("learner", header.learner.clone())];
    fields.extend(special);
    if let Some(from) = &header.from {
        fields.push(("from", wording::adapted_from(from)));
    }
    fields.extend([
        ("data", data),
        ("licence", header.licence.clone()),
        ("note", header.note.clone()),
        ("quality", quality),
    ]);
    fields
}

fn of_any<D: Clone + Serialize + DeserializeOwned>(about: &About<D>, size: usize) -> Fields {
    let data = format!("{} examples of {}", about.header.n_examples, about.header.data);
    fields(&about.header, text::size(size), data, Vec::new())
}

fn of_judgement(about: &JudgementAbout, size: usize) -> Fields {
    let data = format!("{} examples of {}", about.header.n_examples, about.header.data);
    let JudgementDetails { n_inputs, n_rules, n_rounds, by_corpus, .. } = &about.details;
    let figures: Vec<String> =
        by_corpus.iter().map(|(name, n, share)| format!("{name} {:.1} % of {n}", 100.0 * share)).collect();
    let special = vec![
        ("inputs", format!("{n_inputs}, {n_rules} rules, {n_rounds} trees per relation")),
        ("held out", format!("right relation: {}", figures.join(", "))),
    ];
    fields(&about.header, text::size(size), data, special)
}

fn of_adapted(about: &AdaptedJudgementAbout, size: usize) -> Fields {
    let AdaptedJudgementDetails { question, n_inputs, n_weights } = &about.details;
    let special = vec![
        ("question", question.clone()),
        ("inputs", format!("{n_inputs}, and a correction of {n_weights} weights")),
    ];
    fields(&about.header, text::size(size), pairs_of_data(&about.header), special)
}

fn of_latent(about: &LatentAbout, size: usize) -> Fields {
    let data = format!("{} examples of {}", about.header.n_examples, about.header.data);
    let constraints: Vec<&str> = about.details.constraints.lines().collect();
    fields(&about.header, text::size(size), data, vec![("links", constraints.join("; "))])
}

fn of_kernel(about: &KernelAbout, size: usize) -> Fields {
    let details = &about.details;
    let size = format!("{}, {} rules of {}", text::size(size), details.n_rules[1], details.n_rules[0]);
    let special = vec![("kernel", details.kernel.clone()), ("units", details.units.name().to_owned())];
    fields(&about.header, size, pairs_of_data(&about.header), special)
}

/// Describes the number and origin of a model's training pairs.
fn pairs_of_data(header: &Header) -> String {
    let counts = match header.response {
        Response::Binary { .. } => format!("{} positive", header.n_positive()),
        _ => wording::counts(header),
    };
    format!("{} pairs ({counts}) of {}", header.n_examples, header.data)
}

fn of_ensemble(about: &EnsembleAbout, size: usize) -> Fields {
    let size = format!("{}, {} features", text::size(size), about.details.n_features);
    fields(&about.header, size, pairs_of_data(&about.header), Vec::new())
}

fn of_aligner(about: &AlignAbout, size: usize) -> Fields {
    let (header, details) = (&about.header, &about.details);
    let longest = if details.longest == 1 { "words" } else { "phrases" };
    let data = format!("{} pairs ({} links) of {}", header.n_examples, details.n_links, header.data);
    let size = format!("{}, aligns {longest}", text::size(size));
    fields(header, size, data, vec![("features", details.features.join(", "))])
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
