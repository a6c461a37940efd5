//! How many nanoseconds comparing the spelling of two words takes, and preparing one, one thread.
//!
//! `cargo bench -p resay-lab --bench strings`. Made-up words, with letters by their frequency in
//! English: lengths as in running text; the same words after a few edits; the same words in
//! Cyrillic letters, which have no class of their own; and words of the greatest length that
//! counts. Words are compared as an aligner does: 22 of one sentence with 22 of another.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use resay::align::strings::{MAX_CHARS, Similarities, Spelling};
use resay_learn::rng::SplitMix;
use std::hint::black_box;
use std::time::Instant;

const N_SENTENCES: usize = 200;
const N_WORDS: usize = 22;
/// How often all are taken; the fastest round counts, as others may be using the machine.
const N_ROUNDS: usize = 30;

/// Words of 1, 2, 3 ... letters, in a thousand words of running English.
const LENGTHS: [usize; 14] = [30, 170, 205, 148, 107, 84, 79, 59, 44, 31, 18, 12, 8, 5];
/// `a` to `z`, in a thousand letters of running English.
const LETTERS: [usize; 26] =
    [82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1];

/// A place in a list of counts, as likely as its count says.
fn draw(random: &mut SplitMix, counts: &[usize]) -> usize {
    let mut rest = random.below(counts.iter().sum());
    counts.iter().position(|&count| rest.checked_sub(count).map(|left| rest = left).is_none()).unwrap_or(0)
}

fn word(random: &mut SplitMix, n_letters: usize, first: char) -> String {
    let letter = |_| char::from_u32(u32::from(first) + draw(random, &LETTERS) as u32).unwrap_or(first);
    (0..n_letters).map(letter).collect()
}

/// The word with two letters put elsewhere and an ending.
fn changed(random: &mut SplitMix, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let (from, to) = (random.below(letters.len()), random.below(letters.len()));
    letters.swap(from, to);
    letters.extend(["", "s", "ed", "ing"][random.below(4)].chars());
    letters.into_iter().collect()
}

type Sides = (Vec<Spelling>, Vec<Spelling>);

fn fastest(n_units: usize, mut run: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..N_ROUNDS).map(round).fold(f64::INFINITY, f64::min) * 1e9 / n_units as f64
}

/// One row: what is compared, each word of every first side with each of the second unless
/// `is_one_to_one`.
fn measure(name: &str, is_one_to_one: bool, mut pair: impl FnMut(&mut SplitMix) -> (String, String)) {
    let mut random = SplitMix::new(11);
    let words: Vec<Vec<(String, String)>> =
        (0..N_SENTENCES).map(|_| (0..N_WORDS).map(|_| pair(&mut random)).collect()).collect();
    let prepare = |pairs: &Vec<(String, String)>| -> Sides {
        pairs.iter().map(|(source, target)| (Spelling::new(source), Spelling::new(target))).unzip()
    };
    let sentences: Vec<Sides> = words.iter().map(prepare).collect();
    let (mut n_pairs, mut n_apart) = (0, 0);
    let all = |visit: &mut dyn FnMut(&Spelling, &[Spelling])| {
        for (sources, targets) in &sentences {
            for (place, source) in sources.iter().enumerate() {
                visit(source, if is_one_to_one { &targets[place..=place] } else { targets });
            }
        }
    };
    all(&mut |source, targets| {
        n_pairs += targets.len();
        n_apart += targets.iter().filter(|target| source.compare(target) == Similarities::default()).count();
    });
    let comparing = fastest(n_pairs, || {
        all(&mut |source, targets| targets.iter().for_each(|target| _ = black_box(source.compare(target))));
    });
    let preparing = fastest(N_SENTENCES * N_WORDS * 2, || words.iter().for_each(|pairs| _ = black_box(prepare(pairs))));
    println!("{name:>26} {:>11.1} % {comparing:>12.1} {preparing:>12.1}", 100.0 * n_apart as f64 / n_pairs as f64);
}

fn main() {
    println!("{:>26} {:>13} {:>12} {:>12}", "words", "all zero", "ns a pair", "ns a word");
    let length = |random: &mut SplitMix| 1 + draw(random, &LENGTHS);
    let two = |random: &mut SplitMix, n: [usize; 2], first| (word(random, n[0], first), word(random, n[1], first));
    measure("each with each", false, |random| {
        let lengths = [length(random), length(random)];
        two(random, lengths, 'a')
    });
    measure("each with itself, changed", true, |random| {
        let n_letters = length(random);
        let word = word(random, n_letters, 'a');
        (word.clone(), changed(random, &word))
    });
    measure("each with each, Cyrillic", false, |random| {
        let lengths = [length(random), length(random)];
        two(random, lengths, 'а')
    });
    measure("64 letters", false, |random| two(random, [MAX_CHARS; 2], 'a'));
}
