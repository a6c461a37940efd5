//! Pairs a second of the aligner, annotation included: the token model and the phrase model, all of
//! it and part by part; how long both learn; and a pair of 800 words.
//!
//! `cargo bench -p resay-lab --bench align`: over made-up pairs; with `RESAY_DATA` naming the
//! folder of the corpora, MSR06: both models are learned from its training part, as `resay train
//! --task align` learns them, and align its test part.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark prints, and may fail")]

use rayon::prelude::*;
use resay::align::{AlignScratch, AlignSettings, Decode};
use resay::data::AlignedPairs;
use resay::model::AlignModel;
use resay::resources::Resources;
use resay::train::align::{AlignOptions, align_pairs, sentences, train_align};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_text::{Analysis, EnglishScratch};
use std::path::Path;
use std::time::Instant;

/// The largest memory so far in megabytes, where the system says.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Pairs of 29 and 11 words, of words that the lexicon knows.
fn made_up(n_pairs: usize) -> AlignedPairs {
    let words =
        "the of man dog house bought sold city river war old new in on a was and company people paid police killed";
    let words: Vec<&str> = words.split(' ').collect();
    let mut random = SplitMix::new(1);
    let mut lines = String::new();
    for _ in 0..n_pairs {
        let source: Vec<&str> = (0..29).map(|_| words[random.below(words.len())]).collect();
        let first = random.below(18);
        let target = &source[first..first + 11];
        let links: Vec<String> = (0..11).map(|word| format!("{}-{word}", first + word)).collect();
        let (source, target, links) = (source.join(" "), target.join(" "), links.join(" "));
        lines += &format!("{{\"source\": \"{source}\", \"target\": \"{target}\", \"sureAlign\": \"{links}\"}}\n");
    }
    AlignedPairs::from_reader("made up", lines.as_bytes(), None).unwrap()
}

/// The median of five, in seconds.
fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[2]
}

fn parts(model: &AlignModel, test: &AlignedPairs) {
    let english = Resources::bundled().english(model.aligner().layers()).unwrap();
    let lexicon = Resources::bundled().lexicon_with_vectors().unwrap();
    let mut annotated: Vec<Analysis> = Vec::new();
    let annotation = median(|| {
        annotated = test.rows.iter().flat_map(sentences).collect();
        english.fill_all(&mut annotated, &mut EnglishScratch::default());
    });
    let mut scratch = AlignScratch::default();
    let alignment = median(|| {
        for pair in annotated.chunks(2) {
            model.aligner().align(&lexicon, &pair[0], &pair[1], Decode::Confident(None), &mut scratch).unwrap();
        }
    });
    let each = |time: f64| 1e6 * time / test.len() as f64;
    println!("  one thread: annotation {:.0} us, alignment {:.0} us a pair", each(annotation), each(alignment));
}

fn main() {
    let data = std::env::var_os("RESAY_DATA");
    let read = |file: &str| {
        let path = Path::new(data.as_ref()?).join("msr06/converted").join(file);
        AlignedPairs::read(&path, None).ok()
    };
    let (train, test) = read("RTE2_dev_M.align.txt").zip(read("RTE2_test_M.align.txt")).unwrap_or_else(|| {
        println!("made-up pairs (RESAY_DATA names no folder with MSR06)");
        (made_up(100), made_up(800))
    });
    let n_threads = rayon::current_num_threads();
    let resources = Resources::bundled();
    for (name, settings) in [("token model", AlignSettings::tokens()), ("phrase model", AlignSettings::phrases())] {
        let start = Instant::now();
        let model = train_align(&train, &AlignOptions::new(settings), &resources, Progress::none()).unwrap();
        println!("{name}: learned from {} pairs in {:.1} s", train.len(), start.elapsed().as_secs_f64());
        let all = median(|| {
            align_pairs(&model, &test, Decode::Confident(None), Progress::none()).unwrap();
        });
        println!("  {:.0} pairs/s on {n_threads} threads, annotation included", test.len() as f64 / all);
        parts(&model, &test);
        let words: Vec<&str> = test.rows.iter().flat_map(|pair| &pair.source).map(String::as_str).take(800).collect();
        let long = || Analysis::from_forms(words.iter().copied());
        let start = Instant::now();
        let n_links = model.align_words(long(), long(), Decode::Confident(None)).unwrap().alignment.links.len();
        println!("  {} words to as many: {:.1} s, {n_links} links", words.len(), start.elapsed().as_secs_f64());
    }
    // All threads wait for the pool's last work before memory is read.
    [0; 2].par_iter().for_each(|_| {});
    if let Some(peak) = peak() {
        println!("at most {peak:.0} MB");
    }
}
