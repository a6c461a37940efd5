//! A machine over re-writing rules: one weight per rule and head, no support vectors, and nothing
//! of the corpus but its rules.

use super::Pruning;
use super::contract::Weight;
use crate::Result;
use crate::explain::{Explanation, Place, RewriteRule, Slot, What};
use crate::kernel::{
    Expression, FeatureMap, FeatureUnion, Features, Item, Kernel, PairFeatures, PatternIds, PatternOverlay,
    PatternTable, PrivateRule, Rule, RuleMatrix, RuleTable,
};
use resay_learn::progress::Progress;
use resay_text::container::{SectionReader, put};
use resay_text::{Intern, Interner, Pair, Sentence, Span, Symbol};

/// A rule on its way from training to the model.
struct Trained {
    source: u32,
    target: u32,
    /// One weight per head.
    weights: Vec<f64>,
    support: u32,
    /// A training pair that contains it.
    row: usize,
}

impl Trained {
    /// The largest absolute weight of any head, which decides whether the rule is kept.
    fn heaviest(&self) -> f64 {
        self.weights.iter().fold(0.0, |most, weight| weight.abs().max(most))
    }
}

/// The rules of one kernel in the expression.
#[derive(Clone, Debug, Default)]
struct TermRules {
    patterns: PatternTable,
    rules: RuleTable,
    /// One weight per rule and head, the heads of a rule side by side. `f32`, rounded at
    /// construction: this halves the file, and saving changes no score.
    weights: Vec<f32>,
    /// The number of training pairs that contain each rule.
    support: Vec<u32>,
    /// The words that the linked wildcards of rule `r` matched in a training pair: `fillers[ends[r
    /// - 1]..ends[r]]`.
    fillers: Vec<Symbol>,
    filler_ends: Vec<u32>,
    /// Whether a pattern is the target of some rule.
    is_target: Vec<bool>,
}

/// A weighted set of rules per kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleMachine {
    terms: Vec<TermRules>,
    n_heads: usize,
}

/// The per-thread scratch space of scoring, which saves allocations.
#[derive(Debug)]
pub(super) struct Scratch<'a> {
    patterns: Vec<PatternOverlay<'a>>,
    features: PairFeatures,
}

impl RuleMachine {
    /// Keeps the rules of `sum_i coefficients[i] * row_i` that survive pruning in any head; returns
    /// how many there were. The symbols that they need are interned anew in `symbols`.
    pub(super) fn new(
        expression: &Expression,
        listing: &RuleMatrix,
        coefficients: &[Vec<f64>],
        pairs: &[Pair],
        pruning: Pruning,
        (all_symbols, symbols): (&Interner, &mut Interner),
        progress: Progress<'_>,
    ) -> Result<(Self, usize)> {
        let least_support = pruning.least_support();
        let mut terms = trained_rules(listing, coefficients, least_support <= 1, progress)?;
        terms.iter_mut().for_each(|rules| rules.retain(|rule| rule.support >= least_support));
        let threshold = pruning.threshold(terms.iter().flatten().map(Trained::heaviest).collect());
        terms.iter_mut().for_each(|rules| rules.retain(|rule| rule.heaviest() > threshold));
        let pairs = if pruning.examples { pairs } else { &[] };
        let mut renew = |symbol: Symbol| symbols.symbol(all_symbols.string(symbol).unwrap_or_default());
        let terms = terms.iter().zip(&listing.patterns).zip(expression.terms());
        let terms = terms
            .map(|((rules, patterns), kernel)| TermRules::new(&**kernel, rules, patterns, pairs, &mut renew, progress))
            .collect::<Result<_>>()?;
        Ok((Self { terms, n_heads: coefficients.len() }, listing.n_rules()))
    }

    pub(super) fn n_rules(&self) -> usize {
        self.terms.iter().map(|term| term.rules.len()).sum()
    }

    pub(super) fn scratch(&self) -> Scratch<'_> {
        Scratch {
            patterns: self.terms.iter().map(|term| PatternOverlay::new(&term.patterns)).collect(),
            features: PairFeatures::default(),
        }
    }

    /// Adds the score of a pair to each head.
    pub(super) fn score(
        &self,
        mapped: FeatureUnion<'_>,
        pair: &Pair,
        scratch: &mut Scratch<'_>,
        heads: &mut [f64],
    ) -> Result<()> {
        let Scratch { patterns, features } = scratch;
        patterns.iter_mut().for_each(PatternOverlay::clear);
        mapped.extract(pair, patterns, features)?;
        self.weigh(features, heads);
        Ok(())
    }

    /// The rules of the machine that a pair has, with their values, by the number of the rule over
    /// all terms.
    pub(super) fn values(
        &self,
        mapped: FeatureUnion<'_>,
        pair: &Pair,
        scratch: &mut Scratch<'_>,
    ) -> Result<Vec<(u32, f64)>> {
        let Scratch { patterns, features } = scratch;
        patterns.iter_mut().for_each(PatternOverlay::clear);
        mapped.extract(pair, patterns, features)?;
        let (mut found, mut first): (Vec<(u32, f64)>, usize) = (Vec::new(), 0);
        for ((term, features), scale) in self.terms.iter().zip(&features.terms).zip(&features.scales) {
            term.each(features, |rule, _, _, value| found.push(((first + rule) as u32, scale * value)));
            first += term.rules.len();
        }
        found.sort_by_key(|(rule, _)| *rule);
        found.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        Ok(found)
    }

    /// Multiplies the weights of a head by `scale` and adds `more`, one per rule over all terms.
    pub(super) fn change(&mut self, head: usize, scale: f64, more: &[f64]) {
        let (n_heads, mut first) = (self.n_heads, 0);
        for term in &mut self.terms {
            let n_rules = term.rules.len();
            for (rule, weight) in term.weights.iter_mut().skip(head).step_by(n_heads.max(1)).enumerate() {
                let more = more.get(first + rule).copied().unwrap_or_default();
                *weight = (f64::from(*weight) * scale + more) as f32;
            }
            first += n_rules;
        }
    }

    /// Adds the weighted sum of a pair's features to each head.
    fn weigh(&self, features: &PairFeatures, heads: &mut [f64]) {
        if let [head] = heads {
            let mut score = 0.0;
            for ((term, features), scale) in self.terms.iter().zip(&features.terms).zip(&features.scales) {
                let mut sum = 0.0;
                term.each(features, |rule, _, _, value| sum += value * f64::from(term.weights[rule]));
                score += scale * sum;
            }
            *head += score;
            return;
        }
        let mut sums = vec![0.0; heads.len()];
        for ((term, features), scale) in self.terms.iter().zip(&features.terms).zip(&features.scales) {
            sums.fill(0.0);
            term.each(features, |rule, _, _, value| {
                let weights = &term.weights[rule * self.n_heads..(rule + 1) * self.n_heads];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * f64::from(*weight));
            });
            heads.iter_mut().zip(&sums).for_each(|(head, sum)| *head += scale * sum);
        }
    }

    /// The explanation of a weighted sum of heads, with at most `top` rules per kernel and the rest
    /// summed up.
    pub(super) fn explain(
        &self,
        expression: &Expression,
        mapped: FeatureUnion<'_>,
        (pair, factors): (&Pair, &[f64]),
        symbols: &Interner,
        top: usize,
    ) -> Result<Vec<Explanation>> {
        let mut scratch = self.scratch();
        mapped.extract(pair, &mut scratch.patterns, &mut scratch.features)?;
        let PairFeatures { terms: features, scales } = &scratch.features;
        let mut parts = Vec::new();
        for (index, (term, kernel)) in self.terms.iter().zip(expression.terms()).enumerate() {
            let mut hits: Vec<(u32, u32, f64)> = Vec::new();
            term.each(&features[index], |rule, source, target, value| {
                let weights = term.weights[rule * self.n_heads..].iter().map(|weight| f64::from(*weight));
                let weight = factors.iter().zip(weights).fold(0.0, |sum, (factor, weight)| sum + factor * weight);
                hits.push((source, target, scales[index] * value * weight));
            });
            // An empty float sum would be -0.
            let sum = |hits: &[(u32, u32, f64)]| hits.iter().map(|hit| hit.2).fold(0.0, |sum, value| sum + value);
            let value = sum(&hits);
            hits.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then((a.0, a.1).cmp(&(b.0, b.1))));
            let (shown, rest) = hits.split_at(top.min(hits.len()));
            let mut leaves: Vec<Explanation> = Vec::new();
            for &(source, target, value) in shown {
                let what = term.what(&**kernel, source, target, symbols);
                let places = match (&what, kernel.features()) {
                    (What::Rule(_), Some(map)) => {
                        places(map, term.patterns.pattern(source), term.patterns.pattern(target), pair)
                    }
                    _ => Vec::new(),
                };
                leaves.push(Explanation { places, ..Explanation::leaf(what, value) });
            }
            if !rest.is_empty() {
                leaves.push(Explanation::leaf(What::Rest(rest.len()), sum(rest)));
            }
            parts.push(Explanation { parts: leaves, ..Explanation::leaf(What::Kernel(kernel.describe()), value) });
        }
        Ok(parts)
    }

    /// All rules of a head, heaviest first.
    pub(super) fn rules(&self, head: usize, expression: &Expression, symbols: &Interner) -> Vec<Weight> {
        let mut rules = Vec::with_capacity(self.n_rules());
        for (term, kernel) in self.terms.iter().zip(expression.terms()) {
            for (rule, (source, target)) in term.rules.rules().enumerate() {
                let what = term.what(&**kernel, source, target, symbols);
                let fillers: Vec<String> = term.fillers(rule).iter().map(|&symbol| word(symbols, symbol)).collect();
                let example = match &what {
                    What::Rule(rule) if !fillers.is_empty() => Some(rule.filled(&fillers)),
                    _ => None,
                };
                let weight = f64::from(term.weights[rule * self.n_heads + head]);
                let support = Some(term.support[rule]);
                rules.push(Weight { kernel: Some(kernel.describe()), what, weight, support, example });
            }
        }
        rules.retain(|rule| self.n_heads == 1 || rule.weight != 0.0);
        Weight::heaviest_first(&mut rules);
        rules
    }

    pub(super) fn write(&self) -> Vec<Vec<u8>> {
        self.terms.iter().map(TermRules::write).collect()
    }

    pub(super) fn read(file: &str, sections: &[&[u8]], n_symbols: usize, n_heads: usize) -> Result<Self> {
        let read = |bytes: &&[u8]| TermRules::read(SectionReader::new(file, "rules", bytes), n_symbols, n_heads);
        Ok(Self { terms: sections.iter().map(read).collect::<Result<_>>()?, n_heads })
    }
}

/// The rules of every term with a non-zero weight in some head, sorted by their patterns.
fn trained_rules(
    listing: &RuleMatrix,
    coefficients: &[Vec<f64>],
    with_private: bool,
    progress: Progress<'_>,
) -> Result<Vec<Vec<Trained>>> {
    let of_heads = coefficients.iter().map(|head| listing.weights(head, progress)).collect::<Result<Vec<_>>>()?;
    let rows: Vec<usize> = (0..coefficients.first().map_or(0, Vec::len)).collect();
    let support = listing.support(&rows, progress)?;
    let mut first_rows = vec![usize::MAX; support.len()];
    for &row in rows.iter().rev() {
        progress.check()?;
        listing.rows.row(row).0.iter().for_each(|&column| first_rows[column as usize] = row);
    }
    let term_rules = |(term, columns): (usize, &crate::kernel::RuleColumns)| {
        let mut rules: Vec<Trained> = Vec::with_capacity(columns.rules.len());
        for (column, &(source, target)) in (columns.first..).zip(&columns.rules) {
            let weights = of_heads.iter().map(|weights| weights[column]).collect();
            let (support, row) = (support[column], first_rows[column]);
            rules.push(Trained { source, target, weights, support, row });
        }
        if with_private {
            for rule in listing.private_rules(term, coefficients, progress)? {
                let weights = coefficients.iter().map(|head| rule.weight(head)).collect();
                let PrivateRule { source, target, row, .. } = rule;
                rules.push(Trained { source, target, weights, support: 1, row });
            }
            rules.sort_unstable_by_key(|rule| (rule.source, rule.target));
        }
        rules.retain(|rule| rule.weights.iter().any(|weight| *weight as f32 != 0.0));
        Ok(rules)
    };
    listing.columns.iter().enumerate().map(term_rules).collect()
}

fn word(symbols: &Interner, symbol: Symbol) -> String {
    symbols.string(symbol).unwrap_or("?").to_owned()
}

fn places(map: &dyn FeatureMap, source: &[Item], target: &[Item], pair: &Pair) -> Vec<Place> {
    let spans = |sentence: &Sentence, start: usize, len: usize| -> Vec<Span> {
        sentence.spans.get(start..start + len).unwrap_or_default().to_vec()
    };
    map.matches(source, target, pair)
        .map(|found| Place {
            source: spans(&pair.source, found.source, source.len()),
            target: spans(&pair.target, found.target, target.len()),
        })
        .collect()
}

impl TermRules {
    fn new(
        kernel: &dyn Kernel,
        rules: &[Trained],
        patterns: &PatternTable,
        pairs: &[Pair],
        renew: &mut impl FnMut(Symbol) -> Symbol,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let mut term = Self::default();
        // Patterns in use keep their order, so the rules stay sorted.
        let mut used = vec![false; patterns.len()];
        rules.iter().flat_map(|rule| [rule.source, rule.target]).for_each(|pattern| used[pattern as usize] = true);
        let mut new_ids = vec![0; patterns.len()];
        let mut items = Vec::new();
        for old in (0..patterns.len()).filter(|&old| used[old]) {
            items.clear();
            items.extend(patterns.pattern(old as u32).iter().map(|item| match item.as_symbol() {
                Some(symbol) => Item::symbol(renew(symbol)),
                None => *item,
            }));
            new_ids[old] = term.patterns.id(&items);
        }
        for rule in rules {
            progress.check()?;
            let (source, target) = (patterns.pattern(rule.source), patterns.pattern(rule.target));
            let is_linked = |item: &Item| item.as_linked().is_some();
            let pair = pairs.get(rule.row).filter(|_| source.iter().any(is_linked));
            let found = pair.zip(kernel.features()).and_then(|(pair, map)| {
                let found = map.matches(source, target, pair).next()?;
                let linked = |side: &[Item], units: &[Symbol]| -> Vec<(Item, Symbol)> {
                    side.iter().copied().zip(units.iter().copied()).filter(|(item, _)| is_linked(item)).collect()
                };
                let sources = linked(source, &pair.source.units[found.source..]);
                let mut targets = linked(target, &pair.target.units[found.target..]);
                targets.sort_unstable_by_key(|(item, _)| *item); // By number, as in the source.
                // If both sides have the same words, store them once.
                let is_same = sources == targets;
                Some(sources.into_iter().chain(targets.into_iter().filter(move |_| !is_same)))
            });
            let fillers: Vec<Symbol> = found.into_iter().flatten().map(|(_, symbol)| renew(symbol)).collect();
            term.push_fillers(fillers);
            term.weights.extend(rule.weights.iter().map(|weight| *weight as f32));
            term.support.push(rule.support);
        }
        let new_rules = rules.iter().map(|rule| (new_ids[rule.source as usize], new_ids[rule.target as usize]));
        term.rules = RuleTable::new(term.patterns.len(), new_rules);
        term.mark_targets();
        Ok(term)
    }

    fn push_fillers(&mut self, fillers: impl IntoIterator<Item = Symbol>) {
        self.fillers.extend(fillers);
        self.filler_ends.push(self.fillers.len() as u32);
    }

    fn fillers(&self, rule: usize) -> &[Symbol] {
        let start = if rule == 0 { 0 } else { self.filler_ends[rule - 1] };
        &self.fillers[start as usize..self.filler_ends[rule] as usize]
    }

    fn mark_targets(&mut self) {
        self.is_target = vec![false; self.patterns.len()];
        for (_, target) in self.rules.rules() {
            self.is_target[target as usize] = true;
        }
    }

    /// Visits (rule, source, target, value) for every rule of the machine among the features.
    fn each(&self, features: &Features, mut visit: impl FnMut(usize, u32, u32, f64)) {
        let is_target = |target: u32| self.is_target.get(target as usize).is_some_and(|is| *is);
        for &(source, value) in features.source.iter().filter(|(source, _)| self.rules.has_source(*source)) {
            for &(target, other) in features.target.iter().filter(|(target, _)| is_target(*target)) {
                if let Some(rule) = self.rules.get(source, target) {
                    visit(rule as usize, source, target, value * other);
                }
            }
        }
        for &(source, target, value) in &features.extra {
            if let Some(rule) = self.rules.get(source, target) {
                visit(rule as usize, source, target, value);
            }
        }
    }

    fn what(&self, kernel: &dyn Kernel, source: u32, target: u32, symbols: &Interner) -> What {
        let (source, target) = (self.patterns.pattern(source), self.patterns.pattern(target));
        if let Some(Rule::Overlap(measure)) = kernel.features().map(|map| map.rule(source, target)) {
            return What::Overlap(measure);
        }
        let slots = |pattern: &[Item]| {
            let slot = |item: &Item| match item.as_symbol() {
                Some(symbol) => Slot::Word(word(symbols, symbol)),
                None => Slot::Wildcard(item.as_linked()),
            };
            pattern.iter().map(slot).collect()
        };
        What::Rule(RewriteRule { source: slots(source), target: slots(target) })
    }

    /// Wildcards are written as small numbers, symbols as numbers from here on.
    const FIRST_SYMBOL: u64 = 32;

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.patterns.len() as u64);
        for pattern in (0..self.patterns.len()).map(|id| self.patterns.pattern(id as u32)) {
            put(&mut out, pattern.len() as u64);
            for item in pattern {
                let linked = || item.as_linked().map_or(0, |number| number as u64 + 1);
                put(&mut out, item.as_symbol().map_or_else(linked, |symbol| u64::from(symbol) + Self::FIRST_SYMBOL));
            }
        }
        put(&mut out, self.rules.len() as u64);
        let (mut last_source, mut next_target) = (0, 0);
        for (source, target) in self.rules.rules() {
            // Rules are sorted, so deltas are small: the source's, then the target's within the
            // same source.
            put(&mut out, u64::from(source - last_source));
            if source != last_source {
                next_target = 0;
            }
            put(&mut out, u64::from(target - next_target));
            (last_source, next_target) = (source, target + 1);
        }
        self.weights.iter().for_each(|weight| out.extend(weight.to_le_bytes()));
        self.support.iter().for_each(|&support| put(&mut out, u64::from(support)));
        for fillers in (0..self.rules.len()).map(|rule| self.fillers(rule)) {
            put(&mut out, fillers.len() as u64);
            fillers.iter().for_each(|&symbol| put(&mut out, u64::from(symbol)));
        }
        out
    }

    fn read(mut reader: SectionReader<'_>, n_symbols: usize, n_heads: usize) -> Result<Self> {
        let mut term = Self::default();
        let n_patterns = reader.count(1)?;
        let mut items = Vec::new();
        for id in 0..n_patterns {
            items.clear();
            for _ in 0..reader.count(1)? {
                let item = reader.below(n_symbols + Self::FIRST_SYMBOL as usize, "a symbol")?;
                items.push(match u64::from(item) {
                    0 => Item::ANY,
                    number if number < Self::FIRST_SYMBOL => Item::linked(number as usize - 1),
                    symbol => Item::symbol((symbol - Self::FIRST_SYMBOL) as u32),
                });
            }
            if term.patterns.id(&items) as usize != id {
                return reader.fail("a pattern occurs twice");
            }
        }
        let n_rules = reader.count(2)?;
        let mut rules = Vec::with_capacity(n_rules);
        let (mut last_source, mut next_target) = (0, 0);
        for _ in 0..n_rules {
            let step = reader.below(n_patterns, "a pattern")?;
            let source = last_source + step;
            if step > 0 {
                next_target = 0;
            }
            let target = next_target as usize + reader.below(n_patterns, "a pattern")? as usize;
            if source as usize >= n_patterns || target >= n_patterns {
                return reader.fail("a rule's pattern is not there");
            }
            rules.push((source, target as u32));
            (last_source, next_target) = (source, target as u32 + 1);
        }
        term.rules = RuleTable::new(n_patterns, rules);
        for _ in 0..n_rules * n_heads {
            term.weights.push(reader.short_real()?);
        }
        for _ in 0..n_rules {
            term.support.push(reader.below(u32::MAX as usize, "a support")?);
        }
        for _ in 0..n_rules {
            let n_fillers = reader.count(1)?;
            for _ in 0..n_fillers {
                term.fillers.push(reader.below(n_symbols, "a symbol")?);
            }
            term.push_fillers([]);
        }
        reader.end()?;
        term.mark_targets();
        Ok(term)
    }
}
