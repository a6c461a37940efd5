//! WordNet: how long opening takes, words resolved a second, questions about two lemmas a second.
//! Pairs are drawn once evenly from all lemmas (mostly rare nouns of one sense) and once by how
//! often a lemma was met in tagged texts (words of many senses, as in running text).

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use divan::Bencher;
use divan::counter::ItemsCount;
use resay_learn::rng::SplitMix;
use resay_text::lexicon::wordnet::{LemmaId, WordNet};

const N_PAIRS: usize = 1 << 16;

fn main() {
    divan::main();
}

fn file() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../resay-en-wordnet/data/wordnet.resay")).unwrap()
}

fn wordnet() -> WordNet {
    WordNet::open("wordnet.resay", &file()).unwrap()
}

/// Pairs of lemmas, drawn evenly or by frequency.
fn pairs(wordnet: &WordNet, by_frequency: bool) -> Vec<(LemmaId, LemmaId)> {
    let all = (0..wordnet.n_lemmas() as u32).map(LemmaId);
    let count = |lemma| wordnet.senses(lemma, None).map(|sense| wordnet.tag_count(sense) as usize).sum();
    let pool: Vec<LemmaId> =
        all.flat_map(|lemma| std::iter::repeat_n(lemma, if by_frequency { count(lemma) } else { 1 })).collect();
    let mut random = SplitMix::new(7);
    let mut draw = || pool[random.below(pool.len())];
    (0..N_PAIRS).map(|_| (draw(), draw())).collect()
}

#[divan::bench(max_time = 2.0)]
fn open(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.bench_local(|| WordNet::open("wordnet.resay", &file).unwrap());
}

#[divan::bench(max_time = 1.0)]
fn resolve(bencher: Bencher<'_, '_>) {
    let wordnet = wordnet();
    let words: Vec<&str> = pairs(&wordnet, true).into_iter().map(|(lemma, _)| wordnet.word(lemma)).collect();
    bencher
        .counter(ItemsCount::new(words.len()))
        .bench_local(|| words.iter().filter(|word| wordnet.lemma(word).is_some()).count());
}

#[divan::bench(args = [1, 2, 4, 255], consts = [false, true], max_time = 1.0)]
fn relations<const BY_FREQUENCY: bool>(bencher: Bencher<'_, '_>, depth: u8) {
    let wordnet = wordnet();
    let pairs = pairs(&wordnet, BY_FREQUENCY);
    bencher
        .counter(ItemsCount::new(pairs.len()))
        .bench_local(|| pairs.iter().filter(|(a, b)| !wordnet.relations(*a, None, *b, None, depth).is_empty()).count());
}

#[divan::bench(args = ["path", "wu_palmer", "lin"], consts = [false, true], max_time = 1.0)]
fn similarity<const BY_FREQUENCY: bool>(bencher: Bencher<'_, '_>, name: &str) {
    let wordnet = wordnet();
    let pairs = pairs(&wordnet, BY_FREQUENCY);
    let pairs = &pairs[..1024];
    let value = |a, b| match name {
        "path" => wordnet.path_similarity(a, None, b, None),
        "lin" => wordnet.lin_similarity(a, None, b, None),
        _ => wordnet.wu_palmer_similarity(a, None, b, None),
    };
    bencher
        .counter(ItemsCount::new(pairs.len()))
        .bench_local(|| pairs.iter().filter_map(|(a, b)| value(*a, *b)).fold(0.0, f64::max));
}
