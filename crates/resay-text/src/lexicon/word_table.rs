//! The word table: one small vector per word, for the similarity of words and of short texts.
//!
//! Rows are scaled to a common length and rounded to signed bytes before they are written. The
//! cosine of two words is the integer dot product of their rows, divided by the rows' own lengths,
//! which are computed once when the file is opened.
//!
//! A text is the weighted mean of its words' unit vectors. A word w counts a / (a + p(w)), so that
//! frequent words, which occur in every text, count little (Arora, Liang and Ma, "A Simple but
//! Tough-to-Beat Baseline for Sentence Embeddings", ICLR 2017). Its probability p(w) follows from
//! its rank by Zipf's law: p(w) = 1 / (rank · H), where H = 1 + 1/2 + ... + 1/n for n words.
//!
//! Sections: `words` (see `vocabulary.rs`); `ranks`: one byte per word, 16 times the binary
//! logarithm of its rank, rounded down; `rows`: the number of dimensions, then one byte per word of
//! the first dimension, one per word of the second, and so on.

use super::vocabulary::Vocabulary;
use crate::container::{Container, Origin, SectionReader, put};
use crate::{Error, Result};
use std::borrow::Cow;

/// The resource name in the file header.
const RESOURCE: &str = "word-table";
/// Maximum number of dimensions. A dot product of so many bytes stays far within 32 bits, and a
/// text vector fits the stack.
const MAX_DIMENSIONS: usize = 256;
/// The largest absolute value.
const MOST: f64 = 127.0;
/// Steps of the rank's byte per doubling of the rank.
const STEPS: usize = 16;
/// The probability at which a word counts half. The paper recommends 0.0001 to 0.001.
const HALF: f64 = 1e-3;

/// Vectors and frequency ranks of a vocabulary.
#[derive(Clone, Debug)]
pub struct WordTable {
    origin: Origin,
    words: Vocabulary,
    dimensions: usize,
    /// `rows[word * dimensions + dimension]`.
    rows: Vec<i8>,
    /// One over the length of each row; 0 for a row of zeros.
    per_length: Vec<f32>,
    /// How much each word counts in the mean of a text, from 0 to 1.
    weights: Vec<f32>,
}

/// The weighted mean of a text's words, up to a factor.
#[derive(Clone, Debug)]
pub struct MeanVector {
    sums: [f32; MAX_DIMENSIONS],
}

impl MeanVector {
    /// Returns the cosine of two texts, from -1 to 1; 0 if one of the vectors is zero.
    pub fn cosine(&self, other: &Self) -> f32 {
        let dot = |a: &Self, b: &Self| {
            let products = a.sums.iter().zip(&b.sums).map(|(&x, &y)| f64::from(x) * f64::from(y));
            products.fold(0.0, |sum, product| sum + product)
        };
        let lengths = (dot(self, self) * dot(other, other)).sqrt();
        if lengths > 0.0 { (dot(self, other) / lengths).clamp(-1.0, 1.0) as f32 } else { 0.0 }
    }
}

impl WordTable {
    /// Builds a file from unique lower-case words, the most frequent first, and their vectors:
    /// `values[word * dimensions + dimension]`. Rows are scaled to the given length, and values are
    /// then clamped to ±127. A zero vector stays zero.
    pub fn pack(words: &[&str], values: &[f64], dimensions: usize, length: f64, origin: Origin) -> Result<Vec<u8>> {
        let vocabulary = Vocabulary::new(&mut words.to_vec())?;
        let n_words = vocabulary.len();
        if n_words != words.len() {
            return Err(Error::data(format!("{} words, of which {n_words} differ", words.len())));
        }
        let fits = (1..=MAX_DIMENSIONS).contains(&dimensions) && length >= 1.0 && length.is_finite();
        if !fits || words.len().checked_mul(dimensions) != Some(values.len()) {
            return Err(Error::data(format!(
                "{} numbers for {n_words} words of {dimensions} dimensions in rows of length {length}",
                values.len(),
            )));
        }
        let grid = ranks();
        let mut ranks = vec![0; n_words];
        let mut rows = vec![0; values.len()];
        for (rank, (word, vector)) in (1_u32..).zip(words.iter().zip(values.chunks_exact(dimensions))) {
            let place = vocabulary.find(word).unwrap_or_default() as usize;
            let n_below = grid.partition_point(|&known| known <= f64::from(rank));
            ranks[place] = n_below.saturating_sub(1) as u8;
            let norm = vector.iter().fold(0.0, |sum, value| sum + value * value).sqrt();
            for (dimension, value) in vector.iter().enumerate() {
                // `as` turns NaN, the result for a zero vector, into 0.
                let rounded = (value / norm * length).round().clamp(-MOST, MOST) as i8;
                rows[dimension * n_words + place] = rounded as u8;
            }
        }
        let mut section = Vec::with_capacity(rows.len() + 2);
        put(&mut section, dimensions as u64);
        section.extend(rows);
        let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin });
        container.push("words", vocabulary.pack());
        container.push("ranks", ranks);
        container.push("rows", section);
        container.pack()
    }

    /// Opens a file from its bytes. `name` is used in error messages.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, RESOURCE)?;
        let reader = |section| Ok::<_, Error>(SectionReader::new(name, section, container.section(name, section)?));
        let words = Vocabulary::unpack(reader("words")?)?;
        let n_words = words.len();
        let mut ranks = reader("ranks")?;
        let weights = weights(ranks.bytes(n_words)?);
        ranks.end()?;
        let mut reader = reader("rows")?;
        let dimensions = reader.below(MAX_DIMENSIONS + 1, "dimensions:")? as usize;
        if dimensions == 0 {
            return reader.fail("no dimensions");
        }
        // The product cannot overflow: the vocabulary has fewer than 2^27 words.
        let columns = reader.bytes(n_words * dimensions)?;
        reader.end()?;
        let mut rows = vec![0; columns.len()];
        for (dimension, column) in columns.chunks_exact(n_words.max(1)).enumerate() {
            for (row, &byte) in rows.chunks_exact_mut(dimensions).zip(column) {
                row[dimension] = byte as i8;
            }
        }
        let per_length = |row: &[i8]| match dot(row, row) {
            0 => 0.0,
            square => 1.0 / (square as f32).sqrt(),
        };
        let per_length = rows.chunks_exact(dimensions).map(per_length).collect();
        Ok(Self { origin: container.about.clone(), words, dimensions, rows, per_length, weights })
    }

    /// Returns the origin of the table.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the number of words and the number of dimensions.
    pub fn sizes(&self) -> (usize, usize) {
        (self.words.len(), self.dimensions)
    }

    /// Returns the row of a word in lower case, or else that of its lemma in lower case.
    pub fn row(&self, form: &str, lemma: &str) -> Option<u32> {
        self.words.find(form).or_else(|| self.words.find(lemma).filter(|_| lemma != form))
    }

    /// Returns the cosine of two rows, from -1 to 1; 0 if a row does not exist or is zero.
    pub fn cosine(&self, a: u32, b: u32) -> f32 {
        let per_length = |row: u32| self.per_length.get(row as usize).copied().unwrap_or(0.0);
        let product = dot(self.values(a), self.values(b)) as f32;
        (product * (per_length(a) * per_length(b))).clamp(-1.0, 1.0)
    }

    /// Returns the cosine of two words, whatever their case. `None` if the table lacks a word.
    pub fn similarity(&self, a: &str, b: &str) -> Option<f32> {
        let find = |word: &str| self.words.find(&lower(word));
        Some(self.cosine(find(a)?, find(b)?))
    }

    /// Returns how much a word counts in the mean of a text, from 0 for the most frequent words to
    /// 1 for the rarest; 0 if the row does not exist.
    pub fn weight(&self, row: u32) -> f32 {
        self.weights.get(row as usize).copied().unwrap_or(0.0)
    }

    /// Returns the weighted mean of a text's words. `None` if there are none.
    pub fn text(&self, rows: impl IntoIterator<Item = u32>) -> Option<MeanVector> {
        let mut vector = MeanVector { sums: [0.0; MAX_DIMENSIONS] };
        let mut is_empty = true;
        for row in rows {
            is_empty = false;
            let factor = self.weight(row) * self.per_length.get(row as usize).copied().unwrap_or(0.0);
            for (sum, &value) in vector.sums.iter_mut().zip(self.values(row)) {
                *sum += factor * f32::from(value);
            }
        }
        (!is_empty).then_some(vector)
    }

    /// Returns the cosine of two texts, given the rows of their words. `None` if one has no word.
    pub fn text_similarity(&self, a: impl IntoIterator<Item = u32>, b: impl IntoIterator<Item = u32>) -> Option<f32> {
        Some(self.text(a)?.cosine(&self.text(b)?))
    }

    /// Returns the values of a row; empty if the row does not exist.
    fn values(&self, row: u32) -> &[i8] {
        let start = row as usize * self.dimensions;
        self.rows.get(start..start + self.dimensions).unwrap_or_default()
    }
}

/// The integer dot product. Products are at most 2^14 and there are at most 2^8, so their sum fits
/// 32 bits. The factors fit 16 bits, which vector units multiply and add in one step.
fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(i16::from(x)) * i32::from(i16::from(y))).sum()
}

/// Lower-cases a word; most words already are.
fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
}

/// The smallest rank of every byte, 2^(byte / 16). By square roots and products alone, so that it
/// is the same to the bit everywhere.
fn ranks() -> [f64; 256] {
    let step = 2_f64.sqrt().sqrt().sqrt().sqrt();
    let mut octave = [1.0; STEPS];
    for at in 1..STEPS {
        octave[at] = octave[at - 1] * step;
    }
    std::array::from_fn(|byte| octave[byte % STEPS] * f64::from(1_u32 << (byte / STEPS)))
}

/// a / (a + p) for each word, with p = 1 / (rank · H).
fn weights(bytes: &[u8]) -> Vec<f32> {
    let harmonic = (1..=bytes.len()).fold(0.0, |sum, rank| sum + 1.0 / rank as f64);
    let by_byte = ranks().map(|rank| (HALF / (HALF + 1.0 / (rank * harmonic))) as f32);
    bytes.iter().map(|&byte| by_byte[usize::from(byte)]).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tables::tests::origin;
    use super::*;
    use proptest::prelude::*;

    /// Creates a table of two-dimensional vectors.
    pub(in super::super) fn plane(words: &[(&str, [f64; 2])]) -> WordTable {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let values: Vec<f64> = words.iter().flat_map(|(_, vector)| *vector).collect();
        WordTable::open("t.resay", &WordTable::pack(&names, &values, 2, 100.0, origin()).unwrap()).unwrap()
    }

    /// The definitions, in plain double precision.
    struct Slow {
        words: Vec<String>,
        rows: Vec<Vec<f64>>,
    }

    impl Slow {
        fn new(words: &[&str], values: &[f64], dimensions: usize, length: f64) -> Self {
            let row = |vector: &[f64]| {
                let norm = product(vector, vector).sqrt();
                let scaled = vector.iter().map(|value| (value / norm * length).round().clamp(-127.0, 127.0));
                scaled.map(|value| if value.is_nan() { 0.0 } else { value }).collect()
            };
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            Self { words, rows: values.chunks(dimensions).map(row).collect() }
        }

        fn unit(&self, word: usize) -> Vec<f64> {
            let length = product(&self.rows[word], &self.rows[word]).sqrt();
            self.rows[word].iter().map(|value| if length > 0.0 { value / length } else { 0.0 }).collect()
        }

        fn weight(&self, word: usize) -> f64 {
            // The rank is known up to a sixteenth of a doubling.
            let rank = (16.0 * ((word + 1) as f64).log2() + 1e-9).floor() / 16.0;
            let harmonic: f64 = (1..=self.words.len()).map(|rank| 1.0 / rank as f64).sum();
            1e-3 / (1e-3 + 1.0 / (rank.exp2() * harmonic))
        }

        fn text(&self, words: &[usize]) -> Vec<f64> {
            let mut mean = vec![0.0; self.rows[0].len()];
            for &word in words {
                for (sum, value) in mean.iter_mut().zip(self.unit(word)) {
                    *sum += self.weight(word) * value / words.len() as f64;
                }
            }
            mean
        }
    }

    fn product(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    fn cosine(a: &[f64], b: &[f64]) -> f64 {
        let lengths = (product(a, a) * product(b, b)).sqrt();
        if lengths > 0.0 { product(a, b) / lengths } else { 0.0 }
    }

    proptest! {
        #[test]
        fn similarities_against_plain_vectors(
            vectors in prop::collection::btree_map("[a-c]{1,3}", prop::collection::vec(-2.0..2.0_f64, 7), 1..12),
            length in 1.0_f64..300.0,
            texts in prop::array::uniform2(prop::collection::vec(any::<prop::sample::Index>(), 0..5)),
        ) {
            let words: Vec<&str> = vectors.keys().rev().map(String::as_str).collect();
            let values: Vec<f64> = vectors.values().rev().flatten().copied().collect();
            let slow = Slow::new(&words, &values, 7, length);
            let table = WordTable::open("t", &WordTable::pack(&words, &values, 7, length, origin()).unwrap()).unwrap();
            prop_assert_eq!(table.sizes(), (words.len(), 7));
            for (a, one) in words.iter().enumerate() {
                let row = table.row(one, "").unwrap();
                prop_assert!((f64::from(table.weight(row)) - slow.weight(a)).abs() < 1e-6);
                for (b, other) in words.iter().enumerate() {
                    let found = table.similarity(one, &other.to_uppercase()).unwrap();
                    let expected = cosine(&slow.unit(a), &slow.unit(b));
                    prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{} {}: {}", one, other, found);
                    prop_assert_eq!(Some(found.to_bits()), table.similarity(other, one).map(f32::to_bits));
                }
            }
            let texts = texts.map(|text| text.iter().map(|at| at.index(words.len())).collect::<Vec<usize>>());
            let rows = |text: &[usize]| text.iter().map(|&word| table.row(words[word], "").unwrap()).collect::<Vec<_>>();
            let found = table.text_similarity(rows(&texts[0]), rows(&texts[1]));
            prop_assert_eq!(found.is_none(), texts.iter().any(Vec::is_empty));
            if let Some(found) = found {
                let [a, b] = [0, 1].map(|at| slow.text(&texts[at]));
                // Opposite words cancel out; of what is left, only rounding errors have a direction.
                let is_clear = product(&a, &a) > 1e-12 && product(&b, &b) > 1e-12;
                prop_assert!(!is_clear || (f64::from(found) - cosine(&a, &b)).abs() < 1e-3, "{}", found);
            }
        }

        #[test]
        fn any_section_is_opened_or_refused(
            which in 0..3_usize,
            change in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            keep in any::<prop::sample::Index>(),
        ) {
            // With valid checksums, so that the sections' own checks are reached.
            let bytes = WordTable::pack(&["a", "b"], &[1.0, 2.0, 3.0, -4.0], 2, 5.0, origin()).unwrap();
            let whole: Container<Origin> = Container::unpack("t", &bytes).unwrap();
            let mut damaged = Container::new(whole.about.clone());
            for (number, name) in ["words", "ranks", "rows"].into_iter().enumerate() {
                let mut section = whole.section("t", name).unwrap().to_vec();
                if number == which {
                    for (at, to) in &change {
                        let at = at.index(section.len());
                        section[at] = *to;
                    }
                    section.truncate(keep.index(2 * section.len()) + 1);
                }
                damaged.push(name, section);
            }
            if let Ok(table) = WordTable::open("t", &damaged.pack().unwrap()) {
                for a in 0..4 {
                    prop_assert!((0..4).all(|b| table.cosine(a, b).abs() <= 1.0));
                    prop_assert!((0.0..=1.0).contains(&table.weight(a)));
                }
                prop_assert!(table.text_similarity([0, 1, 9], [1]).unwrap().abs() <= 1.0);
            }
        }

        #[test]
        fn a_changed_byte_is_met(at in any::<prop::sample::Index>(), to in any::<u8>()) {
            let mut bytes = WordTable::pack(&["a", "b"], &[1.0, 2.0, 3.0, -4.0], 2, 5.0, origin()).unwrap();
            let at = at.index(bytes.len());
            let is_changed = std::mem::replace(&mut bytes[at], to) != to;
            prop_assert_eq!(WordTable::open("t.resay", &bytes).is_err(), is_changed);
        }
    }

    #[test]
    fn words_are_found_by_form_then_by_lemma() {
        let table = plane(&[("the", [1.0, 0.0]), ("walk", [0.0, 1.0]), ("saw", [0.0, -1.0])]);
        let check = |form: &str, lemma: &str, expected: Option<&str>| {
            let found = table.row(form, lemma).map(|row| table.words.word(row));
            assert_eq!(found, expected, "{form} {lemma}");
        };
        check("saw", "see", Some("saw"));
        check("walked", "walk", Some("walk"));
        check("sees", "see", None);
        check("", "", None);
        assert_eq!(table.similarity("Walk", "SAW"), Some(-1.0));
        assert_eq!(table.similarity("walk", "see"), None);
        assert_eq!(table.cosine(0, 3), 0.0);
        assert_eq!(table.cosine(u32::MAX, u32::MAX), 0.0);
    }

    #[test]
    fn frequent_words_count_little() {
        let table = plane(&[("the", [1.0, 0.0]), ("of", [0.0, 1.0]), ("ferry", [-1.0, 0.0])]);
        let row = |word| table.row(word, "").unwrap();
        assert!(table.weight(row("the")) < table.weight(row("of")));
        assert!(table.weight(row("of")) < table.weight(row("ferry")));
        assert_eq!(table.weight(3), 0.0);
        assert_eq!(table.text_similarity([row("the"), row("ferry")], [row("ferry")]), Some(1.0));
        assert_eq!(table.text_similarity([], [row("ferry")]), None);
        assert_eq!(table.text_similarity([7], [row("ferry")]), Some(0.0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |ranks: &[u8], rows: &[u8], section: &str, expected: &str| {
            let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin() });
            container.push("words", Vocabulary::new(&mut vec!["a", "b"]).unwrap().pack());
            container.push("ranks", ranks.to_vec());
            container.push("rows", rows.to_vec());
            let error = WordTable::open("t.resay", &container.pack().unwrap()).unwrap_err().to_string();
            assert_eq!(error, format!("t.resay: section '{section}': {expected}: the model is damaged"));
        };
        check(&[0], &[1, 2, 3], "ranks", "it ends too early");
        check(&[0, 1, 2], &[1, 2, 3], "ranks", "1 bytes too many");
        check(&[0, 1], &[0], "rows", "no dimensions");
        check(&[0, 1], &[0xff, 0x7f], "rows", "dimensions: 16383, expected one below 257");
        check(&[0, 1], &[2, 1, 2, 3], "rows", "it ends too early");
        check(&[0, 1], &[1, 1, 2, 3], "rows", "1 bytes too many");
        let check = |words: &[&str], values: &[f64], dimensions: usize, length: f64, expected: &str| {
            let error = WordTable::pack(words, values, dimensions, length, origin()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&["a", "a"], &[1.0, 2.0], 1, 5.0, "2 words, of which 1 differ");
        check(&["a", "b"], &[1.0, 2.0, 3.0], 2, 5.0, "3 numbers for 2 words of 2 dimensions");
        check(&["a"], &[], 0, 5.0, "0 numbers for 1 words of 0 dimensions");
        check(&["a"], &[1.0; 257], 257, 5.0, "257 numbers for 1 words of 257 dimensions");
        check(&["a"], &[1.0], 1, 0.5, "in rows of length 0.5");
        check(&["a"], &[1.0], 1, f64::NAN, "in rows of length NaN");
    }

    #[test]
    fn another_file_is_refused() {
        let container = Container::new(Origin { resource: "vectors".to_owned(), ..origin() });
        let error = WordTable::open("t.resay", &container.pack().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "t.resay: this is 'vectors', expected 'word-table': give the right file");
    }
}
