//! Document classification: one linear machine per topic over the strings of the corpus, all scored
//! in one pass over a text.

use super::contract::DocumentModel;
use super::file::{read_learned, read_words, write_learned, write_words};
use super::header::{About, Header, ModelKind, expect_kind};
use crate::explain::{Explanation, Place, What};
use crate::kernel::strings::{TextVector, TextVectors};
use crate::kernel::{Expression, Item};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::Platt;
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader, put};
use resay_text::{Annotator, Intern, Interner, Overlay, Sentence, Span, StemMemo, Symbol, Units};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Header fields of topic models. The topics are the labels of the response, with document counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicDetails {
    /// The kernel expression.
    pub kernel: String,
    /// The units that symbols stand for.
    pub units: Units,
    /// The number of strings in the corpus, and of those with a weight for some topic.
    pub n_strings: [usize; 2],
}

/// The header of a topic model.
pub type TopicAbout = About<TopicDetails>;

impl TopicAbout {
    /// The topics and their numbers of training documents.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        let labels = self.header.response.labels();
        labels.iter().zip(&self.header.counts).map(|(label, count)| (label.as_str(), *count))
    }
}

/// The machine of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Topic {
    /// The name of the topic.
    pub name: String,
    /// The bias.
    pub bias: f64,
    /// Calibration of scores to probabilities.
    pub platt: Platt,
    /// Columns and weights, by increasing column.
    pub weights: Vec<(u32, f32)>,
}

/// The result of training.
pub struct TopicTrained<'a> {
    /// The header and details; the number of strings is filled in here.
    pub about: TopicAbout,
    /// The kernel.
    pub expression: Expression,
    /// The strings of the corpus.
    pub vectors: TextVectors,
    /// The symbols of the corpus.
    pub symbols: &'a Interner,
    /// The machines, one per topic, in the order of the labels.
    pub topics: Vec<Topic>,
    /// The resources of the model.
    pub resources: &'a Resources,
}

/// The decision about a document and a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct TopicDecision {
    /// Positive if above 0.
    pub score: f64,
    /// The calibrated probability that the document has the topic.
    pub probability: f64,
}

impl TopicDecision {
    /// Whether the document has the topic.
    pub fn is_yes(&self) -> bool {
        self.score > 0.0
    }
}

/// A string of a model, in readable form.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedString {
    /// The kernel that it belongs to.
    pub kernel: String,
    /// The string as in texts, with `*` for a wildcard.
    pub string: String,
    /// The contribution of one occurrence to the topic's score, before the document's scale.
    pub weight: f64,
    /// The units of its symbols, if they are not the model's.
    pub units: Option<Units>,
}

/// A topic model.
pub struct TopicModel {
    about: TopicAbout,
    expression: Expression,
    vectors: TextVectors,
    annotator: Annotator,
    symbols: Interner,
    topics: Vec<Topic>,
    /// The topics with a weight for each column: `by_column[starts[c]..starts[c + 1]]` holds the
    /// topics and weights of column c.
    starts: Vec<u32>,
    by_column: Vec<(u32, f32)>,
    resources: Resources,
}

impl TopicModel {
    /// A trained model; only the symbols in use are kept, and renumbered.
    pub fn new(trained: TopicTrained<'_>) -> Result<Self> {
        let TopicTrained { mut about, expression, vectors, symbols: all_symbols, topics, resources } = trained;
        let mut symbols = Interner::new();
        let mut learned = vectors.learned();
        for symbol in learned.iter_mut().flat_map(|learned| &mut learned.symbols) {
            *symbol = symbols.symbol(all_symbols.string(*symbol).unwrap_or_default());
        }
        let vectors = TextVectors::restore(&expression, &learned)?;
        let mut columns: Vec<u32> =
            topics.iter().flat_map(|topic| topic.weights.iter().map(|(column, _)| *column)).collect();
        columns.sort_unstable();
        columns.dedup();
        about.details.n_strings = [vectors.n_columns(), columns.len()];
        Self::assemble(about, expression, vectors, symbols, topics, resources)
    }

    fn assemble(
        about: TopicAbout,
        expression: Expression,
        vectors: TextVectors,
        symbols: Interner,
        topics: Vec<Topic>,
        resources: &Resources,
    ) -> Result<Self> {
        let mut starts = vec![0_u32; vectors.n_columns() + 1];
        let weights =
            || topics.iter().zip(0..).flat_map(|(topic, number)| topic.weights.iter().map(move |w| (number, w)));
        weights().for_each(|(_, (column, _))| starts[*column as usize + 1] += 1);
        for column in 0..vectors.n_columns() {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut by_column = vec![(0, 0.0); weights().count()];
        for (topic, (column, weight)) in weights() {
            let place = &mut next[*column as usize];
            by_column[*place as usize] = (topic, *weight);
            *place += 1;
        }
        let annotator = resources.annotator_for(about.details.units, expression.needs())?;
        let resources = resources.clone();
        Ok(Self { about, expression, vectors, annotator, symbols, topics, starts, by_column, resources })
    }

    /// The header and details.
    pub fn about(&self) -> &TopicAbout {
        &self.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// The names of the topics.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = &str> {
        self.topics.iter().map(|topic| topic.name.as_str())
    }

    /// The number of a topic; the error lists the known topics.
    pub fn topic(&self, name: &str) -> Result<usize> {
        self.topics().position(|known| known == name).ok_or_else(|| {
            let known: Vec<&str> = self.topics().take(20).collect();
            let more = if self.topics.len() > known.len() { ", ..." } else { "" };
            Error::parameter(format!("no topic '{name}' in this model, expected one of: {}{more}", known.join(", ")))
        })
    }

    fn sentence(&self, text: &str, memo: &mut StemMemo) -> Sentence {
        self.annotator.sentence_with(text, &mut Overlay::new(&self.symbols), memo)
    }

    fn scores(&self, vector: &TextVector) -> Vec<f64> {
        let mut scores: Vec<f64> = self.topics.iter().map(|topic| topic.bias).collect();
        for &(column, value) in &vector.entries {
            let range = self.starts[column as usize] as usize..self.starts[column as usize + 1] as usize;
            for &(topic, weight) in &self.by_column[range] {
                scores[topic as usize] += f64::from(weight) * value;
            }
        }
        scores
    }

    /// Decides every topic for a document.
    pub fn decide(&self, text: &str) -> Result<Vec<TopicDecision>> {
        self.decide_with(text, &mut StemMemo::default())
    }

    fn decide_with(&self, text: &str, memo: &mut StemMemo) -> Result<Vec<TopicDecision>> {
        let scores = self.scores(&self.vectors.extract(&self.sentence(text, memo))?);
        let decision =
            |(score, topic): (f64, &Topic)| TopicDecision { score, probability: topic.platt.probability(score) };
        Ok(scores.into_iter().zip(&self.topics).map(decision).collect())
    }

    /// Decides every topic for many documents in parallel, in order.
    pub fn decide_all<T: Sync>(
        &self,
        items: &[T],
        text: impl Fn(&T) -> &str + Sync,
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<TopicDecision>>> {
        let decide = |memo: &mut StemMemo, item: &T| {
            progress.check()?;
            self.decide_with(text(item), memo)
        };
        let run = || items.par_iter().map_init(StemMemo::default, decide).collect::<Result<Vec<_>>>();
        self.resources.threads().run(run)?
    }

    /// Explains the score of a document for a topic, with at most `top` strings per kernel and the
    /// rest summed up.
    pub fn explain(&self, text: &str, topic: usize, top: usize) -> Result<(Sentence, Explanation)> {
        let Some(machine) = self.topics.get(topic) else {
            return Err(Error::parameter(format!("topic {topic}, expected below {}", self.topics.len())));
        };
        let sentence = self.sentence(text, &mut StemMemo::default());
        let vector = self.vectors.extract(&sentence)?;
        let weight = |column: u32| {
            let at = machine.weights.binary_search_by_key(&column, |(known, _)| *known).ok()?;
            Some(f64::from(machine.weights[at].1))
        };
        let mut by_term: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.expression.terms().len()];
        for &(column, value) in &vector.entries {
            if let Some(weight) = weight(column) {
                by_term[self.vectors.term(column)].push((column, weight * value));
            }
        }
        let mut places: BTreeMap<u32, Vec<Place>> = BTreeMap::new();
        for found in &mut by_term {
            found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            places.extend(found.iter().take(top).map(|(column, _)| (*column, Vec::new())));
        }
        self.vectors.occurrences(&sentence, |column, spans| {
            if let Some(places) = places.get_mut(&column)
                && let (Some(first), Some(last)) = (spans.first(), spans.last())
            {
                places.push(Place { source: vec![Span { start: first.start, end: last.end }], target: Vec::new() });
            }
        })?;
        let mut parts = vec![Explanation::leaf(What::Bias, machine.bias)];
        for (kernel, found) in self.expression.terms().iter().zip(by_term) {
            let leaf = |&(column, value): &(u32, f64)| Explanation {
                places: places.remove(&column).unwrap_or_default(),
                ..Explanation::leaf(What::String(self.string(column)), value)
            };
            let (strong, weak) = found.split_at(top.min(found.len()));
            let mut leaves: Vec<Explanation> = strong.iter().map(leaf).collect();
            if !weak.is_empty() {
                let rest = weak.iter().map(|(_, value)| value).sum();
                leaves.push(Explanation::leaf(What::Rest(weak.len()), rest));
            }
            let value = leaves.iter().map(|leaf| leaf.value).sum();
            parts.push(Explanation { parts: leaves, ..Explanation::leaf(What::Kernel(kernel.describe()), value) });
        }
        let value = parts.iter().map(|part| part.value).sum();
        Ok((sentence, Explanation { parts, ..Explanation::leaf(What::Score, value) }))
    }

    /// The string of a column, in readable form.
    fn string(&self, column: u32) -> String {
        let symbol = |symbol: Symbol| self.symbols.string(symbol).unwrap_or("?");
        let items = self.vectors.string(column);
        let shown = items.iter().map(|item: &Item| item.as_symbol().map_or("*", symbol));
        let units = self.vectors.units(column).unwrap_or(self.about.details.units);
        let between = if units.is_chars() { "" } else { " " };
        shown.collect::<Vec<_>>().join(between)
    }

    /// The `top` heaviest strings of a topic whose weights satisfy `is_wanted`.
    pub fn strings(&self, topic: usize, top: usize, is_wanted: impl Fn(f64) -> bool) -> Vec<WeightedString> {
        let weights = self.topics.get(topic).map_or(&[][..], |topic| &topic.weights);
        let mut found: Vec<(u32, f64)> = weights.iter().map(|(column, weight)| (*column, f64::from(*weight))).collect();
        found.retain(|(_, weight)| is_wanted(*weight));
        found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs())); // Stable: ties keep the file order.
        let readable = |&(column, weight): &(u32, f64)| WeightedString {
            kernel: self.expression.terms()[self.vectors.term(column)].describe(),
            string: self.string(column),
            weight,
            units: self.vectors.units(column).filter(|units| *units != self.about.details.units),
        };
        found.iter().take(top).map(readable).collect()
    }

    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut head = Vec::new();
        for topic in &self.topics {
            for value in [topic.bias, topic.platt.slope, topic.platt.intercept] {
                head.extend(value.to_le_bytes());
            }
        }
        container.push("head", head);
        container.push("words", write_words(&self.symbols));
        for (term, learned) in self.vectors.learned().iter().enumerate() {
            container.push(format!("learned.{term}"), write_learned(learned));
        }
        // Columns increase, so deltas are small; the weights follow.
        let mut weights = Vec::new();
        for topic in &self.topics {
            put(&mut weights, topic.weights.len() as u64);
            let mut next = 0;
            for (column, _) in &topic.weights {
                put(&mut weights, u64::from(column - next));
                next = column + 1;
            }
            topic.weights.iter().for_each(|(_, weight)| weights.extend(weight.to_le_bytes()));
        }
        container.push("weights", weights);
        container.pack()
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, ModelKind::Topics)?;
        let container = Container::<TopicAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged"));
        let expression: Expression = about.details.kernel.parse().map_err(damaged)?;
        let n_sections = 3 + expression.terms().len();
        if container.n_sections() != n_sections {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {n_sections}: the model is damaged")));
        }
        let symbols = read_words(SectionReader::new(name, "words", container.section(name, "words")?))?;
        let mut learned = Vec::new();
        for term in 0..expression.terms().len() {
            let reader = SectionReader::new(name, "learned", container.section(name, &format!("learned.{term}"))?);
            learned.push(read_learned(reader, symbols.len())?);
        }
        let vectors = TextVectors::restore(&expression, &learned).map_err(damaged)?;
        drop(learned);
        let mut head = SectionReader::new(name, "head", container.section(name, "head")?);
        let mut weights = SectionReader::new(name, "weights", container.section(name, "weights")?);
        let mut topics = Vec::new();
        for topic in about.header.response.labels() {
            let (bias, slope, intercept) = (head.real()?, head.real()?, head.real()?);
            let mut columns = Vec::new();
            let mut next = 0;
            for _ in 0..weights.count(5)? {
                let column = next + weights.below(vectors.n_columns(), "a string")? as usize;
                if column >= vectors.n_columns() {
                    return weights.fail("a string is not there");
                }
                columns.push(column as u32);
                next = column + 1;
            }
            let read = |column| Ok((column, weights.short_real()?));
            let weights = columns.into_iter().map(read).collect::<Result<_>>()?;
            topics.push(Topic { name: topic.clone(), bias, platt: Platt { slope, intercept }, weights });
        }
        head.end()?;
        weights.end()?;
        Self::assemble(about, expression, vectors, symbols, topics, resources)
    }
}

impl DocumentModel for TopicModel {
    fn header(&self) -> &Header {
        &self.about.header
    }

    fn classify(&self, texts: &[&str], progress: Progress<'_>) -> Result<Vec<Vec<TopicDecision>>> {
        self.decide_all(texts, |text| text, progress)
    }

    fn explain(&self, text: &str, topic: usize, top: usize) -> Result<(Sentence, Explanation)> {
        Self::explain(self, text, topic, top)
    }
}
