//! The word table: Brown clusters, clusters of word vectors, parts of speech from WordNet,
//! frequency, capitalisation, names.
//!
//! - **Brown**: as in the file, by the form as written.
//! - **Vector clusters**: k-means on the directions of GloVe vectors, initialised with evenly
//!   spaced words in order of frequency, so that nothing is random.
//! - **Parts of speech**: for base forms from WordNet's lists, for others from WordNet's exceptions
//!   and endings.
//! - **Capitalisation and frequency**: from the form probabilities that come with the Brown
//!   clusters.
//! - **Names**: nicknames and given names; WordNet's instances of persons, places and
//!   organisations, word by word; names in Wikidata.

use crate::files::Files;
use crate::wndb::Wndb;
use crate::{MADE_BY, settings_of};
use anyhow::{Context, Result};
use rayon::prelude::*;
use resay_text::ENDINGS;
use resay_text::container::Origin;
use resay_text::words::{
    ADJECTIVE, ADJECTIVE_FORM, ADVERB, ADVERB_FORM, GIVEN_NAME, LISTED_NAME, NOUN, NOUN_FORM, ORGANISATION, PERSON,
    PLACE, VERB, VERB_FORM, WordInfo, Words,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

const N_FINE: usize = 1000;
const N_COARSE: usize = 150;
const ROUNDS: usize = 12;
const DIMENSIONS: usize = 100;

fn origin() -> Origin {
    Origin {
        resource: "words".to_owned(),
        data: "Brown clusters of English, GloVe 100d (100,000 words), WordNet 3.0, nicknames, Wikidata names"
            .to_owned(),
        licence: "MIT, PDDL, WordNet, Apache-2.0, CC0".to_owned(),
        made: format!("{MADE_BY} words"),
        quality: Vec::new(),
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(), &format!("fine={N_FINE} coarse={N_COARSE} rounds={ROUNDS}"))
}

/// Builds `words.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let mut table: BTreeMap<String, WordInfo> = BTreeMap::new();
    clusters(files, &mut table)?;
    vectors(files, &mut table)?;
    let wordnet = Wndb::read(files)?;
    parts_of_speech(&wordnet, &mut table);
    names(files, &wordnet, &mut table)?;
    let mut rows: Vec<(u32, WordInfo)> = Vec::new();
    for (word, info) in &table {
        if *info != (WordInfo { frequency: info.frequency, ..WordInfo::default() }) {
            rows.push((Words::key(word), *info));
        }
    }
    // On a hash collision, the more frequent word wins.
    rows.sort_by_key(|(hash, info)| (*hash, std::cmp::Reverse(info.frequency)));
    rows.dedup_by_key(|(hash, _)| *hash);
    let bytes = Words::new(&rows).to_bytes(origin())?;
    println!("words: {} words, {} bytes", rows.len(), bytes.len());
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}

/// Brown clusters, frequency and capitalisation.
fn clusters(files: &Files<'_>, table: &mut BTreeMap<String, WordInfo>) -> Result<()> {
    let text = files.text("clusters/en_logprob_browncluster.tsv.gz")?;
    // Probability of a word in lower case: over all its forms, and over capitalised ones.
    let mut shares: FxHashMap<String, [f64; 2]> = FxHashMap::default();
    for line in text.lines() {
        let mut columns = line.split('\t');
        let (Some(word), Some(log), Some(cluster)) = (columns.next(), columns.next(), columns.next()) else { continue };
        let probability = log.parse::<f64>().with_context(|| line.to_owned())?.exp();
        let brown: u32 = cluster.trim().parse().with_context(|| line.to_owned())?;
        if brown != 0 {
            table.entry(word.to_owned()).or_default().brown = brown;
        }
        let share = shares.entry(word.to_lowercase()).or_default();
        share[0] += probability;
        if word.starts_with(char::is_uppercase) {
            share[1] += probability;
        }
    }
    let mut shares: Vec<(String, [f64; 2])> = shares.into_iter().collect();
    shares.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (word, [all, capital]) in shares {
        let info = table.entry(word).or_default();
        info.frequency = ((all.ln() + 18.0) / 4_f64.ln()).clamp(0.0, 14.0) as u8 + 1;
        let share = capital / all;
        // Rare words have too little data.
        if info.frequency > 1 {
            info.capital = 1 + u8::from(share > 0.25) + u8::from(share > 0.7) + u8::from(share > 0.97);
        }
    }
    Ok(())
}

/// Clusters of word vectors.
fn vectors(files: &Files<'_>, table: &mut BTreeMap<String, WordInfo>) -> Result<()> {
    let text = files.text("glove/glove.100d.top100k.txt.gz")?;
    let mut words = Vec::new();
    let mut vectors: Vec<f32> = Vec::new();
    for line in text.lines() {
        let mut columns = line.split(' ');
        words.push(columns.next().unwrap_or_default());
        let start = vectors.len();
        for column in columns {
            vectors.push(column.parse().with_context(|| line.to_owned())?);
        }
        anyhow::ensure!(vectors.len() == start + DIMENSIONS, "expected {DIMENSIONS} numbers: {line}");
        unit(&mut vectors[start..]);
    }
    let fine = k_means(&vectors, N_FINE);
    let coarse = k_means(&vectors, N_COARSE);
    for (at, word) in words.iter().enumerate() {
        let info = table.entry((*word).to_owned()).or_default();
        info.fine = fine[at] as u16 + 1;
        info.coarse = coarse[at] as u8 + 1;
    }
    Ok(())
}

fn unit(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// Returns the cluster of each vector. Vectors and centres have length 1; a vector is assigned to
/// the centre with the largest dot product.
fn k_means(vectors: &[f32], k: usize) -> Vec<usize> {
    let rows: Vec<&[f32]> = vectors.chunks_exact(DIMENSIONS).collect();
    let mut centres: Vec<f32> = (0..k).flat_map(|at| rows[at * rows.len() / k]).copied().collect();
    let mut nearest = Vec::new();
    for _ in 0..ROUNDS {
        nearest = rows
            .par_iter()
            .map(|row| {
                let (mut best, mut best_at) = (f32::MIN, 0);
                for (at, centre) in centres.chunks_exact(DIMENSIONS).enumerate() {
                    let score = dot(row, centre);
                    if score > best {
                        (best, best_at) = (score, at);
                    }
                }
                best_at
            })
            .collect();
        centres.fill(0.0);
        for (row, &at) in rows.iter().zip(&nearest) {
            centres[at * DIMENSIONS..][..DIMENSIONS].iter_mut().zip(*row).for_each(|(sum, x)| *sum += x);
        }
        centres.chunks_exact_mut(DIMENSIONS).for_each(unit);
    }
    nearest
}

/// Dot product. Four partial sums, which the compiler vectorises.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

const BASE: [u8; 4] = [NOUN, VERB, ADJECTIVE, ADVERB];
const FORM: [u8; 4] = [NOUN_FORM, VERB_FORM, ADJECTIVE_FORM, ADVERB_FORM];

fn parts_of_speech(wordnet: &Wndb, table: &mut BTreeMap<String, WordInfo>) {
    for pos in 0..4 {
        let bases: FxHashSet<&str> = wordnet.lemmas[pos].iter().map(|lemma| lemma.word.as_str()).collect();
        let mut forms: Vec<String> = Vec::new();
        for word in table.keys() {
            let is_form = |(ending, replaced): &(&str, &str)| {
                word.strip_suffix(ending)
                    .is_some_and(|stem| stem.len() > 1 && bases.contains(format!("{stem}{replaced}").as_str()))
            };
            // Doubled consonants (running, stopped) are not covered by WordNet's rules but very
            // common.
            let is_doubled = || {
                pos == 1
                    && ["ed", "ing"].iter().any(|ending| {
                        word.strip_suffix(ending).is_some_and(|stem| {
                            let bytes = stem.as_bytes();
                            bytes.len() > 3
                                && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                                && bases.contains(&stem[..stem.len() - 1])
                        })
                    })
            };
            if ENDINGS.get(pos).is_some_and(|endings| endings.iter().any(is_form)) || is_doubled() {
                forms.push(word.clone());
            }
        }
        forms.extend(
            wordnet.exceptions[pos].iter().map(|exception| exception.form.clone()).filter(|form| !form.contains('_')),
        );
        for form in forms {
            table.entry(form).or_default().pos |= FORM[pos];
        }
        for lemma in wordnet.lemmas[pos].iter().filter(|lemma| !lemma.word.contains('_')) {
            table.entry(lemma.word.to_lowercase()).or_default().pos |= BASE[pos];
        }
    }
}

/// The name types that a word occurs in.
fn names(files: &Files<'_>, wordnet: &Wndb, table: &mut BTreeMap<String, WordInfo>) -> Result<()> {
    let mut add = |word: &str, kind: u8| {
        if word.len() > 1 && word.chars().all(char::is_alphabetic) {
            table.entry(word.to_lowercase()).or_default().names |= kind;
        }
    };
    for line in files.text("nicknames/names.csv")?.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        if let [a, _, b] = columns[..] {
            add(a, GIVEN_NAME);
            add(b, GIVEN_NAME);
        }
    }
    let nouns = &wordnet.synsets[0];
    let kind_of = |start: usize| {
        let mut kinds = 0;
        let mut stack = vec![start];
        let mut seen = FxHashSet::default();
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            let words = &nouns[at].words;
            let has = |word: &str| words.iter().any(|known| known == word);
            if has("person") && has("individual") {
                kinds |= PERSON;
            } else if has("location") || has("landmass") || has("body_of_water") || has("island") || has("mountain") {
                kinds |= PLACE;
            } else if has("organization") || has("organisation") {
                kinds |= ORGANISATION;
            }
            let up = nouns[at].pointers.iter().filter(|pointer| pointer.symbol == "@" || pointer.symbol == "@i");
            stack.extend(up.map(|pointer| pointer.synset));
        }
        kinds
    };
    for (at, synset) in nouns.iter().enumerate() {
        if synset.pointers.iter().any(|pointer| pointer.symbol == "@i") {
            let kinds = kind_of(at);
            for part in synset.words.iter().flat_map(|word| word.split('_')) {
                if part.starts_with(char::is_uppercase) {
                    add(part, kinds);
                }
            }
        }
    }
    for line in files.text("translit_en_he/wikidata/wd_hebrew")?.lines() {
        for part in line.split('\t').next().unwrap_or_default().split(' ') {
            if part.starts_with(char::is_uppercase) {
                add(part, LISTED_NAME);
            }
        }
    }
    Ok(())
}
