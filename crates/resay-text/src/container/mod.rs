//! The file format of models, taggers and word tables. A [`Container`] holds a description and
//! named sections; [`SectionReader`] and [`put`] decode and encode the numbers of a section.
//! Neither trusts its input.

mod codec;
mod file;
mod origin;

pub use codec::{SectionReader, put, put_str};
pub use file::{Container, MAX_HEADER, MAX_SIZE, VERSION};
pub use origin::{Origin, Quality};
