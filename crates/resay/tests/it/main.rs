//! Integration tests of the library, in one program: laws for every implementation, fast code
//! against slow references, model files, and the module structure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test helper may fail the test, and says what it measured"
)]

mod adapted_judgement;
mod annotation;
mod annotation_quality;
mod answers;
mod architecture;
mod cancel;
#[cfg(unix)]
mod fork;
mod judgement;
mod kernel_laws;
mod kernel_truth;
mod model_files;
mod model_laws;
mod names_alike;
mod pair_laws;
mod pairs;
mod parts;
mod programs;
mod readings;
mod relate;
mod sentences;
mod string_truth;
mod subsequence_truth;
mod topic_laws;
mod typed_classes;
mod typed_kernel;
mod typed_truth;
