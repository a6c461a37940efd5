//! Reads gzipped tar archives, in which some corpora are published. Archives are unpacked in memory
//! up to a limit, and no number in a header is trusted.

use crate::{Error, Result};

/// Maximum unpacked size. The corpora have some tens of megabytes.
const MAX_UNPACKED: usize = 1 << 29;
const BLOCK: usize = 512;

/// Returns the files of an archive as `(path, content)`, in archive order. `name` is used in
/// messages.
pub fn tar_gz(name: &str, archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>> {
    let damaged = |what: &str| Error::file(name, format!("{what}: expected a gzipped tar; copy it again"));
    let [0x1f, 0x8b, 8, flags, ..] = archive else { return Err(damaged("not gzipped")) };
    let mut start = 10;
    if flags & 4 != 0 {
        let len = archive.get(start..start + 2).ok_or_else(|| damaged("cut off"))?;
        start += 2 + usize::from(len[0]) + 256 * usize::from(len[1]);
    }
    // The optional file name and comment, each terminated by a zero byte.
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        let rest = archive.get(start..).ok_or_else(|| damaged("cut off"))?;
        start += rest.iter().position(|byte| *byte == 0).ok_or_else(|| damaged("cut off"))? + 1;
    }
    start += if flags & 2 == 0 { 0 } else { 2 };
    let packed = archive.get(start..).ok_or_else(|| damaged("cut off"))?;
    let tar = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_UNPACKED)
        .map_err(|_| damaged("it cannot be unpacked"))?;
    let text = |field: &[u8]| {
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).trim().to_owned()
    };
    let (mut files, mut at) = (Vec::new(), 0);
    while let Some(header) = tar.get(at..at + BLOCK).filter(|header| header[0] != 0) {
        let size = usize::from_str_radix(&text(&header[124..136]), 8).map_err(|_| damaged("a size is no number"))?;
        let content = at.checked_add(BLOCK).and_then(|from| tar.get(from..from.checked_add(size)?));
        let content = content.ok_or_else(|| damaged("cut off"))?;
        if matches!(header[156], b'0' | 0) {
            files.push((text(&header[..100]), content.to_vec()));
        }
        at += BLOCK + size.div_ceil(BLOCK) * BLOCK;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut tar = Vec::new();
        for (name, content) in files {
            let mut header = [0; BLOCK];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
            header[156] = b'0';
            tar.extend(header);
            tar.extend(content.as_bytes());
            tar.resize(tar.len().next_multiple_of(BLOCK), 0);
        }
        tar.extend([0; 2 * BLOCK]);
        let mut out = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
        out.extend(b"name.tar\0");
        out.extend(miniz_oxide::deflate::compress_to_vec(&tar, 6));
        out.extend([0; 8]);
        out
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        let whole = archive(&[("a/b.txt", "some words\n"), ("a/empty", ""), ("c", "more")]);
        let files = tar_gz("x.tar.gz", &whole).unwrap();
        let expected = [("a/b.txt", "some words\n"), ("a/empty", ""), ("c", "more")];
        assert_eq!(files, expected.map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec())));
        for end in 0..whole.len() - 8 {
            let cut = tar_gz("x.tar.gz", &whole[..end]);
            assert!(cut.is_err(), "{end}");
        }
        let error = tar_gz("x.tar.gz", b"plain text").unwrap_err().to_string();
        assert_eq!(error, "x.tar.gz: not gzipped: expected a gzipped tar; copy it again");
    }
}
