//! Tokens a second of atoms, tags and lemmas, of every layer, and how long opening takes, with the
//! bundled files: over sentences made from a small vocabulary, and over the web treebank where
//! `RESAY_DATA` names a folder that has it.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use divan::Bencher;
use divan::counter::ItemsCount;
use resay::resources::Resources;
use resay_learn::rng::SplitMix;
use resay_text::atoms::{Atom, atoms};
use resay_text::learn::ChainScratch;
use resay_text::words::Words;
use resay_text::{Analysis, EnglishScratch, Layers, Lemmatizer, Span, Tagger};
use std::path::{Path, PathBuf};

fn main() {
    divan::main();
}

const VOCABULARY: &str = "the a of to and in is was for on that with as it at by from he she they had have not are be \
    this but which were or will would can their its new said one all two more when there who been up out so about what \
    city council voted Tuesday against plans harbour bridge engineers warned cracks growing quickly although repairs \
    would cost $ 3.5 million , . ? \" ' -- London Maria Gonzales IBM bigger fastest children went running stopped \
    happily unwieldy quarterly 1,200 2024 don n't 's ve http://a.example/b :-) e-mail re-read iPhones";

/// Sentences of a source: `made` from the vocabulary, or the treebank's `dev` part.
fn sentences(source: &str) -> Vec<Vec<String>> {
    if source == "dev" {
        let Some(folder) = std::env::var_os("RESAY_DATA") else { return vec![vec!["absent".to_owned()]] };
        let path = PathBuf::from(folder).join("UD_English-EWT/en_ewt-ud-dev.conllu");
        let mut all = vec![Vec::new()];
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut columns = line.split('\t');
            match (columns.next(), columns.next()) {
                (Some(id), Some(form)) if id.bytes().all(|c| c.is_ascii_digit()) => {
                    all.last_mut().unwrap().push(form.to_owned());
                }
                (Some(""), None) => all.push(Vec::new()),
                _ => {}
            }
        }
        return all;
    }
    let vocabulary: Vec<&str> = VOCABULARY.split_whitespace().collect();
    let mut random = SplitMix::new(7);
    let mut sentence = |_| {
        // Words in front are drawn more often.
        let mut word = |_| {
            let place = random.unit() * random.unit() * vocabulary.len() as f64;
            vocabulary[place as usize].to_owned()
        };
        (0..18).map(&mut word).collect()
    };
    (0..1000).map(&mut sentence).collect()
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models")).join(name)).unwrap()
}

fn n_words(sentences: &[Vec<String>]) -> ItemsCount {
    ItemsCount::new(sentences.iter().map(Vec::len).sum::<usize>())
}

const SOURCES: [&str; 2] = ["made", "dev"];

#[divan::bench(args = SOURCES, max_time = 2.0)]
fn word_atoms(bencher: Bencher<'_, '_>, source: &str) {
    let (sentences, words) = (sentences(source), Words::from_bytes("words.resay", &file("words.resay")).unwrap());
    let mut out = Vec::new();
    bencher.counter(n_words(&sentences)).bench_local(|| {
        for sentence in &sentences {
            atoms(sentence.iter().map(String::as_str), &words, &mut out);
            divan::black_box(&out);
        }
    });
}

#[divan::bench(args = SOURCES, max_time = 2.0)]
fn tags(bencher: Bencher<'_, '_>, source: &str) {
    let (sentences, words) = (sentences(source), Words::from_bytes("words.resay", &file("words.resay")).unwrap());
    let tagger = Tagger::from_bytes("tagger.resay", &file("tagger.resay")).unwrap();
    let all: Vec<Vec<Atom>> = sentences
        .iter()
        .map(|sentence| {
            let mut out = Vec::new();
            atoms(sentence.iter().map(String::as_str), &words, &mut out);
            out
        })
        .collect();
    let (mut scratch, mut out) = (ChainScratch::default(), Vec::new());
    bencher.counter(n_words(&sentences)).bench_local(|| {
        for atoms in &all {
            tagger.tag(atoms, &mut scratch, &mut out);
            divan::black_box(&out);
        }
    });
}

/// Atoms, tags and lemmas, as annotation makes them.
#[divan::bench(args = SOURCES, max_time = 3.0)]
fn atoms_tags_lemmas(bencher: Bencher<'_, '_>, source: &str) {
    let (sentences, words) = (sentences(source), Words::from_bytes("words.resay", &file("words.resay")).unwrap());
    let tagger = Tagger::from_bytes("tagger.resay", &file("tagger.resay")).unwrap();
    let lemmatizer = Lemmatizer::from_bytes("lemma.resay", &file("lemma.resay")).unwrap();
    let (mut found, mut scratch, mut out, mut space) = (Vec::new(), ChainScratch::default(), Vec::new(), String::new());
    bencher.counter(n_words(&sentences)).bench_local(|| {
        let mut n_bytes = 0;
        for sentence in &sentences {
            atoms(sentence.iter().map(String::as_str), &words, &mut found);
            tagger.tag(&found, &mut scratch, &mut out);
            for ((form, atom), &label) in sentence.iter().zip(&found).zip(&out) {
                let (upos, xpos) = &tagger.labels()[label as usize];
                n_bytes += lemmatizer.lemma(&words, form, atom, (*upos, xpos), &mut space).len();
            }
        }
        n_bytes
    });
}

/// Sentences as annotation takes them, with nothing annotated.
fn bare(sentences: &[Vec<String>]) -> Vec<Analysis> {
    let sentence = |words: &Vec<String>| {
        let mut end = 0;
        let span = |word: &String| {
            let start = end;
            end += word.len() as u32 + 1;
            Span { start, end: end - 1 }
        };
        Analysis::bare(&words.join(" "), words.iter().map(span))
    };
    sentences.iter().map(sentence).collect()
}

fn layers(name: &str) -> Layers {
    Layers::NAMES
        .iter()
        .filter(|known| name == "every" || name.split('+').any(|wanted| wanted == **known))
        .fold(Layers::NONE, |layers, name| layers.with(name).unwrap())
}

/// Layers of tokenised sentences as `annotate` makes them: every one, or some.
#[divan::bench(args = ["every", "tags+lemmas", "chunks", "entities", "heads"], consts = [0, 1], max_time = 3.0)]
fn fill<const SOURCE: usize>(bencher: Bencher<'_, '_>, wanted: &str) {
    let sentences = sentences(SOURCES[SOURCE]);
    let (english, mut scratch) = (Resources::bundled().english(layers(wanted)).unwrap(), EnglishScratch::default());
    bencher.counter(n_words(&sentences)).with_inputs(|| bare(&sentences)).bench_local_values(|mut sentences| {
        english.fill_all(&mut sentences, &mut scratch);
        sentences
    });
}

/// Opening what layers need, with all cores.
#[divan::bench(args = ["every", "tags+lemmas"], max_time = 2.0)]
fn opening(wanted: &str) {
    divan::black_box(Resources::bundled().english(layers(wanted)).unwrap());
}
