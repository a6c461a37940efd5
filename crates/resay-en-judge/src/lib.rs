#![doc = include_str!("../README.md")]

/// The files of this crate, by name.
///
/// Not inlined: every crate that did would hold a copy of the bytes.
#[inline(never)]
pub fn files() -> &'static [(&'static str, &'static [u8])] {
    &[("judge", include_bytes!("../data/judge.resay"))]
}
