//! The string kernels by name, as expressions spell them.

use super::bow::{BagOfWords, Counting};
use super::compared::Subsequence;
use super::fsm::Fsm;
use super::grams::{Grams, Kind};
use super::text::OneText;
use super::weight::Weight;
use crate::kernel::Kernel;
use crate::kernel::expression::{Arguments, Make};
use crate::{Error, Result};

/// To add a string kernel, add a row here.
pub(in crate::kernel) const KERNELS: [(&str, Make); 6] = [
    ("spectrum", |arguments, _| {
        arguments.only(&["k"])?;
        each_k(arguments, |_| Ok(Kind::Spectrum))
    }),
    ("wildcard", |arguments, _| {
        arguments.only(&["k", "m", "lambda"])?;
        let lambda = arguments.lambda(2)?;
        each_k(arguments, |k| Ok(Kind::Wildcard { most: most_wildcards(arguments, k)?, lambda }))
    }),
    ("subsequence", |arguments, _| {
        arguments.only(&["k", "lambda"])?;
        let lambda = arguments.lambda(1)?;
        Ok(vec![Box::new(OneText::compared(Subsequence::new(arguments.ks()?, lambda)?))])
    }),
    ("ngram", |arguments, _| {
        arguments.only(&["k", "min", "weight", "smoothing"])?;
        let (min, weight) = (count(arguments, "min", 1, 10, 1)?, weight(arguments, 2)?);
        let smoothing = smoothing(arguments, 3, 0.0, true)?;
        each_k(arguments, |_| Ok(Kind::Ngram { min, weight, smoothing }))
    }),
    ("fsm", |arguments, _| {
        arguments.only(&["min", "smoothing", "weight", "prefixes"])?;
        let keeps_prefixes = match arguments.get("prefixes", 3) {
            None | Some("drop") => false,
            Some("keep") => true,
            Some(other) => {
                return Err(Error::parameter(format!("kernel fsm: prefixes={other}, expected drop or keep")));
            }
        };
        Ok(vec![Box::new(OneText::listed(Fsm {
            // With min=1, every state would be the whole text so far, and nothing would be left to
            // count.
            min: count(arguments, "min", 0, 10, 2)?,
            smoothing: smoothing(arguments, 1, 1.0, false)?,
            weight: weight(arguments, 2)?,
            keeps_prefixes,
        }))])
    }),
    ("bow", |arguments, _| {
        arguments.only(&["weight"])?;
        let counting = arguments.get("weight", 0).map_or(Ok(Counting::default()), Counting::parse)?;
        Ok(vec![Box::new(OneText::listed(BagOfWords(counting)))])
    }),
];

fn each_k(arguments: &Arguments<'_>, kind: impl Fn(usize) -> Result<Kind>) -> Result<Vec<Box<dyn Kernel>>> {
    let make = |k| Ok(Box::new(OneText::listed(Grams { k, kind: kind(k)? })) as Box<dyn Kernel>);
    arguments.ks()?.map(make).collect()
}

fn count(arguments: &Arguments<'_>, key: &str, position: usize, default: usize, least: usize) -> Result<usize> {
    let Some(value) = arguments.get(key, position) else { return Ok(default) };
    match value.parse::<usize>() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(Error::parameter(format!(
            "kernel {}: {key}={value}, expected a whole number, {least} or more",
            arguments.name
        ))),
    }
}

fn most_wildcards(arguments: &Arguments<'_>, k: usize) -> Result<usize> {
    let most = count(arguments, "m", 1, k, 0)?;
    if most > k {
        return Err(Error::parameter(format!(
            "kernel {}: m={most}, expected at most k={k}: a string of {k} symbols has no more wildcards",
            arguments.name
        )));
    }
    Ok(most)
}

fn weight(arguments: &Arguments<'_>, position: usize) -> Result<Weight> {
    arguments.get("weight", position).map_or(Ok(Weight::default()), |name| Weight::parse(arguments.name, name))
}

fn smoothing(arguments: &Arguments<'_>, position: usize, default: f64, with_zero: bool) -> Result<f64> {
    let Some(value) = arguments.get("smoothing", position) else { return Ok(default) };
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && (number > 0.0 || with_zero && number == 0.0) => Ok(number),
        _ => Err(Error::parameter(format!(
            "kernel {}: smoothing={value}, expected a number {}",
            arguments.name,
            if with_zero { "of at least 0" } else { "above 0" }
        ))),
    }
}
