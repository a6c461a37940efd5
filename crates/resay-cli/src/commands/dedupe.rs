//! `resay dedupe`: finds sentences of a file that say the same. The file is read whole, since its
//! last line may repeat its first.

use crate::args::{Common, DedupeArgs, document_format};
use crate::output::Output;
use crate::progress::Progress;
use crate::text_file::read_bytes;
use crate::{input, models, render};
use resay::data::{Document, DocumentFormat, DocumentReader};
use resay::dedupe::{self, DedupeOptions, DedupeSummary, Duplicates};
use resay_learn::progress::Step;
use resay_view::{json, text};
use std::io::Write;

/// Maximum size of a file; a larger one would take too long to process.
const MAX_BYTES: usize = 1 << 30;

pub(crate) fn run(common: &Common, args: &DedupeArgs) -> anyhow::Result<()> {
    let (bytes, lines) = read(common, args)?;
    let judge = models::open(common, args.model.as_deref(), "judge")?;
    models::check_phrases(&judge, &args.own)?;
    let judge = models::yes_or_no(models::pair_model(judge, "dedupe")?, "dedupe")?.model;
    let texts: Vec<&str> = lines.iter().map(|(_, document)| document.text.as_str()).collect();
    let options = DedupeOptions { threshold: args.threshold, max_pairs: args.max_pairs, ..DedupeOptions::default() };
    let progress = Progress::new(common);
    let report = |step: Step<'_>| progress.report(step);
    let found = dedupe::dedupe(&texts, &*judge, &options, resay_learn::progress::Progress::new(&report))?;
    drop(progress);
    let mut out = Output::stdout();
    match (args.keep, args.pairs) {
        (true, _) => keep(&mut out, &bytes, &lines, &found)?,
        (_, true) => pairs(&mut out, common.json, &options, &lines, &found)?,
        _ if common.json => clusters_as_json(&mut out, &lines, &found)?,
        _ => {
            clusters(&mut out, &lines, &found)?;
            for line in summary(&found.summary, &options) {
                out.line(&line)?;
            }
            return out.finish();
        }
    }
    out.finish()?;
    // Standard output is for other programs; the summary for people goes to standard error.
    if !common.quiet {
        let mut stderr = std::io::stderr();
        for line in summary(&found.summary, &options) {
            // Ignored: nothing can be done if standard error is closed.
            let _ = writeln!(stderr, "{line}");
        }
    }
    Ok(())
}

/// Documents with their line numbers.
type Numbered = Vec<(u64, Document)>;

/// Reads the bytes of the file, and its sentences with their line numbers.
fn read(common: &Common, args: &DedupeArgs) -> anyhow::Result<(Vec<u8>, Numbered)> {
    let path = input::find(common, &args.file);
    input::refuse_pairs(&path, "dedupe reads one sentence per line: to score pairs, use resay predict")?;
    let format = document_format(args.format.as_deref())?;
    let (name, bytes) = read_bytes(&path, MAX_BYTES)?;
    if bytes.len() > MAX_BYTES {
        let limit = text::size(MAX_BYTES);
        return Err(resay::Error::file(&name, format!("more than {limit}: cut it into parts")).into());
    }
    let reader = DocumentReader::new(&name, bytes.as_slice(), format)?;
    if reader.format() == DocumentFormat::Reuters {
        let message = "documents of many sentences, expected one sentence per line or JSON lines with the key \"text\"";
        return Err(resay::Error::file(&name, message).into());
    }
    let lines: Vec<(u64, Document)> = reader.collect::<resay::Result<_>>()?;
    if lines.iter().all(|(_, document)| document.text.trim().is_empty()) {
        return Err(resay::Error::file(&name, "no sentence in it, expected one per line").into());
    }
    Ok((bytes, lines))
}

/// Writes the lines of the file, except those that say the same as an earlier line.
fn keep(out: &mut Output, bytes: &[u8], lines: &[(u64, Document)], found: &Duplicates) -> anyhow::Result<()> {
    let mut is_kept = vec![true; lines.len()];
    for member in found.clusters.iter().flat_map(|cluster| &cluster.members[1..]) {
        is_kept[member.text as usize] = false;
    }
    let mut raw = bytes.split_inclusive(|byte| *byte == b'\n').zip(1u64..);
    for (line, _) in lines.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(line, _)| line) {
        if let Some((text, _)) = raw.find(|(_, number)| number == line) {
            out.write_bytes(text)?;
            if !text.ends_with(b"\n") {
                out.line("")?;
            }
        }
    }
    Ok(())
}

fn pairs(
    out: &mut Output,
    as_json: bool,
    options: &DedupeOptions,
    lines: &[(u64, Document)],
    found: &Duplicates,
) -> anyhow::Result<()> {
    if !as_json {
        out.line("first\tsecond\tsimilarity\tprobability\tlabel")?;
    }
    for pair in &found.pairs {
        let [first, second] = pair.texts.map(|text| lines[text as usize].1.id.as_str());
        let (similarity, probability) = (pair.similarity, pair.probability);
        let label = probability >= options.threshold;
        if as_json {
            out.json(&json::SamePair { first, second, similarity, probability, label })?;
        } else {
            let [first, second] = [first, second].map(text::clean);
            out.line(&format!("{first}\t{second}\t{similarity}\t{probability}\t{}", u8::from(label)))?;
        }
    }
    Ok(())
}

fn clusters_as_json(out: &mut Output, lines: &[(u64, Document)], found: &Duplicates) -> anyhow::Result<()> {
    for cluster in &found.clusters {
        let member = |member: &dedupe::Member| {
            let (line, document) = &lines[member.text as usize];
            json::SameMember {
                line: *line,
                id: &document.id,
                probability: member.probability.unwrap_or(1.0),
                same_words: member.probability.is_none(),
                text: &document.text,
            }
        };
        let members: Vec<json::SameMember<'_>> = cluster.members.iter().map(member).collect();
        out.json(&json::SameCluster { size: members.len(), members })?;
    }
    Ok(())
}

/// Writes one block per cluster: line number, probability against the first line, text.
fn clusters(out: &mut Output, lines: &[(u64, Document)], found: &Duplicates) -> anyhow::Result<()> {
    for cluster in &found.clusters {
        for (at, member) in cluster.members.iter().enumerate() {
            let (line, document) = &lines[member.text as usize];
            let said = match member.probability {
                _ if at == 0 => String::new(),
                Some(probability) => format!("{probability:.3}"),
                None => "same".to_owned(),
            };
            let start = format!("{line:>7}  {said:<5}  ");
            for (at, (text, _)) in text::wrap(document.text.trim(), text::WIDTH - start.len(), &[]).iter().enumerate() {
                match at {
                    0 => out.line(&format!("{start}{text}"))?,
                    _ => out.line(&format!("{:1$}{text}", "", start.len()))?,
                }
            }
        }
        out.line("")?;
    }
    Ok(())
}

/// Summarises what was judged and what was not.
fn summary(summary: &DedupeSummary, options: &DedupeOptions) -> Vec<String> {
    let DedupeSummary { n_texts, n_empty, n_same, n_too_long, n_judged, n_yes, n_left_out, n_weak, .. } = summary;
    let DedupeSummary { n_clusters, n_duplicates, .. } = summary;
    let similarity = options.similarity;
    let mut lines = render::field("lines", &format!("{n_texts}: {n_same} the same as one before, {n_empty} empty"));
    lines.extend(render::field(
        "judged",
        &format!("{n_judged} pairs of similarity {similarity} or more, {n_yes} say the same"),
    ));
    lines.extend(render::field("clusters", &format!("{n_clusters}; {n_duplicates} lines say what one before says")));
    if *n_left_out > 0 {
        let message = format!(
            "{n_left_out} pairs as similar, because there were too many: the most promising ones of each line \
             were judged, and of all these the most promising (--max-pairs)"
        );
        lines.extend(render::field("left out", &message));
    }
    if *n_weak > 0 {
        let message = format!("{n_weak} sentences share all their words with too many others: some of their pairs");
        lines.extend(render::field("left out", &message));
    }
    if *n_too_long > 0 {
        let message =
            format!("{n_too_long} lines of more than {} words, but for the very same lines", dedupe::MAX_WORDS);
        lines.extend(render::field("left out", &message));
    }
    lines
}
