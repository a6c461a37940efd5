//! The kernel matrix of pairs, for a learner of one's own: `cargo run --release --example kernel`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

fn main() -> Result<()> {
    let pairs = [
        ("Anna met Ben", "Ben was met by Anna"),
        ("Carl saw Dora", "Dora was seen by Carl"),
        ("prices rose", "prices fell"),
    ];
    let gram = PairKernel::new("kb(k=1..3)+pr", &Resources::bundled())?.gram(&pairs, Progress::none())?;
    for row in 0..gram.n_rows() {
        println!("{:?}", gram.row(row));
    }
    Ok(())
}
