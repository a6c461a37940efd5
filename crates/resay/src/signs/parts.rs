//! What the aligner laid side by side, and what it left alone.

use super::{Group, Notes, Sight};
use crate::align::{Class, Level};
use crate::latent::sentences::Shape;

/// Names of the classes of content words, in the order of [`Class::CONTENT`].
const CLASSES: [&str; 5] = ["numbers", "names", "verbs", "modifiers", "nouns"];

/// Content words that correspond to nothing, in order.
pub(super) struct Parts {
    pub(super) alone: [Vec<usize>; 2],
}

impl Parts {
    pub(super) fn new(sight: &Sight<'_>) -> Self {
        let is_alone = |side: usize, word: usize| sight.partners(side, word).is_empty() && !sight.is_shared(side, word);
        let alone = [0, 1].map(|side| sight.content(side).filter(|&word| is_alone(side, word)).collect());
        Self { alone }
    }
}

pub(super) fn note(notes: &mut Notes<'_>, parts: &Parts) {
    let sight = notes.sight;
    notes.both(Group::Alignment, "gain of the aligner a word", sight.alignment.gains[0], sight.alignment.gains[1]);
    let probably_alone = |side: usize| {
        let of = if side == 0 { &sight.alignment.source_alone } else { &sight.alignment.target_alone };
        let content: Vec<usize> = sight.content(side).collect();
        content.iter().map(|&word| of[word]).sum::<f64>() / content.len().max(1) as f64
    };
    notes.both(Group::Alignment, "content words probably alone", probably_alone(0), probably_alone(1));
    let [source, target] = [0, 1].map(|side| parts.alone[side].len() as f64);
    let signs = notes.both(Group::Alone, "content words alone", source, target);
    // Whichever is the longer list is what the second sign counts, where neither sentence is first.
    let is_turned = notes.shape == Shape::Target || source > target;
    for side in 0..2 {
        let sign = signs[if is_turned { 1 - side } else { side }];
        for &word in &parts.alone[side] {
            let only = [word];
            if side == 0 { notes.point(sign, &only, &[]) } else { notes.point(sign, &[], &only) }
        }
    }
    for (class, name) in Class::CONTENT.into_iter().zip(CLASSES) {
        let count =
            |side: usize, only: &[usize]| only.iter().filter(|&&word| sight.side(side)[word].class() == class).count();
        let alone = [0, 1].map(|side| count(side, &parts.alone[side]) as f64);
        let all = [0, 1].map(|side| sight.side(side).iter().filter(|word| word.class() == class).count());
        notes.both(Group::Alone, format_args!("{name} alone"), alone[0], alone[1]);
        let shared = all[0].min(all[1]) as f64 - alone[0].min(alone[1]);
        notes.put(
            Group::Alignment,
            format_args!("{name} shared"),
            if all == [0, 0] { 1.0 } else { shared.max(0.0) / all[0].max(all[1]) as f64 },
        );
    }
    substitutions(notes);
    order(notes);
}

/// Words that stand for another one: how many, and how alike.
fn substitutions(notes: &mut Notes<'_>) {
    let sight = notes.sight;
    let (mut n_other, mut n_known, mut likeness) = (0, 0, 0.0);
    for i in sight.content(0) {
        for &j in sight.partners(0, i) {
            let level = sight.compared.level(i, j);
            if level < Level::Lemma {
                n_other += 1;
                n_known += usize::from(level >= Level::Near);
                likeness += f64::from(sight.compared.cell(i, j).cosine.unwrap_or(0.0).max(0.0));
            }
        }
    }
    notes.put(Group::Alignment, "words for other words", f64::from(n_other) / 5.0);
    notes.put(Group::Alignment, "words for related words", n_known as f64 / 5.0);
    notes.put(Group::Alignment, "words for other words, by how alike", likeness / 5.0);
}

/// Whether what corresponds follows each other in both sentences.
fn order(notes: &mut Notes<'_>) {
    let sight = notes.sight;
    let firsts: Vec<(usize, usize)> =
        (0..sight.n_words(0)).filter_map(|i| Some((i, *sight.partners(0, i).first()?))).collect();
    let n = firsts.len().max(1) as f64;
    let steps = || firsts.windows(2).map(|pair| (pair[0], pair[1]));
    let n_back = steps().filter(|(last, next)| next.1 < last.1).count() as f64;
    let n_next = steps().filter(|(last, next)| next.1 == last.1 + 1 && next.0 == last.0 + 1).count() as f64;
    notes.put(Group::Alignment, "steps back", n_back / n);
    notes.put(Group::Alignment, "pieces in other places", (firsts.len() as f64 - n_next) / n);
    let longer = sight.n_words(0).max(sight.n_words(1)).max(2) as f64;
    notes.put(Group::Alignment, "words in a row", n_next / (longer - 1.0));
}
