//! The step `wordnet`: compiles WordNet 3.0 and information content counts into `wordnet.resay`.
//!
//! **Numbers.** Lemmas are numbered alphabetically over all parts of speech. Synsets with a hyponym
//! come first; then they are sorted by part of speech, first word and sense number.
//!
//! **Depths.** WordNet 3.0 has a cycle of hypernyms (inhibit, restrain) with no root above it. The
//! cycle is cut at its alphabetically first synset, which counts as a root.
//!
//! **Masses.** The counts are from `resnik-ic3.txt`; `resnik-ic2.txt` is keyed by the offsets of
//! WordNet 2.1 and cannot be used with 3.0. More than half of the synsets have no count, and 59
//! verbs below the cycle are not in the file. So each synset gets one more count, and so do, once,
//! all synsets above it; the totals of the roots grow by the number of synsets. Stored as 32-bit
//! floats.

use crate::files::Files;
use crate::wndb::{ARCHIVE, Wndb};
use crate::{MADE_BY, settings_of};
use anyhow::{Context, Result, ensure};
use resay_text::container::{Origin, Quality};
use resay_text::lexicon::wordnet::{PointerKind, Pos, Source, SourceSynset, SourceWord, WordNet};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The archive with the counts, and the file in it.
const COUNTS: (&str, &str) = ("wordnet-ic.tar.gz", "wordnet-ic/resnik-ic3.txt");

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "wordnet".to_owned(),
        data: format!("WordNet 3.0 ({ARCHIVE}), Resnik counts ({}, {})", COUNTS.0, COUNTS.1),
        licence: "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Used under the WordNet \
            licence; see NOTICE."
            .to_owned(),
        made: format!(
            "{MADE_BY} wordnet: words, senses, pointers, irregular forms, tag counts and smoothed counts for \
            information content; no glosses"
        ),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), "")
}

/// Writes `wordnet.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let wndb = Wndb::read(files)?;
    let counts = Counts::parse(&files.archived(COUNTS.0, COUNTS.1)?)?;
    let source = source(&wndb, &counts)?;
    let n_senses: usize = wndb.lemmas.iter().flatten().map(|lemma| lemma.senses.len()).sum();
    let n_pointers = source.pointers.len() + source.word_pointers.len();
    let figures = [
        ("lemmas", source.lemmas.len()),
        ("synsets", source.synsets.len()),
        ("senses", n_senses),
        ("pointers between synsets", source.pointers.len()),
        ("pointers between words", source.word_pointers.len()),
        ("irregular forms", source.exceptions.iter().map(Vec::len).sum()),
    ];
    let quality = figures
        .iter()
        .map(|&(measure, value)| Quality { measure: format!("number of {measure}"), value: value as f64 })
        .collect();
    let file = source.pack(origin(quality))?;
    let opened = WordNet::open("wordnet.resay", &file)?;
    ensure!(opened.n_senses() == n_senses, "the table that was written holds other senses");
    let path = files.output();
    resay::data::write_whole(&path, |out| out.write_all(&file))?;
    for (what, number) in figures {
        println!("{number:>8}  {what}");
    }
    println!("{n_pointers:>8}  pointers, {} bytes: {}", file.len(), path.display());
    Ok(())
}

/// Counts of synsets by part of speech (noun, verb) and offset, and the totals over all roots.
struct Counts {
    by_offset: [FxHashMap<u32, f64>; 2],
    roots: [f64; 2],
}

impl Counts {
    /// Parses lines such as `1740n 507906.364700726 ROOT`, after a line that names the version.
    fn parse(text: &str) -> Result<Self> {
        let mut counts = Self { by_offset: Default::default(), roots: [0.0; 2] };
        let mut lines = text.lines();
        ensure!(lines.next() == Some("wnver::3.0"), "{}: expected counts for WordNet 3.0", COUNTS.1);
        for (number, line) in (2..).zip(lines) {
            let entry = || -> Option<(usize, u32, f64, bool)> {
                let mut fields = line.split_ascii_whitespace();
                let key = fields.next()?;
                let (offset, letter) = key.split_at_checked(key.len().checked_sub(1)?)?;
                let pos = ["n", "v"].iter().position(|known| *known == letter)?;
                Some((pos, offset.parse().ok()?, fields.next()?.parse().ok()?, fields.next() == Some("ROOT")))
            };
            let (pos, offset, count, is_root) =
                entry().with_context(|| format!("{}:{number}: expected an offset and a count", COUNTS.1))?;
            counts.by_offset[pos].insert(offset, count);
            counts.roots[pos] += if is_root { count } else { 0.0 };
        }
        Ok(counts)
    }
}

/// The hypernyms of every synset of one part of speech, including classes of instances.
fn parents(wndb: &Wndb, pos: usize) -> Vec<Vec<usize>> {
    let is_up = |symbol: &str| symbol == "@" || symbol == "@i";
    let up = |pointers: &[crate::wndb::Pointer]| {
        pointers.iter().filter(|pointer| is_up(&pointer.symbol)).map(|pointer| pointer.synset).collect()
    };
    wndb.synsets[pos].iter().map(|synset| up(&synset.pointers)).collect()
}

/// The order in which synsets of one part of speech are numbered: inner ones first, then by first
/// word and sense number; and the number of inner ones.
fn order(wndb: &Wndb, pos: usize, parents: &[Vec<usize>]) -> Result<(Vec<usize>, usize)> {
    let mut is_inner = vec![false; parents.len()];
    parents.iter().flatten().for_each(|&parent| is_inner[parent] = true);
    let mut sense_numbers = FxHashMap::default();
    for lemma in &wndb.lemmas[pos] {
        for (number, sense) in lemma.senses.iter().enumerate() {
            sense_numbers.insert((sense.synset, lemma.word.as_str()), number);
        }
    }
    let mut keys = Vec::with_capacity(parents.len());
    for (number, synset) in wndb.synsets[pos].iter().enumerate() {
        let word = synset.words[0].to_ascii_lowercase();
        let &sense = sense_numbers.get(&(number, word.as_str())).context("a word is in no index")?;
        keys.push((!is_inner[number], word, sense));
    }
    let mut order: Vec<usize> = (0..parents.len()).collect();
    order.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
    Ok((order, is_inner.into_iter().filter(|is_inner| *is_inner).count()))
}

/// Lengths of the shortest and the longest path from every synset to a root, by synset number.
///
/// A synset gets its depths once all its parents have theirs. If no such synset is left, there is a
/// cycle, and its first synset uses only the parents that have depths.
fn depths(parents: &[Vec<usize>]) -> Result<Vec<(u8, u8)>> {
    let mut depths: Vec<Option<(u8, u8)>> = vec![None; parents.len()];
    let mut waiting: Vec<usize> = (0..parents.len()).collect();
    while !waiting.is_empty() {
        let n_before = waiting.len();
        let known = |depths: &[Option<(u8, u8)>], synset: usize| -> Vec<(u8, u8)> {
            parents[synset].iter().filter_map(|&parent| depths[parent]).collect()
        };
        let from = |above: &[(u8, u8)]| -> Option<(u8, u8)> {
            let shortest = above.iter().map(|depth| depth.0).min().map_or(Some(0), |depth| depth.checked_add(1));
            let longest = above.iter().map(|depth| depth.1).max().map_or(Some(0), |depth| depth.checked_add(1));
            shortest.zip(longest)
        };
        waiting.retain(|&synset| {
            let above = known(&depths, synset);
            if above.len() == parents[synset].len() {
                depths[synset] = from(&above);
            }
            depths[synset].is_none()
        });
        if waiting.len() == n_before {
            // Following parents from any of them ends in a cycle.
            let mut way = vec![waiting[0]];
            let circle = loop {
                let last = way[way.len() - 1];
                let next = parents[last].iter().copied().find(|&parent| depths[parent].is_none());
                let next = next.context("a chain of more than 255 hypernyms")?;
                if let Some(start) = way.iter().position(|&synset| synset == next) {
                    break way.split_off(start);
                }
                way.push(next);
            };
            let first = circle.into_iter().min().context("an empty circle")?;
            depths[first] = from(&known(&depths, first));
            waiting.retain(|&synset| synset != first);
        }
    }
    depths.into_iter().map(|depth| depth.context("a chain of more than 255 hypernyms")).collect()
}

/// For every synset, the number of synsets at or below it.
fn sizes(parents: &[Vec<usize>]) -> Vec<u32> {
    let mut sizes = vec![0; parents.len()];
    let mut met_from = vec![usize::MAX; parents.len()];
    for synset in 0..parents.len() {
        let mut queue = vec![synset];
        met_from[synset] = synset;
        while let Some(from) = queue.pop() {
            sizes[from] += 1;
            for &parent in &parents[from] {
                if std::mem::replace(&mut met_from[parent], synset) != synset {
                    queue.push(parent);
                }
            }
        }
    }
    sizes
}

/// The words of a synset; spellings that differ only in case are merged.
fn words(wndb: &Wndb, pos: usize, lemmas: &BTreeMap<&str, u32>) -> Result<Vec<Vec<SourceWord>>> {
    let mut senses = FxHashMap::default();
    for lemma in &wndb.lemmas[pos] {
        for (number, sense) in lemma.senses.iter().enumerate() {
            let number = u8::try_from(number).with_context(|| format!("'{}' has too many senses", lemma.word))?;
            let count = u16::try_from(sense.count).with_context(|| format!("'{}' was met too often", lemma.word))?;
            senses.insert((sense.synset, lemma.word.as_str()), (number, count));
        }
    }
    let mut all = Vec::new();
    for (synset, content) in wndb.synsets[pos].iter().enumerate() {
        let mut words: Vec<SourceWord> = Vec::new();
        for word in &content.words {
            let word = word.to_ascii_lowercase();
            let &lemma = lemmas.get(word.as_str()).context("a word is in no index")?;
            let &(sense, count) = senses.get(&(synset, word.as_str())).context("a word is in no index")?;
            if words.iter().all(|known| known.lemma != lemma) {
                words.push(SourceWord { lemma, sense, count });
            }
        }
        all.push(words);
    }
    Ok(all)
}

/// Numbers all lemmas and synsets.
fn source(wndb: &Wndb, counts: &Counts) -> Result<Source> {
    let mut spellings: Vec<&str> = wndb.lemmas.iter().flatten().map(|lemma| lemma.word.as_str()).collect();
    spellings.sort_unstable();
    spellings.dedup();
    let lemmas: BTreeMap<&str, u32> = spellings.iter().copied().zip(0..).collect();
    let mut source = Source { lemmas: spellings.iter().map(|&word| word.to_owned()).collect(), ..Source::default() };

    // Inner synsets and leaves of each part of speech, each with the synset it is made from.
    let mut classes: [Vec<(usize, SourceSynset)>; 8] = Default::default();
    for (number, pos) in Pos::ALL.into_iter().enumerate() {
        let parents = parents(wndb, number);
        let (order, n_inner) = order(wndb, number, &parents)?;
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &synset)| places[synset] = place);
        let sorted_parents: Vec<Vec<usize>> =
            order.iter().map(|&synset| parents[synset].iter().map(|&parent| places[parent]).collect()).collect();
        let (depths, sizes) = (depths(&sorted_parents)?, sizes(&sorted_parents));
        let mut words = words(wndb, number, &lemmas)?;
        for (place, &synset) in order.iter().enumerate() {
            let offset = wndb.synsets[number][synset].offset;
            let counted = counts.by_offset.get(number).and_then(|counts| counts.get(&offset)).copied().unwrap_or(0.0);
            let is_inner = place < n_inner;
            let content = SourceSynset {
                pos,
                words: std::mem::take(&mut words[synset]),
                depths: is_inner.then_some(depths[place]),
                mass: (counted + f64::from(sizes[place])) as f32,
            };
            classes[if is_inner { number } else { number + 4 }].push((synset, content));
        }
        if let Some(total) = source.total_masses.get_mut(number) {
            *total = counts.roots[number] + order.len() as f64;
        }
    }
    // `numbers[pos][synset]`: the number of a synset.
    let mut numbers: [Vec<u32>; 4] = std::array::from_fn(|pos| vec![0; wndb.synsets[pos].len()]);
    for (class, synsets) in classes.into_iter().enumerate() {
        for (synset, content) in synsets {
            numbers[class % 4][synset] = source.synsets.len() as u32;
            source.synsets.push(content);
        }
    }
    let lemma_of =
        |word: &str| lemmas.get(word.to_ascii_lowercase().as_str()).copied().context("a word is in no index");
    for (synsets, numbers_of) in wndb.synsets.iter().zip(&numbers) {
        for (content, &from) in synsets.iter().zip(numbers_of) {
            for pointer in &content.pointers {
                let kind = PointerKind::from_symbol(&pointer.symbol)
                    .with_context(|| format!("pointer '{}' is not known", pointer.symbol))?;
                let to = numbers[pointer.pos][pointer.synset];
                if let Some((from_word, to_word)) = pointer.words {
                    let target = &wndb.synsets[pointer.pos][pointer.synset].words[to_word];
                    let (from_lemma, to_lemma) = (lemma_of(&content.words[from_word])?, lemma_of(target)?);
                    source.word_pointers.insert((kind, (from_lemma, from), (to_lemma, to)));
                } else {
                    source.pointers.insert((kind, from, to));
                }
            }
        }
    }
    for (forms, exceptions) in source.exceptions.iter_mut().zip(&wndb.exceptions) {
        for exception in exceptions {
            // Base forms that are not lemmas are never returned.
            let bases = exception.bases.iter().filter_map(|base| lemmas.get(base.as_str()).copied()).collect();
            forms.push((exception.form.clone(), bases));
        }
    }
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_shortest_and_longest_ways_and_circles_are_cut() {
        let check = |parents: &[&[usize]], expected: &[(u8, u8)]| {
            let parents: Vec<Vec<usize>> = parents.iter().map(|parents| parents.to_vec()).collect();
            assert_eq!(depths(&parents).unwrap(), expected);
        };
        check(&[], &[]);
        check(&[&[1], &[]], &[(1, 1), (0, 0)]);
        // 3 lies below the root directly, and through 2 and 1.
        check(&[&[], &[0], &[1], &[2, 0]], &[(0, 0), (1, 1), (2, 2), (1, 3)]);
        // 1 and 2 form a cycle with 0 below it: 1 is the root.
        check(&[&[2], &[2], &[1]], &[(2, 2), (0, 0), (1, 1)]);
        // The cycle lies below a root.
        check(&[&[], &[2], &[1, 0]], &[(0, 0), (0, 0), (1, 1)]);
    }

    #[test]
    fn sizes_count_each_synset_once() {
        let parents: Vec<Vec<usize>> =
            [&[][..], &[0], &[0], &[1, 2], &[5], &[4]].iter().map(|list| list.to_vec()).collect();
        assert_eq!(sizes(&parents), [4, 2, 2, 1, 2, 2]);
    }

    #[test]
    fn counts_are_read_and_other_versions_refused() {
        let counts = Counts::parse("wnver::3.0\n1740n 10.5 ROOT\n1930n 4\n2000v 3 ROOT\n3000v 2 ROOT\n").unwrap();
        assert_eq!(counts.roots, [10.5, 5.0]);
        assert_eq!(counts.by_offset[0].get(&1930), Some(&4.0));
        assert!(Counts::parse("wnver::2.1\n1740n 10.5 ROOT\n").is_err());
        assert!(Counts::parse("wnver::3.0\n1740x 10.5\n").is_err());
    }
}
