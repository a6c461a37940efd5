//! Near-duplicates among 100,000 sentences: seconds, peak memory, and how many of the pairs that a
//! full comparison finds were found.
//!
//! `cargo bench -p resay-lab --bench dedupe [-- --generated] [--sentences N] [--sample N] [--low
//! PERCENT] [--others N] [--search-only]`
//!
//! `--search-only` finds candidates among all and judges those of the sample only: which pairs of
//! the sample are found is the same.
//!
//! Sentences are real where a data folder (`RESAY_DATA`, else `../shared/data`) has the MSR
//! paraphrase corpus and Reuters-21578: all sentences of the one, and of the other as many as it
//! takes. Else, or with `--generated`, they are made from templates (`common/sayings.rs`).
//!
//! The full comparison is one of a sample of N sentences that lie among the others: half of them in
//! pairs of the paraphrase corpus (or families of templates), half others. Judging all pairs of
//! 5,000 sentences would take hours, so pairs are parted by their similarity: from `--low` on all
//! are judged; below, `--others` are drawn by chance from those that share any word, and as many
//! from those that share none. How many of these the judge says yes to, and the bound on it with 95
//! % confidence, is printed beside the figures: nothing is taken for granted.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

#[path = "common/real_sentences.rs"]
mod real_sentences;
#[path = "common/sayings.rs"]
mod sayings;

use resay::dedupe::{self, CandidateLimits, CandidatePair, DedupeOptions, Sentences, judge_pairs};
use resay::model::{JudgementModel, PairModel};
use resay::resources::Resources;
use resay_learn::progress::{Progress, Stage, Step};
use resay_learn::rng::SplitMix;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

fn number(name: &str, default: usize) -> usize {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.iter().position(|argument| argument == name).map_or(default, |at| arguments[at + 1].parse().unwrap())
}

fn has(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// The most memory that this process ever had, in MB, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn main() {
    let n = number("--sentences", 100_000);
    let n_sample = number("--sample", 5_000);
    // The first of the texts are those that stand in pairs.
    let (texts, n_paired) = match real_sentences::read(n).filter(|_| !has("--generated")) {
        Some(real) => real,
        None => {
            println!("generated sentences");
            sayings::make(n, 1)
        }
    };
    println!("{} sentences, {n_paired} of them from pairs or families", texts.len());
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let options = DedupeOptions::default();
    let found = if has("--search-only") { searched(&texts, &judge, &options) } else { whole(&texts, &judge, &options) };
    if n_sample == 0 {
        return;
    }
    // The sample: so many of the first, which stand two by two, and so many of the rest, evenly.
    let half = (n_sample / 2).min(n_paired);
    let rest = (n_sample - half).min(texts.len() - n_paired);
    let mut sample: Vec<usize> = (0..half / 2)
        .flat_map(|at| {
            let pair = at * (n_paired / 2) / (half / 2).max(1);
            [2 * pair, 2 * pair + 1]
        })
        .collect();
    sample.extend((0..rest).map(|at| n_paired + at * (texts.len() - n_paired) / rest.max(1)));
    recall(&texts, &sample, &judge, &options, &found);
}

/// The candidates alone, timed: enough to know which pairs of the sample would be judged.
fn searched(texts: &[String], judge: &JudgementModel, options: &DedupeOptions) -> dedupe::Duplicates {
    let start = Instant::now();
    let sentences =
        Sentences::read(texts, &judge.resources().lexicon_with_vectors().unwrap(), Progress::none()).unwrap();
    let read = start.elapsed().as_secs_f64();
    let candidates = dedupe::search(&sentences, options, Progress::none()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} different sentences, read in {read:.1} s, searched in {:.1} s",
        sentences.firsts.len(),
        seconds - read
    );
    println!(
        "{} candidates, {} left out, {} weak sentences, peak memory {:?} MB",
        candidates.pairs.len(),
        candidates.n_left_out,
        candidates.n_weak_rows,
        peak_memory()
    );
    let place = |row: u32| sentences.firsts[row as usize];
    let pair = |pair: &CandidatePair| dedupe::JudgedPair {
        texts: pair.rows.map(place),
        similarity: pair.similarity,
        probability: f64::NAN,
    };
    dedupe::Duplicates { pairs: candidates.pairs.iter().map(pair).collect(), ..dedupe::Duplicates::default() }
}

/// All of it, timed.
fn whole(texts: &[String], judge: &JudgementModel, options: &DedupeOptions) -> dedupe::Duplicates {
    let start = Instant::now();
    let searched = std::sync::Mutex::new(0.0);
    let note = |step: Step<'_>| {
        if step.stage == Stage::Candidates && step.done == step.total {
            *searched.lock().unwrap() = start.elapsed().as_secs_f64();
        }
    };
    let found = dedupe::dedupe(texts, judge, options, Progress::new(&note)).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.1} s in all, {:.1} s of them to find candidates, peak memory {:?} MB",
        seconds,
        searched.lock().unwrap(),
        peak_memory()
    );
    println!("{:?}", found.summary);
    found
}

/// The highest rate, with 95 % confidence, of what was seen `n_seen` times in `n` (Clopper and
/// Pearson, by bisection).
fn upper_bound(n_seen: usize, n: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let rate = (low + high) / 2.0;
        // P(at most n_seen) under this rate.
        let mut term = (n as f64 * f64::ln_1p(-rate)).exp();
        let mut sum = term;
        for k in 1..=n_seen {
            term *= (n - k + 1) as f64 / k as f64 * rate / (1.0 - rate);
            sum += term;
        }
        if sum > 0.05 { low = rate } else { high = rate }
    }
    high
}

fn recall(
    texts: &[String],
    sample: &[usize],
    judge: &JudgementModel,
    options: &DedupeOptions,
    found: &dedupe::Duplicates,
) {
    let low = number("--low", 25) as f64 / 100.0;
    let n_others = number("--others", 10_000);
    let own: Vec<&str> = sample.iter().map(|&at| texts[at].as_str()).collect();
    let sentences =
        Sentences::read(&own, &judge.resources().lexicon_with_vectors().unwrap(), Progress::none()).unwrap();
    let firsts: Vec<&str> = sentences.firsts.iter().map(|&at| own[at as usize]).collect();
    let n = firsts.len();
    let limits = CandidateLimits { similarity: low, neighbours: usize::MAX, max_steps: u64::MAX };
    let near = dedupe::candidates(&sentences.rows, &limits, Progress::none()).unwrap().pairs;
    let n_all = n * (n - 1) / 2;
    println!("\nsample: {n} different sentences, {n_all} pairs, {} of similarity {low} or more", near.len());
    // Among all texts another one may be the first of those that are the same.
    let all = Sentences::read(texts, &judge.resources().lexicon_with_vectors().unwrap(), Progress::none()).unwrap();
    let first_of = |text: usize| all.sentence_of[text].map_or(0, |sentence| all.firsts[sentence as usize]);
    let places = |pair: [u32; 2]| {
        let mut places = pair.map(|row| first_of(sample[sentences.firsts[row as usize] as usize]));
        places.sort_unstable();
        places
    };
    let mut found_of: BTreeMap<[u32; 2], f64> = BTreeMap::new();
    for pair in &found.pairs {
        found_of.insert(pair.texts, pair.probability);
    }
    let start = Instant::now();
    let rows: Vec<[u32; 2]> = near.iter().map(|pair| pair.rows).collect();
    let decisions = judge_pairs(judge, &firsts, &rows, Progress::none()).unwrap();
    println!("{} judged in {:.1} s", rows.len(), start.elapsed().as_secs_f64());
    // By similarity in steps of 0.05: pairs, yes, yes that were found among all texts.
    let mut bins: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
    for (CandidatePair { rows, similarity, .. }, decision) in near.iter().zip(&decisions) {
        let bin = bins.entry((f64::from(*similarity) * 20.0) as usize).or_default();
        bin[0] += 1;
        if decision.probability >= options.threshold {
            bin[1] += 1;
            bin[2] += usize::from(found_of.contains_key(&places(*rows)));
        }
    }
    println!("similarity     pairs      yes    found");
    for (bin, [pairs, yes, found]) in &bins {
        println!("{:>10.2} {pairs:>9} {yes:>8} {found:>8}", *bin as f64 / 20.0);
    }
    let [yes, n_found] = [1, 2].map(|at| bins.values().map(|bin| bin[at]).sum::<usize>());
    println!("yes {yes}, found {n_found}: {:.2} %", 100.0 * n_found as f64 / yes.max(1) as f64);
    for threshold in [0.5, 0.6, 0.7, 0.8] {
        let yes = near.iter().zip(&decisions).filter(|(_, decision)| decision.probability >= threshold);
        let (yes, found) = yes.fold((0, 0), |(yes, found), (pair, _)| {
            (yes + 1, found + usize::from(found_of.contains_key(&places(pair.rows))))
        });
        println!(
            "from {threshold} on: yes {yes}, found {found}: {:.2} %",
            100.0 * f64::from(found as u32) / f64::from(yes)
        );
    }
    // What lies below: any word shared, or none.
    let is_near: BTreeSet<[u32; 2]> = rows.iter().copied().collect();
    let mut random = SplitMix::new(7);
    let mut drawn: [Vec<[u32; 2]>; 2] = [Vec::new(), Vec::new()];
    let mut n_seen = [0usize; 2];
    while drawn.iter().any(|drawn| drawn.len() < n_others) && n_seen[0] + n_seen[1] < 400 * n_others {
        let [a, b] = [random.below(n), random.below(n)];
        let pair = [a.min(b) as u32, a.max(b) as u32];
        if a == b || is_near.contains(&pair) {
            continue;
        }
        let [left, right] = pair.map(|row| sentences.rows.row(row as usize));
        let is_apart = !left.iter().any(|feature| right.binary_search(feature).is_ok());
        n_seen[usize::from(is_apart)] += 1;
        if drawn[usize::from(is_apart)].len() < n_others {
            drawn[usize::from(is_apart)].push(pair);
        }
    }
    let n_below = n_all - rows.len();
    let mut missed = 0.0;
    for (name, kind) in [("share a word", 0), ("share none", 1)] {
        let pairs = &drawn[kind];
        let decisions = judge_pairs(judge, &firsts, pairs, Progress::none()).unwrap();
        let yes = decisions.iter().filter(|decision| decision.probability >= options.threshold).count();
        let highest = decisions.iter().map(|decision| decision.probability).fold(0.0, f64::max);
        let score = decisions.iter().map(|decision| decision.score).fold(f64::NEG_INFINITY, f64::max);
        let share = n_seen[kind] as f64 / (n_seen[0] + n_seen[1]) as f64 * n_below as f64;
        let rate = yes as f64 / pairs.len().max(1) as f64;
        missed += rate * share;
        println!(
            "below {low}, {name}: about {share:.0} pairs, {} judged, {yes} yes, highest probability {highest:.4} (score {score:.2}); \
             expected {:.0} yes, at most {:.0} with 95 % confidence",
            pairs.len(),
            rate * share,
            upper_bound(yes, pairs.len()) * share
        );
    }
    println!(
        "recall {:.2} % if as many are below as were drawn",
        100.0 * n_found as f64 / (yes as f64 + missed).max(1.0)
    );
}
