//! Reads files that hold one text, whole and up to a limit.

use resay::data::{MAX_DOCUMENT, open};
use resay_view::text;
use std::io::Read;
use std::path::Path;

/// Returns the name of a file and its bytes: at most one more than `limit`, so that the caller can
/// detect an overlong file.
pub(crate) fn read_bytes(path: &Path, limit: usize) -> anyhow::Result<(String, Vec<u8>)> {
    let (name, file) = open(path)?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| resay::Error::read(path, error))?;
    Ok((name, bytes))
}

/// Reads the text of a file; `-` is standard input.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let (name, bytes) = read_bytes(path, MAX_DOCUMENT)?;
    if bytes.len() > MAX_DOCUMENT {
        let message = format!("more than {}, the most that one text may have", text::size(MAX_DOCUMENT));
        return Err(resay::Error::file(&name, message).into());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        let message = format!("byte {place} is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)");
        resay::Error::file(&name, message)
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}
