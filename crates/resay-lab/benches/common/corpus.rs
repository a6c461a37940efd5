//! The pairs that a benchmark against a paper's algorithm runs over, and the numbers it is told.

use resay::data::{Columns, Dataset, Format};

/// The number behind an argument such as `--pairs`, if it is there.
pub(crate) fn number(name: &str) -> Option<usize> {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].parse().unwrap())
}

/// As many generated pairs as `--pairs` says; else the MSR paraphrase training set, where there is one.
pub(crate) fn pairs(generated: impl Fn(usize) -> Dataset) -> Dataset {
    let msrp = resay_testing::corpora().join("msrp/msr_paraphrase_train.txt");
    match number("--pairs") {
        Some(n) => generated(n),
        None if msrp.exists() => Dataset::read(&msrp, Some(Format::Msrp), &Columns::default()).unwrap(),
        None => {
            println!("no {}: 1000 generated pairs instead", msrp.display());
            generated(1000)
        }
    }
}
