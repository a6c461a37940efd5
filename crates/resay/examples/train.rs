//! Learns from pairs of one's own: `cargo run --release --example train -- pairs.tsv mine.resay`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

const PAIRS: &str = "source\ttarget\tlabel
How do I reset my password?\tI forgot my password, what now?\t1
Where is my order?\tMy parcel has not arrived.\t1
Can I pay by card?\tDo you accept credit cards?\t1
How do I reset my password?\tCan I pay by card?\t0
Where is my order?\tHow do I close my account?\t0
Can I pay by card?\tWhere can I see my invoices?\t0
";

fn main() -> Result<()> {
    let mut files = std::env::args().skip(1);
    let pairs = match files.next() {
        Some(file) => Dataset::read(file.as_ref(), None, &Columns::default())?,
        None => Dataset::from_reader("pairs.tsv", PAIRS.as_bytes(), None, &Columns::default())?,
    };
    let mine = Training::new(Task::Paraphrase).folds(3).fit(&pairs, &Resources::bundled())?;
    let header = mine.header();
    println!(
        "{} of {} pairs: {} {:.2} on held-out folds",
        header.task,
        pairs.len(),
        header.measure,
        header.held_out.unwrap_or(0.0)
    );
    match files.next() {
        Some(file) => mine.save(file),
        None => Ok(()),
    }
}
