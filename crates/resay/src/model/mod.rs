//! A trained model: scores pairs, explains its scores, and lives in one file.
//!
//! There are two kinds of machine behind one face. Where the kernel's rules can be listed, the model is its rules and their
//! weights; otherwise it is the training pairs that it leans on. Both score one pair at a time or many in parallel, with
//! the same bits. Models that sort documents by topic are of another kind ([`TopicModel`]) in files of the same shape.

mod about;
mod align;
mod combined;
mod file;
mod judge;
mod latent;
mod names;
mod pruning;
mod rules;
mod support;
mod topics;

pub use crate::pack::{MAX_HEADER, MAX_SIZE, VERSION};
pub use about::{About, Tried};
pub(crate) use align::lexicon_for;
pub use align::{AlignAbout, AlignModel, AlignedText};
pub use combined::{CombinedAbout, CombinedModel, CombinedTrained, Judged, PartAbout, Reading};
pub(crate) use combined::{Scale, Weighing, observer};
pub use file::{AnyModel, open};
pub use judge::Judge;
pub(crate) use latent::{LAYERS as LATENT_LAYERS, check_size as latent_size};
pub use latent::{LatentAbout, LatentModel, LatentTrained};
pub use names::{Candidates, NamesAbout, NamesModel};
pub use pruning::Pruning;
pub(crate) use pruning::keep_heaviest;
pub use rules::WeightedRule;
pub use topics::{Topic, TopicAbout, TopicDecision, TopicModel, TopicTrained, WeightedString};

use crate::bundled;
use crate::data::write_whole;
use crate::explain::{Explanation, What};
use crate::kernel::{Expression, Listing, Mapped};
use crate::lexicon::{Lexicon, OwnRelations};
use crate::pack::{Container, Reader};
use crate::svm::calibrate::Platt;
use crate::text::{Analysis, Annotator, English, Intern, Interner, Layers, Overlay, Pair, StemMemo};
use crate::{Error, Result};
use file::{kind, read_file, read_learned, read_words, write_learned, write_words};
use rayon::prelude::*;
use rules::{RuleMachine, Scratch};
use std::path::Path;
use std::sync::Arc;
use support::SupportMachine;

/// What a model says of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Above 0 is yes.
    pub score: f64,
    /// The calibrated probability of yes.
    pub probability: f64,
    /// Whether the score is above 0.
    pub label: bool,
}

/// Annotation and relations that several models look at.
pub(crate) struct Shared {
    pub(crate) english: Arc<English>,
    pub(crate) lexicon: Arc<Lexicon>,
}

/// A trained model.
pub struct Model {
    about: About,
    expression: Expression,
    annotator: Annotator,
    symbols: Interner,
    bias: f64,
    platt: Platt,
    machine: Machine,
    relations: OwnRelations,
}

enum Machine {
    Rules(RuleMachine),
    Support(Box<SupportMachine>),
}

/// What training hands over. Coefficients are one a training pair: `w = sum_i coefficients[i] * features_i`.
pub struct Trained<'a> {
    /// The description; how many rules there are is filled in here.
    pub about: About,
    /// The kernel.
    pub expression: Expression,
    /// The training pairs and their ids.
    pub pairs: &'a [Pair],
    /// One a pair.
    pub ids: &'a [String],
    /// The symbols of the pairs.
    pub symbols: &'a Interner,
    /// One a pair.
    pub coefficients: &'a [f64],
    /// Added to every score.
    pub bias: f64,
    /// Score to probability.
    pub platt: Platt,
    /// A user's own word relations that the kernel looks at.
    pub relations: OwnRelations,
}

impl Trained<'_> {
    /// A new table of symbols, in which those that the kernels learned have their numbers from now on.
    fn renumber(&mut self) -> Result<Interner> {
        let mut symbols = Interner::new();
        for term in 0..self.expression.terms().len() {
            if let Some(mut learned) = self.expression.terms()[term].learned() {
                for symbol in &mut learned.symbols {
                    *symbol = symbols.symbol(self.symbols.string(*symbol).unwrap_or_default());
                }
                self.expression.set_learned(term, &learned)?;
            }
        }
        Ok(symbols)
    }
}

impl Model {
    /// A model of readable rules.
    pub fn from_rules(mut trained: Trained<'_>, listing: &Listing, pruning: Pruning) -> Result<Self> {
        let mut symbols = trained.renumber()?;
        let Trained { pairs, coefficients, .. } = trained;
        let (machine, n_before) = RuleMachine::new(
            &trained.expression,
            listing,
            coefficients,
            pairs,
            pruning,
            (trained.symbols, &mut symbols),
        );
        let n_rules = [n_before, machine.n_rules()];
        Self::assemble(trained, symbols, Machine::Rules(machine), n_rules)
    }

    /// A model that leans on training pairs.
    pub fn from_support(mut trained: Trained<'_>) -> Result<Self> {
        let mut symbols = trained.renumber()?;
        let Trained { expression, pairs, ids, coefficients, .. } = &trained;
        let machine = SupportMachine::new(expression, pairs, ids, coefficients, trained.symbols, &mut symbols)?;
        let n_rules = [pairs.len(), machine.len()];
        Self::assemble(trained, symbols, Machine::Support(Box::new(machine)), n_rules)
    }

    fn assemble(trained: Trained<'_>, symbols: Interner, machine: Machine, n_rules: [usize; 2]) -> Result<Self> {
        let Trained { mut about, expression, bias, platt, relations, .. } = trained;
        about.n_rules = n_rules;
        let annotator = bundled::annotator(about.units, expression.layers())?.with_classes(expression.classes());
        Ok(Self { about, expression, annotator, symbols, bias, platt, machine, relations })
    }

    /// What the model says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Replaces the maker's note.
    pub fn set_note(&mut self, note: impl Into<String>) {
        self.about.note = note.into();
    }

    /// Something that scores pairs one after another; one a thread.
    pub fn scorer(&self) -> Scorer<'_> {
        let scratch = match &self.machine {
            Machine::Rules(machine) => Some(machine.scratch()),
            Machine::Support(_) => None,
        };
        Scorer { model: self, scratch, memo: StemMemo::default() }
    }

    /// Scores many pairs (source, target) in parallel, in order.
    pub fn score_all<T: Sync>(&self, items: &[T], texts: impl Fn(&T) -> (&str, &str) + Sync) -> Result<Vec<Decision>> {
        let score = |scorer: &mut Scorer<'_>, item| {
            let (source, target) = texts(item);
            scorer.score(source, target)
        };
        // Pieces are long, because a scorer remembers; there are enough of them for every thread to have work to the end.
        let piece = items.len().div_ceil(8 * rayon::current_num_threads()).clamp(16, 1024);
        items.par_iter().with_min_len(piece).map_init(|| self.scorer(), score).collect()
    }

    /// The decision on a pair, taken apart; at most `top` leaves a kernel, the rest summed up.
    pub fn explain(&self, source: &str, target: &str, top: usize) -> Result<(Pair, Explanation)> {
        self.explain_sentences(self.annotate(source, target, &mut StemMemo::default()), top)
    }

    fn explain_sentences(&self, pair: Pair, top: usize) -> Result<(Pair, Explanation)> {
        let mut parts = vec![Explanation::leaf(What::Bias, self.bias)];
        parts.extend(match (&self.machine, Mapped::new(&self.expression)) {
            (Machine::Rules(machine), Some(mapped)) => {
                machine.explain(&self.expression, mapped, &pair, &self.symbols, top)?
            }
            (Machine::Support(machine), _) => machine.explain(&self.expression, &pair, top)?,
            (Machine::Rules(_), None) => Vec::new(),
        });
        let value = parts.iter().map(|part| part.value).sum();
        Ok((pair, Explanation { parts, ..Explanation::leaf(What::Score, value) }))
    }

    /// The model's rules, heaviest first; none if it leans on pairs.
    pub fn rules(&self) -> Vec<WeightedRule> {
        match &self.machine {
            Machine::Rules(machine) => machine.rules(&self.expression, &self.symbols),
            Machine::Support(_) => Vec::new(),
        }
    }

    /// The same for texts that have all layers.
    pub(crate) fn explain_read(
        &self,
        [source, target]: [&Arc<Analysis>; 2],
        top: usize,
    ) -> Result<(Pair, Explanation)> {
        self.explain_sentences(self.read([source, target], &mut StemMemo::default()), top)
    }

    fn read(&self, texts: [&Arc<Analysis>; 2], memo: &mut StemMemo) -> Pair {
        let mut symbols = Overlay::new(&self.symbols);
        let [source, target] = texts.map(|text| self.annotator.analysed(text.clone(), &mut symbols, memo));
        Pair { source, target }
    }

    fn annotate(&self, source: &str, target: &str, memo: &mut StemMemo) -> Pair {
        let mut symbols = Overlay::new(&self.symbols);
        let mut sentence = |text| self.annotator.sentence_with(text, &mut symbols, memo);
        Pair { source: sentence(source), target: sentence(target) }
    }

    fn decide(&self, score: f64) -> Decision {
        Decision { score, probability: self.platt.probability(score), label: score > 0.0 }
    }

    /// The model as the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut head = Vec::new();
        for value in [self.bias, self.platt.slope, self.platt.intercept] {
            head.extend(value.to_le_bytes());
        }
        container.push("head", head);
        container.push("words", write_words(&self.symbols));
        if !self.relations.is_empty() {
            container.push("relations", self.relations.to_lines().into_bytes());
        }
        for (term, kernel) in self.expression.terms().iter().enumerate() {
            if let Some(learned) = kernel.learned() {
                container.push(format!("learned.{term}"), write_learned(&learned));
            }
        }
        match &self.machine {
            Machine::Rules(machine) => {
                let terms = machine.write().into_iter().enumerate();
                terms.for_each(|(term, bytes)| container.push(format!("rules.{term}"), bytes));
            }
            Machine::Support(machine) => {
                let sections = machine.write(&self.expression);
                sections.into_iter().for_each(|(name, bytes)| container.push(name, bytes));
            }
        }
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_with(name, bytes, None)
    }

    /// The same with annotation and relations that were opened before; all layers must be among them.
    pub(crate) fn from_bytes_with(name: &str, bytes: &[u8], shared: Option<&Shared>) -> Result<Self> {
        let container = match Container::<About>::unpack(name, bytes) {
            Err(_) if kind(name, bytes).is_ok_and(|task| task == topics::TASK) => {
                let message = "a model that sorts documents (task topics), expected one that decides about pairs";
                return Err(Error::file(name, message));
            }
            Err(_) if kind(name, bytes).is_ok_and(|task| task == align::TASK) => {
                let message = "a model that aligns (task align), expected one that decides about pairs";
                return Err(Error::file(name, message));
            }
            unpacked => unpacked?,
        };
        let about = container.about.clone();
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged"));
        let mut relations = OwnRelations::new();
        if container.has("relations") {
            relations.read(name, container.section(name, "relations")?).map_err(damaged)?;
        }
        let open_lexicon = || match shared {
            Some(shared) if relations.is_empty() => Ok(shared.lexicon.clone()),
            _ => bundled::open_lexicon(&relations)(),
        };
        let mut expression = Expression::parse(&about.kernel, &open_lexicon).map_err(damaged)?;
        let mut head = Reader::new(name, "head", container.section(name, "head")?);
        let (bias, slope, intercept) = (head.real()?, head.real()?, head.real()?);
        head.end()?;
        let symbols = read_words(Reader::new(name, "words", container.section(name, "words")?))?;
        let learners = expression.learners();
        for &term in &learners {
            let reader = Reader::new(name, "learned", container.section(name, &format!("learned.{term}"))?);
            expression.set_learned(term, &read_learned(reader, symbols.len())?).map_err(damaged)?;
        }
        let is_rules = container.has("rules.0");
        let has_words = expression.layers() != Layers::NONE;
        let n_machine = if is_rules { expression.terms().len() } else { 1 + usize::from(has_words) };
        let n_sections = 2 + learners.len() + usize::from(container.has("relations")) + n_machine;
        if container.n_sections() != n_sections {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {n_sections}: the model is damaged")));
        }
        let machine = if is_rules {
            let terms = 0..expression.terms().len();
            let sections = terms.map(|term| container.section(name, &format!("rules.{term}")));
            let sections: Vec<&[u8]> = sections.collect::<Result<_>>()?;
            if Mapped::new(&expression).is_none() {
                return Err(Error::file(name, format!("{expression} has no rules to list: the model is damaged")));
            }
            Machine::Rules(RuleMachine::read(name, &sections, symbols.len())?)
        } else {
            if expression.is_listable() {
                return Err(Error::file(name, format!("{expression} has rules, not pairs: the model is damaged")));
            }
            Machine::Support(Box::new(SupportMachine::read(name, &container, &expression, &symbols)?))
        };
        let annotator = match shared {
            Some(shared) => Annotator::with(about.units, shared.english.clone(), expression.layers() != Layers::NONE),
            None => bundled::annotator(about.units, expression.layers())?,
        };
        let annotator = annotator.with_classes(expression.classes());
        let platt = Platt { slope, intercept };
        Ok(Self { about, expression, annotator, symbols, bias, platt, machine, relations })
    }

    /// Opens a model's file.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes)
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}

/// Scores pairs one after another.
pub struct Scorer<'a> {
    model: &'a Model,
    scratch: Option<Scratch<'a>>,
    memo: StemMemo,
}

impl Scorer<'_> {
    /// The decision on a pair.
    pub fn score(&mut self, source: &str, target: &str) -> Result<Decision> {
        let pair = self.model.annotate(source, target, &mut self.memo);
        self.decide(&pair)
    }

    /// The decision on two texts that have all layers.
    pub(crate) fn score_read(&mut self, texts: [&Arc<Analysis>; 2]) -> Result<Decision> {
        let pair = self.model.read(texts, &mut self.memo);
        self.decide(&pair)
    }

    fn decide(&mut self, pair: &Pair) -> Result<Decision> {
        let model = self.model;
        let score = match (&model.machine, &mut self.scratch, Mapped::new(&model.expression)) {
            (Machine::Rules(machine), Some(scratch), Some(mapped)) => machine.score(mapped, pair, scratch)?,
            (Machine::Support(machine), _, _) => machine.score(pair)?,
            _ => 0.0,
        };
        Ok(model.decide(model.bias + score))
    }
}
