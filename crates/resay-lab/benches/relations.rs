//! How fast word relations are: pairs of words a second over two sentences with every table loaded, words looked up a
//! second, and the time that loading takes. Tables are those in `models/`, if they are there.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use resay_text::lexicon::wordnet::WordNet;
use resay_text::lexicon::{Lexicon, OwnRelations, Relations, Tables, Term};
use resay_text::tokenize;
use std::fs;
use std::path::Path;

const SENTENCES: [[&str; 2]; 4] = [
    [
        "The carmaker said on Monday that its quarterly profit rose sharply because buyers in Asia wanted larger vehicles.",
        "On Monday the automobile company reported a steep increase in earnings for the quarter, thanks to Asian customers.",
    ],
    [
        "Bill and Catherine bought a small house near the harbour after the old bakery had been sold to a local bank.",
        "William purchased a little home by the port with Kate, once the ancient bakery was acquired by a bank of the town.",
    ],
    [
        "Doctors warned that the illness spreads quickly among children who have not been given the new vaccine yet.",
        "Physicians say kids without the recent vaccination catch the disease rapidly and pass it on to their teachers.",
    ],
    [
        "Heavy rain flooded several roads in the valley, and the police asked drivers to stay at home until the morning.",
        "Officers told motorists not to travel before dawn as a storm had left many streets of the region under water.",
    ],
];

const OWN: &str = "trade\tcarmaker\tcompany\nplace\tharbour\tport\nplace\tport\tharbour\n";

fn main() {
    divan::main();
}

fn model(name: &str) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    fs::read(path).ok()
}

fn lexicon() -> Lexicon {
    let mut own = OwnRelations::new();
    own.read("own.tsv", OWN.as_bytes()).unwrap();
    let mut lexicon = Lexicon::new().with_own(own);
    if let Some(bytes) = model("relations.resay") {
        lexicon = lexicon.with_tables(Tables::open("relations.resay", &bytes).unwrap());
    }
    if let Some(bytes) = model("wordnet.resay") {
        lexicon = lexicon.with_wordnet(WordNet::open("wordnet.resay", &bytes).unwrap());
    }
    lexicon
}

fn terms(lexicon: &Lexicon) -> Vec<[Vec<Term>; 2]> {
    let words = |text| tokenize(text).map(|piece| lexicon.word(piece.form(), None, None)).collect();
    SENTENCES.into_iter().map(|pair| pair.map(words)).collect()
}

/// All word pairs of two sentences; the types that are asked for by name, or all.
#[divan::bench(args = ["every", "stem:synonym", "id:lemma:stem:ppdb:similar:nickname:edit1"], max_time = 2.0)]
fn word_pairs(bencher: Bencher<'_, '_>, wanted: &str) {
    let lexicon = lexicon();
    let pairs = terms(&lexicon);
    let wanted = if wanted == "every" { Some(Relations::EVERY) } else { lexicon.parse(wanted).ok() };
    let Some(wanted) = wanted else { return };
    let n_pairs: usize = pairs.iter().map(|[source, target]| source.len() * target.len()).sum();
    bencher.counter(ItemsCount::new(n_pairs)).bench_local(|| {
        let mut n_related = 0;
        for [source, target] in black_box(&pairs) {
            for a in source {
                n_related += target.iter().filter(|b| !lexicon.relations_among(a, b, wanted).is_empty()).count();
            }
        }
        n_related
    });
}

#[divan::bench(max_time = 1.0)]
fn words_looked_up(bencher: Bencher<'_, '_>) {
    let lexicon = lexicon();
    let n_words: usize = terms(&lexicon).iter().flatten().map(Vec::len).sum();
    bencher.counter(ItemsCount::new(n_words)).bench_local(|| terms(black_box(&lexicon)));
}

#[divan::bench(max_time = 2.0)]
fn loading_tables(bencher: Bencher<'_, '_>) {
    if let Some(bytes) = model("relations.resay") {
        bencher
            .counter(BytesCount::new(bytes.len()))
            .bench_local(|| Tables::open("relations.resay", black_box(&bytes)).unwrap());
    }
}
