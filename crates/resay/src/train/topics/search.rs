//! Searches for the minimum frequency of strings and the unit of symbols, which the paper on the
//! automaton leaves open.
//!
//! Given documents and an expression, each candidate is the expression with another `min`, over
//! other units. There are two criteria:
//!
//! - Held-out folds: the strings are listed and the machines trained without a fold, then rank that
//!   fold. The highest mean over topics of average precision wins. This measures the actual goal,
//!   and takes one training per fold and candidate.
//! - The Bayesian information criterion of the generative model of the texts, for `fsm` only: -2 ln
//!   P(texts) + (number of transitions) ln(number of symbols). The lowest value wins. It uses no
//!   labels and takes one automaton per candidate. It cannot choose units, because models of
//!   characters and of words generate different things.

use super::{HeldOut, Recipe, TopicOptions, Truth, annotate, folds, params, string_expression};
use crate::data::Documents;
use crate::kernel::Expression;
use crate::kernel::strings::TextVectors;
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::linear::LinearParams;
use resay_text::{Interner, Sentence, Units};

/// The selection criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Average precision on held-out folds.
    Folds,
    /// The Bayesian information criterion.
    Bic,
}

/// A candidate and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicCandidate {
    /// The kernel expression.
    pub kernel: String,
    /// The units of a sequence: what counts as a symbol.
    pub units: Units,
    /// The value of the criterion: average precision, or the information criterion in bits per
    /// symbol.
    pub value: f64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSearch {
    /// The candidates, in the order tried.
    pub tried: Vec<TopicCandidate>,
    /// Index of the best candidate.
    pub best: usize,
}

/// Minimum string frequencies, in the order tried.
const MINS: [usize; 6] = [3, 10, 30, 100, 300, 1000];

/// Evaluates every candidate. Progress is reported per candidate.
pub fn search(
    documents: &Documents,
    options: &TopicOptions,
    criterion: Criterion,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<TopicSearch> {
    let expression = string_expression(&options.kernel)?;
    let kernels = kernels(&expression);
    // Where every kernel has units of its own, there are none to choose.
    let takes_units = expression.terms().iter().any(|term| term.units().is_none());
    let units: &[Units] = match criterion {
        Criterion::Folds if takes_units => &[Units::Lower, Units::Words],
        Criterion::Folds | Criterion::Bic => &[options.units],
    };
    let n_candidates = units.len() * kernels.len();
    if n_candidates < 2 {
        return Err(Error::parameter(format!(
            "nothing to choose from in {expression}, expected a kernel with min, such as fsm or ngram"
        )));
    }
    let truth = Truth::new(documents, options)?;
    let mut tried = Vec::with_capacity(n_candidates);
    for &units in units {
        let mut symbols = Interner::new();
        let texts: Vec<&str> = documents.rows.iter().map(|document| document.text.as_str()).collect();
        let annotator = resources.annotator_for(units, expression.needs())?;
        let texts = annotate(&texts, &annotator, &mut symbols, progress.quiet())?;
        let texts: Vec<&Sentence> = texts.iter().collect();
        for kernel in &kernels {
            progress.report(Stage::Search, tried.len(), n_candidates)?;
            let expression = string_expression(kernel)?;
            let value = match criterion {
                Criterion::Folds => average_precision(&expression, &texts, &truth, options, progress.quiet())?,
                Criterion::Bic => information(&expression, &texts, progress.quiet())?,
            };
            tried.push(TopicCandidate { kernel: kernel.clone(), units, value });
        }
    }
    progress.report(Stage::Search, n_candidates, n_candidates)?;
    let better = |one: f64, other: f64| if criterion == Criterion::Folds { one > other } else { one < other };
    let best =
        (0..tried.len()).reduce(|best, next| if better(tried[next].value, tried[best].value) { next } else { best });
    Ok(TopicSearch { best: best.unwrap_or(0), tried })
}

/// Returns the expression with each `min`, or only itself if it has none.
fn kernels(expression: &Expression) -> Vec<String> {
    let written = expression.to_string();
    let pieces: Vec<&str> = written.split("min=").collect();
    if pieces.len() == 1 {
        return vec![written];
    }
    let with = |min: &usize| {
        let mut kernel = pieces[0].to_owned();
        for piece in &pieces[1..] {
            kernel.push_str(&format!("min={min}{}", piece.trim_start_matches(|c: char| c.is_ascii_digit())));
        }
        kernel
    };
    MINS.iter().map(with).collect()
}

/// Returns the mean over topics of average precision. Every document is scored by machines and
/// strings that were obtained without it.
fn average_precision(
    expression: &Expression,
    texts: &[&Sentence],
    truth: &Truth,
    options: &TopicOptions,
    progress: Progress<'_>,
) -> Result<f64> {
    let cost = options.costs.first().copied().unwrap_or(1.0);
    let folds = folds(texts.len(), options.folds, options.seed)?;
    let mut held_out = HeldOut { cost, scores: vec![vec![0.0; texts.len()]; truth.members.len()] };
    for fold in 0..options.folds {
        let (train, held): (Vec<usize>, Vec<usize>) = (0..texts.len()).partition(|&text| folds[text] != fold);
        let pick = |rows: &[usize]| rows.iter().map(|&row| texts[row]).collect::<Vec<_>>();
        let members: Vec<Vec<bool>> =
            truth.members.iter().map(|members| train.iter().map(|&row| members[row]).collect()).collect();
        let params = LinearParams { cost, ..params(options.loss, options.seed) };
        let recipe =
            Recipe { expression, texts: &pick(&train), truth: &members, params, is_balanced: options.balanced };
        for (scores, found) in held_out.scores.iter_mut().zip(recipe.scores(&pick(&held), progress)?) {
            held.iter().zip(found).for_each(|(&row, score)| scores[row] = score);
        }
    }
    Ok(held_out.macro_average_precision(&truth.members))
}

/// Returns the information criterion in bits per symbol.
fn information(expression: &Expression, texts: &[&Sentence], progress: Progress<'_>) -> Result<f64> {
    let vectors = TextVectors::new(expression, texts, progress)?;
    let (mut nats, mut n_symbols) = (0.0, 0);
    for text in texts {
        progress.check()?;
        let Some((of_text, n_own)) = vectors.log_probability(text)? else {
            return Err(Error::parameter(format!(
                "the information criterion: {expression} is no model of texts, expected fsm(...) alone"
            )));
        };
        nats += of_text;
        n_symbols += n_own;
    }
    let n_symbols = n_symbols.max(1) as f64;
    let penalty = vectors.n_columns() as f64 * n_symbols.ln();
    Ok((penalty - 2.0 * nats) / (2.0 * n_symbols * std::f64::consts::LN_2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_min_is_tried_everywhere() {
        let check = |kernel: &str, expected: &str| {
            let all = kernels(&string_expression(kernel).unwrap());
            assert_eq!(all[all.len().min(2) - 1], expected, "{kernel}");
            all.iter().for_each(|kernel| assert!(string_expression(kernel).is_ok(), "{kernel}"));
        };
        check("spectrum(k=2)", "spectrum(k=2)");
        check("fsm(weight=log)", "fsm(min=10,smoothing=1,weight=log,prefixes=drop)");
        check(
            "ngram(k=2,min=123)+raw(fsm(7))",
            "ngram(k=2,min=10,weight=uniform,smoothing=0)+raw(fsm(min=10,smoothing=1,weight=uniform,prefixes=drop))",
        );
    }
}
