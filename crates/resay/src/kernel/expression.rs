//! Kernel expressions: parses what the user writes, such as `kb(k=1..4)+pr`, into a list of
//! kernels.
//!
//! Each kernel is cosine-normalised, and so is their sum. `raw(...)` turns both off for the kernels
//! it encloses, which join the sum unscaled, like `pr`. In `sum(...)` each kernel is normalised but
//! their sum is not. `k=1..4` stands for four kernels. `pair(...)` turns kernels of strings into
//! kernels of pairs. `words(...)`, `chars(...)` and so on, one per unit, say what the symbols of the
//! kernels of strings within are; all other kernels compare the units of the whole model.

use super::idf::Idf;
use super::only::Only;
use super::overlap::Overlap;
use super::rewrite::{Bijective, PairwiseSpectrum, PairwiseWildcard};
use super::strings;
use super::typed::{LinkTypes, Typed, TypedByClass};
use super::{FeatureMap, Index, Kernel, Learned, MAX_K, Scaling};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::lexicon::Lexicon;
use resay_text::{Classify, Layers, Pair, SentenceNeeds, Units};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A sum of kernels.
#[derive(Debug)]
pub struct Expression {
    terms: Vec<Box<dyn Kernel>>,
}

/// Wrappers around kernels, and how the wrapped kernels join the sum.
const WRAPPERS: [(&str, Scaling); 2] = [("raw", Scaling::Plain), ("sum", Scaling::Part)];

/// The wrapper that turns kernels of strings into kernels of pairs.
const PAIR: &str = "pair";

/// The arguments of one kernel as written.
pub(super) struct Arguments<'a> {
    pub(super) name: &'a str,
    /// Key (empty if positional) and value.
    pairs: Vec<(&'a str, &'a str)>,
}

/// Builds the kernels of one name. To add a kernel, add a row to `KERNELS`.
pub(super) type Make = fn(&Arguments, Open<'_>) -> Result<Vec<Box<dyn Kernel>>>;

/// Opens the lexicon. Called only if a kernel needs it.
pub type Open<'a> = &'a dyn Fn() -> Result<Arc<Lexicon>>;

const KERNELS: [(&str, Make); 7] = [
    ("ps", |arguments, _| {
        arguments.only(&["k"])?;
        arguments.each_k(|k| Box::new(PairwiseSpectrum { k }))
    }),
    ("pw", |arguments, _| {
        arguments.only(&["k", "lambda"])?;
        let lambda = arguments.lambda(1)?;
        arguments.each_k(|k| Box::new(PairwiseWildcard { k, lambda }))
    }),
    ("kb", |arguments, _| {
        arguments.only(&["k", "lambda"])?;
        let lambda = arguments.lambda(1)?;
        arguments.each_k(|k| Box::new(Bijective { k, lambda }))
    }),
    ("tesrk", |arguments, open| {
        arguments.only(&["k", "pattern", "variable", "lambda", "psd"])?;
        let lexicon = open()?;
        let named =
            |names: &str| lexicon.parse(names).map_err(|error| Error::parameter(format!("kernel tesrk: {error}")));
        let types = |key: &str, position: usize| match arguments.get(key, position) {
            Some(names) => match names.strip_prefix("any(").and_then(|names| names.strip_suffix(')')) {
                Some(types) if key == "variable" => Ok(LinkTypes { types: named(types)?, is_any: true }),
                _ => named(names).map(LinkTypes::from),
            },
            None => Err(Error::parameter(format!(
                "kernel tesrk: no {key}, expected types of words such as {key}=stem:synonym1"
            ))),
        };
        let (pattern, variable, lambda) = (types("pattern", 1)?.types, types("variable", 2)?, arguments.lambda(3)?);
        let ks = arguments.ks()?;
        match arguments.get("psd", 4).unwrap_or("none") {
            "none" => Ok(boxed(Typed::family(ks, lambda, lexicon, pattern, variable))),
            "classes" => {
                let made = TypedByClass::family(ks, lambda, lexicon, pattern, variable.types);
                Ok(boxed(made.map_err(|error| Error::parameter(format!("kernel tesrk: psd=classes: {error}")))?))
            }
            other => Err(Error::parameter(format!("kernel tesrk: psd={other}, expected none or classes"))),
        }
    }),
    ("only", |arguments, _| {
        arguments.only(&["k"])?;
        arguments.each_k(|k| Box::new(Only::new(k)))
    }),
    ("pr", |arguments, _| {
        arguments.only(&[])?;
        Ok(vec![Box::new(Overlap)])
    }),
    ("idf", |arguments, _| {
        arguments.only(&[])?;
        Ok(vec![Box::new(Idf::default())])
    }),
];

fn boxed<K: Kernel + 'static>(kernels: Vec<K>) -> Vec<Box<dyn Kernel>> {
    kernels.into_iter().map(|kernel| Box::new(kernel) as Box<dyn Kernel>).collect()
}

impl Arguments<'_> {
    pub(super) fn get(&self, key: &str, position: usize) -> Option<&str> {
        let named = self.pairs.iter().find(|(known, _)| *known == key);
        named.or_else(|| self.pairs.get(position).filter(|(known, _)| known.is_empty())).map(|(_, value)| *value)
    }

    pub(super) fn only(&self, keys: &[&str]) -> Result<()> {
        for (position, (key, value)) in self.pairs.iter().enumerate() {
            let repeated = !key.is_empty() && self.pairs[..position].iter().any(|(other, _)| other == key);
            let positional = key.is_empty() && position < keys.len();
            if repeated || !(keys.contains(key) || positional) {
                let what = if key.is_empty() { value } else { key };
                let expected = if keys.is_empty() { "no arguments".to_owned() } else { keys.join(", ") };
                return Err(Error::parameter(format!(
                    "kernel {}: unexpected '{what}', expected {expected}",
                    self.name
                )));
            }
        }
        Ok(())
    }

    pub(super) fn lambda(&self, position: usize) -> Result<f64> {
        let Some(value) = self.get("lambda", position) else { return Ok(1.0) };
        match value.parse::<f64>() {
            Ok(lambda) if lambda > 0.0 && lambda <= 1.0 => Ok(lambda),
            _ => Err(Error::parameter(format!(
                "kernel {}: lambda={value}, expected a number above 0 and at most 1",
                self.name
            ))),
        }
    }

    fn each_k(&self, make: impl Fn(usize) -> Box<dyn Kernel>) -> Result<Vec<Box<dyn Kernel>>> {
        Ok(self.ks()?.map(make).collect())
    }

    pub(super) fn ks(&self) -> Result<std::ops::RangeInclusive<usize>> {
        let wrong = |found: &str| {
            Error::parameter(format!(
                "kernel {}: {found}, expected k=3 or a range such as k=1..4, from 1 to {MAX_K}",
                self.name
            ))
        };
        let Some(value) = self.get("k", 0) else { return Err(wrong("no k")) };
        let (low, high) = value.split_once("..").unwrap_or((value, value));
        match (low.trim().parse::<usize>(), high.trim().trim_start_matches('=').parse::<usize>()) {
            (Ok(low), Ok(high)) if 1 <= low && low <= high && high <= MAX_K => Ok(low..=high),
            _ => Err(wrong(&format!("k={value}"))),
        }
    }
}

impl Expression {
    /// Parses an expression; `open` supplies the lexicon if a kernel needs one.
    pub fn parse(text: &str, open: Open<'_>) -> Result<Self> {
        let mut terms = Vec::new();
        sum(text, Around::default(), open, &mut terms)?;
        // A sentence holds one class per word.
        let mut classes = terms.iter().filter_map(|term| Some(term.classes()?.describe()));
        if let Some(first) = classes.next()
            && let Some(other) = classes.find(|other| *other != first)
        {
            return Err(Error::parameter(format!(
                "kernel '{text}': classes of words by {first} and by {other}, expected the same in all terms with \
                 psd=classes: give them the same pattern"
            )));
        }
        let n_texts = terms.iter().filter(|term| term.text().is_some()).count();
        if n_texts > 0 && n_texts < terms.len() {
            return Err(Error::parameter(format!(
                "kernel '{text}': kernels of pairs beside kernels of single texts, expected one kind: write pair(...) around \
                 the latter to compare both sides of a pair"
            )));
        }
        Ok(Self { terms })
    }

    /// Returns the kernels of single texts if the expression consists of these, `None` if it
    /// compares pairs.
    pub fn texts(&self) -> Option<Vec<&strings::OneText>> {
        self.terms.iter().map(|term| term.text()).collect()
    }

    /// Returns the annotation layers the kernels need besides a sentence's units.
    pub fn layers(&self) -> Layers {
        self.terms.iter().fold(Layers::NONE, |layers, term| layers | term.layers())
    }

    /// Returns the units that terms ask for themselves, each once, in the order of the terms.
    pub fn readings(&self) -> Vec<Units> {
        let mut readings = Vec::new();
        for units in self.terms.iter().filter_map(|term| term.units()) {
            if !readings.contains(&units) {
                readings.push(units);
            }
        }
        readings
    }

    /// Returns what the kernels need of a sentence besides its units.
    pub fn needs(&self) -> SentenceNeeds {
        SentenceNeeds { layers: self.layers(), classes: self.classes(), readings: self.readings() }
    }

    /// Returns the word classes the kernels use, for
    /// [`Annotator::with_classes`](resay_text::Annotator::with_classes).
    pub fn classes(&self) -> Option<Arc<dyn Classify>> {
        self.terms.iter().find_map(|term| term.classes())
    }

    /// Returns the kernels of the sum.
    pub fn terms(&self) -> &[Box<dyn Kernel>] {
        &self.terms
    }

    /// Returns how each term joins the sum.
    pub fn scalings(&self) -> Vec<Scaling> {
        self.terms.iter().map(|term| term.scaling()).collect()
    }

    /// Returns whether the features of every term can be listed, as a linear model needs.
    pub fn is_listable(&self) -> bool {
        self.terms.iter().all(|term| term.features().is_some_and(FeatureMap::is_listable))
    }

    /// Fits those kernels that need a corpus, such as `idf`. Kernels already fitted stay as they
    /// are.
    pub fn learn(mut self, corpus: &[Pair], progress: Progress<'_>) -> Result<Self> {
        for term in &mut self.terms {
            if let Some(learned) = term.learn(corpus, progress)? {
                *term = learned;
            }
        }
        Ok(self)
    }

    /// Returns the indices of the terms that still have to be fitted to a corpus.
    pub fn learners(&self) -> Vec<usize> {
        let learns = |term: &usize| matches!(self.terms[*term].learn(&[], Progress::none()), Ok(Some(_)));
        (0..self.terms.len()).filter(learns).collect()
    }

    /// Gives a term the fitted state of a kernel of the same kind.
    pub fn set_learned(&mut self, term: usize, learned: &Learned) -> Result<()> {
        let Some(kernel) = self.terms.get(term).and_then(|term| term.with_learned(learned)) else {
            return Err(Error::data(format!("kernel {} of {self} cannot have learned what it is given", term + 1)));
        };
        self.terms[term] = kernel;
        Ok(())
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.terms.iter().map(|term| term.describe()).collect();
        f.write_str(&terms.join("+"))
    }
}

impl FromStr for Expression {
    type Err = Error;

    /// Parses with a lexicon of spellings and stems only.
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, &|| Ok(Arc::new(Lexicon::new())))
    }
}

/// Splits at `separator` outside brackets and trims the pieces.
fn split(text: &str, separator: char) -> Result<Vec<&str>> {
    let (mut pieces, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let unbalanced = || Error::parameter(format!("kernel '{text}': brackets do not match"));
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(unbalanced)?,
            _ if character == separator && depth == 0 => {
                pieces.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth != 0 {
        return Err(unbalanced());
    }
    pieces.push(text[start..].trim());
    Ok(pieces)
}

/// The wrappers around a kernel.
#[derive(Clone, Copy, Default)]
struct Around {
    /// How the kernel joins the sum, if a wrapper says so.
    scaling: Option<Scaling>,
    /// The units of the kernel's symbols, if a wrapper says so.
    units: Option<Units>,
    depth: usize,
}

impl Around {
    /// Returns the wrappers within this piece if its name is a scaling or a unit.
    fn within(self, piece: &str, name: &str, inside: &str) -> Result<Option<Self>> {
        let depth = self.depth + 1;
        if let Some((_, scaling)) = WRAPPERS.iter().find(|(known, _)| *known == name) {
            return Ok(Some(Self { scaling: Some(*scaling), depth, ..self }));
        }
        let Some((_, units)) = Units::NAMES.iter().find(|(known, _)| *known == name) else { return Ok(None) };
        if let Some(outer) = self.units {
            return Err(Error::parameter(format!(
                "kernel '{piece}' within {}(...): expected one unit per kernel, keep one of the two",
                outer.name()
            )));
        }
        if inside.trim().is_empty() {
            return Err(Error::parameter(format!(
                "kernel '{piece}': expected {name}(...) around kernels of strings, such as {name}(spectrum(k=2))"
            )));
        }
        Ok(Some(Self { units: Some(*units), depth, ..self }))
    }

    /// Applies the wrappers to a kernel, written as `piece`.
    fn apply(self, kernel: Box<dyn Kernel>, piece: &str) -> Result<Box<dyn Kernel>> {
        let Some(units) = self.units else { return Ok(rescaled(kernel, self.scaling)) };
        let Some(text) = kernel.text() else {
            let units = units.name();
            return Err(Error::parameter(format!(
                "kernel '{piece}' within {units}(...): only kernels of strings have units of their own, expected \
                 {units}(...) around such kernels, for example {units}(spectrum(k=2)): write {piece} outside of it"
            )));
        };
        Ok(rescaled(Box::new(text.over(units)), self.scaling))
    }
}

fn sum(text: &str, around: Around, open: Open<'_>, terms: &mut Vec<Box<dyn Kernel>>) -> Result<()> {
    if around.depth > 16 {
        return Err(Error::parameter("kernel: brackets are nested too deep"));
    }
    for piece in split(text, '+')? {
        let (name, inside) = match piece.split_once('(') {
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(inside) => (name.trim(), inside),
                None => return Err(Error::parameter(format!("kernel '{piece}': expected NAME(key=value,...)"))),
            },
            None => (piece, ""),
        };
        if let Some(within) = around.within(piece, name, inside)? {
            sum(inside, within, open, terms)?;
            continue;
        }
        if name == PAIR {
            if let Some(units) = around.units {
                let units = units.name();
                return Err(Error::parameter(format!(
                    "kernel '{piece}' within {units}(...): it compares pairs, expected kernels of strings: write \
                     pair({units}(...))"
                )));
            }
            let mut inner = Vec::new();
            sum(inside, Around { depth: around.depth + 1, ..Around::default() }, open, &mut inner)?;
            let both = |kernel: &dyn Kernel| Some(Box::new(kernel.text()?.both()) as Box<dyn Kernel>);
            let Some(both) = inner.iter().map(|kernel| both(&**kernel)).collect::<Option<Vec<_>>>() else {
                return Err(Error::parameter(format!(
                    "kernel '{piece}': expected pair(...) around kernels of strings, such as pair(spectrum(k=2))"
                )));
            };
            terms.extend(both.into_iter().map(|kernel| rescaled(kernel, around.scaling)));
            continue;
        }
        let kernels = || KERNELS.iter().chain(&strings::KERNELS);
        let Some((_, make)) = kernels().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = kernels().map(|(known, _)| *known).collect();
            return Err(Error::parameter(format!(
                "unknown kernel '{name}', expected one of: {}, or raw(...), sum(...), pair(...) or a unit ({}) around them",
                known.join(", "),
                Units::NAMES.map(|(name, _)| name).join(", ")
            )));
        };
        let arguments = if inside.trim().is_empty() { Vec::new() } else { split(inside, ',')? };
        let pairs = arguments
            .into_iter()
            .map(|argument| argument.split_once('=').map_or(("", argument), |(key, value)| (key.trim(), value.trim())))
            .collect();
        for kernel in make(&Arguments { name, pairs }, open)? {
            terms.push(around.apply(kernel, piece)?);
        }
    }
    Ok(())
}

/// Applies the scaling of a wrapper. Kernels that join a sum unscaled do so inside wrappers too.
fn rescaled(kernel: Box<dyn Kernel>, scaling: Option<Scaling>) -> Box<dyn Kernel> {
    match scaling {
        Some(scaling) if kernel.scaling() != Scaling::Plain => Box::new(Rescaled { kernel, scaling }),
        _ => kernel,
    }
}

/// A kernel that joins a sum with another scaling than its own.
#[derive(Debug)]
struct Rescaled {
    kernel: Box<dyn Kernel>,
    scaling: Scaling,
}

impl Kernel for Rescaled {
    fn describe(&self) -> String {
        let around = WRAPPERS.iter().find(|(_, scaling)| *scaling == self.scaling).map_or("", |(name, _)| name);
        format!("{around}({})", self.kernel.describe())
    }

    fn scaling(&self) -> Scaling {
        self.scaling
    }

    fn layers(&self) -> Layers {
        self.kernel.layers()
    }

    fn text(&self) -> Option<&strings::OneText> {
        self.kernel.text()
    }

    fn units(&self) -> Option<Units> {
        self.kernel.units()
    }

    fn classes(&self) -> Option<Arc<dyn Classify>> {
        self.kernel.classes()
    }

    fn prepare(&self, columns: &[Pair], progress: Progress<'_>) -> Result<()> {
        self.kernel.prepare(columns, progress)
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        self.kernel.index(columns, progress)
    }

    fn n_patterns(&self, n: usize) -> usize {
        self.kernel.n_patterns(n)
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        self.kernel.features()
    }

    fn learn(&self, corpus: &[Pair], progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        Ok(self.kernel.learn(corpus, progress)?.map(|kernel| self.around(kernel)))
    }

    fn learned(&self) -> Option<Learned> {
        self.kernel.learned()
    }

    fn with_learned(&self, learned: &Learned) -> Option<Box<dyn Kernel>> {
        self.kernel.with_learned(learned).map(|kernel| self.around(kernel))
    }
}

impl Rescaled {
    fn around(&self, kernel: Box<dyn Kernel>) -> Box<dyn Kernel> {
        Box::new(Self { kernel, scaling: self.scaling })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the expression written out in full, or the error message, with `expected`.
    fn check(text: &str, expected: &str) {
        let found = text.parse::<Expression>().map_or_else(|error| error.to_string(), |found| found.to_string());
        assert_eq!(found, expected, "{text:?}");
        if let Ok(again) = found.parse::<Expression>() {
            assert_eq!(again.to_string(), found);
        }
    }

    #[test]
    fn expressions_are_read_as_written() {
        check("kb(k=2)", "kb(k=2,lambda=1)");
        check(" kb( k = 1..2 , lambda=0.5 ) + pr ", "kb(k=1,lambda=0.5)+kb(k=2,lambda=0.5)+pr");
        check("ps(3)+pw(2,0.25)", "ps(k=3)+pw(k=2,lambda=0.25)");
        check("raw(ps(k=1..2)+pr)+kb(1)", "raw(ps(k=1))+raw(ps(k=2))+pr+kb(k=1,lambda=1)");
        check("raw(idf)+pr", "idf+pr");
        let by_class = "tesrk(k=1,pattern=stem,variable=id:edit1,lambda=0.5,psd=classes)";
        check("tesrk(1,stem,edit1:id,0.5,classes)", by_class);
        check(&format!("raw({by_class})+kb(1)"), &format!("raw({by_class})+kb(k=1,lambda=1)"));
        check("tesrk(1,edit1,id,psd=none)", "tesrk(k=1,pattern=edit1,variable=id,lambda=1)");
        check("tesrk(1,edit1,any(stem:id))", "tesrk(k=1,pattern=edit1,variable=any(id:stem),lambda=1)");
        // Links by class are of any type as it is.
        check("tesrk(1,stem,any(id:edit1),0.5,classes)", by_class);
        check("spectrum(k=1..2)", "spectrum(k=1)+spectrum(k=2)");
        check("wildcard(3,2,0.5)", "wildcard(k=3,m=2,lambda=0.5)");
        check("wildcard(k=1..2)", "wildcard(k=1,m=1,lambda=1)+wildcard(k=2,m=2,lambda=1)");
        check("subsequence(k=2..4,lambda=0.5)", "subsequence(k=2..4,lambda=0.5)");
        check("ngram(5,2,log)", "ngram(k=5,min=2,weight=log,smoothing=0)");
        check("fsm", "fsm(min=10,smoothing=1,weight=uniform,prefixes=drop)");
        check("fsm(3,0.5,inverse,keep)+bow", "fsm(min=3,smoothing=0.5,weight=inverse,prefixes=keep)+bow(weight=tfidf)");
        check("pair(spectrum(k=1..2))+kb(1)", "pair(spectrum(k=1))+pair(spectrum(k=2))+kb(k=1,lambda=1)");
        check("raw(pair(bow(tf)))", "raw(pair(bow(weight=tf)))");
        check("sum(kb(k=1..2))+pr", "sum(kb(k=1,lambda=1))+sum(kb(k=2,lambda=1))+pr");
        check("spectrum(k=5)+words(spectrum(k=1..2))", "spectrum(k=5)+words(spectrum(k=1))+words(spectrum(k=2))");
        check("words( raw(bow(tf)) + bow )", "raw(words(bow(weight=tf)))+words(bow(weight=tfidf))");
        check(
            "sum(chars(fsm)+bow)",
            "sum(chars(fsm(min=10,smoothing=1,weight=uniform,prefixes=drop)))+sum(bow(weight=tfidf))",
        );
        check("pair(words(spectrum(1))+spectrum(1))+pr", "pair(words(spectrum(k=1)))+pair(spectrum(k=1))+pr");
    }

    #[test]
    fn readings_are_each_named_once() {
        let expression: Expression = "bow+lower(ngram(k=2..3))+raw(words(bow))+lower(fsm)".parse().unwrap();
        assert_eq!(expression.readings(), [Units::Lower, Units::Words]);
        assert_eq!("raw(pair(stems(bow)))".parse::<Expression>().unwrap().readings(), [Units::Stems]);
        for (name, units) in Units::NAMES {
            let expression: Expression = format!("{name}(spectrum(k=2))").parse().unwrap();
            assert_eq!(
                (expression.readings(), expression.to_string()),
                (vec![units], format!("{name}(spectrum(k=2))"))
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        check(
            "wildcard(k=2,m=3)",
            "kernel wildcard: m=3, expected at most k=2: a string of 2 symbols has no more wildcards",
        );
        check("fsm(min=1)", "kernel fsm: min=1, expected a whole number, 2 or more");
        check("fsm(smoothing=0)", "kernel fsm: smoothing=0, expected a number above 0");
        check("fsm(prefixes=no)", "kernel fsm: prefixes=no, expected drop or keep");
        check("ngram(k=2,weight=tf)", "kernel ngram: weight=tf, expected uniform, inverse or log");
        check("bow(weight=idf)", "kernel bow: weight=idf, expected tfidf, log or tf");
        check(
            "pair(kb(1))",
            "kernel 'pair(kb(1))': expected pair(...) around kernels of strings, such as pair(spectrum(k=2))",
        );
        check(
            "bow+pr",
            "kernel 'bow+pr': kernels of pairs beside kernels of single texts, expected one kind: write pair(...) around the \
             latter to compare both sides of a pair",
        );
        check("kb(k=0)", "kernel kb: k=0, expected k=3 or a range such as k=1..4, from 1 to 12");
        check("kb", "kernel kb: no k, expected k=3 or a range such as k=1..4, from 1 to 12");
        check("kb(k=4..1)", "kernel kb: k=4..1, expected k=3 or a range such as k=1..4, from 1 to 12");
        check("kb(k=1,lambda=2)", "kernel kb: lambda=2, expected a number above 0 and at most 1");
        check("kb(k=1,lambda=NaN)", "kernel kb: lambda=NaN, expected a number above 0 and at most 1");
        check("ps(k=1,lambda=1)", "kernel ps: unexpected 'lambda', expected k");
        check("ps(k=1,k=2)", "kernel ps: unexpected 'k', expected k");
        check("pr(1)", "kernel pr: unexpected '1', expected no arguments");
        let pattern =
            "tesrk(1,any(stem),id)".parse::<Expression>().map_or_else(|error| error.to_string(), |_| String::new());
        assert!(pattern.starts_with("kernel tesrk: unknown relation 'any(stem)', expected one of: id"), "{pattern}");
        check("tesrk(1,stem,id,psd=yes)", "kernel tesrk: psd=yes, expected none or classes");
        check(
            "tesrk(1,stem:edit1,id,psd=classes)",
            "kernel tesrk: psd=classes: edit1 makes no classes of words, expected some of: id, idminustag, lemma, stem, ne",
        );
        check(
            "tesrk(1,stem,id,psd=classes)+raw(tesrk(1,lemma,id,psd=classes))",
            "kernel 'tesrk(1,stem,id,psd=classes)+raw(tesrk(1,lemma,id,psd=classes))': classes of words by stem and by \
             lemma, expected the same in all terms with psd=classes: give them the same pattern",
        );
        check(
            "syllables(spectrum(k=1))",
            "unknown kernel 'syllables', expected one of: ps, pw, kb, tesrk, only, pr, idf, spectrum, wildcard, subsequence, ngram, fsm, bow, or raw(...), sum(...), pair(...) or a unit (stems, words, lemmas, tokens, chars, lower, letters) around them",
        );
        check(
            "words(raw(lower(bow)+bow))",
            "kernel 'lower(bow)' within words(...): expected one unit per kernel, keep one of the two",
        );
        check(
            "words(pair(bow))",
            "kernel 'pair(bow)' within words(...): it compares pairs, expected kernels of strings: write pair(words(...))",
        );
        check(
            "chars(bow+kb(k=1))",
            "kernel 'kb(k=1)' within chars(...): only kernels of strings have units of their own, expected chars(...) around \
             such kernels, for example chars(spectrum(k=2)): write kb(k=1) outside of it",
        );
        check("words", "kernel 'words': expected words(...) around kernels of strings, such as words(spectrum(k=2))");
        check(
            "words()",
            "kernel 'words()': expected words(...) around kernels of strings, such as words(spectrum(k=2))",
        );
        check(
            "foo(k=1)",
            "unknown kernel 'foo', expected one of: ps, pw, kb, tesrk, only, pr, idf, spectrum, wildcard, subsequence, ngram, fsm, bow, or raw(...), sum(...), pair(...) or a unit (stems, words, lemmas, tokens, chars, lower, letters) around them",
        );
        check(
            "",
            "unknown kernel '', expected one of: ps, pw, kb, tesrk, only, pr, idf, spectrum, wildcard, subsequence, ngram, fsm, bow, or raw(...), sum(...), pair(...) or a unit (stems, words, lemmas, tokens, chars, lower, letters) around them",
        );
        check("kb(k=1", "kernel 'kb(k=1': brackets do not match");
        check("kb(k=1)x", "kernel 'kb(k=1)x': expected NAME(key=value,...)");
    }
    #[test]
    fn a_kernel_in_brackets_learns_as_it_would_outside() {
        let inside: Vec<Box<dyn Kernel>> = vec![Box::new(Idf::default())];
        let bracketed = |kernel| Box::new(Rescaled { kernel, scaling: Scaling::Part }) as Box<dyn Kernel>;
        let mut expression = Expression { terms: inside.into_iter().map(bracketed).collect() };
        assert_eq!((expression.learners(), expression.is_listable()), (vec![0], false));
        let learned = Learned { symbols: vec![3], numbers: vec![7, 2] };
        expression.set_learned(0, &learned).unwrap();
        assert_eq!((expression.learners(), expression.is_listable()), (vec![], true));
        assert_eq!((expression.to_string(), expression.terms()[0].learned()), ("sum(idf)".to_owned(), Some(learned)));
        let wrong = expression.set_learned(1, &Learned::default()).unwrap_err().to_string();
        assert_eq!(wrong, "kernel 2 of sum(idf) cannot have learned what it is given");
        let expression = "kb(k=1)+idf".parse::<Expression>().unwrap();
        assert_eq!(expression.learners(), [1]);
        assert!(expression.learn(&[], Progress::none()).unwrap().learners().is_empty());
    }
}
