//! `bow`: bag of words, with symbols weighted by rarity; the baseline of text categorisation.
//!
//! In a corpus of m texts of which m(x) contain the symbol x, the feature x of a text is
//! `tf ln(m / m(x))`, where tf is the number of times x occurs in the text (`weight=tfidf`).
//! `weight=log` has `1 + ln tf` in place of tf, and `weight=tf` is tf alone. Symbols that do not
//! occur in the corpus are not features.

use super::alphabet::Alphabet;
use super::{StringFeatures, StringKernel, tally};
use crate::kernel::{Item, Learned};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::Symbol;
use std::ops::Range;
use std::sync::Arc;

/// The value of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Counting {
    #[default]
    TfIdf,
    LogTfIdf,
    Tf,
}

impl Counting {
    const NAMES: [(&'static str, Self); 3] = [("tfidf", Self::TfIdf), ("log", Self::LogTfIdf), ("tf", Self::Tf)];

    pub(super) fn parse(name: &str) -> Result<Self> {
        Self::NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, counting)| *counting)
            .ok_or_else(|| Error::parameter(format!("kernel bow: weight={name}, expected tfidf, log or tf")))
    }
}

/// The kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BagOfWords(pub(super) Counting);

/// The symbols of a corpus.
#[derive(Debug)]
struct Symbols {
    counting: Counting,
    alphabet: Alphabet,
    n_texts: u32,
    /// Per symbol, the number of texts that contain it.
    n_with: Vec<u32>,
}

impl StringKernel for BagOfWords {
    fn describe(&self) -> String {
        let name = Counting::NAMES.iter().find(|(_, counting)| *counting == self.0).map_or("", |(name, _)| name);
        format!("bow(weight={name})")
    }

    fn learns(&self) -> bool {
        true
    }

    fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Arc<dyn StringFeatures>> {
        let alphabet = Alphabet::of(corpus);
        let mut n_with = vec![0; alphabet.len()];
        for text in corpus {
            progress.check()?;
            let mut numbers: Vec<u32> = text.iter().filter_map(|symbol| alphabet.number(*symbol)).collect();
            tally(&mut numbers, |number, _| n_with[number as usize] += 1);
        }
        Ok(Arc::new(Symbols { counting: self.0, alphabet, n_texts: corpus.len() as u32, n_with }))
    }

    fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>> {
        let alphabet = Alphabet::new(learned.symbols.clone())?;
        let (&n_texts, n_with) = learned.numbers.split_first()?;
        let is_sound = n_with.len() == alphabet.len() && n_with.iter().all(|n| (1..=n_texts).contains(n));
        is_sound.then(|| {
            Arc::new(Symbols { counting: self.0, alphabet, n_texts, n_with: n_with.to_vec() })
                as Arc<dyn StringFeatures>
        })
    }
}

impl Symbols {
    fn value(&self, number: u32, n: f64) -> f64 {
        let idf = || (f64::from(self.n_texts) / f64::from(self.n_with[number as usize])).ln();
        match self.counting {
            Counting::TfIdf => n * idf(),
            Counting::LogTfIdf => (1.0 + n.ln()) * idf(),
            Counting::Tf => n,
        }
    }
}

impl StringFeatures for Symbols {
    fn n_features(&self) -> usize {
        self.alphabet.len()
    }

    fn extract(&self, text: &[Symbol], out: &mut Vec<(u32, f64)>) -> f64 {
        out.clear();
        let mut numbers: Vec<u32> = text.iter().filter_map(|symbol| self.alphabet.number(*symbol)).collect();
        tally(&mut numbers, |number, n| out.push((number, self.value(number, n))));
        0.0
    }

    fn occurrences(&self, text: &[Symbol], found: &mut dyn FnMut(u32, Range<usize>)) {
        for (at, symbol) in text.iter().enumerate() {
            if let Some(number) = self.alphabet.number(*symbol) {
                found(number, at..at + 1);
            }
        }
    }

    fn string(&self, feature: u32) -> Vec<Item> {
        vec![Item::symbol(self.alphabet.symbols()[feature as usize])]
    }

    fn learned(&self) -> Learned {
        let numbers = std::iter::once(self.n_texts).chain(self.n_with.iter().copied()).collect();
        Learned { symbols: self.alphabet.symbols().to_vec(), numbers }
    }
}
