//! Builds `phrases.resay`: our own tables of phrases, packed.

use crate::files::Files;
use crate::make::graph::Source;
use crate::{MADE_BY, settings_of};
use anyhow::Result;
use resay_text::container::Origin;
use resay_text::phrases::{Phrases, pack};

/// The tables in the repository, relations before classes.
pub(crate) const TABLES: &[Source] = &[
    Source::Own("lexicon/everyday.tsv"),
    Source::Own("lexicon/general.tsv"),
    Source::Own("lexicon/idioms.tsv"),
    Source::Own("lexicon/legal.tsv"),
    Source::Own("lexicon/news.tsv"),
    Source::Own("lexicon/science.tsv"),
    Source::Own("lexicon/support.tsv"),
    Source::Own("lexicon/things.tsv"),
    Source::Own("lexicon/verbs.tsv"),
    Source::Own("lexicon/everyday.classes.tsv"),
    Source::Own("lexicon/general.classes.tsv"),
    Source::Own("lexicon/legal.classes.tsv"),
    Source::Own("lexicon/news.classes.tsv"),
    Source::Own("lexicon/science.classes.tsv"),
    Source::Own("lexicon/support.classes.tsv"),
];

fn origin() -> Origin {
    Origin {
        resource: String::new(),
        data: "our own tables in lexicon/".to_owned(),
        licence: "MIT OR Apache-2.0".to_owned(),
        made: format!("{MADE_BY} phrases"),
        quality: Vec::new(),
    }
}

pub(crate) fn settings() -> String {
    settings_of(&origin(), "")
}

pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let (mut relations, mut classes) = (Vec::new(), Vec::new());
    for table in TABLES {
        let Source::Own(name) = table else { continue };
        let (path, text) = files.own_text(name)?;
        let tables = if name.ends_with(".classes.tsv") { &mut classes } else { &mut relations };
        tables.push((path.display().to_string(), text));
    }
    // Read as users' files are: a fault is named by file and line.
    fn refs(tables: &[(String, String)]) -> Vec<(&str, &str)> {
        tables.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
    }
    Phrases::read(&refs(&relations), &refs(&classes))?;
    fn texts(tables: &[(String, String)]) -> Vec<&str> {
        tables.iter().map(|(_, text)| text.as_str()).collect()
    }
    let bytes = pack(&texts(&relations), &texts(&classes), origin())?;
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}
