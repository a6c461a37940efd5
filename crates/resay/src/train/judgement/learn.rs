//! Learning from rows: rules first, then trees over everything that is seen.

use super::{Ingredient, JudgementOptions, RelationData, RelationExample, RelationSet};
use crate::features::Wanted;
use crate::id::TextRelation;
use crate::model::{RuleWeights, pair_context};
use crate::pair::{Needs, PairView, TextAnnotator};
use crate::relate::{self, Knowledge};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::boost::{BoostParams, BoostRows, Boosted, Objective, PartialLabels, SquaredError};
use resay_learn::progress::{Progress, Stage};
use resay_learn::softmax::{BinaryRows, fit_softmax};
use resay_text::{EnglishScratch, Layers};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// One example in one order.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) example: usize,
    pub(super) is_turned: bool,
}

impl Row {
    /// The place among what is seen of all examples in both orders.
    fn at(self) -> usize {
        2 * self.example + usize::from(self.is_turned)
    }
}

/// What the labels of rows say.
struct Labels {
    allowed: Vec<u32>,
    weights: Vec<f32>,
    offset_of: Vec<usize>,
}

impl Labels {
    fn of(data: &RelationData, rows: &[Row]) -> Self {
        let of = |row: &Row| &data.examples[row.example];
        let allowed = |row: &Row| {
            let allowed = of(row).allowed;
            u32::from(if row.is_turned { allowed.reversed().0 } else { allowed.0 })
        };
        let offset_of = |row: &Row| of(row).corpus + if row.is_turned { data.corpora.len() } else { 0 };
        Self {
            allowed: rows.iter().map(allowed).collect(),
            weights: rows.iter().map(|row| of(row).weight).collect(),
            offset_of: rows.iter().map(offset_of).collect(),
        }
    }

    /// The labels of some of the rows.
    fn only(&self, rows: &[usize]) -> Self {
        Self {
            allowed: rows.iter().map(|row| self.allowed[*row]).collect(),
            weights: rows.iter().map(|row| self.weights[*row]).collect(),
            offset_of: rows.iter().map(|row| self.offset_of[*row]).collect(),
        }
    }

    fn objective<'a>(&'a self, offsets: &'a [Vec<f64>]) -> PartialLabels<'a> {
        PartialLabels { allowed: &self.allowed, weights: &self.weights, offset_of: &self.offset_of, offsets }
    }
}

/// What is seen of all examples in both orders, one after another.
#[derive(Clone, Default)]
pub(super) struct Seen {
    values: Vec<f32>,
    rules: BinaryRows,
}

/// What was learned from some examples.
pub(super) struct Fitted {
    /// The scores of rules for every example in both orders.
    pub(super) rule_scores: Vec<[f32; 5]>,
    pub(super) rules: RuleWeights,
    pub(super) relations: Boosted,
    pub(super) similarity: Boosted,
}

/// Everything that is seen of a mixture of corpora, to learn from any part of it.
pub(super) struct Learning<'a> {
    pub(super) data: &'a RelationData,
    options: &'a JudgementOptions,
    /// The inputs of the trees, by index into the catalogue of features.
    pub(super) inputs: Vec<usize>,
    /// The number of features, without the scores of rules.
    n_seen: usize,
    seen: Cow<'a, Seen>,
    /// The logarithms of relative frequencies: of each corpus in the given order, then of each in
    /// the other order.
    offsets: Vec<Vec<f64>>,
    progress: Progress<'a>,
}

/// The part that an example's group falls into, of so many, by a draw of this number.
pub(super) fn part(example: &RelationExample, draw: u32, n_parts: u64) -> u64 {
    let mut hasher = FxHasher::default();
    example.group.hash(&mut hasher);
    draw.hash(&mut hasher);
    hasher.finish() % n_parts
}

fn turned(offset: &[f64]) -> Vec<f64> {
    TextRelation::ALL.iter().map(|relation| offset[relation.reversed() as usize]).collect()
}

/// Looks at all pairs in both orders. A pair that cannot be looked at has zeros only.
fn look(
    data: &RelationData,
    left_out: &[Ingredient],
    resources: &Resources,
    n_seen: usize,
    progress: Progress<'_>,
) -> Result<Seen> {
    const BATCH: usize = 32;
    let (english, phrases) = (resources.english(Layers::ALL)?, resources.phrases()?);
    let annotator = TextAnnotator::new(resources, Needs::sentences(Layers::ALL).with_masked_names())?;
    let knowledge = Knowledge { english: &english, phrases: &phrases, left_out };
    progress.report(Stage::Features, 0, data.examples.len())?;
    let batch = |(context, scratch): &mut (_, EnglishScratch), batch: &[RelationExample]| -> Result<Seen> {
        progress.check()?;
        let texts: Vec<&str> = batch.iter().flat_map(|example| [&*example.source, &*example.target]).collect();
        let annotated = annotator.annotate(&texts, scratch);
        let mut seen = Seen::default();
        for pair in annotated.chunks(2) {
            for [source, target] in [[0, 1], [1, 0]] {
                let view = PairView::new(context, &pair[source], &pair[target]);
                match relate::extract(&view, knowledge, Wanted::Values) {
                    Ok(found) => {
                        seen.values.extend(found.values);
                        seen.rules.push(found.rules);
                    }
                    Err(_) => {
                        seen.values.extend(std::iter::repeat_n(0.0, n_seen));
                        seen.rules.push([]);
                    }
                }
            }
        }
        Ok(seen)
    };
    let begin = || (pair_context(resources), EnglishScratch::default());
    let found = data.examples.par_chunks(BATCH).map_init(begin, batch).collect::<Result<Vec<Seen>>>()?;
    let mut all = Seen::default();
    all.values.reserve_exact(found.iter().map(|seen| seen.values.len()).sum());
    for seen in found {
        all.values.extend(seen.values);
        (0..seen.rules.len()).for_each(|row| all.rules.push(seen.rules.row(row).iter().copied()));
    }
    Ok(all)
}

/// How frequent each relation is in a corpus, whose labels may leave several open.
fn frequencies(data: &RelationData, corpus: usize, begin: [f64; 5]) -> [f64; 5] {
    const ROUNDS: usize = 20;
    let among: Vec<&RelationExample> = data
        .examples
        .iter()
        .filter(|example| example.allowed != RelationSet::ALL && example.corpus == corpus)
        .collect();
    let mut shares = begin;
    for _ in 0..ROUNDS {
        // One of each beforehand, so that none is impossible.
        let mut sums = [1.0; 5];
        for example in &among {
            let open: Vec<usize> = (0..5).filter(|at| example.allowed.has(TextRelation::ALL[*at])).collect();
            let mass: f64 = open.iter().map(|at| shares[*at]).sum();
            open.iter().for_each(|at| sums[*at] += shares[*at] / mass.max(f64::MIN_POSITIVE));
        }
        let all: f64 = sums.iter().sum();
        shares = sums.map(|sum| sum / all);
    }
    shares
}

impl<'a> Learning<'a> {
    /// Looks at all examples.
    pub(super) fn new(
        data: &'a RelationData,
        options: &'a JudgementOptions,
        left_out: &[Ingredient],
        resources: &Resources,
        progress: Progress<'a>,
    ) -> Result<Self> {
        if let Some(bad) = data.examples.iter().position(|example| example.corpus >= data.corpora.len()) {
            return Err(Error::parameter(format!("example {bad} is of no corpus")));
        }
        if !data.corpora.iter().any(|(_, is_reference)| *is_reference) || data.examples.is_empty() {
            return Err(Error::data("no corpus of reference: expected examples with all five relations"));
        }
        let features = relate::catalogue();
        let n_seen = features.len() - TextRelation::ALL.len();
        let is_kept = |at: &usize| !left_out.iter().any(|ingredient| ingredient.has(features[*at]));
        let inputs = (0..features.len()).filter(is_kept).collect();
        let seen = look(data, left_out, resources, n_seen, progress)?;
        let reference = options.frequencies;
        let offset = |at: usize| {
            let of = frequencies(data, at, reference);
            let ratio = |relation: usize| (of[relation] / reference[relation]).ln();
            (0..5).map(|relation| ratio(relation).clamp(-3.0, 3.0)).collect::<Vec<f64>>()
        };
        let mut offsets: Vec<Vec<f64>> = (0..data.corpora.len()).map(offset).collect();
        let turned: Vec<Vec<f64>> = offsets.iter().map(|offset| turned(offset)).collect();
        offsets.extend(turned);
        Ok(Self { data, options, inputs, n_seen, seen: Cow::Owned(seen), offsets, progress })
    }

    /// The same without the inputs of an ingredient.
    pub(super) fn without(&self, ingredient: Ingredient) -> Learning<'_> {
        let features = relate::catalogue();
        let inputs = self.inputs.iter().copied().filter(|at| !ingredient.has(features[*at])).collect();
        let Self { data, options, n_seen, seen, offsets, progress, .. } = self;
        let (n_seen, seen, offsets, progress) = (*n_seen, Cow::Borrowed(&**seen), offsets.clone(), *progress);
        Learning { data, options, inputs, n_seen, seen, offsets, progress }
    }

    /// The inputs of the trees for a row.
    pub(super) fn inputs_of(&self, row: Row, rule_scores: &[[f32; 5]]) -> impl Iterator<Item = f32> {
        let seen = &self.seen.values[row.at() * self.n_seen..(row.at() + 1) * self.n_seen];
        let rules = rule_scores[row.at()];
        self.inputs.iter().map(move |&at| if at < seen.len() { seen[at] } else { rules[at - seen.len()] })
    }

    /// Learns from some of the examples.
    pub(super) fn fit(&self, examples: &[usize]) -> Result<Fitted> {
        let of = |at: &usize| &self.data.examples[*at];
        let both = |at: usize| [false, true].map(|is_turned| Row { example: at, is_turned });
        let labelled = examples.iter().filter(|at| of(at).allowed != RelationSet::ALL);
        let rows: Vec<Row> = labelled.flat_map(|at| both(*at)).collect();
        let labels = Labels::of(self.data, &rows);
        let begin = self.options.frequencies.map(f64::ln).to_vec();
        let (rules, rule_scores) = self.fit_rules(&rows, &labels, &begin)?;
        let objective = labels.objective(&self.offsets);
        let relations = self.boost(&rows, &rule_scores, &objective, begin, &self.options.relations)?;
        let known = examples.iter().filter(|at| of(at).similarity.is_some());
        let mut rows: Vec<Row> = known.flat_map(|at| both(*at)).collect();
        if rows.is_empty() {
            rows = both(examples.first().copied().unwrap_or_default()).to_vec();
        }
        let numbers: Vec<f32> = rows.iter().map(|row| of(&row.example).similarity.unwrap_or(0.0)).collect();
        let weights = vec![1.0; rows.len()];
        let mean = numbers.iter().map(|number| f64::from(*number)).sum::<f64>() / numbers.len() as f64;
        let objective = SquaredError { numbers: &numbers, weights: &weights };
        let similarity = self.boost(&rows, &rule_scores, &objective, vec![mean], &self.options.similarity)?;
        Ok(Fitted { rule_scores, rules, relations, similarity })
    }

    /// Fits the weights of rules. The score of a row that is learned from is that of a model that has
    /// not seen its group; other rows have the score of the whole model.
    fn fit_rules(&self, rows: &[Row], labels: &Labels, begin: &[f64]) -> Result<(RuleWeights, Vec<[f32; 5]>)> {
        const PARTS: u64 = 4;
        let rules_of = |row: &Row| self.seen.rules.row(row.at());
        let mut keys: Vec<u32> = rows.iter().flat_map(rules_of).copied().collect();
        keys.par_sort_unstable();
        let frequent = keys.chunk_by(|a, b| a == b).filter(|same| same.len() >= self.options.min_support);
        let columns: Vec<u32> = frequent.map(|same| same[0]).collect();
        drop(keys);
        let fit = |among: &dyn Fn(&Row) -> bool| -> Result<RuleWeights> {
            let chosen: Vec<usize> = (0..rows.len()).filter(|&at| among(&rows[at])).collect();
            let mut binary = BinaryRows::default();
            for &at in &chosen {
                let known = rules_of(&rows[at]).iter().filter_map(|rule| columns.binary_search(rule).ok());
                binary.push(known.map(|column| column as u32));
            }
            let labels = labels.only(&chosen);
            let objective = labels.objective(&self.offsets);
            let weights = fit_softmax(&binary, columns.len(), &objective, begin, self.options.rules, self.progress)?;
            let of = |column: usize| std::array::from_fn(|relation| weights[column * 5 + relation]);
            Ok(RuleWeights::new(columns.iter().enumerate().map(|(column, key)| (*key, of(column)))))
        };
        let whole = fit(&|_| true)?;
        let n_rows = self.seen.rules.len();
        let mut scores: Vec<[f32; 5]> =
            (0..n_rows).into_par_iter().map(|row| whole.scores(self.seen.rules.row(row))).collect();
        for draw in 0..PARTS {
            let is_in = |row: &Row| part(&self.data.examples[row.example], 1, PARTS) == draw;
            let others = fit(&|row| !is_in(row))?;
            let own: Vec<&Row> = rows.iter().filter(|row| is_in(row)).collect();
            let found: Vec<[f32; 5]> = own.par_iter().map(|row| others.scores(rules_of(row))).collect();
            own.iter().zip(found).for_each(|(row, found)| scores[row.at()] = found);
        }
        Ok((whole, scores))
    }

    fn boost(
        &self,
        rows: &[Row],
        rule_scores: &[[f32; 5]],
        objective: &dyn Objective,
        begin: Vec<f64>,
        params: &BoostParams,
    ) -> Result<Boosted> {
        let mut values = Vec::with_capacity(rows.len() * self.inputs.len());
        rows.iter().for_each(|row| values.extend(self.inputs_of(*row, rule_scores)));
        let rows = BoostRows { n_inputs: self.inputs.len(), values: &values };
        Boosted::fit(rows, objective, begin, params, self.progress)
    }
}
