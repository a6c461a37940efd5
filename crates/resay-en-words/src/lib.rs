#![doc = include_str!("../README.md")]

/// The files of this crate, by name.
///
/// Not inlined: every crate that did would hold a copy of the bytes.
#[inline(never)]
pub fn files() -> &'static [(&'static str, &'static [u8])] {
    &[
        ("words", include_bytes!("../data/words.resay")),
        ("relations", include_bytes!("../data/relations.resay")),
        ("vectors", include_bytes!("../data/vectors.resay")),
        ("word-table", include_bytes!("../data/word-table.resay")),
        ("phrases", include_bytes!("../data/phrases.resay")),
    ]
}
