//! Word vectors: the distributional similarity of any two words, not only of nearest neighbours.
//!
//! Rows are normalised, scaled by a common factor and rounded to integers from -7 to 7 before they
//! are written. The cosine of two words is then the dot product of two rows of bytes times a
//! constant, with no division and no normalisation after unpacking. In the file two values share a
//! byte, which halves the data to unpack.
//!
//! Sections: `words` (see `vocabulary.rs`), then `rows`: the number of dimensions, which is even;
//! the length of a row (the factor by which unit vectors were scaled); and the rows in the order of
//! the words: values plus 8, the first of two in the low half of a byte.

use super::vocabulary::Vocabulary;
use crate::container::{Container, Origin, SectionReader, put};
use crate::{Error, Result};

/// The resource name in the file header.
const RESOURCE: &str = "vectors";
/// Maximum number of dimensions. A dot product of so many small numbers stays far within 32 bits.
const MAX_DIMENSIONS: usize = 4096;
/// Maximum length of a row. With a length below 1, everything would be rounded to 0.
const MAX_LENGTH: f32 = 1024.0;
/// The largest absolute value.
const MOST: f64 = 7.0;
/// Offset that makes values positive.
const SHIFT: i8 = 8;

/// The vectors of a vocabulary.
#[derive(Clone, Debug)]
pub struct WordVectors {
    origin: Origin,
    words: Vocabulary,
    dimensions: usize,
    /// `rows[word * dimensions + dimension]`.
    rows: Vec<i8>,
    /// One over the squared length of the rows.
    unit: f32,
}

impl WordVectors {
    /// Builds a file from unique words and their vectors: `values[word * dimensions + dimension]`.
    /// Rows are scaled to the given length, and values are then clamped to ±7. A zero vector stays
    /// zero.
    pub fn pack(words: &[&str], values: &[f64], dimensions: usize, length: f32, origin: Origin) -> Result<Vec<u8>> {
        let vocabulary = Vocabulary::new(&mut words.to_vec())?;
        if vocabulary.len() != words.len() {
            return Err(Error::data(format!("{} words, of which {} differ", words.len(), vocabulary.len())));
        }
        let fits = is_possible(dimensions, length) && words.len().checked_mul(dimensions) == Some(values.len());
        if !fits {
            return Err(Error::data(format!(
                "{} numbers for {} words of {dimensions} dimensions in rows of length {length}",
                values.len(),
                words.len()
            )));
        }
        let mut rows = vec![0; values.len() / 2];
        for (word, vector) in words.iter().zip(values.chunks_exact(dimensions)) {
            let norm = vector.iter().fold(0.0, |sum, value| sum + value * value).sqrt();
            // `as` turns NaN, the result for a zero vector, into 0.
            let half = |value: f64| ((value / norm * f64::from(length)).round().clamp(-MOST, MOST) as i8 + SHIFT) as u8;
            let start = vocabulary.find(word).unwrap_or_default() as usize * dimensions / 2;
            for (byte, two) in rows[start..].iter_mut().zip(vector.chunks_exact(2)) {
                *byte = half(two[0]) | half(two[1]) << 4;
            }
        }
        let mut section = Vec::with_capacity(rows.len() + 8);
        put(&mut section, dimensions as u64);
        section.extend(length.to_le_bytes());
        section.extend(rows);
        let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin });
        container.push("words", vocabulary.pack());
        container.push("rows", section);
        container.pack()
    }

    /// Opens a file from its bytes. `name` is used in error messages.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, RESOURCE)?;
        let reader = |section| Ok::<_, Error>(SectionReader::new(name, section, container.section(name, section)?));
        let words = Vocabulary::unpack(reader("words")?)?;
        let mut reader = reader("rows")?;
        let dimensions = reader.below(MAX_DIMENSIONS + 1, "dimensions:")? as usize;
        let length = reader.short_real()?;
        if !is_possible(dimensions, length) {
            return reader.fail(format_args!(
                "{dimensions} dimensions and rows of length {length}, expected an even number and a length of 1 to {MAX_LENGTH}"
            ));
        }
        // The product cannot overflow: the vocabulary has fewer than 2^27 words.
        let halves = reader.bytes(words.len() * dimensions / 2)?;
        let rows = halves.iter().flat_map(|byte| [byte & 15, byte >> 4]).map(|half| half as i8 - SHIFT).collect();
        reader.end()?;
        Ok(Self { origin: container.about.clone(), words, dimensions, rows, unit: 1.0 / (length * length) })
    }

    /// Returns the origin of the vectors.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the number of words and the number of dimensions.
    pub fn sizes(&self) -> (usize, usize) {
        (self.words.len(), self.dimensions)
    }

    /// Returns the row of a lower-case word.
    pub fn row(&self, word: &str) -> Option<u32> {
        self.words.find(word)
    }

    /// Returns the cosine of two rows, from -1 to 1; 0 if a row does not exist.
    pub fn cosine(&self, a: u32, b: u32) -> f32 {
        let (a, b) = (self.values(a), self.values(b));
        // cosine = Σ a·b / length². Products are at most 64 and there are at most 2^12, so their
        // sum fits 32 bits. The factors fit 16 bits, which vector units multiply and add in one
        // step.
        let dot: i32 = a.iter().zip(b).map(|(&x, &y)| i32::from(i16::from(x)) * i32::from(i16::from(y))).sum();
        (dot as f32 * self.unit).clamp(-1.0, 1.0)
    }

    /// Returns the values of a row; empty if the row does not exist.
    fn values(&self, row: u32) -> &[i8] {
        let start = row as usize * self.dimensions;
        self.rows.get(start..start + self.dimensions).unwrap_or_default()
    }
}

fn is_possible(dimensions: usize, length: f32) -> bool {
    dimensions > 0
        && dimensions <= MAX_DIMENSIONS
        && dimensions.is_multiple_of(2)
        && (1.0..=MAX_LENGTH).contains(&length)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tables::tests::origin;
    use super::*;
    use proptest::prelude::*;

    /// Creates two-dimensional vectors.
    pub(in super::super) fn plane(words: &[(&str, [f64; 2])]) -> WordVectors {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let values: Vec<f64> = words.iter().flat_map(|(_, vector)| *vector).collect();
        WordVectors::open("v.resay", &WordVectors::pack(&names, &values, 2, 5.0, origin()).unwrap()).unwrap()
    }

    proptest! {
        #[test]
        fn cosines_against_plain_vectors(
            vectors in prop::collection::btree_map("[a-c]{1,3}", prop::collection::vec(-2.0..2.0_f64, 10), 1..12),
            length in 1.0_f32..40.0,
        ) {
            let words: Vec<&str> = vectors.keys().rev().map(String::as_str).collect();
            let values: Vec<f64> = vectors.values().rev().flatten().copied().collect();
            let bytes = WordVectors::pack(&words, &values, 10, length, origin()).unwrap();
            let opened = WordVectors::open("v.resay", &bytes).unwrap();
            prop_assert_eq!(opened.sizes(), (words.len(), 10));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let rounded = |vector: &Vec<f64>| {
                let scale = f64::from(length) / dot(vector, vector).sqrt();
                vector.iter().map(|value| (value * scale).round().clamp(-7.0, 7.0)).collect::<Vec<f64>>()
            };
            for (one, a) in &vectors {
                for (other, b) in &vectors {
                    let expected = dot(&rounded(a), &rounded(b)) / f64::from(length).powi(2);
                    let found = f64::from(opened.cosine(opened.row(one).unwrap(), opened.row(other).unwrap()));
                    prop_assert!((found - expected.clamp(-1.0, 1.0)).abs() < 1e-5, "{} {}: {}", one, other, found);
                }
            }
            prop_assert_eq!(opened.row("d"), None);
        }

        #[test]
        fn any_section_is_opened_or_refused(
            which in 0..2_usize,
            change in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            keep in any::<prop::sample::Index>(),
        ) {
            // With valid checksums, so that the sections' own checks are reached.
            let bytes = WordVectors::pack(&["a", "b"], &[1.0, 2.0, 3.0, -4.0], 2, 5.0, origin()).unwrap();
            let whole: Container<Origin> = Container::unpack("v", &bytes).unwrap();
            let mut damaged = Container::new(whole.about.clone());
            for (number, name) in ["words", "rows"].into_iter().enumerate() {
                let mut section = whole.section("v", name).unwrap().to_vec();
                if number == which {
                    for (at, to) in &change {
                        let at = at.index(section.len());
                        section[at] = *to;
                    }
                    section.truncate(keep.index(2 * section.len()) + 1);
                }
                damaged.push(name, section);
            }
            if let Ok(opened) = WordVectors::open("v", &damaged.pack().unwrap()) {
                for a in 0..4 {
                    prop_assert!((0..4).all(|b| opened.cosine(a, b).abs() <= 1.0));
                }
            }
        }
    }

    #[test]
    fn words_are_found_and_compared() {
        let vectors = plane(&[("up", [0.0, 3.0]), ("left", [-1.0, 0.0]), ("right", [2.0, 0.0]), ("none", [0.0, 0.0])]);
        let check = |a: &str, b: &str, expected: f32| {
            let [a, b] = [a, b].map(|word| vectors.row(word).unwrap());
            assert_eq!(vectors.cosine(a, b), expected);
        };
        check("up", "up", 1.0);
        check("up", "left", 0.0);
        check("left", "right", -1.0);
        check("none", "up", 0.0);
        assert_eq!(vectors.row("down"), None);
        assert_eq!(vectors.cosine(0, 4), 0.0);
        assert_eq!(vectors.cosine(u32::MAX, u32::MAX), 0.0);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |rows: &[u8], expected: &str| {
            let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin() });
            container.push("words", Vocabulary::new(&mut vec!["a", "b"]).unwrap().pack());
            container.push("rows", rows.to_vec());
            let error = WordVectors::open("v.resay", &container.pack().unwrap()).unwrap_err().to_string();
            assert_eq!(error, format!("v.resay: section 'rows': {expected}: the model is damaged"));
        };
        let of = |dimensions: u8, length: f32, rows: &[u8]| [&[dimensions][..], &length.to_le_bytes(), rows].concat();
        let expected = "expected an even number and a length of 1 to 1024";
        check(&of(0, 5.0, &[]), &format!("0 dimensions and rows of length 5, {expected}"));
        check(&of(3, 5.0, &[1, 2, 3]), &format!("3 dimensions and rows of length 5, {expected}"));
        check(&of(2, 0.5, &[1, 2]), &format!("2 dimensions and rows of length 0.5, {expected}"));
        check(&of(2, f32::NAN, &[1, 2]), "a number is not finite");
        check(&[0xff, 0x7f], "dimensions: 16383, expected one below 4097");
        check(&of(4, 5.0, &[1, 2, 3]), "it ends too early");
        check(&of(2, 5.0, &[1, 2, 3]), "1 bytes too many");
        let check = |words: &[&str], values: &[f64], dimensions: usize, expected: &str| {
            let error = WordVectors::pack(words, values, dimensions, 5.0, origin()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&["a", "a"], &[1.0, 2.0, 3.0, 4.0], 2, "2 words, of which 1 differ");
        check(&["a", "b"], &[1.0, 2.0, 3.0], 2, "3 numbers for 2 words of 2 dimensions");
        check(&["a"], &[1.0], 1, "1 numbers for 1 words of 1 dimensions");
        check(&["a"], &[], 0, "0 numbers for 1 words of 0 dimensions");
    }

    #[test]
    fn another_file_is_refused() {
        let container = Container::new(Origin { resource: "tagger".to_owned(), ..origin() });
        let error = WordVectors::open("t.resay", &container.pack().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "t.resay: this is 'tagger', expected 'vectors': give the right file");
    }
}
