//! Generated pairs for the benchmarks: the same on every machine, of any number, all different.
//!
//! Words follow Zipf's law over a made-up vocabulary, sentences have about twenty of them, and a target is its source
//! with words dropped, replaced and moved: pairs share about as much as those of a paraphrase corpus do.

use resay::data::{Columns, Dataset, Format};
use resay_learn::rng::SplitMix;

const N_WORDS: usize = 20_000;
const SYLLABLES: [&str; 20] = [
    "ba", "den", "fi", "gor", "hul", "ja", "kem", "lo", "mi", "nus", "pa", "rel", "si", "tor", "vu", "wen", "ya", "zo",
    "cra", "ple",
];
const ENDINGS: [&str; 8] = ["", "", "", "s", "ed", "ing", "ation", "ly"];

/// The word of a rank: frequent ones are short, as in a language.
fn word(rank: usize) -> String {
    let mut word = String::new();
    let mut rest = rank;
    loop {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
        if rest == 0 {
            break;
        }
    }
    word.push_str(ENDINGS[rank * 7 % ENDINGS.len()]);
    word
}

/// `n` labelled pairs; the same for the same seed.
pub(crate) fn dataset(n: usize, seed: u64) -> Dataset {
    // cumulative[r]: the sum of 1 / (rank + 2.7) over ranks 0..=r (Zipf and Mandelbrot).
    let mut sum = 0.0;
    let cumulative: Vec<f64> = (0..N_WORDS)
        .map(|rank| {
            sum += 1.0 / (rank as f64 + 2.7);
            sum
        })
        .collect();
    let draw = |random: &mut SplitMix| {
        let at = random.unit() * sum;
        cumulative.partition_point(|&below| below <= at).min(N_WORDS - 1)
    };
    let mut random = SplitMix::new(seed);
    let mut tsv = "label\tsource\ttarget\n".to_owned();
    for _ in 0..n {
        let len = 14 + random.below(13);
        let source: Vec<usize> = (0..len).map(|_| draw(&mut random)).collect();
        let is_same = random.below(3) > 0;
        let kept = if is_same { 0.75 } else { 0.55 };
        let mut target = Vec::new();
        for &word in &source {
            match random.unit() {
                at if at < kept => target.push(word),
                at if at < kept + 0.6 * (1.0 - kept) => target.push(draw(&mut random)),
                _ => {}
            }
        }
        // Every other target has its end in front.
        if !target.is_empty() && random.below(2) == 0 {
            let turn = random.below(target.len());
            target.rotate_left(turn);
        }
        tsv.push_str(&format!("{}\t{}\t{}\n", u8::from(is_same), sentence(&source), sentence(&target)));
    }
    Dataset::from_reader("generated.tsv", tsv.as_bytes(), Some(Format::Tsv), &Columns::default()).unwrap()
}

/// Words as a sentence: a capital first, a comma here and there, a full stop.
fn sentence(ranks: &[usize]) -> String {
    let mut text = String::new();
    for (place, &rank) in ranks.iter().enumerate() {
        if place > 0 {
            text.push_str(if rank % 11 == 0 { ", " } else { " " });
        }
        let word = word(rank);
        // Every twentieth word of the vocabulary is a name.
        let (first, rest) = word.split_at(1);
        if place == 0 || rank % 20 == 19 {
            text.push_str(&first.to_uppercase());
            text.push_str(rest);
        } else {
            text.push_str(&word);
        }
    }
    text.push('.');
    text
}
