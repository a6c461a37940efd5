//! Builds `word-table.resay`: a small vector for each of 60,000 words.
//!
//! The source is the mean output of the sentence encoder all-MiniLM-L6-v2 on each word alone, 384
//! dimensions, most frequent word first. What is kept:
//!
//! - The largest principal components of the centred vectors. Mean and components are those of the
//!   most frequent words: rare words are mostly names, and what tells names apart matters less.
//! - Rows of a common length, rounded to integers. A shorter row has fewer different values, so it
//!   packs better, and rounding adds more noise.
//!
//! `resay-lab step word-table --compare` prints the development figures (`word_pairs.rs`) by which
//! the settings were chosen. More dimensions are better, 96 nearly as good as 128 and smaller.
//! Without the largest components (Mu and Viswanath, "All-but-the-Top", ICLR 2018) the table knows
//! as many synonyms, and agrees less with WordNet.

use crate::components::{eigenvectors, products};
use crate::files::Files;
use crate::npy::{self, Matrix};
use crate::word_pairs::WordPairs;
use crate::{MADE_BY, settings_of};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use resay::resources::Resources;
use resay_text::container::{Origin, Quality};
use resay_text::lexicon::wordnet::WordNet;
use resay_text::lexicon::{Lexicon, WordTable};

pub(crate) const VECTORS: &str = "wordtable/vectors.npy";
pub(crate) const WORDS: &str = "wordtable/words.txt";
pub(crate) const SYNONYMS: &str = "antonyms/ppdb_synonyms.txt";
pub(crate) const ANTONYMS: &str = "antonyms/wordnet_antonyms.txt";
const PPDB: &str = crate::relations::PPDB[0];

/// How vectors are reduced.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// The number of most frequent words that the components are computed from.
    n_fitted: usize,
    /// The number of largest components to remove.
    n_removed: usize,
    /// The number of components to keep.
    dimensions: usize,
    /// The length of the rows before rounding.
    length: f64,
}

const CHOSEN: Settings = Settings { n_fitted: 10_000, n_removed: 0, dimensions: 96, length: 16.0 };

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: String::new(),
        data: "all-MiniLM-L6-v2, output for 60,000 frequent words; measured on PPDB 1.0 and WordNet 3.0".to_owned(),
        licence: "Apache-2.0".to_owned(),
        made: format!(
            "{MADE_BY} word-table; centred, reduced to the {} largest principal components of {} words, rounded",
            CHOSEN.dimensions, CHOSEN.n_fitted
        ),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{CHOSEN:?}"))
}

/// Builds the file, or prints what other settings would give.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, is_comparing: bool) -> Result<()> {
    let text = files.text(WORDS)?;
    let words: Vec<&str> = text.lines().collect();
    let matrix = npy::read(&files.bytes(VECTORS)?).context(VECTORS)?;
    ensure!(
        words.len() * matrix.n_columns == matrix.values.len(),
        "{WORDS}: {} words, but {VECTORS} has {} rows",
        words.len(),
        matrix.values.len() / matrix.n_columns.max(1)
    );
    let pairs = {
        let wordnet = WordNet::open("wordnet.resay", &files.made_bytes("wordnet")?)?;
        let lexicon = Lexicon::new().with_wordnet(wordnet);
        WordPairs::new(&words, &files.text(SYNONYMS)?, &files.text(PPDB)?, &files.text(ANTONYMS)?, &lexicon)?
    };
    if is_comparing {
        return compare(&words, &matrix, &pairs);
    }
    let values = columns(&principal(&matrix, CHOSEN.n_fitted), &CHOSEN);
    let pack = |quality| WordTable::pack(&words, &values, CHOSEN.dimensions, CHOSEN.length, origin(quality));
    // Measure the file once, then write it with the figures.
    let table = WordTable::open("word-table.resay", &pack(Vec::new())?)?;
    let (n_words, dimensions) = table.sizes();
    let counts = [("words", n_words), ("dimensions", dimensions)];
    let counts = counts.map(|(measure, count)| Quality { measure: measure.to_owned(), value: count as f64 });
    let quality: Vec<Quality> = counts.into_iter().chain(pairs.measure(&|a, b| table.similarity(a, b))).collect();
    quality.iter().for_each(|figure| println!("{}: {}", figure.measure, figure.value));
    let bytes = pack(quality)?;
    let path = files.output();
    resay::data::write_whole(&path, |file| file.write_all(&bytes))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}

/// Prints the figures of other settings and of the GloVe vectors inside the program.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn compare(words: &[&str], matrix: &Matrix, pairs: &WordPairs) -> Result<()> {
    let shown = |figures: &[Quality]| figures.iter().map(|figure| format!(" {:.2}", figure.value)).collect::<String>();
    let measures = pairs.measure(&|_, _| None);
    println!("{}", measures.iter().map(|figure| figure.measure.as_str()).collect::<Vec<_>>().join("; "));
    let glove = Resources::bundled().lexicon_with_vectors()?;
    let cosine = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|word| glove.word(word, None, None));
        glove.cosine(&a, &b)
    };
    println!("GloVe:{}", shown(&pairs.measure(&cosine)));
    for n_fitted in [5_000, 10_000, 20_000, words.len()] {
        let rotated = principal(matrix, n_fitted);
        for settings in candidates(n_fitted) {
            let values = columns(&rotated, &settings);
            let bytes = WordTable::pack(words, &values, settings.dimensions, settings.length, origin(Vec::new()))?;
            let table = WordTable::open("word-table.resay", &bytes)?;
            let figures = pairs.measure(&|a, b| table.similarity(a, b));
            println!("{settings:?}: {} bytes,{}", bytes.len(), shown(&figures));
        }
    }
    Ok(())
}

/// Settings to compare.
fn candidates(n_fitted: usize) -> Vec<Settings> {
    let chosen = Settings { n_fitted, ..CHOSEN };
    let dimensions = [48, 64, 96, 128].map(|dimensions| Settings { dimensions, ..chosen });
    let removed = [1, 2, 4].map(|n_removed| Settings { n_removed, ..chosen });
    let lengths = [12.0, 20.0, 40.0, 80.0].map(|length| Settings { length, ..chosen });
    dimensions.into_iter().chain(removed).chain(lengths).collect()
}

/// Centres vectors and rotates them onto the principal components of the first rows, largest first.
fn principal(matrix: &Matrix, n_fitted: usize) -> Matrix {
    let n_columns = matrix.n_columns;
    let mut values = matrix.values.clone();
    let fitted = n_fitted.min(values.len() / n_columns);
    let mut mean = vec![0.0; n_columns];
    for row in values.chunks_exact(n_columns).take(fitted) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / fitted as f64);
    }
    for row in values.chunks_exact_mut(n_columns) {
        row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
    }
    let axes = eigenvectors(&products(&values[..fitted * n_columns], n_columns), n_columns);
    let along = |row: &[f64], axis: &[f64]| row.iter().zip(axis).fold(0.0, |sum, (x, y)| sum + x * y);
    let rotate = |row: &[f64]| axes.iter().map(|(_, axis)| along(row, axis)).collect::<Vec<f64>>();
    let rotated: Vec<Vec<f64>> = values.par_chunks_exact(n_columns).map(rotate).collect();
    Matrix { n_columns, values: rotated.concat() }
}

/// The components that are kept.
fn columns(matrix: &Matrix, settings: &Settings) -> Vec<f64> {
    let rows = matrix.values.chunks_exact(matrix.n_columns);
    rows.flat_map(|row| &row[settings.n_removed..][..settings.dimensions]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_centred_and_turned() {
        // The first four are centred at (5, 1), and their largest spread lies along the second axis.
        let matrix = Matrix { n_columns: 2, values: vec![6.0, 1.0, 4.0, 1.0, 5.0, 4.0, 5.0, -2.0, 90.0, 1.0] };
        let turned = principal(&matrix, 4);
        let expected: [f64; 10] = [0.0, 1.0, 0.0, 1.0, 3.0, 0.0, 3.0, 0.0, 0.0, 85.0];
        assert!(turned.values.iter().zip(expected).all(|(a, b)| (a.abs() - b).abs() < 1e-9), "{turned:?}");
        assert_eq!(turned.values[4], -turned.values[6]);
        let kept = |n_removed| columns(&turned, &Settings { n_removed, dimensions: 1, ..CHOSEN });
        assert_eq!((kept(0)[2], kept(1)[0], kept(1).len()), (turned.values[4], turned.values[1], 5));
        // With all rows, the last one decides.
        let all = principal(&matrix, 10);
        assert!(all.values[8].abs() > 60.0, "{all:?}");
    }
}
