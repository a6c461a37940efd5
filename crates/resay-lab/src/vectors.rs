//! Builds `vectors.resay`: GloVe vectors of frequent words, for the cosine of any two.
//!
//! Contents:
//!
//! - The first [`N_WORDS`] words of letters, with hyphens, apostrophes and full stops; numbers and
//!   punctuation are dropped.
//! - All 100 dimensions, without the mean of all words and the [`N_REMOVED`] largest principal
//!   components: what nearly all words share distinguishes no two of them (Mu and Viswanath,
//!   "All-but-the-Top", ICLR 2018).
//! - Rows of length [`LENGTH`], rounded to integers from -7 to 7, four bits per value, so that the
//!   file stays small.
//!
//! results/align-ablation.csv shows what they are worth to the aligner beside its other features:
//! next to nothing.

use crate::components::{eigenvectors, products};
use crate::files::Files;
use crate::{MADE_BY, settings_of};
use anyhow::{Context, Result, bail};
use resay_text::container::{Origin, Quality};
use resay_text::lexicon::WordVectors;

const GLOVE: &str = "glove/glove.100d.top100k.txt.gz";
/// Dimensions of the vectors in the file.
const N_READ: usize = 100;

/// Number of words, the most frequent ones.
const N_WORDS: usize = 60_000;
/// Number of largest principal components to remove.
const N_REMOVED: usize = 2;
/// Length of the vectors before rounding: 7 is then three times the typical size of a value.
const LENGTH: f32 = 24.0;

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: String::new(),
        data: "GloVe (100 dimensions, 100,000 most frequent words)".to_owned(),
        licence: "PDDL 1.0".to_owned(),
        made: format!("{MADE_BY} vectors; without the mean and the {N_REMOVED} largest principal components"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("words={N_WORDS} removed={N_REMOVED} length={LENGTH}"))
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let text = files.text(GLOVE)?;
    let (words, values) = read(&text, N_WORDS).context(GLOVE)?;
    let values = without_the_top(values, N_READ, N_REMOVED);
    let counts = [("words", words.len()), ("dimensions", N_READ)];
    let quality = counts.map(|(measure, count)| Quality { measure: measure.to_owned(), value: count as f64 }).to_vec();
    let bytes = WordVectors::pack(&words, &values, N_READ, LENGTH, origin(quality))?;
    let path = files.output();
    resay::data::write_whole(&path, |file| file.write_all(&bytes))?;
    println!("{}: {} bytes, {counts:?}", path.display(), bytes.len());
    Ok(())
}

/// Whether a word is kept: it has a letter, and only letters, hyphens, apostrophes and full stops.
fn is_kept(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
        && word.chars().all(|letter| letter.is_alphabetic() || "-'’.".contains(letter))
}

/// Parses lines `word number number ...`, most frequent word first, and returns the first `n_words`
/// that are kept, with their vectors.
fn read(text: &str, n_words: usize) -> Result<(Vec<&str>, Vec<f64>)> {
    let (mut words, mut values) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let (word, numbers) = line.split_once(' ').unwrap_or((line, ""));
        if words.len() == n_words {
            break;
        }
        if !is_kept(word) {
            continue;
        }
        words.push(word);
        for value in numbers.split(' ') {
            let value: f64 = value.parse().with_context(|| format!("line {}: '{value}'", number + 1))?;
            values.push(value);
        }
        if values.len() != words.len() * N_READ {
            bail!("line {}: not {N_READ} numbers", number + 1);
        }
    }
    Ok((words, values))
}

/// Removes the mean and the projections onto the largest principal components.
fn without_the_top(mut values: Vec<f64>, dimensions: usize, n_removed: usize) -> Vec<f64> {
    let n_vectors = (values.len() / dimensions) as f64;
    let mut mean = vec![0.0; dimensions];
    for vector in values.chunks_exact(dimensions) {
        mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / n_vectors);
    }
    for vector in values.chunks_exact_mut(dimensions) {
        vector.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
    }
    let axes = eigenvectors(&products(&values, dimensions), dimensions);
    for vector in values.chunks_exact_mut(dimensions) {
        for (_, axis) in axes.iter().take(n_removed) {
            let along = vector.iter().zip(axis).fold(0.0, |sum, (x, y)| sum + x * y);
            vector.iter_mut().zip(axis).for_each(|(value, x)| *value -= along * x);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_or_not() {
        let check = |word: &str, expected: bool| assert_eq!(is_kept(word), expected, "{word}");
        check("ferry", true);
        check("o'clock", true);
        check("u.s.", true);
        check("'s", true);
        check("café", true);
        check("--", false);
        check("1998", false);
        check("9th", false);
        check("", false);
    }

    #[test]
    fn lines_are_read_in_order_and_counted() {
        let numbers = |value: &str| vec![value; N_READ].join(" ");
        let [one, two, few] = ["1", "-2.5", "3"].map(numbers);
        let text = format!("the {one}\n, {one}\nferry {two}\nboat {one}\n");
        let (words, values) = read(&text, 2).unwrap();
        assert_eq!(words, ["the", "ferry"]);
        assert_eq!((values[0], values[N_READ], values.len()), (1.0, -2.5, 2 * N_READ));
        let check = |text: &str, expected: &str| assert_eq!(read(text, 5).unwrap_err().to_string(), expected);
        check(&format!("a {one}\nb {few} 1"), "line 2: not 100 numbers");
        check("a 1 x", "line 1: 'x'");
    }

    #[test]
    fn the_mean_and_the_largest_direction_are_gone() {
        // Centred at (5, 1): a large spread along the first axis, a smaller one along the second.
        let values = vec![9.0, 1.0, 1.0, 1.0, 5.0, 2.0, 5.0, 0.0];
        let check = |n_removed: usize, expected: [f64; 8]| {
            let found = without_the_top(values.clone(), 2, n_removed);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        check(0, [4.0, 0.0, -4.0, 0.0, 0.0, 1.0, 0.0, -1.0]);
        check(1, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0]);
        check(2, [0.0; 8]);
    }
}
