//! Default training of a rules model on up to a million pairs: seconds, time by pair, peak memory, held-out accuracy,
//! and new rules by 10,000 pairs.
//!
//! The pairs are real ones (PAWS dev, SICK, SNLI dev, MSRP), in random order. Where they run out, they are taken again
//! with two words of the source exchanged for words of other pairs, on both sides: so that rules keep coming.
//!
//! `cargo bench -p resay-lab --bench million -- --data DIR [--pairs N]`: a hundredth, a tenth and all of N (1,000,000).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

use resay::data::{Columns, Dataset};
use resay::model::PairModel;
use resay::resources::Resources;
use resay::train::{Task, TrainOptions, train};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Pair = (Vec<String>, Vec<String>, bool);

/// The lines of a file with tabs: the columns of source, target and label, and the label that means yes.
fn read(path: &Path, [source, target, label]: [usize; 3], yes: &str) -> Vec<Pair> {
    let text = std::fs::read_to_string(path).unwrap();
    let words = |cell: &str| cell.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let pair = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let (source, target) = (words(cells.get(source)?), words(cells.get(target)?));
        (!source.is_empty() && !target.is_empty()).then_some((source, target, cells.get(label)? == &yes))
    };
    text.lines().skip(1).filter_map(pair).collect()
}

fn pairs(folder: &Path) -> Vec<Pair> {
    [
        read(&folder.join("paws_wiki/dev.tsv"), [1, 2, 3], "1"),
        read(&folder.join("sick/SICK_train.txt"), [1, 2, 4], "ENTAILMENT"),
        read(&folder.join("nli/snli_dev.tsv"), [0, 1, 2], "entailment"),
        read(&folder.join("msrp/msr_paraphrase_train.txt"), [3, 4, 0], "1"),
    ]
    .concat()
}

/// Exchanges two of the longer words of the source, on both sides.
fn exchanged((source, target, label): &Pair, words: &[&String], random: &mut SplitMix) -> Pair {
    let (mut source, mut target) = (source.clone(), target.clone());
    for _ in 0..2 {
        let old = source[random.below(source.len())].clone();
        if old.len() > 3 {
            let new = words[random.below(words.len())];
            let sides = [&mut source, &mut target];
            sides.into_iter().flatten().filter(|word| **word == old).for_each(|word| word.clone_from(new));
        }
    }
    (source, target, *label)
}

fn dataset(real: &[Pair], n: usize) -> Dataset {
    let mut random = SplitMix::new(1);
    let words: Vec<&String> = real.iter().flat_map(|pair| &pair.0).filter(|word| word.len() > 3).collect();
    let mut order: Vec<usize> = (0..real.len()).collect();
    let mut text = "source\ttarget\tlabel\n".to_owned();
    for at in 0..n {
        if at % real.len() == 0 {
            random.shuffle(&mut order);
        }
        let pair = &real[order[at % real.len()]];
        let pair = if at < real.len() { pair.clone() } else { exchanged(pair, &words, &mut random) };
        let (source, target) = (pair.0.join(" "), pair.1.join(" "));
        writeln!(text, "{source}\t{target}\t{}", u8::from(pair.2)).unwrap();
    }
    Dataset::from_reader("pairs.tsv", text.as_bytes(), None, &Columns::default()).unwrap()
}

/// The peak memory of this process in MB, where the system tells it.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let given = |name: &str| arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].clone());
    let Some(folder) = given("--data").or_else(|| std::env::var("RESAY_DATA").ok()).map(PathBuf::from) else {
        println!("skipped: no corpora, name their folder with --data DIR or the variable RESAY_DATA");
        return;
    };
    let n: usize = given("--pairs").map_or(1_000_000, |n| n.parse().unwrap());
    let real = pairs(&folder);
    println!("{} real pairs; default training of a rules model, {} threads", real.len(), rayon::current_num_threads());
    println!(
        "{:>9} {:>9} {:>9} {:>8} {:>9} {:>12} {:>22}",
        "pairs", "seconds", "us/pair", "peak MB", "accuracy", "rules", "new by 10,000 pairs"
    );
    let resources = Resources::bundled();
    let mut before = (0, 0);
    for n in [n / 100, n / 10, n] {
        let dataset = dataset(&real, n);
        let start = Instant::now();
        let model = train(&dataset, &TrainOptions::new(Task::Paraphrase), &resources, Progress::none()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let n_rules = model.about().details.n_rules[0];
        println!(
            "{n:>9} {seconds:>9.1} {:>9.0} {:>8.0} {:>9.4} {n_rules:>12} {:>22.0}",
            1e6 * seconds / n as f64,
            peak().unwrap_or(f64::NAN),
            model.header().held_out.unwrap_or(f64::NAN),
            1e4 * (n_rules - before.1) as f64 / (n - before.0) as f64,
        );
        before = (n, n_rules);
    }
}
