//! `resay diff`: what became of the sentences of a text.

use super::diff_text::Text;
use crate::args::{Common, DiffArgs};
use crate::failure::{Found, Usage, is_closed_pipe};
use crate::output::Output;
use crate::progress::Progress;
use crate::{bundled, html, input, reasons, wire};
use resay::data::{open, write_whole};
use resay::diff::{Difference, Document, Kind, MAX_BYTES, compare, is_meaning_changed};
use resay::explain::Explanation;
use std::io::Read;
use std::path::Path;

/// Two documents, and what became of the first.
pub(crate) struct Shown<'a> {
    /// As the user calls them.
    pub(crate) names: [&'a str; 2],
    pub(crate) documents: [&'a Document; 2],
    pub(crate) differences: &'a [Difference],
    /// How many reasons are shown.
    pub(crate) top: usize,
}

impl Shown<'_> {
    /// Why the meaning of a pair changed.
    pub(crate) fn reasons(&self, difference: &Difference) -> Vec<Explanation> {
        let explanation = difference.explanation.as_deref();
        explanation.map_or_else(Vec::new, |explanation| reasons::against(explanation, self.top))
    }

    /// How many sentences there are of a kind.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.differences.iter().filter(|difference| difference.kind == kind).count()
    }

    /// What is said where there is nothing to see.
    pub(crate) fn nothing(&self) -> Option<&'static str> {
        self.differences
            .iter()
            .all(|difference| difference.kind == Kind::Same)
            .then_some("The sentences are the same; only blanks, line breaks or blank lines differ.")
    }
}

/// What is said of equal bytes.
pub(crate) const SAME: &str = "The files are the same, byte for byte.";

pub(crate) fn run(common: &Common, args: &DiffArgs) -> anyhow::Result<()> {
    let paths = [&args.source, &args.target].map(|path| input::find(common, path));
    if paths.iter().all(|path| path == Path::new("-")) {
        return Err(Usage("both texts are standard input: give a file for one of them".to_owned()).into());
    }
    if let Some(output) = &args.html {
        input::check_output(common, output, &[&args.source, &args.target])?;
    }
    let (first_name, first) = read(&paths[0])?;
    let (second_name, second) = read(&paths[1])?;
    let names = [first_name.as_str(), second_name.as_str()];
    // Equal files are neither cut nor judged, unless all of them is to be seen.
    if first == second && !args.all {
        if let Some(output) = &args.html {
            write_page(output, &html::diff::same(names))?;
        }
        let mut out = Output::stdout();
        if !common.json {
            out.line(SAME)?;
        }
        return out.finish();
    }
    let cut = || {
        let (first, second) =
            rayon::join(|| Document::from_bytes(names[0], first), || Document::from_bytes(names[1], second));
        first.and_then(|first| Ok([first, second?]))
    };
    let (documents, judge) = rayon::join(cut, bundled::judge);
    let documents = documents?;
    let documents = [&documents[0], &documents[1]];
    let progress = Progress::new(common);
    let differences = compare(&judge?, documents, &|what, done, total| progress.set(what, done, total))?;
    drop(progress);
    let shown = Shown { names, documents, differences: &differences, top: args.top };
    if let Some(output) = &args.html {
        write_page(output, &html::diff::diff(&shown))?;
    }
    match print(common, args, &shown) {
        // A reader that had enough changes nothing about what was found.
        Err(error) if !(args.check && is_closed_pipe(&error)) => return Err(error),
        _ => {}
    }
    if args.check && is_meaning_changed(documents, &differences) {
        return Err(Found.into());
    }
    Ok(())
}

/// All bytes of a file, or one too many of a file that is too long.
fn read(path: &Path) -> anyhow::Result<(String, Vec<u8>)> {
    let (name, file) = open(path)?;
    let mut bytes = Vec::with_capacity(input::file_size(path).min(MAX_BYTES));
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| resay::Error::read(path, error))?;
    Ok((name, bytes))
}

fn write_page(path: &Path, page: &str) -> anyhow::Result<()> {
    Ok(write_whole(path, |out| out.write_all(page.as_bytes()))?)
}

fn print(common: &Common, args: &DiffArgs, shown: &Shown<'_>) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    if common.json {
        for difference in shown.differences.iter().filter(|difference| args.all || difference.kind != Kind::Same) {
            out.json(&wire::DiffLine::of(difference, shown.documents, &shown.reasons(difference)))?;
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
