#![doc = include_str!("../README.md")]

/// The files of this crate, by name.
///
/// Not inlined: every crate that did would hold a copy of the bytes.
#[inline(never)]
pub fn files() -> &'static [(&'static str, &'static [u8])] {
    &[
        ("tagger", include_bytes!("../data/tagger.resay")),
        ("lemma", include_bytes!("../data/lemma.resay")),
        ("parser", include_bytes!("../data/parser.resay")),
        ("entities", include_bytes!("../data/entities.resay")),
        ("chunker", include_bytes!("../data/chunker.resay")),
        ("align", include_bytes!("../data/align.resay")),
    ]
}
