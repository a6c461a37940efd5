//! What a file of ours looks like, whatever is in it: models, taggers, word tables. [`Container`] holds named sections
//! behind a description; [`SectionReader`] and [`put`] turn numbers into a section's bytes and back. Both trust nothing.

mod codec;
mod container;
mod origin;

pub use codec::{SectionReader, put, put_str};
pub use container::{Container, MAX_HEADER, MAX_SIZE, VERSION};
pub use origin::{Origin, Quality};
