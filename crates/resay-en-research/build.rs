//! Lists the files that are there. A package from a registry has none.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let folder = root.join("data");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=data");
    let mut files = if folder.is_dir() { models(&folder)? } else { Vec::new() };
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in files {
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    list.push(']');
    std::fs::write(out.join("files.rs"), list)?;
    Ok(())
}

/// Names and paths of the models in a folder.
fn models(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "resay") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, path));
        }
    }
    Ok(found)
}
