//! Gold training data: annotated words from CoNLL-U and from column files.

use crate::files::Files;
use anyhow::{Context, Result, bail};
use resay_text::Upos;

/// A sentence of a treebank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gold {
    pub(crate) forms: Vec<String>,
    pub(crate) lemmas: Vec<String>,
    pub(crate) upos: Vec<Upos>,
    pub(crate) xpos: Vec<String>,
    /// 1-based; 0 for the root.
    pub(crate) heads: Vec<usize>,
    pub(crate) relations: Vec<String>,
}

/// Reads a part of the English Web Treebank.
pub(crate) fn ewt(files: &Files<'_>, part: &str) -> Result<Vec<Gold>> {
    let file = format!("UD_English-EWT/en_ewt-ud-{part}.conllu");
    conllu(&files.text(&file)?).context(file)
}

/// Parses the sentences of a CoNLL-U file; words only, without ranges and empty nodes.
pub(crate) fn conllu(text: &str) -> Result<Vec<Gold>> {
    let mut sentences = Vec::new();
    let mut sentence = Gold::default();
    for (at, line) in text.lines().enumerate() {
        if line.is_empty() {
            if !sentence.forms.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, form, lemma, upos, xpos, _, head, relation, _, _] = columns[..] else {
            bail!("line {}: {} columns, expected 10", at + 1, columns.len());
        };
        if id.contains(['-', '.']) {
            continue;
        }
        sentence.forms.push(form.to_owned());
        sentence.lemmas.push(lemma.to_owned());
        sentence.upos.push(upos.parse()?);
        sentence.xpos.push(xpos.to_owned());
        sentence.heads.push(head.parse().with_context(|| format!("line {}: head", at + 1))?);
        sentence.relations.push(relation.to_owned());
    }
    if !sentence.forms.is_empty() {
        sentences.push(sentence);
    }
    Ok(sentences)
}

/// Parses the sentences of a column file: the form and one label column, by index. Skips comments
/// and other columns.
pub(crate) fn columns(text: &str, separator: char, form: usize, label: usize) -> Vec<(Vec<String>, Vec<String>)> {
    let mut sentences: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let mut forms = Vec::new();
    let mut labels = Vec::new();
    for line in text.lines().chain([""]) {
        let line = line.trim_end();
        if line.is_empty() {
            if !forms.is_empty() {
                sentences.push((std::mem::take(&mut forms), std::mem::take(&mut labels)));
            }
        } else if !line.starts_with("# ") {
            let columns: Vec<&str> = line.split(separator).collect();
            if let (Some(form), Some(label)) = (columns.get(form), columns.get(label)) {
                forms.push((*form).to_owned());
                labels.push((*label).to_owned());
            }
        }
    }
    sentences
}
