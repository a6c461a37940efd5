#![no_main]
//! Any bytes as documents in `--format reuters`: an answer or an error, and the same however the bytes arrive.

mod documents;

use resay::data::DocumentFormat;

libfuzzer_sys::fuzz_target!(|input: &[u8]| documents::read_both_ways(input, DocumentFormat::Reuters));
