//! Integration tests of the library, in one program: laws over every implementer, fast code against slow truth, model files,
//! and the shape of the source.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test helper may fail the test")]

mod annotation;
mod annotation_quality;
mod architecture;
mod cancel;
#[cfg(unix)]
mod fork;
mod kernel_laws;
mod kernel_truth;
mod model_files;
mod model_laws;
mod pair_laws;
mod pairs;
mod parts;
mod programs;
mod string_truth;
mod subsequence_truth;
mod topic_laws;
mod typed_classes;
mod typed_kernel;
mod typed_truth;
