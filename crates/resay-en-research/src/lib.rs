#![doc = include_str!("../README.md")]

/// The files of this crate, by name; none in a package from a registry.
///
/// Not inlined: every crate that did would hold a copy of the bytes.
#[inline(never)]
pub fn files() -> &'static [(&'static str, &'static [u8])] {
    include!(concat!(env!("OUT_DIR"), "/files.rs"))
}
