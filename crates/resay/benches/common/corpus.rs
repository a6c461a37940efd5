//! The pairs that a benchmark against a paper's algorithm runs over, and the numbers it is told.

use resay::data::{Columns, Dataset, Format};
use std::path::Path;

/// The number behind an argument such as `--pairs`, if it is there.
pub(crate) fn number(name: &str) -> Option<usize> {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].parse().unwrap())
}

/// As many generated pairs as `--pairs` says; else the MSR paraphrase training set, where there is one.
pub(crate) fn pairs(generated: impl Fn(usize) -> Dataset) -> Dataset {
    let folder = std::env::var("RESAY_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned());
    let msrp = Path::new(&folder).join("msrp/msr_paraphrase_train.txt");
    match number("--pairs") {
        Some(n) => generated(n),
        None if msrp.exists() => Dataset::read(&msrp, Some(Format::Msrp), &Columns::default()).unwrap(),
        None => {
            println!("SKIPPED: no MSR paraphrase corpus in {folder}; 1000 generated pairs instead");
            generated(1000)
        }
    }
}
