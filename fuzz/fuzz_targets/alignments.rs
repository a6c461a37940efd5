#![no_main]
//! Any bytes as aligned pairs, in every format and guessing: an answer or an error, and the same
//! however the bytes arrive; what is written says the same when it is read again.

use resay::data::{AlignedPair, AlignedPairs, AlignmentFormat, AlignmentReader, FileFormat};
use std::io::BufReader;

fn read(input: &[u8], format: Option<AlignmentFormat>, chunk: usize) -> Result<Vec<(u64, AlignedPair)>, String> {
    let pairs = AlignmentReader::new("f", BufReader::with_capacity(chunk, input), format);
    pairs.and_then(|pairs| pairs.collect::<Result<Vec<_>, _>>()).map_err(|error| error.to_string())
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for format in [None].into_iter().chain(AlignmentFormat::ALL.iter().copied().map(Some)) {
        let at_once = read(input, format, 1 << 16);
        assert_eq!(at_once, read(input, format, 3));
        for (_, pair) in at_once.iter().flatten() {
            if pair.has_words() {
                let again = read(pair.to_json().as_bytes(), Some(AlignmentFormat::Json), 64);
                let again = again.expect("an object that was written");
                assert_eq!((&again[0].1.sure, &again[0].1.source), (&pair.sure, &pair.source));
            }
            let links = read(format!("{}\n", pair.to_pharaoh()).as_bytes(), Some(AlignmentFormat::Pharaoh), 64);
            assert_eq!(links.expect("a line that was written")[0].1.sure, pair.sure);
        }
        if let (Ok(all), Ok(links)) =
            (AlignedPairs::from_reader("f", input, format), AlignedPairs::from_reader("g", input, format))
        {
            assert_eq!(at_once.map(|rows| rows.len()), Ok(all.len()));
            assert_eq!(links.with_words_of(&all).is_ok(), all.rows.iter().all(|p| p.has_words() || p.sure.is_empty()));
        }
    }
});
