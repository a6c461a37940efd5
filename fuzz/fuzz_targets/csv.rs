#![no_main]
//! Any bytes as `--format csv`: an answer or an error, and the same however the bytes arrive.

mod readers;

use resay::data::Format;

libfuzzer_sys::fuzz_target!(|input: &[u8]| readers::read_both_ways(input, Format::Csv));
