//! Coverage of one text by another, independent of any alignment: the features of entailment beside
//! those of the latent alignment.

use super::features::Labels;
use crate::align::WordMatrix;
use crate::id::{CoverMeasure, LatentTemplate as Template, Level, NamesCover, NegationPlace, WordClass};

/// The scale of features that are always active, so that regularisation does not shrink them more
/// than sums over words.
const COVER: f32 = 10.0;

/// The width in words of the window that may cover the target.
const WINDOW: usize = 30;

/// Computes how well the source covers the target, whatever the alignment: content words anywhere,
/// in one sentence and within one window, names and numbers; and which texts contain a negation.
pub(super) fn cover(compared: &WordMatrix, labels: &[Labels; 2], always: &mut impl FnMut(Template, u16, f32)) {
    let (source, target) = (&compared.source.words, &compared.target.words);
    let words = |classes: &[WordClass]| -> Vec<usize> {
        (0..target.len()).filter(|&j| classes.contains(&target[j].class())).collect()
    };
    let share = |words: &[usize], level: Level, of: &dyn Fn(usize) -> bool| {
        let is_covered = |j: &&usize| (0..source.len()).any(|i| of(i) && compared.level(i, **j) >= level);
        words.iter().filter(is_covered).count() as f32 / words.len().max(1) as f32
    };
    let (content, names) = (words(&WordClass::CONTENT), words(&[WordClass::Number, WordClass::Name]));
    let mut covered = |measure: CoverMeasure, share: f32| always(Template::Covered, measure as u16, share);
    covered(CoverMeasure::SameWord, COVER * share(&content, Level::Lemma, &|_| true));
    covered(CoverMeasure::WordAlike, COVER * share(&content, Level::Near, &|_| true));
    // A sentence is the subtree of one root.
    let roots: Vec<usize> = (0..source.len())
        .map(|word| {
            let steps = std::iter::successors(Some(word), |&word| source[word].head);
            steps.take(source.len()).last().unwrap_or(word)
        })
        .collect();
    // `n_covered[root]`: the target content words that the root's sentence covers. Counted word by
    // word, since there may be as many sentences as words.
    let mut n_covered = vec![0_usize; source.len()];
    for &j in &content {
        let covering = (0..source.len()).filter(|&i| compared.level(i, j) >= Level::Lemma);
        let mut covering: Vec<usize> = covering.map(|i| roots[i]).filter(|&root| roots[root] == root).collect();
        covering.sort_unstable();
        covering.dedup();
        covering.iter().for_each(|&root| n_covered[root] += 1);
    }
    let best = n_covered.into_iter().max().unwrap_or(0) as f32 / content.len().max(1) as f32;
    covered(CoverMeasure::OneSentence, COVER * best);
    let within = most_within(WINDOW, compared, &content) as f32;
    covered(CoverMeasure::Window, COVER * within / content.len().max(1) as f32);
    let covered = if names.is_empty() { 1.0 } else { share(&names, Level::Lemma, &|_| true) };
    always(Template::NamesCovered, NamesCover::Share as u16, COVER * covered);
    let all = if covered >= 1.0 { NamesCover::All } else { NamesCover::NotAll };
    always(Template::NamesCovered, all as u16, COVER);
    let place = match [0, 1].map(|side: usize| labels[side].negations.contains(&true)) {
        [false, false] => NegationPlace::Nowhere,
        [false, true] => NegationPlace::TargetOnly,
        [true, false] => NegationPlace::SourceOnly,
        [true, true] => NegationPlace::Both,
    };
    always(Template::Negated, place as u16, 0.3 * COVER);
}

/// The largest number of these target words that `window` consecutive source words cover.
fn most_within(window: usize, compared: &WordMatrix, words: &[usize]) -> usize {
    let n_source = compared.source.len();
    // `changes[start]`: the coverage of the window at `start` minus that of the window before it.
    let mut changes = vec![0_isize; n_source + 1];
    for &j in words {
        let mut next = 0;
        for i in (0..n_source).filter(|&i| compared.level(i, j) >= Level::Lemma) {
            // Windows that contain word i start at `first..=i`; those before `next` are already
            // counted.
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
    use super::super::catalogue::Key;
    use super::super::{SentencePairs, Shape};
    use super::*;
    use crate::resources::Resources;
    use resay_learn::progress::Progress;
    use resay_learn::rng::SplitMix;
    use resay_text::{EnglishScratch, Layers};

    #[test]
    fn what_of_the_target_is_covered() {
        let resources = Resources::bundled();
        let english = resources.english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let lexicon = resources.lexicon_with_vectors().unwrap();
        let check = |source: &str, target: &str, expected: &[(Template, u16, f32)]| {
            let pair = [source, target].map(|text| english.text(text, &mut EnglishScratch::default()));
            let problem = SentencePairs::new(&[pair], vec![true], &lexicon, Shape::Target, Progress::none()).unwrap();
            let shown = |(feature, value): &(u32, f32)| (problem.catalogue().keys()[*feature as usize], *value / COVER);
            let found: Vec<(Key, f32)> = problem.pairs()[0].constant().iter().map(shown).collect();
            for (template, argument, value) in expected {
                let at = found.iter().find(|(known, _)| *known == Key(*template, *argument, 0));
                let is_there = at.is_some_and(|(_, found)| (found - value).abs() < 1e-6);
                assert!(is_there, "{template:?} {argument} {value} in {found:?}");
            }
        };
        let covered = |measure: CoverMeasure, value: f32| (Template::Covered, measure as u16, value);
        let names = |names: NamesCover, value: f32| (Template::NamesCovered, names as u16, value);
        let negated = |place: NegationPlace| (Template::Negated, place as u16, 0.3);
        // Both content words occur, but in different sentences.
        check(
            "The dog barked. A cat slept.",
            "The dog slept.",
            &[
                covered(CoverMeasure::SameWord, 1.0),
                covered(CoverMeasure::OneSentence, 0.5),
                covered(CoverMeasure::Window, 1.0),
                names(NamesCover::All, 1.0),
                negated(NegationPlace::Nowhere),
            ],
        );
        check(
            "A cat slept and the dog barked.",
            "The dog never slept.",
            &[covered(CoverMeasure::OneSentence, 2.0 / 3.0), negated(NegationPlace::TargetOnly)],
        );
        check("", "Anna left.", &[covered(CoverMeasure::OneSentence, 0.0), names(NamesCover::Share, 0.0)]);
        check("Anna left.", "", &[covered(CoverMeasure::SameWord, 0.0)]);
    }

    #[test]
    fn windows_against_all_of_them() {
        let resources = Resources::bundled();
        let english = resources.english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let lexicon = resources.lexicon_with_vectors().unwrap();
        let mut random = SplitMix::new(4);
        let mut text = |n: usize| {
            let word = |_| ["boat", "gate", "radio", "piano", "garden", "tower", "and"][random.below(7)];
            (0..n).map(word).collect::<Vec<_>>().join(" ")
        };
        for case in 0..60 {
            let (source, target) = (text(case % 23), text(case % 5));
            let [a, b] = [&source, &target].map(|text| english.text(text, &mut EnglishScratch::default()));
            let compared = WordMatrix::new(&a, &b, &lexicon);
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
