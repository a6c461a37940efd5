//! Makes `vectors.resay`: GloVe vectors of frequent words, for the cosine of any two.

use crate::components::{eigenvectors, products};
use crate::corpora;
use anyhow::{Context, Result, bail};
use resay::lexicon::WordVectors;
use resay::pack::{Origin, Quality};
use std::path::Path;

const GLOVE: &str = "glove/glove.100d.top100k.txt.gz";
/// Numbers of each vector of the file.
const N_READ: usize = 100;

/// What is made of the vectors.
struct Recipe {
    /// The most frequent words are kept.
    n_words: usize,
    is_centred: bool,
    /// Principal components that are taken away, the largest.
    n_removed: usize,
    /// Principal components that are kept, the largest of the rest.
    dimensions: usize,
    /// What unit vectors are multiplied by before they are rounded.
    length: f32,
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(data: &Path, models: &Path) -> Result<()> {
    let num = |name: &str, x: usize| std::env::var(name).map_or(x, |s| s.parse().unwrap());
    let recipe = Recipe { n_words: num("W", 60000), is_centred: num("C", 1) == 1, n_removed: num("R", 0), dimensions: num("D", 100), length: num("L", 48) as f32 };
    let text = corpora::text(data, GLOVE)?;
    let (words, values) = read(&text, recipe.n_words).context(GLOVE)?;
    let values = project(values, &recipe);
    let counts = [("words", words.len()), ("dimensions", recipe.dimensions)];
    let origin = Origin {
        resource: String::new(),
        data: "GloVe (100 dimensions, 100,000 most frequent words)".to_owned(),
        licence: "PDDL 1.0".to_owned(),
        made: "resay-make vectors".to_owned(),
        quality: counts.map(|(measure, count)| Quality { measure: measure.to_owned(), value: count as f64 }).to_vec(),
    };
    let bytes = WordVectors::pack(&words, &values, recipe.dimensions, recipe.length, origin)?;
    let path = models.join("vectors.resay");
    resay::data::write_whole(&path, |file| file.write_all(&bytes))?;
    println!("{}: {} bytes, {counts:?}", path.display(), bytes.len());
    Ok(())
}

/// Whether a word is kept: it has a letter, and nothing but letters, hyphens, apostrophes and full stops.
fn is_kept(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && word.chars().all(|letter| letter.is_alphabetic() || "-'’.".contains(letter))
}

/// Lines `word number number ...`, the most frequent word first: the first `n_words` that are kept, with their numbers.
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

/// The vectors in the axes of the principal components that are kept.
fn project(mut values: Vec<f64>, recipe: &Recipe) -> Vec<f64> {
    let n_words = values.len() / N_READ;
    let mut mean = vec![0.0; N_READ];
    if recipe.is_centred {
        for vector in values.chunks_exact(N_READ) {
            mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / n_words as f64);
        }
        for vector in values.chunks_exact_mut(N_READ) {
            vector.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
        }
    }
    let axes = eigenvectors(&products(&values, N_READ), N_READ);
    let kept = &axes[recipe.n_removed..recipe.n_removed + recipe.dimensions];
    let along = |vector: &[f64], axis: &[f64]| vector.iter().zip(axis).fold(0.0, |sum, (x, y)| sum + x * y);
    values.chunks_exact(N_READ).flat_map(|vector| kept.iter().map(move |(_, axis)| along(vector, axis))).collect()
}
