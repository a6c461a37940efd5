//! Which lines say the same as an earlier one? `cargo run --release --example dedupe < lines.txt`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;
use std::io::IsTerminal;

fn main() -> Result<()> {
    let input = std::io::stdin();
    let lines: Vec<String> = if input.is_terminal() {
        ["The museum opens at nine on Sunday.", "The ferry sank.", "On Sunday the museum opens at nine."]
            .map(str::to_owned)
            .to_vec()
    } else {
        input.lines().map_while(std::result::Result::ok).collect()
    };
    for cluster in Judge::bundled()?.dedupe(&lines, &DedupeOptions::default(), Progress::none())?.clusters {
        for member in cluster.members {
            println!("{}\t{}", member.text + 1, lines[member.text as usize]);
        }
        println!();
    }
    Ok(())
}
