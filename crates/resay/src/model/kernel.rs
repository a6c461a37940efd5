//! Kernel machines as models: weighted rules if the kernel's rules can be listed, otherwise support
//! vectors. Scoring pairs one by one or in parallel returns bit-identical scores.

use super::adapt::{AdaptRow, Adaptable, HeadChange};
use super::answer::{AnswerCalibration, AskedClass, n_heads};
use super::contract::{Explained, PairDetails, PairModel, PairScorer, Prediction, Weight, score_texts};
use super::file::{read_learned, read_words, write_learned, write_words};
use super::header::{About, Header, ModelKind, expect_kind};
use super::pruning::Pruning;
use super::rules::{RuleMachine, Scratch};
use super::support::SupportMachine;
use crate::explain::{Explanation, What};
use crate::kernel::{Expression, FeatureUnion, RuleMatrix};
use crate::pair::{Annotated, Needs, PairView, Tokenisation};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader};
use resay_text::lexicon::OwnRelations;
use resay_text::{Annotator, Intern, Interner, Overlay, Pair, Sentence, StemMemo, Units};
use serde::{Deserialize, Serialize};

/// Header fields of kernel machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelDetails {
    /// The kernel expression.
    pub kernel: String,
    /// The units that symbols stand for.
    pub units: Units,
    /// The number of rules before and after pruning; or of training pairs and of support vectors.
    pub n_rules: [usize; 2],
}

/// The header of a kernel machine.
pub type KernelAbout = About<KernelDetails>;

/// A trained kernel machine.
pub struct KernelModel {
    about: KernelAbout,
    expression: Expression,
    annotator: Annotator,
    symbols: Interner,
    /// One bias per head.
    biases: Vec<f64>,
    calibration: AnswerCalibration,
    machine: Machine,
    relations: OwnRelations,
    resources: Resources,
}

enum Machine {
    Rules(RuleMachine),
    Support(Box<SupportMachine>),
}

/// The result of training. Every head has one coefficient per training pair: `w = sum_i
/// coefficients[i] * features_i`.
pub struct KernelTrained<'a> {
    /// The header and details; the number of rules is filled in here.
    pub about: KernelAbout,
    /// The kernel.
    pub expression: Expression,
    /// The training pairs.
    pub pairs: &'a [Pair],
    /// The ids of the pairs, one per pair.
    pub ids: &'a [String],
    /// The symbols of the pairs.
    pub symbols: &'a Interner,
    /// The coefficients of each head, one per pair.
    pub coefficients: &'a [Vec<f64>],
    /// The bias of each head.
    pub biases: Vec<f64>,
    /// From head scores to answers.
    pub calibration: AnswerCalibration,
    /// The user's own word relations that the kernel uses.
    pub relations: OwnRelations,
    /// The resources of the model.
    pub resources: &'a Resources,
}

impl KernelTrained<'_> {
    /// A new symbol table with the symbols of the kernels' learned state, which is renumbered to
    /// match.
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

impl KernelModel {
    /// A model with readable rules.
    pub fn from_rules(
        mut trained: KernelTrained<'_>,
        listing: &RuleMatrix,
        pruning: Pruning,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let mut symbols = trained.renumber()?;
        let KernelTrained { pairs, coefficients, .. } = trained;
        let (machine, n_before) = RuleMachine::new(
            &trained.expression,
            listing,
            coefficients,
            pairs,
            pruning,
            (trained.symbols, &mut symbols),
            progress,
        )?;
        let n_rules = [n_before, machine.n_rules()];
        Self::assemble(trained, symbols, Machine::Rules(machine), n_rules)
    }

    /// A model over support vectors.
    pub fn from_support(mut trained: KernelTrained<'_>, progress: Progress<'_>) -> Result<Self> {
        let mut symbols = trained.renumber()?;
        let KernelTrained { expression, pairs, ids, coefficients, .. } = &trained;
        let all_symbols = (trained.symbols, &mut symbols);
        let machine = SupportMachine::new(expression, pairs, ids, coefficients, all_symbols, progress)?;
        let n_rules = [pairs.len(), machine.len()];
        Self::assemble(trained, symbols, Machine::Support(Box::new(machine)), n_rules)
    }

    fn assemble(trained: KernelTrained<'_>, symbols: Interner, machine: Machine, n_rules: [usize; 2]) -> Result<Self> {
        let KernelTrained { mut about, expression, biases, calibration, relations, resources, .. } = trained;
        about.details.n_rules = n_rules;
        let annotator = resources.annotator_for(about.details.units, expression.needs())?;
        let resources = resources.clone();
        Ok(Self { about, expression, annotator, symbols, biases, calibration, machine, relations, resources })
    }

    /// The number of heads.
    pub(crate) fn n_heads(&self) -> usize {
        self.biases.len()
    }

    /// The header and details.
    pub fn about(&self) -> &KernelAbout {
        &self.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// The symbols that this model compares of a text, as strings.
    pub fn units_of(&self, text: &str) -> Vec<String> {
        let mut symbols = Interner::new();
        let sentence = self.annotator.sentence(text, &mut symbols);
        sentence.units.iter().map(|&unit| symbols.string(unit).unwrap_or_default().to_owned()).collect()
    }

    /// Makes a scorer, one per thread.
    pub(crate) fn new_scorer(&self) -> KernelScorer<'_> {
        let scratch = match &self.machine {
            Machine::Rules(machine) => Some(machine.scratch()),
            Machine::Support(_) => None,
        };
        KernelScorer { model: self, scratch, memo: StemMemo::default() }
    }

    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let head = [&self.biases[..], &self.calibration.write()].concat();
        container.push("head", head.iter().flat_map(|value| value.to_le_bytes()).collect());
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

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, ModelKind::Kernel)?;
        let container = Container::<KernelAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged"));
        let mut relations = OwnRelations::new();
        if container.has("relations") {
            relations.read(name, container.section(name, "relations")?).map_err(damaged)?;
        }
        let open_lexicon = || resources.lexicon_with(&relations);
        let mut expression = Expression::parse(&about.details.kernel, &open_lexicon).map_err(damaged)?;
        let mut head = SectionReader::new(name, "head", container.section(name, "head")?);
        let n_heads = n_heads(&about.header.response);
        let biases = (0..n_heads).map(|_| head.real()).collect::<Result<Vec<f64>>>()?;
        let calibration = AnswerCalibration::read(&mut head, &about.header.response)?;
        head.end()?;
        let symbols = read_words(SectionReader::new(name, "words", container.section(name, "words")?))?;
        let learners = expression.learners();
        for &term in &learners {
            let reader = SectionReader::new(name, "learned", container.section(name, &format!("learned.{term}"))?);
            expression.set_learned(term, &read_learned(reader, symbols.len())?).map_err(damaged)?;
        }
        let is_rules = container.has("rules.0");
        let n_machine = if is_rules { expression.terms().len() } else { SupportMachine::n_sections(&expression) };
        let n_sections = 2 + learners.len() + usize::from(container.has("relations")) + n_machine;
        if container.n_sections() != n_sections {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {n_sections}: the model is damaged")));
        }
        let machine = if is_rules {
            let terms = 0..expression.terms().len();
            let sections = terms.map(|term| container.section(name, &format!("rules.{term}")));
            let sections: Vec<&[u8]> = sections.collect::<Result<_>>()?;
            if FeatureUnion::new(&expression).is_none() {
                return Err(Error::file(name, format!("{expression} has no rules to list: the model is damaged")));
            }
            Machine::Rules(RuleMachine::read(name, &sections, symbols.len(), n_heads)?)
        } else {
            if expression.is_listable() {
                return Err(Error::file(name, format!("{expression} has rules, not pairs: the model is damaged")));
            }
            Machine::Support(Box::new(SupportMachine::read(name, &container, &expression, &symbols, n_heads)?))
        };
        let annotator = resources.annotator_for(about.details.units, expression.needs())?;
        Ok(Self {
            about,
            expression,
            annotator,
            symbols,
            biases,
            calibration,
            machine,
            relations,
            resources: resources.clone(),
        })
    }
}

/// Scores pairs one by one.
pub(crate) struct KernelScorer<'a> {
    model: &'a KernelModel,
    scratch: Option<Scratch<'a>>,
    memo: StemMemo,
}

impl KernelScorer<'_> {
    /// The symbols of a pair: of its annotated words if it has any, else of its raw text.
    fn sentences(&mut self, pair: &PairView<'_>) -> Pair {
        let model = self.model;
        let mut symbols = Overlay::new(&model.symbols);
        let mut sentence = |text: &Annotated| match text.tokenisation() {
            Tokenisation::Text => model.annotator.sentence_with(text.text(), &mut symbols, &mut self.memo),
            _ => model.annotator.analysed(text.analysis().clone(), &mut symbols, &mut self.memo),
        };
        let [source, target] = pair.texts();
        Pair { source: sentence(source), target: sentence(target) }
    }

    /// The head scores of a pair, with any tokenisation.
    pub(crate) fn score_words(&mut self, pair: &PairView<'_>) -> Result<Vec<f64>> {
        let sentences = self.sentences(pair);
        self.score_sentences(&sentences)
    }

    fn score_sentences(&mut self, sentences: &Pair) -> Result<Vec<f64>> {
        let model = self.model;
        let mut heads = vec![0.0; model.n_heads()];
        match (&model.machine, &mut self.scratch, FeatureUnion::new(&model.expression)) {
            (Machine::Rules(machine), Some(scratch), Some(mapped)) => {
                machine.score(mapped, sentences, scratch, &mut heads)?;
            }
            (Machine::Support(machine), _, _) => machine.score(sentences, &mut heads)?,
            _ => {}
        }
        heads.iter_mut().zip(&model.biases).for_each(|(head, bias)| *head += bias);
        Ok(heads)
    }

    /// The head scores, and the explanation of their sum weighted by `factors`.
    pub(crate) fn explain_words(&mut self, pair: &PairView<'_>, factors: &[f64], top: usize) -> Result<Explanation> {
        let sentences = self.sentences(pair);
        self.explain_sentences(&sentences, factors, top)
    }

    fn explain_sentences(&mut self, sentences: &Pair, factors: &[f64], top: usize) -> Result<Explanation> {
        let model = self.model;
        let bias = factors.iter().zip(&model.biases).fold(0.0, |sum, (factor, bias)| sum + factor * bias);
        let mut parts = vec![Explanation::leaf(What::Bias, bias)];
        match (&model.machine, FeatureUnion::new(&model.expression)) {
            (Machine::Rules(machine), Some(mapped)) => {
                parts.extend(machine.explain(&model.expression, mapped, (sentences, factors), &model.symbols, top)?);
            }
            (Machine::Support(machine), _) => {
                parts.extend(machine.explain(&model.expression, (sentences, factors), top)?);
            }
            (Machine::Rules(_), None) => {}
        }
        let value = parts.iter().map(|part| part.value).sum();
        Ok(Explanation { parts, ..Explanation::leaf(What::Score, value) })
    }
}

impl PairScorer for KernelScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let score = |pair: &PairView<'_>| {
            progress.check()?;
            Ok(self.model.calibration.predict(&self.score_words(pair)?))
        };
        pairs.iter().map(score).collect()
    }

    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, top: usize) -> Result<Explained> {
        let sentences = self.sentences(pair);
        let heads = self.score_sentences(&sentences)?;
        let calibration = &self.model.calibration;
        let combination = calibration.asked(asked, &heads)?;
        let explanation = self.explain_sentences(&sentences, &combination.factors, top)?;
        let symbols: Box<[Sentence; 2]> = Box::new([sentences.source, sentences.target]);
        Ok(Explained {
            prediction: calibration.predict(&heads),
            explanation: combination.complete(explanation, &heads),
            symbols: Some(symbols),
        })
    }
}

impl PairModel for KernelModel {
    fn to_bytes(&self) -> Result<Vec<u8>> {
        Self::to_bytes(self)
    }

    fn header(&self) -> &Header {
        &self.about.header
    }

    fn resources(&self) -> &Resources {
        &self.resources
    }

    fn details(&self) -> PairDetails<'_> {
        PairDetails::Kernel(&self.about.details)
    }

    /// Kernels tokenise texts themselves, into their units.
    fn needs(&self) -> Needs {
        Needs::TEXT
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(self.new_scorer())
    }

    fn weights(&self, head: usize) -> Vec<Weight> {
        match &self.machine {
            Machine::Rules(machine) => machine.rules(head, &self.expression, &self.symbols),
            Machine::Support(_) => Vec::new(),
        }
    }

    /// Batches are long, because a scorer caches stems, but numerous enough to keep every thread
    /// busy to the end.
    fn batch(&self, n_pairs: usize) -> usize {
        n_pairs.div_ceil(8 * rayon::current_num_threads()).clamp(16, 1024)
    }
}

/// The weights of rules can change. Support pairs keep theirs: only scale and bias can change.
impl Adaptable for KernelModel {
    fn header(&self) -> &Header {
        &self.about.header
    }

    fn calibration(&self) -> &AnswerCalibration {
        &self.calibration
    }

    fn n_weights(&self) -> usize {
        match &self.machine {
            Machine::Rules(machine) => machine.n_rules(),
            Machine::Support(_) => 0,
        }
    }

    fn rows(&self, pairs: &[(&str, &str)], progress: Progress<'_>) -> Result<Vec<Result<AdaptRow>>> {
        let row = |scorer: &mut KernelScorer<'_>, pair: &PairView<'_>| {
            progress.check()?;
            let sentences = scorer.sentences(pair);
            let heads = scorer.score_sentences(&sentences)?;
            let features = match (&self.machine, &mut scorer.scratch, FeatureUnion::new(&self.expression)) {
                (Machine::Rules(machine), Some(scratch), Some(mapped)) => {
                    vec![machine.values(mapped, &sentences, scratch)?]
                }
                _ => Vec::new(),
            };
            Ok(AdaptRow { heads, features, is_fixed: false })
        };
        let score = |scorer: &mut KernelScorer<'_>, views: &[PairView<'_>]| {
            views.iter().map(|pair| row(scorer, pair)).collect()
        };
        score_texts(self, pairs, |pair| *pair, progress, || self.new_scorer(), score)
    }

    fn change(&mut self, header: Header, changes: &[HeadChange], calibration: AnswerCalibration) {
        for (head, HeadChange { scale, weights, bias }) in changes.iter().enumerate() {
            match &mut self.machine {
                Machine::Rules(machine) => machine.change(head, *scale, weights),
                Machine::Support(machine) => machine.scale(head, *scale),
            }
            self.biases[head] = self.biases[head] * scale + bias;
        }
        self.about.header = header;
        self.calibration = calibration;
    }
}
