//! Reads matrices of half-precision numbers in NumPy's format (`.npy`, versions 1 to 3).
//!
//! A file is the magic number, two bytes of version, the length of the header (two bytes in version
//! 1, four later), the header (a Python dictionary), and the numbers. Only what the lab needs is
//! accepted: `<f2`, row by row, two dimensions.

use anyhow::{Context, Result, bail, ensure};

/// A matrix in row-major order.
#[derive(Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) n_columns: usize,
    pub(crate) values: Vec<f64>,
}

/// Parses a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Matrix> {
    let rest = bytes.strip_prefix(b"\x93NUMPY").context("no file of NumPy's format")?;
    let (version, rest) = rest.split_first_chunk::<2>().context("it ends within the version")?;
    let (length, rest) = match version[0] {
        1 => rest.split_first_chunk().map(|(length, rest)| (usize::from(u16::from_le_bytes(*length)), rest)),
        2 | 3 => rest.split_first_chunk().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest)),
        other => bail!("version {other}, expected 1 to 3"),
    }
    .context("it ends within the length of the header")?;
    let (header, numbers) = rest.split_at_checked(length).context("it ends within the header")?;
    let header = std::str::from_utf8(header).context("the header is not text")?;
    let field = |name: &str| {
        let start = header.find(&format!("'{name}':"));
        let value = start.map(|at| header[at + name.len() + 3..].trim_start());
        value.with_context(|| format!("no {name} in the header {header}"))
    };
    ensure!(field("descr")?.starts_with("'<f2'"), "expected numbers of the type <f2 in {header}");
    ensure!(field("fortran_order")?.starts_with("False"), "expected rows, one after the other, in {header}");
    let shape = field("shape")?.strip_prefix('(').and_then(|shape| shape.split_once(')'));
    let sizes = shape.map(|(shape, _)| shape.split(',').map(str::trim).filter(|size| !size.is_empty()));
    let sizes: Vec<&str> = sizes.with_context(|| format!("no shape in {header}"))?.collect();
    let [n_rows, n_columns] = sizes[..] else { bail!("{} dimensions, expected two", sizes.len()) };
    let [n_rows, n_columns] = [n_rows.parse::<usize>()?, n_columns.parse::<usize>()?];
    let n_bytes = n_rows.checked_mul(n_columns).and_then(|n| n.checked_mul(2));
    ensure!(n_bytes == Some(numbers.len()), "{n_rows} x {n_columns} numbers in {} bytes", numbers.len());
    let values = numbers.chunks_exact(2).map(|half| from_half(u16::from_le_bytes([half[0], half[1]])));
    let values: Vec<f64> = values.collect();
    ensure!(values.iter().all(|value| value.is_finite()), "a number is not finite");
    Ok(Matrix { n_columns, values })
}

/// Converts an IEEE 754 half: a sign, five bits of exponent, ten of fraction. Exact.
fn from_half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * 2_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, numbers: &[u16]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    const HEADER: &str = "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }   \n";

    #[test]
    fn halves_are_what_they_stand_for() {
        let check = |bits: u16, expected: f64| assert_eq!(from_half(bits).to_bits(), expected.to_bits(), "{bits:#x}");
        check(0x0000, 0.0);
        check(0x8000, -0.0);
        check(0x3c00, 1.0);
        check(0xc000, -2.0);
        check(0x3555, 0.333_251_953_125);
        check(0x7bff, 65504.0);
        check(0x0400, 2_f64.powi(-14));
        check(0x0001, 2_f64.powi(-24));
        check(0x03ff, 1023.0 / 1024.0 * 2_f64.powi(-14));
        check(0x7c00, f64::INFINITY);
        assert!(from_half(0x7e00).is_nan());
    }

    #[test]
    fn matrices_are_read_in_every_version() {
        let numbers = [0x3c00, 0, 0xc000, 0x3800, 0x4200, 0x0001];
        for version in 1..=3 {
            let found = read(&file(version, HEADER, &numbers)).unwrap();
            assert_eq!(found, Matrix { n_columns: 3, values: vec![1.0, 0.0, -2.0, 0.5, 3.0, 2_f64.powi(-24)] });
        }
    }

    #[test]
    fn other_files_are_refused() {
        let check = |bytes: &[u8], expected: &str| {
            let error = format!("{:#}", read(bytes).unwrap_err());
            assert!(error.contains(expected), "{error}");
        };
        let with = |from: &str, to: &str| file(1, &HEADER.replace(from, to), &[0; 6]);
        check(b"PK\x03\x04", "no file of NumPy's format");
        check(b"\x93NUMPY\x01", "within the version");
        check(b"\x93NUMPY\x09\x00\x00\x00", "version 9, expected 1 to 3");
        check(b"\x93NUMPY\x01\x00\x05", "within the length");
        check(b"\x93NUMPY\x01\x00\x05\x00{", "within the header");
        check(&with("<f2", "<f4"), "of the type <f2");
        check(&with("False", "True"), "one after the other");
        check(&with("(2, 3)", "(6,)"), "1 dimensions, expected two");
        check(&with("(2, 3)", "(2, 4)"), "2 x 4 numbers in 12 bytes");
        check(&with("(2, 3)", "(99999999999, 99999999999)"), "numbers in 12 bytes");
        check(&with("'shape'", "'size'"), "no shape");
        check(&file(1, HEADER, &[0x7c00; 6]), "not finite");
    }
}
