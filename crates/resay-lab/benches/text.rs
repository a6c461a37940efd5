//! Tokens (bytes a second), stems (words a second) and whole annotation (sentences a second).

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

#[path = "../../resay/benches/common/dataset.rs"]
mod dataset;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use resay_text::{Annotator, Interner, Stemmer, StemmerKind, Units, tokenize};

fn main() {
    divan::main();
}

fn sentences() -> Vec<String> {
    dataset::dataset(500, 1).rows.into_iter().flat_map(|pair| [pair.source, pair.target]).collect()
}

#[divan::bench(max_time = 1.0)]
fn tokens(bencher: Bencher<'_, '_>) {
    let sentences = sentences();
    let n_bytes: usize = sentences.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(n_bytes))
        .bench_local(|| sentences.iter().map(|sentence| tokenize(sentence).count()).sum::<usize>());
}

#[divan::bench(args = [StemmerKind::English, StemmerKind::Porter], max_time = 1.0)]
fn stems(bencher: Bencher<'_, '_>, kind: StemmerKind) {
    let sentences = sentences();
    let words: Vec<String> =
        sentences.iter().flat_map(|sentence| tokenize(sentence).map(|piece| piece.form().to_lowercase())).collect();
    let stemmer = Stemmer::new(kind);
    bencher
        .counter(ItemsCount::new(words.len()))
        .bench_local(|| words.iter().map(|word| stemmer.stem(word).len()).sum::<usize>());
}

#[divan::bench(args = Units::NAMES.map(|(name, _)| name), max_time = 1.0)]
fn annotation(bencher: Bencher<'_, '_>, units: &str) {
    let (sentences, annotator) = (sentences(), Annotator::new(units.parse().unwrap()));
    bencher.counter(ItemsCount::new(sentences.len())).bench_local(|| {
        let mut symbols = Interner::new();
        sentences.iter().map(|sentence| annotator.sentence(sentence, &mut symbols).units.len()).sum::<usize>()
    });
}
