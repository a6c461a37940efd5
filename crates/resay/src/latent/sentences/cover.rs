//! How much of one text is found in another before anything is aligned: what entailment is told beside the hidden alignment.

use super::catalogue::Template;
use super::features::Labels;
use crate::align::{Class, Compared, Level};

/// What features that are always there are multiplied by, so that they are not held back more than sums over words.
const COVER: f32 = 10.0;

/// How many words that follow each other are a place where something is said.
const WINDOW: usize = 30;

/// How much of the target the source covers, whatever is aligned: its content words anywhere, in one sentence and close
/// together, its names and numbers; and where there is a negation.
pub(super) fn cover(compared: &Compared, labels: &[Labels; 2], always: &mut impl FnMut(Template, u16, f32)) {
    let (source, target) = (&compared.source.words, &compared.target.words);
    let words = |classes: &[Class]| -> Vec<usize> {
        (0..target.len()).filter(|&j| classes.contains(&target[j].class())).collect()
    };
    let share = |words: &[usize], level: Level, of: &dyn Fn(usize) -> bool| {
        let is_covered = |j: &&usize| (0..source.len()).any(|i| of(i) && compared.level(i, **j) >= level);
        words.iter().filter(is_covered).count() as f32 / words.len().max(1) as f32
    };
    let (content, names) = (words(&Class::CONTENT), words(&[Class::Number, Class::Name]));
    always(Template::Covered, 0, COVER * share(&content, Level::Lemma, &|_| true));
    always(Template::Covered, 1, COVER * share(&content, Level::Near, &|_| true));
    // A sentence is what hangs under one root.
    let roots: Vec<usize> = (0..source.len())
        .map(|word| {
            let steps = std::iter::successors(Some(word), |&word| source[word].head);
            steps.take(source.len()).last().unwrap_or(word)
        })
        .collect();
    // `n_covered[root]`: content words of the target that its sentence covers. Counted word by word: there may be as many
    // sentences as words.
    let mut n_covered = vec![0_usize; source.len()];
    for &j in &content {
        let covering = (0..source.len()).filter(|&i| compared.level(i, j) >= Level::Lemma);
        let mut covering: Vec<usize> = covering.map(|i| roots[i]).filter(|&root| roots[root] == root).collect();
        covering.sort_unstable();
        covering.dedup();
        covering.iter().for_each(|&root| n_covered[root] += 1);
    }
    let best = n_covered.into_iter().max().unwrap_or(0) as f32 / content.len().max(1) as f32;
    always(Template::Covered, 2, COVER * best);
    always(Template::Covered, 3, COVER * most_within(WINDOW, compared, &content) as f32 / content.len().max(1) as f32);
    let covered = if names.is_empty() { 1.0 } else { share(&names, Level::Lemma, &|_| true) };
    always(Template::NamesCovered, 0, COVER * covered);
    always(Template::NamesCovered, 1 + u16::from(covered >= 1.0), COVER);
    let [first, second] = [0, 1].map(|side: usize| u16::from(labels[side].negations.contains(&true)));
    always(Template::Negated, 2 * first + second, 0.3 * COVER);
}

/// Of these target words, how many are covered by so many source words that follow each other, at most.
fn most_within(window: usize, compared: &Compared, words: &[usize]) -> usize {
    let n_source = compared.source.len();
    // `changes[start]`: by how much the windows from there on cover more than the one before.
    let mut changes = vec![0_isize; n_source + 1];
    for &j in words {
        let mut next = 0;
        for i in (0..n_source).filter(|&i| compared.level(i, j) >= Level::Lemma) {
            // Windows that hold word i start at `first..=i`; those before `next` are counted.
            let first = (i + 1).saturating_sub(window).max(next);
            changes[first] += 1;
            changes[i + 1] -= 1;
            next = i + 1;
        }
    }
    let mut n_covered = 0;
    let mut most = 0;
    for change in changes {
        n_covered += change;
        most = most.max(n_covered);
    }
    most as usize
}

#[cfg(test)]
mod tests {
    use super::super::{SentencePairs, Shape};
    use super::*;
    use crate::bundled;
    use crate::eval::random::SplitMix;
    use crate::text::{EnglishScratch, Layers};

    #[test]
    fn what_of_the_target_is_covered() {
        let english = bundled::english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let lexicon = bundled::lexicon_with_vectors().unwrap();
        let check = |source: &str, target: &str, expected: &[(&str, f32)]| {
            let pair = [source, target].map(|text| english.text(text, &mut EnglishScratch::default()));
            let problem = SentencePairs::new(&[pair], vec![true], &lexicon, Shape::Target).unwrap();
            let shown = |(feature, value): &(u32, f32)| (problem.catalogue().name(*feature), *value / COVER);
            let found: Vec<(String, f32)> = problem.pairs()[0].constant().iter().map(shown).collect();
            for (name, value) in expected {
                let at = found.iter().find(|(known, _)| known == name);
                assert!(at.is_some_and(|(_, found)| (found - value).abs() < 1e-6), "{name} {value} in {found:?}");
            }
        };
        // Both content words are there, but one in each sentence.
        check(
            "The dog barked. A cat slept.",
            "The dog slept.",
            &[
                ("content words covered, by the same word", 1.0),
                ("content words covered, in one sentence", 0.5),
                ("content words covered, within 30 words", 1.0),
                ("names and numbers covered, all", 1.0),
                ("negation, nowhere", 0.3),
            ],
        );
        check(
            "A cat slept and the dog barked.",
            "The dog never slept.",
            &[("content words covered, in one sentence", 2.0 / 3.0), ("negation, in the target only", 0.3)],
        );
        check(
            "",
            "Anna left.",
            &[("content words covered, in one sentence", 0.0), ("names and numbers covered, share", 0.0)],
        );
        check("Anna left.", "", &[("content words covered, by the same word", 0.0)]);
    }

    #[test]
    fn windows_against_all_of_them() {
        let english = bundled::english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let lexicon = bundled::lexicon_with_vectors().unwrap();
        let mut random = SplitMix::new(4);
        let mut text = |n: usize| {
            let word = |_| ["boat", "gate", "radio", "piano", "garden", "tower", "and"][random.below(7)];
            (0..n).map(word).collect::<Vec<_>>().join(" ")
        };
        for case in 0..60 {
            let (source, target) = (text(case % 23), text(case % 5));
            let [a, b] = [&source, &target].map(|text| english.text(text, &mut EnglishScratch::default()));
            let compared = Compared::new(&a, &b, &lexicon);
            let words: Vec<usize> = (0..compared.target.len()).collect();
            for window in [1, 2, 4, 30] {
                let covered = |start: usize, j: usize| {
                    (start..compared.source.len().min(start + window)).any(|i| compared.level(i, j) >= Level::Lemma)
                };
                let counts =
                    (0..compared.source.len()).map(|start| words.iter().filter(|&&j| covered(start, j)).count());
                let expected = counts.max().unwrap_or(0);
                assert_eq!(most_within(window, &compared, &words), expected, "{window}: {source:?} {target:?}");
            }
        }
    }
}
