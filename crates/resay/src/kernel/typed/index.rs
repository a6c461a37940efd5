//! TESRK bound to a corpus: computes whole rows of kernel values at once.
//!
//! Related words do not form classes: a may be related to b and b to c while a is not related to c.
//! So the corpus stores its rules literally, and each rule of a query is expanded to all rules that
//! match it. With S and T the patterns of a rule,
//!
//!   K(x, y) = ⟨spectra of the sources⟩ ⟨spectra of the targets⟩
//!             + sum over rules (S, T) of x, (S', T') of y with S ~ S', T ~ T'
//!               of n(S, T) n(S', T') lambda^(2 links),
//!
//! where spectra are compared by `~` as well. One walk through a trie (`soft.rs`) per pattern of
//! the query finds the S' that match S. The rules (S', T') are sorted by S', so merging finds those
//! with a matching T'.
//!
//! This equals Algorithm 1: a matching of doubles is a matching of positions that both pairs allow,
//! whose links have a type in common and whose other positions are related word by word.

use super::rules::{TakeRule, TypeSets, TypedPair, for_each_rule};
use super::soft::{Match, Trie};
use crate::kernel::{Item, MAX_K, PatternIds, PatternTable};
use crate::{Error, Result};
use resay_learn::progress::{Progress, sort};

/// The rules of a query with their counts (source pattern, target pattern, count), sorted, and its
/// k-grams with their counts, of source and target.
#[derive(Debug, Default)]
struct Listed {
    rules: Vec<(u32, u32, u32)>,
    grams: [Vec<(u32, u32)>; 2],
}

/// Ids of rule patterns and of k-grams, separate for source and target.
#[derive(Debug, Default)]
struct Tables {
    rules: [PatternTable; 2],
    grams: [PatternTable; 2],
}

struct Lister<'a> {
    tables: &'a mut [PatternTable; 2],
    found: Vec<(u32, u32)>,
}

impl TakeRule for Lister<'_> {
    fn take(&mut self, source: &[Item], target: &[Item]) {
        let [sources, targets] = &mut *self.tables;
        self.found.push((sources.id(source), targets.id(target)));
    }
}

/// Returns the distinct items, sorted, with their counts.
fn counted<T: Ord + Copy>(mut found: Vec<T>) -> Vec<(T, u32)> {
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect()
}

impl Listed {
    fn new(k: usize, pair: &TypedPair, tables: &mut Tables, sets: &mut TypeSets) -> Result<Self> {
        let mut listed = Self::default();
        if pair.source.len() < k || pair.target.len() < k {
            return Ok(listed); // A rule needs both sides.
        }
        for (side, words) in [&pair.source, &pair.target].into_iter().enumerate() {
            let items: Vec<Item> = words.iter().map(|&word| Item::symbol(word)).collect();
            listed.grams[side] = counted(items.windows(k).map(|gram| tables.grams[side].id(gram)).collect());
        }
        let mut lister = Lister { tables: &mut tables.rules, found: Vec::new() };
        for_each_rule(k, pair, sets, &mut lister)?;
        listed.rules = counted(lister.found).into_iter().map(|((s, t), n)| (s, t, n)).collect();
        Ok(listed)
    }
}

/// Patterns by their final ids, which follow the order of their items.
#[derive(Debug)]
struct Sorted {
    k: usize,
    items: Vec<Item>,
    trie: Trie,
}

impl Sorted {
    /// Sorts the patterns of a table. Returns the new id of each as well.
    fn new(k: usize, table: &PatternTable, progress: Progress<'_>) -> Result<(Self, Vec<u32>)> {
        let mut order: Vec<u32> = (0..table.len() as u32).collect();
        sort(&mut order, |a, b| table.pattern(*a).cmp(table.pattern(*b)), progress)?;
        let items: Vec<Item> = order.iter().flat_map(|&id| table.pattern(id)).copied().collect();
        let mut numbers = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| numbers[old as usize] = new as u32);
        Ok((Self { k, trie: Trie::new(k, &items, progress)?, items }, numbers))
    }

    fn len(&self) -> usize {
        self.items.len() / self.k.max(1)
    }

    fn pattern(&self, number: u32) -> &[Item] {
        &self.items[number as usize * self.k..][..self.k]
    }
}

/// `columns[starts[key]..starts[key + 1]]` are the columns that have the key, with counts.
#[derive(Debug, Default)]
struct Postings {
    starts: Vec<u32>,
    columns: Vec<(u32, u32)>,
}

impl Postings {
    /// Builds the lists from (key, column, count), sorted by key and column.
    fn new(n_keys: usize, entries: impl Iterator<Item = (u32, u32, u32)>) -> Self {
        let (mut starts, mut columns) = (vec![0; n_keys + 1], Vec::new());
        for (key, column, count) in entries {
            starts[key as usize + 1] += 1;
            columns.push((column, count));
        }
        for key in 0..n_keys {
            starts[key + 1] += starts[key];
        }
        Self { starts, columns }
    }

    /// out[c] += value * count, for c < out.len().
    fn add(&self, key: u32, value: f64, out: &mut [f64]) {
        let range = self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize;
        for &(column, count) in &self.columns[range] {
            let Some(sum) = out.get_mut(column as usize) else { break };
            *sum += value * f64::from(count);
        }
    }
}

/// The index of a corpus at one k.
#[derive(Debug)]
pub struct TypedIndex {
    k: usize,
    /// lambda^(2 links).
    powers: [f64; MAX_K + 1],
    sets: TypeSets,
    /// Source and target patterns of rules.
    patterns: [Sorted; 2],
    /// The rules of source pattern S have the targets `targets[starts[S]..starts[S + 1]]`,
    /// ascending; their positions are the keys of `rules`.
    starts: Vec<u32>,
    targets: Vec<u32>,
    rules: Postings,
    grams: [Sorted; 2],
    gram_columns: [Postings; 2],
    columns: Vec<Listed>,
    /// For every word, the words of the corpus it is related to, ascending.
    related: std::sync::Arc<Vec<Vec<u32>>>,
}

/// Matches the items of a query against those of the corpus.
struct Ask<'a> {
    index: &'a TypedIndex,
    sets: &'a TypeSets,
    /// Related words of the corpus, for each word of the query that the corpus does not contain.
    new: &'a [Vec<u32>],
}

impl Match for Ask<'_> {
    fn related(&self, word: u32) -> &[u32] {
        let known = &self.index.related;
        known.get(word as usize).or_else(|| self.new.get(word as usize - known.len())).map_or(&[], |list| &list[..])
    }

    fn meet(&self, query: u32, corpus: u32) -> bool {
        self.sets.get(query) & self.index.sets.get(corpus) != 0
    }
}

impl TypedIndex {
    /// Binds K_k to pairs. `related[word]` lists the words related to a word by some pattern type,
    /// ascending.
    pub fn new(
        k: usize,
        lambda: f64,
        pairs: &[TypedPair],
        related: std::sync::Arc<Vec<Vec<u32>>>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let (mut tables, mut sets) = (Tables::default(), TypeSets::default());
        let mut list = |pair: &TypedPair| {
            progress.check()?;
            Listed::new(k, pair, &mut tables, &mut sets)
        };
        let mut columns = pairs.iter().map(&mut list).collect::<Result<Vec<Listed>>>()?;
        if tables.rules.iter().chain(&tables.grams).any(|table| table.len() as u64 >= 1 << 29) {
            return Err(Error::data("more than 2^29 different patterns: use fewer pairs or a smaller k"));
        }
        let [source_table, target_table] = &tables.rules;
        let (sources, targets) =
            rayon::join(|| Sorted::new(k, source_table, progress), || Sorted::new(k, target_table, progress));
        let ((sources, source_numbers), (targets, target_numbers)) = (sources?, targets?);
        let [source_grams, target_grams] = &tables.grams;
        let (source_grams, target_grams) =
            (Sorted::new(k, source_grams, progress)?, Sorted::new(k, target_grams, progress)?);
        drop(tables.rules);
        for column in &mut columns {
            progress.check()?;
            for rule in &mut column.rules {
                (rule.0, rule.1) = (source_numbers[rule.0 as usize], target_numbers[rule.1 as usize]);
            }
            column.rules.sort_unstable();
            for (grams, numbers) in column.grams.iter_mut().zip([&source_grams.1, &target_grams.1]) {
                grams.iter_mut().for_each(|gram| gram.0 = numbers[gram.0 as usize]);
                grams.sort_unstable();
            }
        }
        let patterns = [sources, targets];
        let grams = [source_grams.0, target_grams.0];
        let gram_columns = |side: usize| {
            let mut entries: Vec<(u32, u32, u32)> = Vec::new();
            for (number, column) in columns.iter().enumerate() {
                entries.extend(column.grams[side].iter().map(|&(gram, n)| (gram, number as u32, n)));
            }
            sort(&mut entries, Ord::cmp, progress)?;
            Ok(Postings::new(grams[side].len(), entries.into_iter()))
        };
        let gram_columns = [gram_columns(0)?, gram_columns(1)?];
        let (starts, targets, rules) = rule_lists(patterns[0].len(), &columns, progress)?;
        let powers = std::array::from_fn(|n_links| (lambda * lambda).powi(n_links as i32));
        Ok(Self { k, powers, sets, patterns, starts, targets, rules, grams, gram_columns, columns, related })
    }

    /// Returns the number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the number of distinct words of the corpus.
    pub fn n_words(&self) -> usize {
        self.related.len()
    }

    /// Writes the kernel of column `i` with columns `0..out.len()`.
    pub fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let ask = Ask { index: self, sets: &self.sets, new: &[] };
        let patterns = [0, 1].map(|side| move |number: u32| self.patterns[side].pattern(number));
        let grams = [0, 1].map(|side| move |number: u32| self.grams[side].pattern(number));
        self.fill(&self.columns[i], patterns, grams, &ask, out, progress)
    }

    /// Writes the kernel of a new pair with columns `0..out.len()`. Words from
    /// [`TypedIndex::n_words`] on are new; `new[word - n_words]` lists the words of the corpus
    /// related to them, ascending.
    pub fn row(&self, pair: &TypedPair, new: &[Vec<u32>], out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let (mut tables, mut sets) = (Tables::default(), TypeSets::default());
        let listed = Listed::new(self.k, pair, &mut tables, &mut sets)?;
        let ask = Ask { index: self, sets: &sets, new };
        let [patterns, grams] = [&tables.rules, &tables.grams].map(|tables| {
            [0, 1].map(|side| {
                let table = &tables[side];
                move |number: u32| table.pattern(number)
            })
        });
        self.fill(&listed, patterns, grams, &ask, out, progress)
    }

    fn fill<'q>(
        &self,
        query: &Listed,
        patterns: [impl Fn(u32) -> &'q [Item]; 2],
        grams: [impl Fn(u32) -> &'q [Item]; 2],
        ask: &Ask<'_>,
        out: &mut [f64],
        progress: Progress<'_>,
    ) -> Result<()> {
        out.fill(0.0);
        let mut found = Vec::new();
        let mut other = vec![0.0; out.len()];
        for (side, sums) in [&mut *out, &mut other[..]].into_iter().enumerate() {
            for &(gram, count) in &query.grams[side] {
                found.clear();
                self.grams[side].trie.matches(grams[side](gram), ask, &mut found);
                found.iter().for_each(|&key| self.gram_columns[side].add(key, f64::from(count), sums));
            }
        }
        out.iter_mut().zip(&other).for_each(|(value, other)| *value *= other);
        // Every target pattern of the query is expanded once.
        let mut targets: Vec<u32> = query.rules.iter().map(|rule| rule.1).collect();
        targets.sort_unstable();
        targets.dedup();
        let (mut starts, mut widened) = (vec![0], Vec::new());
        for &target in &targets {
            progress.check()?;
            self.patterns[1].trie.matches(patterns[1](target), ask, &mut widened);
            starts.push(widened.len());
        }
        let mut wanted: Vec<(u32, f64)> = Vec::new();
        for group in query.rules.chunk_by(|a, b| a.0 == b.0) {
            progress.check()?;
            let source = patterns[0](group[0].0);
            found.clear();
            self.patterns[0].trie.matches(source, ask, &mut found);
            if found.is_empty() {
                continue;
            }
            let n_links = source.iter().filter(|item| item.as_typed().is_some()).count();
            wanted.clear();
            for &(_, target, count) in group {
                let at = targets.partition_point(|known| *known < target);
                let weight = f64::from(count) * self.powers[n_links];
                wanted.extend(widened[starts[at]..starts[at + 1]].iter().map(|&key| (key, weight)));
            }
            wanted.sort_unstable_by_key(|entry| entry.0);
            wanted.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1 += next.1;
                }
                is_same
            });
            found.iter().for_each(|&source| self.join(source, &wanted, out));
        }
        Ok(())
    }

    /// Adds the rules of a source pattern whose target pattern is in `wanted`.
    fn join(&self, source: u32, wanted: &[(u32, f64)], out: &mut [f64]) {
        let (start, end) = (self.starts[source as usize] as usize, self.starts[source as usize + 1] as usize);
        let mut add = |rule: usize, weight: f64| self.rules.add(rule as u32, weight, out);
        if wanted.len() * 8 < end - start {
            let mut from = start;
            for &(target, weight) in wanted {
                from += self.targets[from..end].partition_point(|known| *known < target);
                if from < end && self.targets[from] == target {
                    add(from, weight);
                }
            }
            return;
        }
        let mut at = 0;
        for rule in start..end {
            let target = self.targets[rule];
            while at < wanted.len() && wanted[at].0 < target {
                at += 1;
            }
            if at == wanted.len() {
                break;
            }
            if wanted[at].0 == target {
                add(rule, wanted[at].1);
            }
        }
    }
}

/// Collects the rules of all columns: where those of each source pattern start, their targets, and
/// the columns that have them.
fn rule_lists(n_sources: usize, columns: &[Listed], progress: Progress<'_>) -> Result<(Vec<u32>, Vec<u32>, Postings)> {
    let mut all: Vec<(u32, u32, u32, u32)> = Vec::with_capacity(columns.iter().map(|c| c.rules.len()).sum());
    for (number, column) in columns.iter().enumerate() {
        progress.check()?;
        all.extend(column.rules.iter().map(|&(source, target, n)| (source, target, number as u32, n)));
    }
    sort(&mut all, Ord::cmp, progress)?;
    let (mut starts, mut targets) = (vec![0; n_sources + 1], Vec::new());
    let mut entries = Vec::with_capacity(all.len());
    for rule in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        starts[rule[0].0 as usize + 1] += 1;
        entries.extend(rule.iter().map(|entry| (targets.len() as u32, entry.2, entry.3)));
        targets.push(rule[0].1);
    }
    for source in 0..n_sources {
        starts[source + 1] += starts[source];
    }
    let rules = Postings::new(targets.len(), entries.into_iter());
    Ok((starts, targets, rules))
}
