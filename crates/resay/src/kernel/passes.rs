//! Lists the most telling rules of a large corpus, in three passes over its pairs and in memory
//! that does not grow with the number of its rules.
//!
//! A million pairs have hundreds of millions of rules, nearly all of them in a few pairs only.
//!
//! 1. Every rule is counted roughly, in an array of small counters, at the place that its hash
//!    names. Rules may share a counter, so that a count is never too low.
//! 2. Rules that enough pairs may have get exact figures: in how many pairs they are, and how far
//!    their values follow the answers of these pairs.
//! 3. The rules that follow the answers best become columns, and every pair is listed over them.
//!
//! What a rule is worth is the size of its correlation with an answer, in standard errors: what a
//! machine would gain first by using it. Pairs that are held out later take no part in the choice.
//!
//! Work is dealt into shards of rules and blocks of pairs whose sizes do not depend on the number
//! of threads, and each shard takes its rules in the order of pairs: the same columns come out on
//! any machine.

use super::features::each_rule;
use super::list::RuleColumns;
use super::{Expression, FeatureUnion, PairFeatures, PatternOverlay, PatternTable, Rows, RuleMatrix, RuleTable};
use crate::{Error, Result};
use hashbrown::hash_table::{Entry, HashTable};
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage};
use resay_text::Pair;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// How many rules to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLimits {
    /// The largest number of rules.
    pub n_rules: usize,
    /// The largest number of rules of an average pair.
    pub per_pair: usize,
    /// The number of pairs that must have a rule.
    pub min_support: u32,
}

impl RuleLimits {
    /// The limits for a number of pairs: 1.5 GB for a million.
    pub fn for_pairs(n_pairs: usize) -> Self {
        Self { n_rules: 1 << 20, per_pair: 100, min_support: (n_pairs / 50_000).clamp(2, 100) as u32 }
    }
}

/// What rules are chosen by.
#[derive(Clone, Copy, Debug)]
pub struct RuleAnswers<'a> {
    /// For each head the answer of every pair, as its difference from the mean.
    pub heads: &'a [Vec<f64>],
    /// The pairs that rules may be chosen by, ascending.
    pub members: &'a [usize],
}

/// How many pairs are looked at before their rules are handed to the shards.
const BLOCK: usize = 4096;
/// How many pairs share a table of patterns.
const PART: usize = 128;
/// The number of shards, a power of two.
const SHARDS: usize = 16;
/// Counters by pair, and the largest number of counters as a power of two.
const COUNTERS_BY_PAIR: usize = 1024;
const MAX_COUNTERS: u32 = 29;

/// An occurrence of a rule, given by its hash, in a pair.
type Occurrence = (u64, u32, f64);

impl RuleMatrix {
    /// Lists the rules that follow the answers best.
    pub fn choose(
        expression: &Expression,
        pairs: &[Pair],
        answers: RuleAnswers<'_>,
        limits: RuleLimits,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let mapped = listable(expression)?;
        let corpus = Corpus { mapped, n_terms: expression.terms().len(), pairs, members: answers.members };
        let counters = Counters::count(&corpus, progress)?;
        let found = Figures::gather(&corpus, &counters, answers.heads, limits, progress)?;
        let n_rules = counters.n_rules;
        drop(counters);
        let chosen = found.choose(limits, answers.members.len());
        let n_entries: usize = chosen.iter().map(|(_, support, _)| *support as usize).sum();
        let n_entries = n_entries / answers.members.len().max(1) * pairs.len();
        let terms = corpus.patterns_of(chosen, progress)?;
        corpus.rows(terms, n_entries, n_rules, progress)
    }
}

/// Returns the features of an expression, or an error that says why there are none.
pub(super) fn listable(expression: &Expression) -> Result<FeatureUnion<'_>> {
    FeatureUnion::new(expression).filter(|_| expression.is_listable()).ok_or_else(|| {
        Error::parameter(format!(
            "the rules of {expression} cannot be listed for a linear machine: use the dual learner"
        ))
    })
}

struct Corpus<'a> {
    mapped: FeatureUnion<'a>,
    n_terms: usize,
    pairs: &'a [Pair],
    members: &'a [usize],
}

/// The patterns of one term and its rules.
type TermRules = (PatternTable, RuleTable);

impl Corpus<'_> {
    /// Hands every rule of these pairs to `visit`, with its hash, its term, its patterns and its
    /// scaled value. Returns the tables that number the patterns.
    fn visit(
        &self,
        members: &[usize],
        mut visit: impl FnMut(usize, u64, (usize, u32, u32), f64),
    ) -> Result<Vec<PatternTable>> {
        let mut tables = vec![PatternTable::default(); self.n_terms];
        let mut hashes: Vec<Vec<u64>> = vec![Vec::new(); self.n_terms];
        let mut features = PairFeatures::default();
        for &pair in members {
            self.mapped.extract(&self.pairs[pair], &mut tables, &mut features)?;
            for (term, (table, hashes)) in tables.iter().zip(&mut hashes).enumerate() {
                let new = hashes.len()..table.len();
                hashes.extend(new.map(|id| FxBuildHasher.hash_one(table.pattern(id as u32))));
                let scale = features.scales[term];
                each_rule(&features.terms[term], |source, target, value| {
                    let hash = hash_of(term, hashes[source as usize], hashes[target as usize]);
                    visit(pair, hash, (term, source, target), scale * value);
                });
            }
        }
        Ok(tables)
    }

    /// Calls `take` with the occurrences that `wanted` lets through, block by block, shard by
    /// shard.
    fn pass<S: Send>(
        &self,
        shards: &mut [S],
        wanted: impl Fn(u64) -> bool + Sync,
        take: impl Fn(&mut S, &[Occurrence]) + Sync,
        done: usize,
        progress: Progress<'_>,
    ) -> Result<()> {
        let n = self.members.len();
        for (block, members) in self.members.chunks(BLOCK).enumerate() {
            progress.report(Stage::Features, done * n + block * BLOCK, 3 * n)?;
            let part = |members: &[usize]| {
                progress.check()?;
                let mut found: Vec<Vec<Occurrence>> = vec![Vec::new(); SHARDS];
                self.visit(members, |pair, hash, _, value| {
                    if wanted(hash) {
                        found[shard_of(hash)].push((hash, pair as u32, value));
                    }
                })?;
                Ok(found)
            };
            let parts = members.par_chunks(PART).map(part).collect::<Result<Vec<_>>>()?;
            shards.par_iter_mut().enumerate().for_each(|(shard, state)| {
                parts.iter().for_each(|part| take(state, &part[shard]));
            });
        }
        Ok(())
    }

    /// Numbers the patterns of chosen rules, which are looked up in the first pair that has each.
    fn patterns_of(&self, chosen: Vec<Chosen>, progress: Progress<'_>) -> Result<Vec<TermRules>> {
        let mut firsts: Vec<usize> = chosen.iter().map(|&(_, _, first)| first as usize).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let chosen: FxHashMap<u64, u32> = chosen.into_iter().map(|(hash, _, first)| (hash, first)).collect();
        let mut tables = vec![PatternTable::default(); self.n_terms];
        let mut rules: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.n_terms];
        for block in firsts.chunks(BLOCK) {
            let part = |members: &[usize]| {
                progress.check()?;
                let mut found = Vec::new();
                let tables = self.visit(members, |pair, hash, rule, _| {
                    if chosen.get(&hash).is_some_and(|&first| first as usize == pair) {
                        found.push(rule);
                    }
                })?;
                Ok((tables, found))
            };
            for (own, found) in block.par_chunks(PART).map(part).collect::<Result<Vec<_>>>()? {
                for (term, source, target) in found {
                    use super::PatternIds as _;
                    let mut id = |pattern: u32| tables[term].id(own[term].pattern(pattern));
                    let rule = (id(source), id(target));
                    rules[term].push(rule);
                }
            }
        }
        let terms = tables.into_iter().zip(rules).map(|(table, mut rules)| {
            rules.sort_unstable();
            // Rules that share a hash, in a first pair that has both.
            rules.dedup();
            let rules = RuleTable::new(table.len(), rules);
            (table, rules)
        });
        Ok(terms.collect())
    }

    /// Lists every pair, whether a member or not.
    fn rows(
        &self,
        terms: Vec<TermRules>,
        n_entries: usize,
        n_rules: usize,
        progress: Progress<'_>,
    ) -> Result<RuleMatrix> {
        let mut columns = Vec::with_capacity(terms.len());
        let mut n_columns = 0;
        for (_, rules) in &terms {
            columns.push(RuleColumns { first: n_columns, rules: rules.rules().collect() });
            n_columns += rules.len();
        }
        let part = |pairs: &[Pair]| {
            progress.check()?;
            let mut tables: Vec<PatternOverlay<'_>> =
                terms.iter().map(|(table, _)| PatternOverlay::new(table)).collect();
            let mut features = PairFeatures::default();
            let row = |pair: &Pair| {
                tables.iter_mut().for_each(PatternOverlay::clear);
                self.mapped.extract(pair, &mut tables, &mut features)?;
                let mut row: Vec<(u32, f64)> = Vec::new();
                let mut all = 0.0;
                for (term, (_, rules)) in terms.iter().enumerate() {
                    let (features, scale) = (&features.terms[term], features.scales[term]);
                    all += scale * scale * features.squared_length();
                    let first = columns[term].first as u32;
                    let mut push = |source: u32, target: u32, value: f64| {
                        if let Some(rule) = rules.get(source, target) {
                            row.push((first + rule, scale * value));
                        }
                    };
                    for &(source, value) in features.source.iter().filter(|(source, _)| rules.has_source(*source)) {
                        features.target.iter().for_each(|&(target, other)| push(source, target, value * other));
                    }
                    features.extra.iter().for_each(|&(source, target, value)| push(source, target, value));
                }
                row.sort_unstable_by_key(|(column, _)| *column);
                let shared: f64 = row.iter().map(|(_, value)| value * value).sum();
                let private = if all - shared > 1e-12 * all { all - shared } else { 0.0 };
                Ok((row, private))
            };
            pairs.iter().map(row).collect::<Result<Vec<_>>>()
        };
        let n = self.pairs.len();
        let mut rows = Rows::with_room(n_columns, n, n_entries);
        for (block, pairs) in self.pairs.chunks(BLOCK).enumerate() {
            progress.report(Stage::Features, 2 * n + block * BLOCK, 3 * n)?;
            for (row, private) in pairs.par_chunks(PART).map(part).collect::<Result<Vec<_>>>()?.into_iter().flatten() {
                rows.push(row, private);
            }
        }
        let patterns = terms.into_iter().map(|(table, _)| table).collect();
        Ok(RuleMatrix::of_shared(rows, columns, patterns, n_rules))
    }
}

/// Mixes the hashes of a rule's patterns. Every bit of the result depends on every bit of both.
fn hash_of(term: usize, source: u64, target: u64) -> u64 {
    let mix = |value: u64| {
        let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    };
    mix(source ^ mix(target.wrapping_add(term as u64 + 1)).rotate_left(17))
}

fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARDS.trailing_zeros())) as usize
}

/// Rough counts of all rules.
struct Counters {
    /// One run per shard.
    counts: Vec<Vec<u8>>,
    /// The number of different rules; a little too low, because rules share counters.
    n_rules: usize,
}

impl Counters {
    fn count(corpus: &Corpus<'_>, progress: Progress<'_>) -> Result<Self> {
        let wanted = (corpus.members.len().max(1) * COUNTERS_BY_PAIR).next_power_of_two();
        let by_shard = wanted.min(1 << MAX_COUNTERS) / SHARDS;
        let mut shards: Vec<(Vec<u8>, usize)> = vec![(vec![0; by_shard], 0); SHARDS];
        let take = |(counts, n_rules): &mut (Vec<u8>, usize), found: &[Occurrence]| {
            for (hash, ..) in found {
                let at = *hash as usize & (by_shard - 1);
                *n_rules += usize::from(counts[at] == 0);
                counts[at] = counts[at].saturating_add(1);
            }
        };
        corpus.pass(&mut shards, |_| true, take, 0, progress)?;
        let n_rules = shards.iter().map(|(_, n_rules)| n_rules).sum();
        Ok(Self { counts: shards.into_iter().map(|(counts, _)| counts).collect(), n_rules })
    }

    /// At least the number of pairs that have the rule, up to 255.
    fn at_most(&self, hash: u64) -> u32 {
        let counts = &self.counts[shard_of(hash)];
        u32::from(counts[hash as usize & (counts.len() - 1)])
    }
}

/// A chosen rule: its hash, the number of pairs that have it, and the first of them.
type Chosen = (u64, u32, u32);

/// Exact figures of the rules of one shard.
#[derive(Clone, Default)]
struct ShardFigures {
    /// Places in `all`, by hash.
    rules: HashTable<u32>,
    /// Per rule: its hash, the number of pairs, the first pair.
    all: Vec<Chosen>,
    /// Per rule: the sum of squared values, then for each head the sum of values times answers.
    sums: Vec<f64>,
}

struct Figures<'a> {
    shards: Vec<ShardFigures>,
    heads: &'a [Vec<f64>],
    members: &'a [usize],
}

impl<'a> Figures<'a> {
    fn gather(
        corpus: &Corpus<'a>,
        counters: &Counters,
        heads: &'a [Vec<f64>],
        limits: RuleLimits,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let n_sums = 1 + heads.len();
        let mut shards = vec![ShardFigures::default(); SHARDS];
        let take = |shard: &mut ShardFigures, found: &[Occurrence]| {
            for &(hash, pair, value) in found {
                let ShardFigures { rules, all, sums } = shard;
                let at = match rules.entry(hash, |&at| all[at as usize].0 == hash, |&at| all[at as usize].0) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(vacant) => *vacant.insert(all.len() as u32).get(),
                } as usize;
                if at == all.len() {
                    all.push((hash, 0, pair));
                    sums.resize(all.len() * n_sums, 0.0);
                }
                all[at].1 += 1;
                let sums = &mut sums[at * n_sums..(at + 1) * n_sums];
                sums[0] += value * value;
                sums[1..].iter_mut().zip(heads).for_each(|(sum, head)| *sum += value * head[pair as usize]);
            }
        };
        let wanted = |hash: u64| counters.at_most(hash) >= limits.min_support.min(u32::from(u8::MAX));
        corpus.pass(&mut shards, wanted, take, 1, progress)?;
        Ok(Self { shards, heads, members: corpus.members })
    }

    /// The rules that are worth most, within the limits.
    fn choose(self, limits: RuleLimits, n_pairs: usize) -> Vec<Chosen> {
        let variance = |head: &Vec<f64>| {
            let squares: f64 = self.members.iter().map(|&row| head[row].powi(2)).sum();
            (squares / n_pairs.max(1) as f64).max(f64::MIN_POSITIVE)
        };
        let variances: Vec<f64> = self.heads.iter().map(variance).collect();
        let n_sums = 1 + variances.len();
        let mut valued: Vec<(f64, Chosen)> = Vec::new();
        for shard in self.shards {
            for (rule, sums) in shard.all.iter().zip(shard.sums.chunks(n_sums)) {
                if rule.1 >= limits.min_support {
                    let of_head = |(sum, variance): (&f64, &f64)| sum * sum / variance;
                    let most = sums[1..].iter().zip(&variances).map(of_head).fold(0.0, f64::max);
                    valued.push((most / sums[0].max(f64::MIN_POSITIVE), *rule));
                }
            }
        }
        valued.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut room = limits.per_pair.saturating_mul(n_pairs);
        let fits = |&(_, (_, support, _)): &(f64, Chosen)| {
            let is_room = room >= support as usize;
            room = room.saturating_sub(support as usize);
            is_room
        };
        valued.into_iter().take(limits.n_rules).take_while(fits).map(|(_, rule)| rule).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::progress::testing::stops;
    use resay_learn::rng::SplitMix;
    use resay_learn::threads::Threads;
    use resay_text::Sentence;
    use std::collections::{BTreeMap, BTreeSet};
    use std::num::NonZero;

    /// Pairs of ten words, some of them frequent, and two answers for each: whether a word occurs, and
    /// chance.
    fn corpus(n: usize) -> (Vec<Pair>, Vec<Vec<f64>>) {
        let mut random = SplitMix::new(1);
        let mut pairs = Vec::new();
        let mut heads = vec![Vec::new(), Vec::new()];
        for _ in 0..n {
            let mut word = || (random.unit().powi(3) * 60.0) as u32;
            let source: Vec<u32> = (0..10).map(|_| word()).collect();
            let target: Vec<u32> = source.iter().map(|&own| if own % 3 == 0 { word() } else { own }).collect();
            heads[0].push(if target.contains(&5) { 0.5 } else { -0.5 });
            heads[1].push(random.unit() - 0.5);
            pairs.push(Pair { source: Sentence::of_units(source), target: Sentence::of_units(target) });
        }
        (pairs, heads)
    }

    fn expression() -> Expression {
        "kb(k=1..3)+pr".parse().unwrap()
    }

    const ALL: RuleLimits = RuleLimits { n_rules: usize::MAX, per_pair: usize::MAX, min_support: 2 };

    /// The entries of every row, by term and patterns.
    type ByRule = BTreeMap<(usize, String, String), BTreeMap<usize, f64>>;

    fn by_rule(matrix: &RuleMatrix) -> ByRule {
        let mut rules = Vec::new();
        for (term, columns) in matrix.columns.iter().enumerate() {
            assert_eq!(columns.first, rules.len());
            let text = |pattern: u32| format!("{:?}", matrix.patterns[term].pattern(pattern));
            rules.extend(columns.rules.iter().map(|&(source, target)| (term, text(source), text(target))));
        }
        let mut found = ByRule::new();
        for row in 0..matrix.rows.len() {
            let (columns, values) = matrix.rows.row(row);
            assert!(columns.is_sorted());
            for (&column, value) in columns.iter().zip(values) {
                assert!(found.entry(rules[column as usize].clone()).or_default().insert(row, *value).is_none());
            }
        }
        found
    }

    #[test]
    fn without_limits_the_list_is_that_of_all_shared_rules() {
        let (pairs, heads) = corpus(200);
        let members: Vec<usize> = (0..pairs.len()).collect();
        let answers = RuleAnswers { heads: &heads, members: &members };
        let all = RuleMatrix::new(&expression(), &pairs, Progress::none()).unwrap();
        let found = RuleMatrix::choose(&expression(), &pairs, answers, ALL, Progress::none()).unwrap();
        assert_eq!(by_rule(&found), by_rule(&all));
        for row in 0..pairs.len() {
            assert!((found.rows.private(row) - all.rows.private(row)).abs() < 1e-9);
        }
        // Some rules share a counter.
        let n = all.n_rules() as f64;
        assert!(found.n_rules() as f64 <= n && found.n_rules() as f64 > 0.9 * n, "{} of {n}", found.n_rules());
    }

    #[test]
    fn the_rules_that_follow_the_answers_best_are_chosen_from_members_only() {
        let (pairs, heads) = corpus(200);
        let members: Vec<usize> = (0..pairs.len()).filter(|row| row % 4 != 1).collect();
        let answers = RuleAnswers { heads: &heads, members: &members };
        // By the definition: from the list of all rules.
        let all = by_rule(&RuleMatrix::new(&expression(), &pairs, Progress::none()).unwrap());
        let worth = |values: &BTreeMap<usize, f64>| {
            let own: Vec<(usize, f64)> =
                values.iter().filter(|(row, _)| *row % 4 != 1).map(|(row, value)| (*row, *value)).collect();
            let squares: f64 = own.iter().map(|(_, value)| value * value).sum();
            let of_head = |head: &Vec<f64>| {
                let variance = members.iter().map(|&row| head[row].powi(2)).sum::<f64>() / members.len() as f64;
                own.iter().map(|(row, value)| head[*row] * value).sum::<f64>().powi(2) / variance / squares
            };
            (own.len() >= 5).then(|| heads.iter().map(of_head).fold(0.0, f64::max))
        };
        let mut valued: Vec<(f64, &(usize, String, String))> =
            all.iter().filter_map(|(rule, values)| Some((worth(values)?, rule))).collect();
        valued.sort_by(|a, b| b.0.total_cmp(&a.0));
        let limits = RuleLimits { n_rules: 40, per_pair: 100, min_support: 5 };
        let found = RuleMatrix::choose(&expression(), &pairs, answers, limits, Progress::none()).unwrap();
        let found = by_rule(&found);
        let best: BTreeSet<_> = valued[..40].iter().map(|(_, rule)| *rule).collect();
        assert!(valued[39].0 > valued[40].0 + 1e-9, "a tie would make the choice arbitrary");
        assert_eq!(found.keys().collect::<BTreeSet<_>>(), best);
        // Others are listed over the same rules.
        assert!(found.iter().all(|(rule, values)| values == &all[rule]));
        // The number of entries is a limit of its own.
        let few = RuleLimits { n_rules: 40, per_pair: 1, min_support: 5 };
        let few = RuleMatrix::choose(&expression(), &pairs, answers, few, Progress::none()).unwrap();
        let entries = by_rule(&few);
        let n = |row: &usize| members.contains(row);
        let n_entries = entries.values().flat_map(BTreeMap::keys).filter(|row| n(row)).count();
        assert!((1..=members.len()).contains(&n_entries), "{n_entries}");
    }

    #[test]
    fn threads_change_nothing_and_it_can_be_stopped() {
        let (pairs, heads) = corpus(1500);
        let members: Vec<usize> = (0..pairs.len()).collect();
        let answers = RuleAnswers { heads: &heads, members: &members };
        let limits = RuleLimits { n_rules: 500, per_pair: 50, min_support: 3 };
        let expression = expression();
        let choose = |progress: Progress<'_>| RuleMatrix::choose(&expression, &pairs, answers, limits, progress);
        let on = |threads: usize| {
            let found = Threads::new(NonZero::new(threads)).run(|| choose(Progress::none())).unwrap().unwrap();
            (found.rows.clone(), found.n_rules())
        };
        assert_eq!(on(1), on(2));
        stops(choose);
    }
}
