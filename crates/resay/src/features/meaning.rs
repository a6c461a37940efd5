//! Similarity by the word table: of whole texts, and of each content word with the nearest one of
//! the other sentence.
//!
//! Words of one form, lemma or stem have similarity 1; other words that the table lacks have 0.

use super::unaligned::Unaligned;
use super::{Correspondence, FeatureExtractor};
use crate::align::Level;
use crate::id::Feature;
use crate::latent::sentences::Shape;
use resay_text::lexicon::WordTable;

/// The content words of both sentences and their similarities.
struct Similarities<'a> {
    table: Option<&'a WordTable>,
    /// The content words.
    words: [Vec<usize>; 2],
    /// Their rows in the table.
    rows: [Vec<Option<u32>>; 2],
    /// For each content word, the nearest one of the other sentence, as a place in its list, and
    /// how similar it is. The first of several; `None` if the other sentence has no content word.
    nearest: [Vec<Option<(usize, f64)>>; 2],
}

impl<'a> Similarities<'a> {
    fn new(pair: &Correspondence<'_>, table: Option<&'a WordTable>) -> Self {
        let words = [0, 1].map(|side: usize| pair.content(side).collect::<Vec<usize>>());
        let rows = [0, 1].map(|side: usize| {
            let row = |&word: &usize| table?.row(pair.lower(side, word), pair.lemma(side, word));
            words[side].iter().map(row).collect::<Vec<Option<u32>>>()
        });
        let mut nearest = [0, 1].map(|side: usize| vec![None::<(usize, f64)>; words[side].len()]);
        for (i, &word) in words[0].iter().enumerate() {
            for (j, &other) in words[1].iter().enumerate() {
                let cosine = || Some(f64::from(table?.cosine(rows[0][i]?, rows[1][j]?).max(0.0)));
                let is_same = pair.compared.level(word, other) >= Level::Lemma;
                let similarity = if is_same { 1.0 } else { cosine().unwrap_or(0.0) };
                for (side, at, partner) in [(0, i, j), (1, j, i)] {
                    if nearest[side][at].is_none_or(|(_, best)| similarity > best) {
                        nearest[side][at] = Some((partner, similarity));
                    }
                }
            }
        }
        Self { table, words, rows, nearest }
    }

    /// The similarity of each content word's nearest one, 0 if there is none.
    fn of_nearest(&self, side: usize) -> impl Iterator<Item = f64> {
        self.nearest[side].iter().map(|nearest| nearest.map_or(0.0, |(_, similarity)| similarity))
    }

    /// The cosine of the texts of those content words that `is_in` selects; `None` if the table
    /// has no such word of a sentence.
    fn of_texts(&self, is_in: impl Fn(usize, usize) -> bool) -> Option<f64> {
        let rows = |side: usize| {
            let selected = self.words[side].iter().zip(&self.rows[side]);
            let is_in = &is_in;
            selected.filter(move |(word, _)| is_in(side, **word)).filter_map(|(_, row)| *row)
        };
        self.table?.text_similarity(rows(0), rows(1)).map(f64::from)
    }
}

/// Extracts the features. Without a table, only equal words are similar.
pub(super) fn extract(out: &mut FeatureExtractor<'_>, unaligned: &Unaligned, table: Option<&WordTable>) {
    let pair = out.pair;
    let similar = Similarities::new(pair, table);
    out.put(Feature::TextSimilarity, similar.of_texts(|_, _| true).unwrap_or(0.0));
    let is_unaligned = |side: usize, word: usize| unaligned.words[side].contains(&word);
    out.put(Feature::UnalignedTextSimilarity, similar.of_texts(is_unaligned).unwrap_or(0.0));
    let covered = [0, 1].map(|side: usize| {
        let (mut sum, mut of_all) = (0.0, 0.0);
        for (&word, similarity) in similar.words[side].iter().zip(similar.of_nearest(side)) {
            // As in the overlap of rare words: a rare word says more.
            let weight = pair.rarity(side, word).powi(2);
            sum += weight * similarity;
            of_all += weight;
        }
        if of_all > 0.0 { sum / of_all } else { 1.0 }
    });
    out.both(Feature::MeaningCovered, covered[0], covered[1]);
    let least = [0, 1].map(|side| similar.of_nearest(side).fold(1.0, f64::min));
    out.both(Feature::LeastCovered, least[0], least[1]);
    nearest_unaligned(out, &similar, is_unaligned);
}

/// The unaligned word of each sentence that comes nearest to a word of the other one.
fn nearest_unaligned(
    out: &mut FeatureExtractor<'_>,
    similar: &Similarities<'_>,
    is_unaligned: impl Fn(usize, usize) -> bool,
) {
    let best = [0, 1].map(|side: usize| {
        let mut best: Option<(usize, usize, f64)> = None;
        for (&word, nearest) in similar.words[side].iter().zip(&similar.nearest[side]) {
            if let Some((partner, similarity)) = *nearest
                && similarity > best.map_or(0.0, |(_, _, known)| known)
                && is_unaligned(side, word)
            {
                best = Some((word, similar.words[1 - side][partner], similarity));
            }
        }
        best
    });
    let [source, target] = best.map(|best| best.map_or(0.0, |(_, _, similarity)| similarity));
    let places = out.both(Feature::UnalignedNearest, source, target);
    // If neither sentence comes first, the second feature is the larger one.
    let is_turned = out.shape == Shape::Target || source > target;
    for (side, best) in best.into_iter().enumerate() {
        if let Some((word, partner, _)) = best {
            let feature = places[if is_turned { 1 - side } else { side }];
            let [word, partner] = [[word], [partner]];
            if side == 0 { out.point(feature, &word, &partner) } else { out.point(feature, &partner, &word) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::truth::{features, pointed};
    use super::super::{FeatureVector, catalogue};
    use super::*;
    use crate::id::{FeatureId, Part};
    use crate::resources::Resources;

    fn value(vector: &FeatureVector, shape: Shape, feature: Feature, part: Part) -> f64 {
        let at = catalogue(shape).iter().position(|known| *known == FeatureId { feature, part }).unwrap();
        vector.values[at]
    }

    #[test]
    fn texts_of_near_words_are_similar() {
        let resources = Resources::bundled();
        let of = |source: &str, target: &str, feature, part| {
            value(&features(&resources, source, target, Shape::Target), Shape::Target, feature, part)
        };
        let (text, near, far) = ("The ferry sank.", "The vessel sank.", "The senator sang.");
        for (feature, part) in [
            (Feature::TextSimilarity, Part::Whole),
            (Feature::UnalignedTextSimilarity, Part::Whole),
            (Feature::MeaningCovered, Part::Source),
            (Feature::MeaningCovered, Part::Target),
            (Feature::LeastCovered, Part::Source),
            (Feature::UnalignedNearest, Part::Target),
        ] {
            let [near, far] = [near, far].map(|other| of(text, other, feature, part));
            assert!(near > far, "{feature:?} {part:?}: {near} {far}");
        }
        // Everything that the first says is in the second, but not the other way round.
        let long = "The old ferry sank near Lima.";
        assert_eq!(of(text, long, Feature::MeaningCovered, Part::Source), 1.0);
        assert!(of(text, long, Feature::MeaningCovered, Part::Target) < 1.0);
        assert_eq!(of(text, long, Feature::LeastCovered, Part::Source), 1.0);
        assert_eq!(of(text, long, Feature::UnalignedNearest, Part::Source), 0.0);
        assert!(of(text, long, Feature::UnalignedNearest, Part::Target) > 0.0);
    }

    #[test]
    fn values_against_their_definition() {
        let resources = Resources::bundled();
        let table = resources.word_table().unwrap();
        let (source, target) = ("The ferry sank near Lima.", "A boat reached harbours.");
        let found = features(&resources, source, target, Shape::Both);
        let of = |feature, part| value(&found, Shape::Both, feature, part);
        // The lemma stands in for a form that the table lacks; all of these are in it.
        let content = [["ferry", "sank", "lima"], ["boat", "reached", "harbours"]];
        let cosine = |a: &str, b: &str| f64::from(table.similarity(a, b).unwrap().max(0.0));
        let nearest =
            |side: usize, word: &str| content[1 - side].iter().map(|other| cosine(word, other)).fold(0.0, f64::max);
        let least = [0, 1].map(|side: usize| content[side].iter().map(|word| nearest(side, word)).fold(1.0, f64::min));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        close(of(Feature::LeastCovered, Part::Less), least[0].min(least[1]));
        close(of(Feature::LeastCovered, Part::More), least[0].max(least[1]));
        let text = |side: usize| content[side].map(|word| table.row(word, "").unwrap());
        let expected = f64::from(table.text_similarity(text(0), text(1)).unwrap());
        close(of(Feature::TextSimilarity, Part::Whole), expected);
        close(of(Feature::UnalignedTextSimilarity, Part::Whole), expected);
        let best = content[0].iter().map(|word| nearest(0, word)).fold(0.0, f64::max);
        close(of(Feature::UnalignedNearest, Part::Less), best);
        close(of(Feature::UnalignedNearest, Part::More), best);
    }

    #[test]
    fn the_nearest_unaligned_word_is_pointed_at() {
        let resources = Resources::bundled();
        let found = features(&resources, "Anna saw the ferry.", "Anna saw the boat.", Shape::Target);
        for part in [Part::Source, Part::Target] {
            assert_eq!(pointed(&found, Shape::Target, Feature::UnalignedNearest, part), ["ferry -> boat"], "{part:?}");
        }
    }

    #[test]
    fn a_text_without_words_says_nothing() {
        let resources = Resources::bundled();
        let found = features(&resources, "", "The ferry sank.", Shape::Both);
        let of = |feature, part| value(&found, Shape::Both, feature, part);
        assert_eq!(of(Feature::TextSimilarity, Part::Whole), 0.0);
        assert_eq!((of(Feature::MeaningCovered, Part::Less), of(Feature::MeaningCovered, Part::More)), (0.0, 1.0));
        assert_eq!((of(Feature::LeastCovered, Part::Less), of(Feature::LeastCovered, Part::More)), (0.0, 1.0));
        assert_eq!(of(Feature::UnalignedNearest, Part::More), 0.0);
    }
}
