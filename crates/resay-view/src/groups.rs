//! The alignment of two sentences in groups of linked words. Each group is identical or reworded,
//! in place or moved; unaligned words remain. All drawings of an alignment are based on this.

use crate::text::clean;
use resay::align::SureLink;
use resay_text::Analysis;
use std::collections::BTreeSet;
use std::ops::Range;

/// A group of words connected by links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkGroup {
    /// Indices of source words, sorted.
    pub source: Vec<usize>,
    /// Indices of target words, sorted.
    pub target: Vec<usize>,
    /// The mean confidence of its links.
    pub confidence: f64,
    /// Whether the words are identical.
    pub is_same: bool,
    /// Whether the group changed its position relative to others.
    pub is_moved: bool,
}

/// Turns links into groups, in source order.
pub fn groups(source: &Analysis, target: &Analysis, links: &[SureLink]) -> Vec<LinkGroup> {
    let mut groups: Vec<(LinkGroup, Vec<f64>)> = Vec::new();
    for link in links {
        let (from, to) = (link.source as usize, link.target as usize);
        let touches = |group: &LinkGroup| group.source.contains(&from) || group.target.contains(&to);
        let mut joined =
            (LinkGroup { source: vec![from], target: vec![to], ..LinkGroup::default() }, vec![link.confidence]);
        let mut kept = Vec::with_capacity(groups.len() + 1);
        for (group, confidences) in groups {
            if touches(&group) {
                joined.0.source.extend(group.source);
                joined.0.target.extend(group.target);
                joined.1.extend(confidences);
            } else {
                kept.push((group, confidences));
            }
        }
        kept.push(joined);
        groups = kept;
    }
    let finish = |(mut group, confidences): (LinkGroup, Vec<f64>)| {
        for words in [&mut group.source, &mut group.target] {
            words.sort_unstable();
            words.dedup();
        }
        group.confidence = confidences.iter().sum::<f64>() / confidences.len().max(1) as f64;
        group.is_same = match (&group.source[..], &group.target[..]) {
            ([from], [to]) => source.form(*from).to_lowercase() == target.form(*to).to_lowercase(),
            _ => false,
        };
        group
    };
    let mut groups: Vec<LinkGroup> = groups.into_iter().map(finish).collect();
    groups.sort_by(|a, b| a.source.cmp(&b.source));
    let mut groups = joined(groups);
    let in_order = in_order(&groups);
    for (number, group) in groups.iter_mut().enumerate() {
        group.is_moved = !in_order.contains(&number);
    }
    groups
}

/// Merges groups of identical words that are adjacent on both sides.
fn joined(groups: Vec<LinkGroup>) -> Vec<LinkGroup> {
    let mut joined: Vec<LinkGroup> = Vec::with_capacity(groups.len());
    for group in groups {
        let follows = |before: &LinkGroup| {
            let is_next = |before: &[usize], after: &[usize]| {
                before.last().zip(after.first()).is_some_and(|(before, after)| before + 1 == *after)
            };
            before.is_same
                && group.is_same
                && is_next(&before.source, &group.source)
                && is_next(&before.target, &group.target)
        };
        match joined.last_mut() {
            Some(before) if follows(before) => {
                let n = before.source.len() as f64;
                before.confidence = (before.confidence * n + group.confidence) / (n + 1.0);
                before.source.extend(group.source);
                before.target.extend(group.target);
            }
            _ => joined.push(group),
        }
    }
    joined
}

/// The groups that keep their order on both sides, chosen to cover the most words; `groups` are in
/// source order.
fn in_order(groups: &[LinkGroup]) -> BTreeSet<usize> {
    let start = |group: &LinkGroup| group.target.first().copied().unwrap_or(0);
    let weight = |group: &LinkGroup| group.source.len() + group.target.len();
    // best[g]: the most words of a chain that ends with g, and the predecessor of g in it.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(groups.len());
    for (number, group) in groups.iter().enumerate() {
        let before = (0..number).rev().filter(|&before| start(&groups[before]) < start(group));
        let before = before.max_by_key(|&before| best[before].0);
        best.push((weight(group) + before.map_or(0, |before| best[before].0), before));
    }
    let mut chain = BTreeSet::new();
    let mut at = (0..groups.len()).rev().max_by_key(|&number| best[number].0);
    while let Some(number) = at {
        chain.insert(number);
        at = best[number].1;
    }
    chain
}

/// Whether a group needs no attention.
pub fn is_quiet(group: &LinkGroup) -> bool {
    group.is_same && !group.is_moved
}

/// The words of every group on one side.
pub fn side(groups: &[LinkGroup], words: fn(&LinkGroup) -> &Vec<usize>) -> Vec<Vec<usize>> {
    groups.iter().map(|group| words(group).clone()).collect()
}

/// The group of every word.
pub fn owners(analysis: &Analysis, words: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut owners = vec![None; analysis.words.len()];
    for (group, words) in words.iter().enumerate() {
        words.iter().for_each(|word| owners[*word] = Some(group));
    }
    owners
}

/// The words as they appear in the text, with `...` for gaps.
pub fn phrase(analysis: &Analysis, words: &[usize]) -> String {
    let piece = |run: Range<usize>| {
        let range = analysis.words[run.start].span.start as usize..analysis.words[run.end - 1].span.end as usize;
        analysis.text.get(range).unwrap_or("")
    };
    let text = runs(words).into_iter().map(piece).collect::<Vec<_>>().join(" ... ");
    clean(&text)
}

/// The unaligned words with a letter or a digit: what only this sentence says.
pub(crate) fn only(analysis: &Analysis, words: &[Vec<usize>]) -> Vec<usize> {
    let owners = owners(analysis, words);
    let is_said = |word: usize| analysis.form(word).chars().any(char::is_alphanumeric);
    (0..owners.len()).filter(|word| owners[*word].is_none() && is_said(*word)).collect()
}

/// Splits words into runs of adjacent ones.
pub(crate) fn runs(words: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &word in words {
        match runs.last_mut() {
            Some(run) if run.end == word => run.end += 1,
            _ => runs.push(word..word + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups as `source words > target words`, with their properties.
    fn show(source: &str, target: &str, links: &[[u32; 2]]) -> Vec<String> {
        let [source, target] = [source, target].map(|text| Analysis::from_forms(text.split_whitespace()));
        let link = |[source, target]: &[u32; 2]| SureLink { source: *source, target: *target, confidence: 0.5 };
        let found = groups(&source, &target, &links.iter().map(link).collect::<Vec<_>>());
        let line = |group: &LinkGroup| {
            let what = match (group.is_same, group.is_moved) {
                (true, false) => "same",
                (true, true) => "moved",
                (false, false) => "reworded",
                (false, true) => "reworded and moved",
            };
            format!("{} > {}: {what}", phrase(&source, &group.source), phrase(&target, &group.target))
        };
        let once = |analysis: &Analysis, words: Vec<Vec<usize>>| phrase(analysis, &only(analysis, &words));
        let only = [once(&source, side(&found, |g| &g.source)), once(&target, side(&found, |g| &g.target))];
        found.iter().map(line).chain([only.join(" | ")]).collect()
    }

    #[test]
    fn links_become_groups_and_the_rest_is_said_once() {
        let links = [[0, 4], [1, 5], [2, 0], [3, 1], [4, 1], [6, 3]];
        assert_eq!(
            show("on Monday Anna gave up her job ,", "Anna quit the work on Monday .", &links),
            [
                "on Monday > on Monday: moved",
                "Anna > Anna: same",
                "gave up > quit: reworded",
                "job > work: reworded",
                "her | the"
            ]
        );
        assert_eq!(show("a b", "B c a", &[[0, 2], [1, 0]])[2], " | c");
        assert_eq!(show("", "", &[]), [" | "]);
    }

    #[test]
    fn words_that_stand_together_are_a_run() {
        assert_eq!(runs(&[]), Vec::<Range<usize>>::new());
        assert_eq!(runs(&[0, 1, 3, 5, 6]), [0..2, 3..4, 5..7]);
    }
}
