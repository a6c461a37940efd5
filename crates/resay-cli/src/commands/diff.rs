//! `resay diff`: shows what happened to the sentences of a text.

use crate::args::{Common, DiffArgs, OutputFile};
use crate::failure::{Found, Usage, is_closed_pipe};
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use crate::render::diff::Text;
use crate::text_file::read_bytes;
use resay::diff::{DiffDocument, DifferenceKind, MAX_BYTES, compare, is_meaning_changed};
use resay::model::JudgementModel;
use resay_learn::progress::Step;
use resay_view::diff::{DiffView, SAME};
use resay_view::{html, json};
use std::path::Path;

pub(crate) fn run(common: &Common, args: &DiffArgs) -> anyhow::Result<()> {
    let paths = [&args.old, &args.new].map(|path| input::find(common, path));
    if paths.iter().all(|path| path == Path::new("-")) {
        return Err(Usage("both texts are standard input: give a file for one of them".to_owned()).into());
    }
    let is_page_printed = args.html.as_ref().is_some_and(OutputFile::is_stdout);
    if is_page_printed && common.json {
        let message = "only one of --html - and --json can be printed: give the page a file";
        return Err(Usage(message.to_owned()).into());
    }
    let (old_name, old) = read_bytes(&paths[0], MAX_BYTES)?;
    let (new_name, new) = read_bytes(&paths[1], MAX_BYTES)?;
    let names = [old_name.as_str(), new_name.as_str()];
    // Equal files are neither split nor judged, unless all sentences are to be shown.
    if old == new && !args.all {
        let mut out = Output::stdout();
        if let Some(output) = &args.html {
            write_page(output, &mut out, &html::same_files(names))?;
        }
        if !common.json && !is_page_printed {
            out.line(SAME)?;
        }
        return out.finish();
    }
    let cut = || {
        let (old, new) =
            rayon::join(|| DiffDocument::from_bytes(names[0], old), || DiffDocument::from_bytes(names[1], new));
        old.and_then(|old| Ok([old, new?]))
    };
    let judge = || JudgementModel::bundled(&common.resources);
    let (documents, judge) = common.resources.threads().run(|| rayon::join(cut, judge))?;
    let documents = documents?;
    let documents = [&documents[0], &documents[1]];
    let progress = Progress::new(common);
    let report = |step: Step<'_>| progress.report(step);
    let differences = compare(&judge?, documents, resay_learn::progress::Progress::new(&report))?;
    drop(progress);
    let shown = DiffView { names, documents, differences: &differences, top: args.top };
    match print(common, args, &shown) {
        // A closed pipe does not change the result of the check.
        Err(error) if !(args.check && is_closed_pipe(&error)) => return Err(error),
        _ => {}
    }
    if args.check && is_meaning_changed(documents, &differences) {
        return Err(Found.into());
    }
    Ok(())
}

fn write_page(output: &OutputFile, out: &mut Output, page: &str) -> anyhow::Result<()> {
    if output.is_stdout() {
        return out.write_str(page);
    }
    Ok(output.write(|file| file.write_all(page.as_bytes()))?)
}

fn print(common: &Common, args: &DiffArgs, shown: &DiffView<'_>) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    if let Some(output) = &args.html {
        write_page(output, &mut out, &html::diff(shown))?;
        if output.is_stdout() {
            return out.finish();
        }
    }
    if common.json {
        for difference in
            shown.differences.iter().filter(|difference| args.all || difference.kind != DifferenceKind::Same)
        {
            out.json(&json::DiffLine::of(difference, shown.documents, &shown.reasons(difference)))?;
        }
        return out.finish();
    }
    let text = Text { shown, is_coloured: out.is_coloured() };
    if args.html.is_none() {
        for line in text.lines(args.all) {
            out.line(&line)?;
        }
    }
    out.line(&text.summary())?;
    out.finish()
}
