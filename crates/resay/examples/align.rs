//! Which words correspond? `cargo run --release --example align`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

fn main() -> Result<()> {
    let found =
        PhraseAligner::bundled()?.align("Anna sold her old boat to Ben.", "Ben bought an old boat from Anna.")?;
    for (source, target) in found.alignment.pairs() {
        println!("{} - {}", found.source.form(source as usize), found.target.form(target as usize));
    }
    Ok(())
}
