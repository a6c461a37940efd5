//! What small words belong to: "Only Rita tasted the soup" has the words of "Rita only tasted the
//! soup". Looked at are words that both texts have, and whether what they belong to corresponds.

use super::edits::Edits;
use super::operators::is_negating;
use super::words::Side;
use crate::id::{EditKind, ScopeMeasure, WordGroup};

/// One thing that was found, between a word of the source and one of the target.
pub(super) struct Scoped {
    pub(super) measure: ScopeMeasure,
    pub(super) source: u32,
    pub(super) target: u32,
}

const FOCUSING: [&str; 13] = [
    "only",
    "just",
    "even",
    "almost",
    "nearly",
    "merely",
    "solely",
    "exactly",
    "mainly",
    "especially",
    "also",
    "alone",
    "first",
];
const QUANTIFYING: [&str; 19] = [
    "all",
    "every",
    "each",
    "some",
    "many",
    "most",
    "few",
    "several",
    "any",
    "no",
    "both",
    "half",
    "always",
    "often",
    "usually",
    "sometimes",
    "rarely",
    "seldom",
    "never",
];
const MARKING: [&str; 16] = [
    "if", "unless", "because", "when", "while", "before", "after", "until", "since", "although", "though", "once",
    "whenever", "so", "than", "whether",
];
const JOINING: [&str; 4] = ["and", "or", "but", "nor"];
/// Words that say that one thing came after another.
const SEQUENCING: [&str; 9] =
    ["then", "afterwards", "later", "next", "finally", "subsequently", "before", "after", "first"];

/// The measure of a word that belongs to another one, if such words are looked at.
fn of_word(side: &Side<'_>, word: usize) -> Option<ScopeMeasure> {
    let lower = side.lower[word];
    if is_negating(side, word) {
        Some(ScopeMeasure::NegationMoved)
    } else if FOCUSING.contains(&lower) {
        Some(ScopeMeasure::FocusMoved)
    } else if QUANTIFYING.contains(&lower) {
        Some(ScopeMeasure::QuantifierMoved)
    } else if MARKING.contains(&lower) {
        Some(ScopeMeasure::MarkerMoved)
    } else if JOINING.contains(&lower) {
        Some(ScopeMeasure::JoinMoved)
    } else {
        None
    }
}

/// The force of a modal verb: what is the case, may be, should be, must be. Negation is counted apart.
fn force(lower: &str) -> Option<u8> {
    Some(match lower {
        "can" | "could" | "may" | "might" | "ca" => 1,
        "should" | "ought" => 2,
        "must" | "need" | "shall" | "have" | "has" | "had" => 3,
        "will" | "would" | "wo" | "'ll" | "'d" => 4,
        _ => return None,
    })
}

fn is_modal(side: &Side<'_>, word: usize) -> bool {
    side.tag(word) == "MD" || (matches!(side.lower[word], "have" | "has" | "had" | "need") && has_to(side, word))
}

/// "have to", "need to".
fn has_to(side: &Side<'_>, word: usize) -> bool {
    word + 1 < side.len() && side.lower[word + 1] == "to"
}

/// The nearest content word above.
fn content_head(side: &Side<'_>, word: usize) -> Option<usize> {
    let mut at = side.head[word];
    for _ in 0..side.len() {
        match at {
            Some(here) if side.is_content(here) => return Some(here),
            Some(here) => at = side.head[here],
            None => return None,
        }
    }
    None
}

/// The preposition of a word or phrase.
fn preposition(side: &Side<'_>, words: &[u32]) -> Option<usize> {
    let is_within = |case: usize| words.contains(&(case as u32));
    let cases = words.iter().flat_map(|word| side.with_relation(*word as usize, "case"));
    cases.into_iter().find(|&case| side.lower[case] != "'s" && side.lower[case] != "’s" && !is_within(case))
}

pub(super) fn measure(sides: &[Side<'_>; 2], edits: &Edits) -> Vec<Scoped> {
    let [source, target] = sides;
    let mut found = Vec::new();
    let mut add =
        |measure: ScopeMeasure, i: usize, j: usize| found.push(Scoped { measure, source: i as u32, target: j as u32 });
    let meets = |i: usize, j: usize| edits.edit(0, i).is_some_and(|edit| edit.words[1].contains(&(j as u32)));
    // Whether the word before or the next content word corresponds, too, whatever the parser makes of
    // it.
    let stands_alike = |i: usize, j: usize| {
        let near = |side: &Side<'_>, word: usize| {
            let before = (word.saturating_sub(1)..word).rfind(|&at| side.is_content(at));
            let behind = (word + 1..side.len().min(word + 4)).find(|&at| side.is_content(at));
            [before, behind].into_iter().flatten().collect::<Vec<usize>>()
        };
        let (here, there) = (near(source, i), near(target, j));
        here.iter().any(|&a| there.iter().any(|&b| meets(a, b)))
    };
    let mut predicates = Vec::new();
    for edit in &edits.edits {
        let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
        if let Some(measure) = of_word(source, i)
            && of_word(target, j) == Some(measure)
        {
            // A word whose head has no partner moved with it.
            let is_moved = match (source.head[i], target.head[j]) {
                (Some(a), Some(b)) => !meets(a, b) && (edits.of[0][a].is_some() || edits.of[1][b].is_some()),
                (a, b) => a.is_some() != b.is_some(),
            };
            if is_moved && !stands_alike(i, j) {
                add(measure, i, j);
            }
        }
        if is_modal(source, i) && is_modal(target, j) && force(source.lower[i]) != force(target.lower[j]) {
            add(ScopeMeasure::OtherModal, i, j);
        }
        if !source.is_content(i) || !target.is_content(j) {
            continue;
        }
        if (source.negations[i] + target.negations[j]) % 2 == 1 && edit.kind.is_equal() {
            add(ScopeMeasure::NegatedInOne, i, j);
        }
        match (preposition(source, &edit.words[0]), preposition(target, &edit.words[1])) {
            (Some(a), Some(b)) => {
                let is_alike = source.lower[a] == target.lower[b]
                    || matches!(edits.kind(0, a), Some(kind) if kind.is_equal() && meets(a, b));
                let is_number = [(source, i), (target, j)].iter().any(|(side, word)| {
                    side.group[*word] == WordGroup::Number || side.with_relation(*word, "nummod").next().is_some()
                });
                if !is_alike {
                    let measure =
                        if is_number { ScopeMeasure::OtherPrepositionOfNumber } else { ScopeMeasure::OtherPreposition };
                    add(measure, i, j);
                }
            }
            (None, None) => {}
            _ => add(ScopeMeasure::PrepositionInOne, i, j),
        }
        if let (Some(a), Some(b)) = (content_head(source, i), content_head(target, j))
            && !meets(a, b)
            && edits.of[0][a].is_some()
            && edits.of[1][b].is_some()
        {
            add(ScopeMeasure::OtherContentHead, i, j);
        }
        let is_predicate = |side: &Side<'_>, word: usize| side.group[word] == WordGroup::Verb;
        if edit.kind != EditKind::Unrelated && is_predicate(source, i) && is_predicate(target, j) {
            predicates.push((i, j));
        }
    }
    predicates.sort_unstable();
    let is_sequence = sides.iter().all(|side| side.lower.iter().any(|word| SEQUENCING.contains(word)));
    for pair in predicates.windows(2).filter(|pair| pair[1].1 < pair[0].1) {
        let measure = if is_sequence { ScopeMeasure::InvertedSequence } else { ScopeMeasure::InvertedPredicates };
        add(measure, pair[0].0, pair[0].1);
    }
    found
}
