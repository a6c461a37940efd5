//! How many instructions a unit of work takes: the same on a busy machine as on an idle one, so
//! that a change of a few percent is seen where a clock shows noise.
//!
//! The program runs itself once for each kind of work under valgrind's callgrind, which counts only
//! inside `measured`. A kind of work that takes more than its limit fails. Where there is no
//! valgrind nothing is counted.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

#[path = "common/annotate.rs"]
mod annotate;
#[path = "common/dataset.rs"]
mod dataset;
#[path = "common/documents.rs"]
mod documents;

use resay::kernel::strings::TextVectors;
use resay::kernel::{BoundKernel, Expression};
use resay::model::{PairModel, pair_context};
use resay::pair::{Annotated, PairView};
use resay::resources::Resources;
use resay::train::{CostChoice, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use resay_text::{Annotator, Interner, Sentence, Units};
use std::hint::black_box;
use std::process::Command;

const N_PAIRS: usize = 100;

/// What is counted: a name, what one unit of it is, and how many instructions a unit may take: a
/// quarter above what was measured.
const WORK: [(&str, &str, f64); 10] = [
    ("index 1", "evaluation", 150.0),
    ("index 2", "evaluation", 150.0),
    ("index 3", "evaluation", 200.0),
    ("index 4", "evaluation", 300.0),
    ("index-build 4", "pair", 620_000.0),
    ("predict", "pair", 650_000.0),
    ("annotate", "sentence", 107_000.0),
    ("automaton 1", "symbol", 1_200.0),
    ("automaton 2", "symbol", 1_200.0),
    ("automaton 4", "symbol", 1_200.0),
];

/// Callgrind counts from here to the end of the call, on this thread.
#[inline(never)]
fn measured(work: &mut dyn FnMut() -> f64) -> f64 {
    black_box(work())
}

/// Does one kind of work; returns how many units it was.
fn perform(name: &str) -> usize {
    let data = dataset::dataset(N_PAIRS, 1);
    let (kind, k) = name.split_once(' ').map_or((name, 1), |(kind, k)| (kind, k.parse().unwrap()));
    match kind {
        "index" | "index-build" => {
            let pairs = annotate::annotate(&data);
            let expression: Expression = format!("kb(k={k})").parse().unwrap();
            if kind == "index-build" {
                measured(&mut || BoundKernel::new(&expression, &pairs, Progress::none()).unwrap().len() as f64);
                return N_PAIRS;
            }
            let bound = BoundKernel::new(&expression, &pairs, Progress::none()).unwrap();
            let mut out = vec![0.0; N_PAIRS];
            measured(&mut || {
                (0..N_PAIRS).for_each(|i| bound.column(i, &mut out, Progress::none()).unwrap());
                out[0]
            });
            N_PAIRS * N_PAIRS
        }
        "predict" => {
            let options =
                TrainOptions { costs: vec![1.0], choice: CostChoice::Folds(2), ..TrainOptions::new(Task::Paraphrase) };
            let model = train(&data, &options, &Resources::bundled(), Progress::none()).unwrap();
            let new = dataset::dataset(N_PAIRS, 2);
            let (mut scorer, context) = (model.scorer(), pair_context(model.resources()));
            let mut score = |pair: &resay::data::Example| {
                let [source, target] = [&pair.source, &pair.target].map(|text| Annotated::text_only(text));
                let view = PairView::new(&context, &source, &target);
                let mut found = scorer.score(std::slice::from_ref(&view), Progress::none());
                found.remove(0).unwrap().decision().unwrap().score
            };
            measured(&mut || new.rows.iter().map(&mut score).sum());
            N_PAIRS
        }
        // The automaton and its transitions over k times 500 documents: as many for each symbol, if
        // it is linear.
        "automaton" => {
            let texts = documents::generated(500 * k, 1);
            let texts: Vec<Sentence> = texts.into_iter().map(Sentence::of_units).collect();
            let texts: Vec<&Sentence> = texts.iter().collect();
            let expression: Expression = "fsm(min=10)".parse().unwrap();
            // Callgrind sees one thread, so it has to be the one that works.
            rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().unwrap();
            measured(&mut || TextVectors::new(&expression, &texts, Progress::none()).unwrap().n_columns() as f64);
            texts.iter().map(|text| text.units.len()).sum()
        }
        _ => {
            let (annotator, mut symbols) = (Annotator::new(Units::Stems), Interner::new());
            let sentences = || data.rows.iter().flat_map(|pair| [&pair.source, &pair.target]);
            measured(&mut || {
                sentences().map(|text| annotator.sentence(text, &mut symbols).units.len() as f64).sum::<f64>()
            });
            2 * N_PAIRS
        }
    }
}

/// Runs this program on one kind of work under callgrind; instructions and units.
fn count(name: &str) -> (f64, f64) {
    let this = std::env::current_exe().unwrap();
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured*"])
        .arg(this)
        .args(["--work", name])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    let collected = errors.lines().find_map(|line| line.split("Collected :").nth(1)).unwrap_or_default();
    let units = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    (collected.trim().parse().unwrap(), units)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--work") {
        println!("{}", perform(&arguments[at + 1]));
        return;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        resay_testing::skip("instructions", "no valgrind on the path");
        return;
    }
    for (name, unit, at_most) in WORK {
        let (instructions, units) = count(name);
        assert!(instructions > units, "{name}: callgrind counted {instructions} instructions: nothing was measured");
        let found = instructions / units;
        println!("{name:<16} {found:>12.0} instructions per {unit}");
        assert!(found <= at_most, "{name}: {found:.0} instructions per {unit}, expected at most {at_most}");
    }
}
