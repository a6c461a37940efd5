//! Do two texts say the same, and why? `cargo run --release --example judge -- 'It rained.' 'It did not rain.'`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

fn main() -> Result<()> {
    let mut texts = std::env::args().skip(1);
    let source = texts.next().unwrap_or_else(|| "The meeting starts at nine.".to_owned());
    let target = texts.next().unwrap_or_else(|| "The meeting starts at ten.".to_owned());
    let judge = Judge::bundled()?;
    let said = judge.decide(&source, &target)?;
    println!("{} (probability {:.2})", if said.label { "the same" } else { "not the same" }, said.probability);
    for part in judge.explain(&source, &target)?.parts {
        println!("{:+.3} {:?}", part.value, part.what);
    }
    Ok(())
}
