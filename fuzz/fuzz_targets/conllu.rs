#![no_main]
//! Any bytes as CoNLL-U: an answer or an error, and what was read is written so that it is read again as the same.

use resay::data::{ConlluReader, ConlluSentence, write_conllu};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let sentences = |input: &[u8]| -> Vec<ConlluSentence> {
        ConlluReader::new("f", input).map_while(|sentence| Some(sentence.ok()?.1)).collect()
    };
    let read = sentences(input);
    let mut written = String::new();
    read.iter().for_each(|sentence| write_conllu(sentence, None, &mut written));
    assert_eq!(sentences(written.as_bytes()), read);
});
