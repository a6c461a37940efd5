//! The program of the README. It needs a file `pairs.tsv` with the columns `source`, `target` and `label`.

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

fn main() -> Result<()> {
    let resources = Resources::bundled();
    let judge = Judge::bundled()?;
    let said = judge.decide("He paid 60 euros.", "He paid 80 euros.")?;
    println!("the same? {} ({:.2})", said.label, said.probability);
    for part in judge.explain("He paid 60 euros.", "He paid 80 euros.")?.leaves() {
        println!("{:+.3} {:?}", part.value, part.what);
    }
    let pairs = Dataset::read("pairs.tsv".as_ref(), None, &Columns::default())?;
    Training::new(Task::Paraphrase).fit(&pairs, &resources)?.save("mine.resay")
}
