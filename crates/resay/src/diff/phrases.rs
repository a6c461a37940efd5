//! Phrase-level comparison of two matched sentences: kept, reworded, moved, added, dropped or
//! changed in meaning.
//!
//! The input is the words of both sentences, the links of the aligner, and the words that are
//! evidence against the sentences saying the same. Connected components of links are phrases. Among
//! phrases with the same words on both sides, the heaviest chain that increases on both sides keeps
//! its place, and the others moved. Unlinked words of both sentences between the same neighbours
//! replace each other; all other unlinked words were added or dropped.

use crate::align::{Entry, SureLink, heaviest_chain};
use resay_text::{Analysis, Span};

/// How a phrase changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhraseKind {
    /// The same words in the same order.
    Kept,
    /// The same meaning in other words.
    Reworded,
    /// The same words elsewhere in the sentence.
    Moved,
    /// Only in the second sentence.
    Added,
    /// Only in the first sentence.
    Dropped,
    /// Evidence against the two sentences saying the same.
    Changed,
}

impl PhraseKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Kept, Self::Reworded, Self::Moved, Self::Added, Self::Dropped, Self::Changed];

    /// The name for display and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Reworded => "reworded",
            Self::Moved => "moved",
            Self::Added => "added",
            Self::Dropped => "dropped",
            Self::Changed => "changed",
        }
    }
}

/// A phrase of one or both sides, as byte spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// The kind of change.
    pub kind: PhraseKind,
    /// Its spans in the first document; several if the phrase is discontinuous.
    pub source: Vec<Span>,
    /// Its spans in the second document.
    pub target: Vec<Span>,
}

/// Connected words, by number, sorted on each side.
#[derive(Clone, Debug, Default)]
struct Group {
    words: [Vec<usize>; 2],
    is_told: bool,
    is_same: bool,
}

/// Evidence against two sentences saying the same: the spans of words on each side.
pub(super) type Told = [Vec<Span>; 2];

/// The phrases of two sentences, in the order of the source; a phrase of the target alone follows
/// its predecessor in the target. `told` is `None` unless the meaning changed. Spans refer to the
/// sentences' own texts.
pub(super) fn phrases(sentences: [&Analysis; 2], links: &[SureLink], told: Option<&[Told]>) -> Vec<Phrase> {
    let mut groups = linked(sentences, links);
    let told_words = told.map(|told| told.iter().map(|told| words_of(sentences, told)).collect::<Vec<_>>());
    for told in told_words.iter().flatten() {
        tell(&mut groups, told);
    }
    for group in &mut groups {
        group.is_same = lower(sentences, group, 0) == lower(sentences, group, 1);
    }
    groups.sort_by(|a, b| a.words.cmp(&b.words));
    let mut groups = joined(groups);
    let mut owners = owners(sentences, &groups);
    let any_told = groups.iter().any(|group| group.is_told);
    let exchanged = exchanged(sentences, &owners);
    // Without evidence for specific words, the change in meaning is attributed to the replaced
    // words.
    let blame = told.is_some() && !any_told;
    let n_linked = groups.len();
    for words in exchanged {
        let is_told = blame && words.iter().enumerate().any(|(side, words)| has_content(sentences[side], words));
        groups.push(Group { words, is_told, is_same: false });
    }
    for (number, group) in groups.iter().enumerate().skip(n_linked) {
        (0..2).for_each(|side| group.words[side].iter().for_each(|&word| owners[side][word] = Some(number)));
    }
    let in_order = in_order(&groups[..n_linked]);
    let kind = |number: usize, group: &Group| match () {
        () if group.is_told => PhraseKind::Changed,
        () if group.words[1].is_empty() => PhraseKind::Dropped,
        () if group.words[0].is_empty() => PhraseKind::Added,
        () if group.is_same && in_order.get(number) == Some(&false) => PhraseKind::Moved,
        () if group.is_same => PhraseKind::Kept,
        () => PhraseKind::Reworded,
    };
    let mut phrases: Vec<Phrase> = Vec::new();
    let spans = |side: usize, words: &[usize]| stretches(sentences[side], words);
    for (number, group) in groups.iter().enumerate() {
        let [source, target] = [spans(0, &group.words[0]), spans(1, &group.words[1])];
        phrases.push(Phrase { kind: kind(number, group), source, target });
    }
    for (side, kind) in [(0, PhraseKind::Dropped), (1, PhraseKind::Added)] {
        for run in runs(&owners[side]) {
            let own = spans(side, &run);
            let [source, target] = if side == 0 { [own, Vec::new()] } else { [Vec::new(), own] };
            phrases.push(Phrase { kind, source, target });
        }
    }
    in_reading_order(phrases)
}

/// The connected components of the links.
fn linked(sentences: [&Analysis; 2], links: &[SureLink]) -> Vec<Group> {
    let n_source = sentences[0].words.len();
    // parent[w]: sources first, then targets; a root is its own parent.
    let mut parent: Vec<usize> = (0..n_source + sentences[1].words.len()).collect();
    let root = |parent: &[usize], mut at: usize| {
        while parent[at] != at {
            at = parent[at];
        }
        at
    };
    let mut is_linked = vec![false; parent.len()];
    for link in links {
        let ends = [link.source as usize, n_source + link.target as usize];
        ends.iter().for_each(|&end| is_linked[end] = true);
        let roots = ends.map(|end| root(&parent, end));
        parent[roots[0].max(roots[1])] = roots[0].min(roots[1]);
    }
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for word in (0..parent.len()).filter(|&word| is_linked[word]) {
        let own = root(&parent, word);
        let at = groups.iter().position(|(root, _)| *root == own).unwrap_or_else(|| {
            groups.push((own, Group::default()));
            groups.len() - 1
        });
        let (side, number) = if word < n_source { (0, word) } else { (1, word - n_source) };
        groups[at].1.words[side].push(number);
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The words that overlap the given spans.
fn words_of(sentences: [&Analysis; 2], told: &Told) -> [Vec<usize>; 2] {
    [0, 1].map(|side: usize| {
        let words = sentences[side].words.iter().enumerate();
        let is_told = |span: &Span| told[side].iter().any(|told| told.start < span.end && span.start < told.end);
        words.filter(|(_, word)| is_told(&word.span)).map(|(number, _)| number).collect()
    })
}

/// Marks words as evidence: in the phrases that contain them, or else as a phrase of their own.
fn tell(groups: &mut Vec<Group>, told: &[Vec<usize>; 2]) {
    let mut alone = told.clone();
    for group in groups.iter_mut() {
        let is_touched = (0..2).any(|side| group.words[side].iter().any(|word| told[side].contains(word)));
        if is_touched {
            group.is_told = true;
            (0..2).for_each(|side| alone[side].retain(|word| !group.words[side].contains(word)));
        }
    }
    if alone.iter().any(|words| !words.is_empty()) {
        groups.push(Group { words: alone, is_told: true, is_same: false });
    }
}

fn lower(sentences: [&Analysis; 2], group: &Group, side: usize) -> Vec<String> {
    group.words[side].iter().map(|&word| sentences[side].form(word).to_lowercase()).collect()
}

/// Merges unchanged phrases that are adjacent on both sides. The input is in source order.
fn joined(groups: Vec<Group>) -> Vec<Group> {
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for group in groups {
        let follows = |before: &Group| {
            let is_next = |side: usize| {
                let ends = before.words[side].last().zip(group.words[side].first());
                ends.is_some_and(|(before, after)| before + 1 == *after)
            };
            before.is_same && group.is_same && before.is_told == group.is_told && is_next(0) && is_next(1)
        };
        match joined.last_mut() {
            Some(before) if follows(before) => (0..2).for_each(|side| before.words[side].extend(&group.words[side])),
            _ => joined.push(group),
        }
    }
    joined
}

/// The phrase of every word on each side.
fn owners(sentences: [&Analysis; 2], groups: &[Group]) -> [Vec<Option<usize>>; 2] {
    [0, 1].map(|side: usize| {
        let mut owners = vec![None; sentences[side].words.len()];
        for (number, group) in groups.iter().enumerate() {
            group.words[side].iter().for_each(|&word| owners[word] = Some(number));
        }
        owners
    })
}

/// Runs of words outside any phrase.
fn runs(owners: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for word in (0..owners.len()).filter(|&word| owners[word].is_none()) {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| last + 1 == word) => run.push(word),
            _ => runs.push(vec![word]),
        }
    }
    runs
}

/// Pairs of runs outside any phrase that share the neighbour before or after them.
fn exchanged(sentences: [&Analysis; 2], owners: &[Vec<Option<usize>>; 2]) -> Vec<[Vec<usize>; 2]> {
    // The phrases next to a run; the sentence boundary counts as one.
    let neighbours = |side: usize, run: &[usize]| -> [Option<usize>; 2] {
        let (first, last) = (run.first().copied().unwrap_or(0), run.last().copied().unwrap_or(0));
        let edge = usize::MAX;
        let before = if first == 0 { Some(edge) } else { owners[side][first - 1] };
        let behind = if last + 1 == sentences[side].words.len() { Some(edge) } else { owners[side][last + 1] };
        [before, behind]
    };
    let mut others = runs(&owners[1]);
    let mut found = Vec::new();
    for run in runs(&owners[0]) {
        let own = neighbours(0, &run);
        let is_word = |side: usize, words: &[usize]| has_content(sentences[side], words);
        let same_place = |other: &Vec<usize>| {
            let its = neighbours(1, other);
            (own[0] == its[0] || own[1] == its[1]) && is_word(0, &run) == is_word(1, other)
        };
        if let Some(at) = others.iter().position(same_place) {
            found.push([run, others.remove(at)]);
        }
    }
    found
}

/// Whether any of the words has a letter or a digit.
fn has_content(sentence: &Analysis, words: &[usize]) -> bool {
    words.iter().any(|&word| sentence.form(word).chars().any(char::is_alphanumeric))
}

/// Which phrases, given in source order, keep their order.
fn in_order(groups: &[Group]) -> Vec<bool> {
    let entry = |(source, group): (usize, &Group)| {
        // Phrases that changed in meaning say nothing about the order.
        let target = *group.words[1].first().filter(|_| !group.is_told)?;
        let weight = (group.words[0].len() + group.words[1].len()) as f64;
        Some(Entry { source, target, weight, may_move: false })
    };
    let entries: Vec<Entry> = groups.iter().enumerate().filter_map(entry).collect();
    let mut in_order = vec![false; groups.len()];
    heaviest_chain(&entries).into_iter().for_each(|at| in_order[entries[at].source] = true);
    in_order
}

/// Words as byte spans; consecutive words form one span.
fn stretches(sentence: &Analysis, words: &[usize]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut last = None;
    for &word in words {
        let span = sentence.words[word].span;
        match spans.last_mut() {
            Some(before) if last.is_some_and(|last| last + 1 == word) => before.end = span.end,
            _ => spans.push(span),
        }
        last = Some(word);
    }
    spans
}

/// Sorts by source; a phrase of the target alone follows its predecessor in the target.
fn in_reading_order(mut phrases: Vec<Phrase>) -> Vec<Phrase> {
    let start = |spans: &[Span]| spans.first().map(|span| span.start);
    phrases.sort_by_key(|phrase| start(&phrase.target));
    let mut keyed: Vec<(u32, u32, Phrase)> = Vec::with_capacity(phrases.len());
    let mut before = 0;
    for phrase in phrases {
        let key = start(&phrase.source);
        before = if phrase.target.is_empty() { before } else { key.unwrap_or(before) };
        let second = if key.is_some() { 0 } else { 1 + start(&phrase.target).unwrap_or(0) };
        keyed.push((key.unwrap_or(before), second, phrase));
    }
    keyed.sort_by_key(|(first, second, _)| (*first, *second));
    keyed.into_iter().map(|(_, _, phrase)| phrase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words are separated by blanks, links are written as `0-1`; evidence as pairs `1/2` of word
    /// numbers, either of which may be empty.
    fn check(source: &str, target: &str, links: &str, told: Option<&str>, expected: &[&str]) {
        let sentences = [source, target].map(|text| Analysis::from_forms(text.split_whitespace()));
        let both = [&sentences[0], &sentences[1]];
        let link = |link: &str| {
            let (source, target) = link.split_once('-').unwrap();
            SureLink { source: source.parse().unwrap(), target: target.parse().unwrap(), confidence: 0.8 }
        };
        let links: Vec<SureLink> = links.split_whitespace().map(link).collect();
        let span = |side: usize, number: &str| -> Vec<Span> {
            number.parse().ok().map(|word: usize| both[side].words[word].span).into_iter().collect()
        };
        let told: Option<Vec<Told>> = told.map(|told| {
            let one = |told: &str| {
                let (source, target) = told.split_once('/').unwrap();
                [span(0, source), span(1, target)]
            };
            told.split_whitespace().map(one).collect()
        });
        let text = |side: usize, spans: &[Span]| {
            spans.iter().map(|span| &both[side].text[span.range()]).collect::<Vec<_>>().join("..")
        };
        let found: Vec<String> = phrases(both, &links, told.as_deref())
            .iter()
            .map(|phrase| format!("{} {}|{}", phrase.kind.name(), text(0, &phrase.source), text(1, &phrase.target)))
            .collect();
        assert_eq!(found, expected, "{source} / {target}");
    }

    #[test]
    fn phrases_by_kind() {
        check("", "", "", None, &[]);
        check("it rained", "It rained", "0-0 1-1", None, &["kept it rained|It rained"]);
        check(
            "Anna gave up the job .",
            "Anna quit the work .",
            "0-0 1-1 2-1 3-2 4-3 5-4",
            None,
            &["kept Anna|Anna", "reworded gave up|quit", "kept the|the", "reworded job|work", "kept .|."],
        );
        check(
            "in the old town he sings",
            "he sings loudly in the old town",
            "0-3 1-4 2-5 3-6 4-0 5-1",
            None,
            &["kept in the old town|in the old town", "moved he sings|he sings", "added |loudly"],
        );
        check(
            "he rejected it",
            "he turned it down",
            "0-0 1-1 1-3 2-2",
            None,
            &["kept he|he", "reworded rejected|turned..down", "kept it|it"],
        );
        check("we left early", "we left", "0-0 1-1", None, &["kept we left|we left", "dropped early|"]);
    }

    #[test]
    fn what_stands_in_the_same_place_was_exchanged() {
        let same = "kept costs|costs";
        check(
            "The ticket costs 60 euros",
            "A ticket costs 80 euros",
            "1-1 2-2 4-4",
            None,
            &["reworded The|A", "kept ticket costs|ticket costs", "reworded 60|80", "kept euros|euros"],
        );
        // Specific evidence: the article is not blamed.
        check(
            "The ticket costs 60 euros",
            "A ticket costs 80 euros",
            "1-1 2-2 4-4",
            Some("3/3"),
            &["reworded The|A", "kept ticket costs|ticket costs", "changed 60|80", "kept euros|euros"],
        );
        // No specific evidence: the replaced words are blamed, but punctuation is not.
        check("costs x ,", "costs y ;", "0-0", Some(""), &[same, "changed x ,|y ;"]);
        check("costs ,", "costs ;", "0-0", Some(""), &[same, "reworded ,|;"]);
    }

    #[test]
    fn words_told_of_are_changed_wherever_they_stand() {
        check("he left", "he never left", "0-0 1-2", Some("/1"), &["kept he|he", "changed |never", "kept left|left"]);
        check(
            "they accepted it",
            "they rejected it",
            "0-0 1-1 2-2",
            Some("1/1"),
            &["kept they|they", "changed accepted|rejected", "kept it|it"],
        );
        check(
            "Anna sued Ben",
            "Ben sued Anna",
            "0-2 1-1 2-0",
            Some("0/2 2/0"),
            &["changed Anna|Anna", "kept sued|sued", "changed Ben|Ben"],
        );
    }
}
