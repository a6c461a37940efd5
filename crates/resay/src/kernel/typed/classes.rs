//! `tesrk(..., psd=classes)`: the typed kernel with an explicit feature map, so that its rules can
//! be listed and read.
//!
//! Typed relations are not transitive, so matching by them is no inner product. Here every word has
//! one class instead, which depends on the word alone. Two words are equal in a pattern if they
//! have the same class, and two words may be linked if any variable type holds between them. A rule
//! is then a pair of patterns of classes and linked wildcards, n_r(x) is the number of times rule r
//! occurs in pair x, and
//!
//!   K(x, y) = sum over rules r of n_r(x) n_r(y) lambda^(2 links of r)
//!
//! is an inner product: positive semi-definite, as the typed kernel need not be. It is kb-SRK over
//! classes with "equal" replaced by "linked".

use super::TypedPair;
use super::rules::{TakeRule, TypeSets, check_size, for_each_rule};
use super::words::{key, look_up};
use super::{described, layers};
use crate::kernel::features::{FeatureMap, Features, PairKnown};
use crate::kernel::index::{ExplicitIndex, Index};
use crate::kernel::matching::{Matched, Seen, matches_in};
use crate::kernel::{Item, Kernel, MAX_K, PatternIds, sequence};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::lexicon::{Classes, Lexicon, Relations, Term};
use resay_text::{Classify, Layers, Pair, Sentence, Word};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A cached word and the name of its class.
#[derive(Debug)]
struct Known {
    term: Term,
    class: Box<str>,
}

/// The parameters and the cache shared by kernels that differ only in k.
#[derive(Debug)]
struct Scheme {
    lexicon: Arc<Lexicon>,
    pattern: Relations,
    variable: Relations,
    classes: Classes,
    /// Cache of looked-up words. Running text repeats them, and each k looks them up again.
    known: RwLock<FxHashMap<Box<str>, Arc<Known>>>,
}

impl Scheme {
    /// The cache is emptied at this size, so that a stream of text cannot fill the memory.
    const MAX_KNOWN: usize = 1 << 16;

    fn known(&self, form: &str, word: Option<&Word>, text: &mut String) -> Arc<Known> {
        key(form, word, text);
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&**text) {
            return known.clone();
        }
        let term = look_up(&self.lexicon, form, word);
        let class = self.lexicon.class(&term, self.classes).into();
        let new = Arc::new(Known { term, class });
        let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= Self::MAX_KNOWN {
            all.clear();
        }
        all.insert(text.as_str().into(), new.clone());
        new
    }

    fn words(&self, sentence: &Sentence) -> Vec<Arc<Known>> {
        let mut text = String::new();
        let known = |idx: usize| {
            let (form, word) = sentence.word(idx);
            self.known(form, word, &mut text)
        };
        (0..sentence.spans.len()).map(known).collect()
    }

    fn is_linked(&self, source: &Known, target: &Known) -> bool {
        !self.lexicon.relations_among(&source.term, &target.term, self.variable).is_empty()
    }

    /// Returns the classes of a pair, and which words may be linked: 1 or 0.
    fn pair(&self, pair: &Pair, k: usize) -> Result<TypedPair> {
        let [source, target] = [&pair.source, &pair.target];
        if [source, target].iter().any(|sentence| sentence.classes.len() != sentence.spans.len()) {
            return Err(Error::data(
                "a sentence without classes of its words, which a kernel with psd=classes compares: annotate it with \
                 those of the expression",
            ));
        }
        let (n, m) = (source.classes.len(), target.classes.len());
        if n < k || m < k {
            return Ok(TypedPair::default()); // A rule needs both sides.
        }
        check_size(k, n, m)?;
        let (source_words, target_words) = (self.words(source), self.words(target));
        let row = |word: &Arc<Known>| -> Vec<u64> {
            target_words.iter().map(|other| u64::from(self.is_linked(word, other))).collect()
        };
        let links = source_words.iter().flat_map(row).collect();
        Ok(TypedPair { source: source.classes.clone(), target: target.classes.clone(), links })
    }
}

impl Classify for Scheme {
    fn describe(&self) -> String {
        self.classes.show()
    }

    fn classes(&self, sentence: &Sentence, name: &mut dyn FnMut(&str)) {
        self.words(sentence).iter().for_each(|known| name(&known.class));
    }
}

/// The kernel at one k.
#[derive(Clone, Debug)]
pub(crate) struct TypedByClass {
    k: usize,
    lambda: f64,
    scheme: Arc<Scheme>,
}

impl TypedByClass {
    /// Returns one kernel per k. Fails if a pattern type does not define classes.
    pub(crate) fn family(
        ks: impl Iterator<Item = usize>,
        lambda: f64,
        lexicon: Arc<Lexicon>,
        pattern: Relations,
        variable: Relations,
    ) -> Result<Vec<Self>> {
        let classes = lexicon.classes(pattern)?;
        let scheme = Arc::new(Scheme { lexicon, pattern, variable, classes, known: RwLock::default() });
        Ok(ks.map(|k| Self { k, lambda, scheme: scheme.clone() }).collect())
    }
}

/// Numbers rules and counts their links.
struct Lister<'a> {
    patterns: &'a mut dyn PatternIds,
    found: Vec<(u32, u32, usize)>,
}

impl TakeRule for Lister<'_> {
    fn take(&mut self, source: &[Item], target: &[Item]) {
        let (mut untyped, mut n_links) = ([Item::ANY; MAX_K], 0);
        for (to, item) in untyped.iter_mut().zip(source) {
            *to = item.as_typed().map_or(*item, |(number, _)| Item::linked(number));
            n_links += usize::from(item.as_typed().is_some());
        }
        let source = self.patterns.id(&untyped[..source.len()]);
        self.found.push((source, self.patterns.id(target), n_links));
    }
}

/// Extracts the features of a pair of classes: the spectra of both sides and every linked rule.
fn fill(k: usize, lambda: f64, pair: &TypedPair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
    features.clear();
    if pair.source.len() < k || pair.target.len() < k {
        return Ok(());
    }
    sequence::spectrum(k, &pair.source, patterns, &mut features.source);
    sequence::spectrum(k, &pair.target, patterns, &mut features.target);
    let mut lister = Lister { patterns, found: Vec::new() };
    for_each_rule(k, pair, &mut TypeSets::default(), &mut lister)?;
    let mut found = lister.found;
    found.sort_unstable();
    for run in found.chunk_by(|a, b| a == b) {
        let (source, target, n_links) = run[0];
        features.extra.push((source, target, run.len() as f64 * lambda.powi(n_links as i32)));
    }
    Ok(())
}

impl FeatureMap for TypedByClass {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        fill(self.k, self.lambda, &self.scheme.pair(pair, self.k)?, patterns, features)
    }

    fn extract_knowing(
        &self,
        pair: &Pair,
        known: &mut PairKnown,
        patterns: &mut dyn PatternIds,
        features: &mut Features,
    ) -> Result<()> {
        // The schemes of one expression live as long as it does, so no two share an address.
        let scheme = Arc::as_ptr(&self.scheme) as usize;
        let typed = match known.typed.take() {
            Some((of, typed)) if of == scheme => typed,
            _ => self.scheme.pair(pair, self.k)?,
        };
        let filled = fill(self.k, self.lambda, &typed, patterns, features);
        // A pair that is too short for this k may be long enough for the next.
        known.typed = Some((scheme, typed)).filter(|(_, typed)| !typed.links.is_empty());
        filled
    }

    fn is_listable(&self) -> bool {
        true
    }

    fn matches<'a>(
        &'a self,
        source: &'a [Item],
        target: &'a [Item],
        pair: &'a Pair,
    ) -> Box<dyn Iterator<Item = Matched> + 'a> {
        Box::new(matches_in(source, target, Linked { scheme: &self.scheme, pair }))
    }
}

/// A pair as the rules of this kernel see it.
#[derive(Clone, Copy)]
struct Linked<'a> {
    scheme: &'a Scheme,
    pair: &'a Pair,
}

impl<'a> Seen<'a> for Linked<'a> {
    fn symbols(&self) -> [&'a [u32]; 2] {
        [&self.pair.source.classes, &self.pair.target.classes]
    }

    fn is_linked(&self, source: usize, target: usize) -> bool {
        let mut text = String::new();
        let [source, target] = [(&self.pair.source, source), (&self.pair.target, target)].map(|(sentence, idx)| {
            let (form, word) = sentence.word(idx);
            self.scheme.known(form, word, &mut text)
        });
        self.scheme.is_linked(&source, &target)
    }
}

impl Kernel for TypedByClass {
    fn describe(&self) -> String {
        let Scheme { lexicon, pattern, variable, .. } = &*self.scheme;
        described(self.k, self.lambda, lexicon, *pattern, (*variable).into()) + ",psd=classes)"
    }

    fn layers(&self) -> Layers {
        layers(self.scheme.pattern | self.scheme.variable)
    }

    fn classes(&self) -> Option<Arc<dyn Classify>> {
        Some(self.scheme.clone())
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(self.clone(), columns, progress)?))
    }

    fn n_patterns(&self, n: usize) -> usize {
        n << self.k
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}
