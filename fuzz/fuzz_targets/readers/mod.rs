//! What holds for every reader of pairs.

use resay::data::{Columns, Dataset, Format, PairReader};
use std::io::BufReader;

/// Reads the bytes at once and in small pieces, which must say the same, to the letter of the
/// error. Then reads them as data, also with the format guessed, and asks for labels, groups and
/// folds: errors will do, panics will not.
pub fn read_both_ways(input: &[u8], format: Format) {
    let columns = Columns::default();
    let stream = |chunk: usize| {
        let pairs = PairReader::new("f", BufReader::with_capacity(chunk, input), Some(format), &columns);
        pairs.and_then(|pairs| pairs.collect::<Result<Vec<_>, _>>()).map_err(|error| error.to_string())
    };
    let at_once = stream(1 << 16);
    assert_eq!(at_once, stream(3));
    if let Ok(data) = Dataset::from_reader("f", input, None, &columns) {
        let _ = data.labels_binary();
        assert_eq!(data.groups().len(), data.len());
    }
    if let Ok(data) = Dataset::from_reader("f", input, Some(format), &columns) {
        assert_eq!(at_once.map(|rows| rows.len()), Ok(data.len()));
        let _ = resay::data::folds(&data.groups(), &data.labels().unwrap_or_default(), 2, 0);
    }
}
