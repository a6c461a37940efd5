//! Sorting documents: is building the automaton linear, do repeats blow it up, and how long does Reuters take.
//!
//! `cargo bench -p resay-lab --bench topics`; with `RESAY_DATA` naming the folder of the corpora, Reuters as well.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark prints, and may fail")]

#[path = "../../resay/benches/common/documents.rs"]
mod documents;

use documents::generated;
use rayon::prelude::*;
use resay::data::{Documents, Split};
use resay::kernel::Expression;
use resay::kernel::strings::TextVectors;
use resay_learn::progress::Progress;
use resay_learn::svm::linear::{self, LinearParams, LinearProblem, Loss};
use resay_text::{Annotator, Interner, Sentence, StemMemo, Units};
use std::path::Path;
use std::time::Instant;

const TOPICS: [&str; 10] = ["earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "ship", "wheat", "corn"];

fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

/// The largest memory so far in megabytes, where the system says.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn build(expression: &str, texts: &[Vec<u32>]) -> (f64, usize) {
    let texts: Vec<Sentence> = texts.iter().cloned().map(Sentence::of_units).collect();
    let texts: Vec<&Sentence> = texts.iter().collect();
    let expression: Expression = expression.parse().unwrap();
    let start = Instant::now();
    let vectors = TextVectors::new(&expression, &texts, Progress::none()).unwrap();
    (seconds(start), vectors.n_columns())
}

fn main() {
    println!("fsm(min=10), automaton and transitions, generated documents of 800 letters");
    let mut before: Option<f64> = None;
    for n_documents in [2_500, 5_000, 10_000] {
        let texts = generated(n_documents, 1);
        let n_symbols: usize = texts.iter().map(Vec::len).sum();
        let mut times: Vec<f64> = (0..3).map(|_| build("fsm(min=10)", &texts).0).collect();
        times.sort_by(f64::total_cmp);
        let (time, n_columns) = (times[1], build("fsm(min=10)", &texts).1);
        let ratio = before.map_or(String::new(), |before| format!(", {:.2} times the time before", time / before));
        let each = time / n_symbols as f64 * 1e9;
        println!(
            "  {n_documents:>6} documents, {n_symbols:>8} symbols: {time:.2} s, {each:.0} ns a symbol, {n_columns} transitions{ratio}"
        );
        before = Some(time);
    }
    let mut repeated = generated(5_000, 1);
    let boilerplate = generated(1, 2).remove(0);
    repeated.iter_mut().for_each(|text| text.extend(boilerplate.iter().cycle().take(2_000)));
    let (time, n_columns) = build("fsm(min=10)", &repeated);
    println!("  the same 5000 with 2,000 letters of boilerplate behind each: {time:.2} s, {n_columns} transitions");
    let letter = vec![vec![1_u32; 1_000_000]];
    let (time, n_columns) = build("fsm(min=10)", &letter);
    println!("  one letter a million times: {time:.2} s, {n_columns} transitions");

    let Some(folder) = std::env::var_os("RESAY_DATA") else {
        println!("Reuters was not measured: RESAY_DATA does not name the folder of the corpora");
        return;
    };
    let start = Instant::now();
    let all = Documents::read(&Path::new(&folder).join("reuters21578"), None).unwrap();
    let of = |split: Split| all.rows.iter().filter(move |document| document.split == Some(split));
    let documents: Vec<_> = of(Split::Train).chain(of(Split::Test)).collect();
    let n_train = of(Split::Train).count();
    println!(
        "Reuters, {n_train} documents to learn from and {} others; read in {:.2} s",
        documents.len() - n_train,
        seconds(start)
    );
    let truth: Vec<Vec<bool>> = TOPICS
        .iter()
        .map(|topic| documents[..n_train].iter().map(|document| document.has_label(topic)).collect())
        .collect();
    let members: Vec<usize> = (0..n_train).collect();
    for (expression, loss) in
        [("fsm(min=10)", Loss::Hinge), ("fsm(min=1000)", Loss::SquaredHinge), ("ngram(k=5)", Loss::SquaredHinge)]
    {
        let start = Instant::now();
        let (annotator, mut symbols, mut memo) = (Annotator::new(Units::Lower), Interner::new(), StemMemo::default());
        let texts: Vec<Sentence> = documents
            .iter()
            .map(|document| annotator.sentence_with(&document.text, &mut symbols, &mut memo).without_places())
            .collect();
        let texts: Vec<&Sentence> = texts.iter().collect();
        let annotated = seconds(start);
        let vectors = TextVectors::new(&expression.parse().unwrap(), &texts[..n_train], Progress::none()).unwrap();
        let listed = seconds(start);
        let rows = vectors.rows(&texts[..n_train], Progress::none()).unwrap().rows;
        let others: Vec<_> = texts[n_train..].par_iter().map(|text| vectors.extract(text).unwrap()).collect();
        let made = seconds(start);
        let params = LinearParams { loss, tolerance: 0.03, ..LinearParams::default() }.check().unwrap();
        let fit = |truth: &Vec<bool>| {
            let problem = LinearProblem::new(&rows, truth, Progress::none()).unwrap();
            linear::fit(&problem, &members, &params, None, Progress::none()).unwrap().passes
        };
        let passes: usize = truth.par_iter().with_max_len(1).map(fit).sum();
        println!(
            "  {expression}, lower: symbols {annotated:.2} s, {} strings listed {:.2} s, {} documents as vectors {:.2} s, together {made:.2} s; \
             ten machines ({loss:?}, {passes} passes) {:.2} s",
            vectors.n_columns(),
            listed - annotated,
            n_train + others.len(),
            made - listed,
            seconds(start) - made,
        );
    }
    if let Some(peak) = peak() {
        println!("largest memory of all of this: {peak:.0} MB");
    }
}
