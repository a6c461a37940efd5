//! What became of a text's sentences? `cargo run --release --example diff -- old.txt new.txt`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use resay::prelude::*;

fn read(file: Option<String>, otherwise: &str) -> Result<DiffDocument> {
    match file {
        Some(file) => {
            let bytes = std::fs::read(&file).map_err(|error| resay::Error::read(file.as_ref(), error))?;
            DiffDocument::from_bytes(&file, bytes)
        }
        None => DiffDocument::new(otherwise),
    }
}

fn main() -> Result<()> {
    let mut files = std::env::args().skip(1);
    let old = read(files.next(), "The fee is 60 euros. Refunds take two weeks. Ask at the desk.")?;
    let new = read(files.next(), "Ask at the desk. The fee is 80 euros. Refunds take two weeks.")?;
    for difference in Judge::bundled()?.diff(&old, &new, Progress::none())? {
        let text = |document: &DiffDocument, passage: Option<&resay::Passage>| {
            passage.map_or(String::new(), |passage| document.slice(passage.span).to_owned())
        };
        let (before, after) = (text(&old, difference.source.as_ref()), text(&new, difference.target.as_ref()));
        println!("{:<9} {before} -> {after}", difference.kind.name());
    }
    Ok(())
}
