//! What holds for every reader of documents.

use resay::data::{DocumentFormat, DocumentReader, Documents, Split};
use std::io::BufReader;

/// Reads the bytes at once and in small pieces, which must say the same, to the letter of the
/// error. Then reads them as a set, also with the format guessed, and asks for labels and splits:
/// errors will do, panics will not.
pub fn read_both_ways(input: &[u8], format: DocumentFormat) {
    let stream = |chunk: usize| {
        let documents = DocumentReader::new("f", BufReader::with_capacity(chunk, input), Some(format));
        documents.and_then(|documents| documents.collect::<Result<Vec<_>, _>>()).map_err(|error| error.to_string())
    };
    let at_once = stream(1 << 16);
    assert_eq!(at_once, stream(3));
    for format in [None, Some(format)] {
        let Ok(mut documents) = Documents::from_reader("f", input, format) else { continue };
        if format.is_some() {
            assert_eq!(at_once.as_ref().map(Vec::len), Ok(documents.len()));
        }
        for (label, count) in documents.label_counts() {
            assert_eq!(documents.members(&label).into_iter().filter(|is_member| *is_member).count(), count);
        }
        assert!(documents.has_labels() || documents.label_names().is_empty());
        documents.retain_split(Split::Train);
        assert!(documents.rows.iter().all(|document| document.split.is_none_or(|split| split == Split::Train)));
        let _ = documents.error(0, "nothing");
    }
}
