//! Compares the web style with a treebank: token spans of the development part of the English Web
//! Treebank, given its sentences as raw text. The corpus is not part of the project; without it the
//! test is reported as skipped.

use super::{Style, tokenize_as};
use std::collections::BTreeSet;

/// Lower bound; 0.9935 when this was written.
const LEAST_F1: f64 = 0.993;

/// Returns the text of each sentence with its gold spans. A multiword token such as "don't" counts
/// as its words, whose forms are consecutive in the text.
fn gold(conllu: &str) -> Vec<(&str, BTreeSet<(usize, usize)>)> {
    let mut sentences = Vec::new();
    let (mut text, mut spans, mut done) = ("", BTreeSet::new(), 0);
    for line in conllu.lines() {
        if let Some(sentence) = line.strip_prefix("# text = ") {
            (text, done) = (sentence, 0);
        } else if line.is_empty() {
            sentences.push((text, std::mem::take(&mut spans)));
        } else if !line.starts_with('#') {
            let mut fields = line.split('\t');
            let (id, form) = (fields.next().expect("id"), fields.next().expect("form"));
            // "3-4" is a multiword token, "3.1" a word that is not in the text.
            if id.bytes().all(|byte| byte.is_ascii_digit()) {
                let start = done + text[done..].find(form).expect("the form is in the text");
                done = start + form.len();
                spans.insert((start, done));
            }
        }
    }
    sentences
}

#[test]
fn web_style_agrees_with_the_web_treebank() {
    let path = resay_testing::corpus("tokens of the web treebank", "UD_English-EWT/en_ewt-ud-dev.conllu");
    let Some(path) = path else { return };
    let conllu = std::fs::read_to_string(path).expect("the treebank");
    let (mut n_right, mut n_gold, mut n_found) = (0, 0, 0);
    for (text, gold) in gold(&conllu) {
        let spans = tokenize_as(text, Style::Web).map(|piece| (piece.span.start as usize, piece.span.end as usize));
        let found: BTreeSet<(usize, usize)> = spans.collect();
        n_right += gold.intersection(&found).count();
        n_gold += gold.len();
        n_found += found.len();
    }
    let (precision, recall) = (n_right as f64 / n_found as f64, n_right as f64 / n_gold as f64);
    let f1 = 2.0 * precision * recall / (precision + recall);
    eprintln!("web treebank, development part: {n_gold} tokens, P {precision:.5} R {recall:.5} F1 {f1:.5}");
    assert!(f1 >= LEAST_F1, "F1 {f1:.5}, expected at least {LEAST_F1}");
}
