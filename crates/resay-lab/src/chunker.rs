//! The chunker: trained on the training part of the English Web Treebank, with chunks read off its
//! trees ([`crate::chunks_of_trees`]).
//!
//! The treebank treats "long-term" as three tokens, other corpora as one. Sentences with such words
//! are used twice for training, as they are and with the parts put together, so that the chunker
//! handles both. CoNLL-2000 is for measurement only; nothing is learned from it.

use crate::chunks_of_trees::chunks;
use crate::files::Files;
use crate::jackknife;
use crate::stretches::{Annotator, Labelled, Score, numbers};
use crate::tagger::shuffled;
use crate::treebank::{self, Gold};
use crate::{MADE_BY, settings_of};
use anyhow::Result;
use resay_text::container::{Origin, Quality};
use resay_text::learn::{self, ChainScratch, FitOptions};
use resay_text::{CHUNKS, Chunker, bio, chunk_features};

/// Options tuned on held-out sentences of CoNLL-2000, when the chunker was learned from it.
fn options() -> FitOptions {
    FitOptions { epochs: 6, all_labels_from: 10, allowed: bio::allowed(CHUNKS.len()), ..FitOptions::default() }
}

/// Measured on, never learned from.
pub(crate) const CONLL: &str = "conll2000/test.txt";

type Sentence = (Vec<String>, Vec<u8>);

/// Converts a token to the tagger's spelling: the corpus writes quotes, brackets and slashes in
/// Penn Treebank style.
fn spelled(form: &str) -> String {
    match form {
        "``" | "''" => "\"".to_owned(),
        "`" => "'".to_owned(),
        "-LRB-" => "(".to_owned(),
        "-RRB-" => ")".to_owned(),
        "-LCB-" => "{".to_owned(),
        "-RCB-" => "}".to_owned(),
        _ => form.replace("\\/", "/").replace("\\*", "*"),
    }
}

/// The test part of CoNLL-2000 with its gold chunks.
fn conll(files: &Files<'_>) -> Result<Vec<Sentence>> {
    let kind = |name: &str| CHUNKS.iter().position(|kind| *kind == name).map(|at| at as u8);
    let text = files.text(CONLL)?;
    let sentences = treebank::columns(&text, ' ', 0, 2);
    Ok(sentences
        .iter()
        .map(|(forms, labels)| (forms.iter().map(|form| spelled(form)).collect(), numbers(labels, kind)))
        .collect())
}

fn of_tree(gold: &Gold) -> Sentence {
    (gold.forms.clone(), chunks(gold))
}

/// Puts words with hyphens together, which the treebank splits; `None` if there are none. A word has
/// the label of its first part that has one.
fn together(gold: &Gold) -> Option<Sentence> {
    let labels = chunks(gold);
    let (mut forms, mut out): (Vec<String>, Vec<u8>) = (Vec::new(), Vec::new());
    let is_hyphen = |at: usize| gold.xpos.get(at).is_some_and(|tag| tag == "HYPH");
    for (at, (form, &label)) in gold.forms.iter().zip(&labels).enumerate() {
        match (forms.last_mut(), out.last_mut()) {
            (Some(word), Some(of)) if is_hyphen(at) || at > 0 && is_hyphen(at - 1) => {
                word.push_str(form);
                if *of == bio::OUTSIDE {
                    *of = label;
                }
            }
            _ => {
                forms.push(form.clone());
                out.push(label);
            }
        }
    }
    // A chunk may have lost its first word to the word before.
    let mut before = bio::OUTSIDE;
    for label in &mut out {
        if let Some(kind) = bio::kind(*label).filter(|_| bio::kind(before) != bio::kind(*label)) {
            *label = bio::begin(kind);
        }
        before = *label;
    }
    (forms.len() < gold.forms.len()).then_some((forms, out))
}

/// Splits hyphens within words into tokens of their own; `None` if there are none.
fn apart((forms, labels): &Sentence) -> Option<Sentence> {
    let (mut new_forms, mut new_labels) = (Vec::new(), Vec::new());
    for (form, &label) in forms.iter().zip(labels) {
        let later = bio::kind(label).map_or(bio::OUTSIDE, bio::inside);
        let parts: Vec<&str> = form.split('-').collect();
        if parts.iter().any(|part| part.is_empty()) {
            new_forms.push(form.clone());
            new_labels.push(label);
            continue;
        }
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                new_forms.push("-".to_owned());
                new_labels.push(later);
            }
            new_forms.push(part.to_owned());
            new_labels.push(if at == 0 { label } else { later });
        }
    }
    (new_forms.len() > forms.len()).then_some((new_forms, new_labels))
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn learn(sentences: &[Labelled], options: &FitOptions) -> Result<Chunker> {
    let sequence = |sentence: &Labelled| {
        learn::Labelled::new(bio::to_fine(&sentence.labels), |word, out| {
            chunk_features(&sentence.atoms, &sentence.tags, word, out);
        })
    };
    let sequences: Vec<learn::Labelled> = sentences.iter().map(sequence).collect();
    let chain = learn::fit(bio::n_fine(CHUNKS.len()), &sequences, options, shuffled, |epoch, loss| {
        println!("  epoch {epoch}: loss {loss:.0}");
    });
    Ok(Chunker::new("chunker.resay", chain)?)
}

fn measure(chunker: &Chunker, sentences: &[Labelled]) -> Score {
    let (mut scratch, mut out) = (ChainScratch::default(), Vec::new());
    let mut score = Score::default();
    for sentence in sentences {
        chunker.chunk(&sentence.atoms, &sentence.tags, &mut scratch, &mut out);
        score.add(&sentence.labels, &out);
    }
    score
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "chunker".to_owned(),
        data:
            "Universal Dependencies English-EWT, training part, chunks by rules over its trees; tags by taggers that \
               had not seen it"
                .to_owned(),
        licence: "CC BY-SA 4.0".to_owned(),
        made: format!("{MADE_BY} chunker"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{:?}", options()))
}

/// Builds `chunker.resay`; without `with_test`, measures on the dev part only and writes nothing.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, with_test: bool) -> Result<()> {
    let annotator = Annotator::open(files)?;
    let annotate = |(forms, labels): &Sentence| annotator.annotate(forms, None, labels.clone());
    let gold = treebank::ewt(files, "train")?;
    let tags = jackknife::tags(files, &gold)?;
    let mut train: Vec<Labelled> =
        gold.iter().zip(&tags).map(|(gold, tags)| annotator.annotate(&gold.forms, Some(tags), chunks(gold))).collect();
    train.extend(gold.iter().filter_map(together).map(|sentence| annotate(&sentence)));
    let chunker = learn(&train, &options())?;
    let of_trees =
        |part: &str| -> Result<Vec<Sentence>> { Ok(treebank::ewt(files, part)?.iter().map(of_tree).collect()) };
    let mut parts = vec![("EWT dev, chunks of trees", of_trees("dev")?)];
    if with_test {
        parts.push(("EWT test, chunks of trees", of_trees("test")?));
        let gold = conll(files)?;
        let gold_apart = gold.iter().filter_map(apart).collect();
        parts.push(("CoNLL-2000 test, nothing of it learned", gold));
        parts.push(("CoNLL-2000 test, hyphens apart (sentences with such)", gold_apart));
    }
    let mut quality = Vec::new();
    for (part, sentences) in parts {
        let score = measure(&chunker, &sentences.iter().map(annotate).collect::<Vec<_>>());
        let [precision, recall, f1] = [score.precision(), score.recall(), score.f1()];
        println!("chunker: {part}: precision {precision:.2}, recall {recall:.2}, F1 {f1:.2}");
        quality.push(Quality { measure: format!("F1 of chunks, {part}, our tags"), value: f1 });
    }
    let bytes = chunker.to_bytes(origin(quality))?;
    println!("chunker: {} features, {} bytes", chunker.n_features(), bytes.len());
    if !with_test {
        return Ok(());
    }
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_come_apart_inside_a_chunk() {
        let check = |forms: &str, labels: &[u8], expected: Option<(&str, &[u8])>| {
            let sentence = (forms.split(' ').map(str::to_owned).collect(), labels.to_vec());
            let found = apart(&sentence).map(|(forms, labels)| (forms.join(" "), labels));
            assert_eq!(found, expected.map(|(forms, labels)| (forms.to_owned(), labels.to_vec())), "{forms}");
        };
        check("a long-term plan", &[1, 2, 2], Some(("a long - term plan", &[1, 2, 2, 2, 2])));
        check("well-known and so-so", &[1, 0, 0], Some(("well - known and so - so", &[1, 2, 2, 0, 0, 0, 0])));
        check("a -- plan - b", &[1, 0, 1, 0, 1], None);
    }
    #[test]
    fn hyphens_are_put_together() {
        let check = |words: &str, expected: Option<&str>| {
            let mut gold = Gold::default();
            for word in words.split(' ') {
                let [form, xpos, head, relation] = word.split('/').collect::<Vec<_>>()[..] else { panic!("{word}") };
                gold.forms.push(form.to_owned());
                gold.upos.push(if xpos == "NN" { resay_text::Upos::Noun } else { resay_text::Upos::Punct });
                gold.xpos.push(xpos.to_owned());
                gold.heads.push(head.parse().unwrap());
                gold.relations.push(relation.to_owned());
            }
            let found = together(&gold).map(|(forms, labels)| {
                let words = forms.iter().zip(labels);
                words.map(|(form, label)| format!("{form}/{label}")).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found.as_deref(), expected, "{words}");
        };
        check("oak/NN/3/compound -/HYPH/3/punct tree/NN/0/root", Some("oak-tree/11"));
        check("oak/NN/4/compound -/HYPH/3/punct tree/NN/4/compound bark/NN/0/root", Some("oak-tree/11 bark/12"));
        check("oak/NN/2/compound tree/NN/0/root", None);
    }
}
