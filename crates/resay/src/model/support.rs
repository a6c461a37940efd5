//! A machine over a kernel whose rules cannot be listed: the support vectors and their
//! coefficients.

use super::kernel::KernelAbout;
use crate::explain::{Explanation, What};
use crate::kernel::{BoundKernel, Expression};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader, put, put_str};
use resay_text::{Analysis, Classify, Intern, Interner, Layers, Pair, Reading, Sentence, Symbol, Units, Upos};
use std::borrow::Cow;
use std::sync::Arc;

/// The maximum number of patterns: more would take minutes to number when a file is opened. Four
/// thousand pairs at k=1..4 have five million.
const MAX_PATTERNS: usize = 1 << 25;

/// The names of its sections.
const PAIRS: &str = "pairs";
const PAIR_WORDS: &str = "pair-words";
const PAIR_READINGS: &str = "pair-readings";

/// A support vector machine: the score of head h is sum_i coefficient_hi K(pair_i, x).
pub(super) struct SupportMachine {
    pairs: Vec<[Kept; 2]>,
    ids: Vec<String>,
    /// One coefficient per pair, for each head.
    coefficients: Vec<Vec<f64>>,
    bound: BoundKernel,
}

/// The stored part of a sentence: its units, and its words and readings if the kernel uses them.
struct Kept {
    units: Vec<Symbol>,
    /// The symbols in other units, without their places.
    readings: Vec<Reading>,
    /// Form, lemma, tag and entity type of each word, empty where missing.
    words: Vec<[Symbol; 4]>,
    /// Whether the words were annotated, or are plain tokens.
    is_annotated: bool,
}

impl Kept {
    fn new(sentence: &Sentence, keeps_words: bool, all_symbols: &Interner, symbols: &mut Interner) -> Self {
        let mut renew = |&symbol: &Symbol| symbols.symbol(all_symbols.string(symbol).unwrap_or_default());
        let units = sentence.units.iter().map(&mut renew).collect();
        let renewed = |reading: &Reading| Reading {
            units: reading.units,
            spans: Vec::new(),
            symbols: reading.symbols.iter().map(&mut renew).collect(),
        };
        let readings = sentence.readings.iter().map(renewed).collect();
        sentence.classes.iter().for_each(|class| {
            renew(class);
        });
        let mut words = Vec::new();
        if keeps_words {
            for (idx, span) in sentence.spans.iter().enumerate() {
                let mut parts = [&sentence.text[span.range()], "", "", ""];
                if let Some(word) = sentence.analysis.as_ref().and_then(|analysis| analysis.words.get(idx)) {
                    parts[1] = word.lemma.as_deref().unwrap_or_default();
                    parts[2] = word.upos.map_or("", Upos::name);
                    parts[3] = word.entity.as_deref().unwrap_or_default();
                }
                words.push(parts.map(|part| symbols.symbol(part)));
            }
        }
        Self { units, readings, words, is_annotated: keeps_words && sentence.analysis.is_some() }
    }

    /// Restores the sentence, with blanks between its words. Word classes are recomputed and must
    /// be known.
    fn sentence(&self, symbols: &Interner, classes: Option<&dyn Classify>) -> Result<Sentence> {
        let text = |symbol: Symbol| symbols.string(symbol).unwrap_or_default();
        let mut analysis = Analysis::from_forms(self.words.iter().map(|word| text(word[0])));
        for (word, parts) in analysis.words.iter_mut().zip(&self.words) {
            let [lemma, tag, entity] = [1, 2, 3].map(|part| Some(text(parts[part])).filter(|part| !part.is_empty()));
            word.lemma = lemma.map(Into::into);
            word.upos = tag.and_then(|tag| tag.parse().ok());
            word.entity = entity.map(|entity| Cow::Owned(entity.to_owned()));
        }
        let mut sentence = Sentence {
            text: analysis.text.clone(),
            spans: analysis.words.iter().map(|word| word.span).collect(),
            units: self.units.clone(),
            analysis: self.is_annotated.then(|| Arc::new(analysis)),
            classes: Vec::new(),
            readings: self.readings.clone(),
        };
        if let Some(classes) = classes {
            let mut found: Vec<Option<Symbol>> = Vec::new();
            classes.classes(&sentence, &mut |name| found.push(symbols.get(name)));
            if let Some(missing) = found.iter().position(Option::is_none) {
                let form = sentence.word(missing).0;
                return Err(Error::data(format!("the class of the word '{form}' is not among the symbols")));
            }
            sentence.classes = found.into_iter().flatten().collect();
        }
        Ok(sentence)
    }

    fn write_units(&self, out: &mut Vec<u8>) {
        write_symbols(&self.units, out);
    }

    fn write_readings(&self, out: &mut Vec<u8>) {
        self.readings.iter().for_each(|reading| write_symbols(&reading.symbols, out));
    }

    fn write_words(&self, out: &mut Vec<u8>) {
        put(out, self.words.len() as u64);
        out.push(u8::from(self.is_annotated));
        self.words.iter().flatten().for_each(|&part| put(out, u64::from(part)));
    }

    /// Reads the units; the words and readings come later.
    fn read_units(reader: &mut SectionReader<'_>, n_symbols: usize) -> Result<Self> {
        let units = read_symbols(reader, n_symbols)?;
        Ok(Self { units, readings: Vec::new(), words: Vec::new(), is_annotated: false })
    }

    fn read_readings(&mut self, reader: &mut SectionReader<'_>, n_symbols: usize, units: &[Units]) -> Result<()> {
        for &units in units {
            let symbols = read_symbols(reader, n_symbols)?;
            self.readings.push(Reading { units, spans: Vec::new(), symbols });
        }
        Ok(())
    }

    /// The number of symbols that kernels may compare.
    fn len(&self) -> usize {
        let readings = self.readings.iter().map(|reading| reading.symbols.len());
        readings.fold(self.units.len().max(self.words.len()), usize::max)
    }

    fn read_words(&mut self, reader: &mut SectionReader<'_>, n_symbols: usize) -> Result<()> {
        let n_words = reader.count(4)?;
        self.is_annotated = reader.bytes(1)? == [1];
        for _ in 0..n_words {
            let mut parts = [0; 4];
            for part in &mut parts {
                *part = reader.below(n_symbols, "a symbol")?;
            }
            self.words.push(parts);
        }
        Ok(())
    }
}

fn write_symbols(symbols: &[Symbol], out: &mut Vec<u8>) {
    put(out, symbols.len() as u64);
    symbols.iter().for_each(|&symbol| put(out, u64::from(symbol)));
}

fn read_symbols(reader: &mut SectionReader<'_>, n_symbols: usize) -> Result<Vec<Symbol>> {
    (0..reader.count(1)?).map(|_| reader.below(n_symbols, "a symbol")).collect()
}

/// The pairs in the form that kernels take.
fn pairs_of(kept: &[[Kept; 2]], symbols: &Interner, expression: &Expression) -> Result<Vec<Pair>> {
    let classes = expression.classes();
    let sentence = |kept: &Kept| kept.sentence(symbols, classes.as_deref());
    kept.iter().map(|[source, target]| Ok(Pair { source: sentence(source)?, target: sentence(target)? })).collect()
}

impl SupportMachine {
    /// Multiplies the coefficients of a head.
    pub(super) fn scale(&mut self, head: usize, scale: f64) {
        if let Some(coefficients) = self.coefficients.get_mut(head) {
            coefficients.iter_mut().for_each(|coefficient| *coefficient *= scale);
        }
    }

    /// Keeps the pairs with a non-zero coefficient in some head; their symbols are interned anew in
    /// `symbols`.
    pub(super) fn new(
        expression: &Expression,
        pairs: &[Pair],
        ids: &[String],
        coefficients: &[Vec<f64>],
        (all_symbols, symbols): (&Interner, &mut Interner),
        progress: Progress<'_>,
    ) -> Result<Self> {
        let keeps_words = expression.layers() != Layers::NONE;
        let used = || (0..pairs.len()).filter(|&i| coefficients.iter().any(|head| head[i] != 0.0));
        let mut keep = |sentence: &Sentence| Kept::new(sentence, keeps_words, all_symbols, symbols);
        let kept: Vec<[Kept; 2]> = used().map(|i| [&pairs[i].source, &pairs[i].target].map(&mut keep)).collect();
        let bound = BoundKernel::new(expression, &pairs_of(&kept, symbols, expression)?, progress)?;
        let ids = used().map(|i| ids[i].clone()).collect();
        let coefficients = coefficients.iter().map(|head| used().map(|i| head[i]).collect()).collect();
        Ok(Self { pairs: kept, ids, coefficients, bound })
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Adds the score of a pair to each head.
    pub(super) fn score(&self, pair: &Pair, heads: &mut [f64]) -> Result<()> {
        let row = self.row(pair)?;
        for (head, coefficients) in heads.iter_mut().zip(&self.coefficients) {
            *head += row.iter().zip(coefficients).map(|(value, coefficient)| value * coefficient).sum::<f64>();
        }
        Ok(())
    }

    /// The kernel values of a pair and the support vectors.
    fn row(&self, pair: &Pair) -> Result<Vec<f64>> {
        let mut row = vec![0.0; self.len()];
        self.bound.row(pair, &mut row, Progress::none())?;
        Ok(row)
    }

    /// The explanation of a weighted sum of heads by support vectors, at most `top` of them and the
    /// rest summed up.
    pub(super) fn explain(
        &self,
        expression: &Expression,
        (pair, factors): (&Pair, &[f64]),
        top: usize,
    ) -> Result<Vec<Explanation>> {
        let mut contributions = self.row(pair)?;
        for (at, value) in contributions.iter_mut().enumerate() {
            let heads = factors.iter().zip(&self.coefficients);
            *value *= heads.fold(0.0, |sum, (factor, head)| sum + factor * head[at]);
        }
        let mut order: Vec<usize> = (0..self.len()).filter(|&i| contributions[i] != 0.0).collect();
        order.sort_by(|&a, &b| contributions[b].abs().total_cmp(&contributions[a].abs()).then(a.cmp(&b)));
        let (shown, rest) = order.split_at(top.min(order.len()));
        let leaf = |&i: &usize| Explanation::leaf(What::Pair(self.ids[i].clone()), contributions[i]);
        let mut leaves: Vec<Explanation> = shown.iter().map(leaf).collect();
        if !rest.is_empty() {
            leaves.push(Explanation::leaf(What::Rest(rest.len()), rest.iter().map(|&i| contributions[i]).sum()));
        }
        let value = contributions.iter().sum();
        let what = What::Kernel(expression.to_string());
        Ok(vec![Explanation { parts: leaves, ..Explanation::leaf(what, value) }])
    }

    /// The number of sections of a machine over this kernel.
    pub(super) fn n_sections(expression: &Expression) -> usize {
        1 + usize::from(expression.layers() != Layers::NONE) + usize::from(!expression.readings().is_empty())
    }

    /// The sections: pairs, and their words and readings if the kernel uses them.
    pub(super) fn write(&self, expression: &Expression) -> Vec<(&'static str, Vec<u8>)> {
        let (mut pairs, mut words, mut readings) = (Vec::new(), Vec::new(), Vec::new());
        put(&mut pairs, self.len() as u64);
        for (pair, id) in self.pairs.iter().zip(&self.ids) {
            put_str(&mut pairs, id);
            pair.iter().for_each(|sentence| sentence.write_units(&mut pairs));
            pair.iter().for_each(|sentence| sentence.write_words(&mut words));
            pair.iter().for_each(|sentence| sentence.write_readings(&mut readings));
        }
        self.coefficients.iter().flatten().for_each(|coefficient| pairs.extend(coefficient.to_le_bytes()));
        let mut sections = vec![(PAIRS, pairs)];
        if expression.layers() != Layers::NONE {
            sections.push((PAIR_WORDS, words));
        }
        if !expression.readings().is_empty() {
            sections.push((PAIR_READINGS, readings));
        }
        sections
    }

    pub(super) fn read(
        file: &str,
        container: &Container<KernelAbout>,
        expression: &Expression,
        symbols: &Interner,
        n_heads: usize,
    ) -> Result<Self> {
        let mut reader = SectionReader::new(file, PAIRS, container.section(file, PAIRS)?);
        let n_pairs = reader.count(3)?;
        let (mut pairs, mut ids) = (Vec::with_capacity(n_pairs), Vec::with_capacity(n_pairs));
        for _ in 0..n_pairs {
            ids.push(reader.string()?.to_owned());
            let source = Kept::read_units(&mut reader, symbols.len())?;
            pairs.push([source, Kept::read_units(&mut reader, symbols.len())?]);
        }
        let mut head = || (0..n_pairs).map(|_| reader.real()).collect::<Result<Vec<f64>>>();
        let coefficients = (0..n_heads).map(|_| head()).collect::<Result<_>>()?;
        reader.end()?;
        if expression.layers() != Layers::NONE {
            let mut reader = SectionReader::new(file, PAIR_WORDS, container.section(file, PAIR_WORDS)?);
            for sentence in pairs.iter_mut().flatten() {
                sentence.read_words(&mut reader, symbols.len())?;
            }
            reader.end()?;
        }
        let units = expression.readings();
        if !units.is_empty() {
            let mut reader = SectionReader::new(file, PAIR_READINGS, container.section(file, PAIR_READINGS)?);
            for sentence in pairs.iter_mut().flatten() {
                sentence.read_readings(&mut reader, symbols.len(), &units)?;
            }
            reader.end()?;
        }
        let lengths = pairs.iter().flatten().map(Kept::len);
        let of_terms = |n: usize| expression.terms().iter().map(|term| term.n_patterns(n)).sum::<usize>();
        let n_patterns = lengths.map(of_terms).fold(0, usize::saturating_add);
        if n_patterns > MAX_PATTERNS {
            return reader
                .fail(format_args!("its pairs have {n_patterns} patterns, at most {MAX_PATTERNS} are allowed"));
        }
        let of_file = pairs_of(&pairs, symbols, expression)
            .map_err(|error| Error::file(file, format!("{error}: the model is damaged")))?;
        let bound = BoundKernel::new(expression, &of_file, Progress::none())?;
        Ok(Self { pairs, ids, coefficients, bound })
    }
}
