//! Features of the alignment: what is aligned, and what is not.

use super::{Correspondence, FeatureExtractor};
use crate::align::{Class, Level};
use crate::id::Feature;
use crate::latent::sentences::Shape;

/// Unaligned and aligned words per class of content words, in the order of [`Class::CONTENT`].
const CLASSES: [[Feature; 2]; 5] = [
    [Feature::NumbersUnaligned, Feature::NumbersAligned],
    [Feature::NamesUnaligned, Feature::NamesAligned],
    [Feature::VerbsUnaligned, Feature::VerbsAligned],
    [Feature::ModifiersUnaligned, Feature::ModifiersAligned],
    [Feature::NounsUnaligned, Feature::NounsAligned],
];

/// Unaligned content words, in order.
pub(super) struct Unaligned {
    pub(super) words: [Vec<usize>; 2],
}

impl Unaligned {
    pub(super) fn new(pair: &Correspondence<'_>) -> Self {
        let is_alone = |side: usize, word: usize| pair.partners(side, word).is_empty() && !pair.is_shared(side, word);
        let words = [0, 1].map(|side| pair.content(side).filter(|&word| is_alone(side, word)).collect());
        Self { words }
    }
}

pub(super) fn extract(out: &mut FeatureExtractor<'_>, unaligned: &Unaligned) {
    let pair = out.pair;
    out.both(Feature::AlignmentGain, pair.alignment.gains[0], pair.alignment.gains[1]);
    let probably_alone = |side: usize| {
        let of = if side == 0 { &pair.alignment.source_alone } else { &pair.alignment.target_alone };
        let content: Vec<usize> = pair.content(side).collect();
        content.iter().map(|&word| of[word]).sum::<f64>() / content.len().max(1) as f64
    };
    out.both(Feature::ProbablyUnaligned, probably_alone(0), probably_alone(1));
    let [source, target] = [0, 1].map(|side| unaligned.words[side].len() as f64);
    let places = out.both(Feature::ContentUnaligned, source, target);
    // If neither sentence comes first, the second feature counts the longer list.
    let is_turned = out.shape == Shape::Target || source > target;
    for side in 0..2 {
        let feature = places[if is_turned { 1 - side } else { side }];
        for &word in &unaligned.words[side] {
            let only = [word];
            if side == 0 { out.point(feature, &only, &[]) } else { out.point(feature, &[], &only) }
        }
    }
    for (class, [alone_of_class, aligned]) in Class::CONTENT.into_iter().zip(CLASSES) {
        let count =
            |side: usize, only: &[usize]| only.iter().filter(|&&word| pair.side(side)[word].class() == class).count();
        let alone = [0, 1].map(|side| count(side, &unaligned.words[side]) as f64);
        let all = [0, 1].map(|side| pair.side(side).iter().filter(|word| word.class() == class).count());
        out.both(alone_of_class, alone[0], alone[1]);
        let shared = all[0].min(all[1]) as f64 - alone[0].min(alone[1]);
        out.put(aligned, if all == [0, 0] { 1.0 } else { shared.max(0.0) / all[0].max(all[1]) as f64 });
    }
    substitutions(out);
    order(out);
}

/// Aligned words that differ: their number and similarity.
fn substitutions(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let (mut n_other, mut n_known, mut likeness) = (0, 0, 0.0);
    for i in pair.content(0) {
        for &j in pair.partners(0, i) {
            let level = pair.compared.level(i, j);
            if level < Level::Lemma {
                n_other += 1;
                n_known += usize::from(level >= Level::Near);
                likeness += f64::from(pair.compared.cell(i, j).cosine.unwrap_or(0.0).max(0.0));
            }
        }
    }
    out.put(Feature::Substitutions, f64::from(n_other) / 5.0);
    out.put(Feature::RelatedSubstitutions, n_known as f64 / 5.0);
    out.put(Feature::SubstitutionSimilarity, likeness / 5.0);
}

/// Whether aligned words follow each other in both sentences.
fn order(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let firsts: Vec<(usize, usize)> =
        (0..pair.n_words(0)).filter_map(|i| Some((i, *pair.partners(0, i).first()?))).collect();
    let n = firsts.len().max(1) as f64;
    let steps = || firsts.windows(2).map(|pair| (pair[0], pair[1]));
    let n_back = steps().filter(|(last, next)| next.1 < last.1).count() as f64;
    let n_next = steps().filter(|(last, next)| next.1 == last.1 + 1 && next.0 == last.0 + 1).count() as f64;
    out.put(Feature::StepsBack, n_back / n);
    out.put(Feature::StretchesElsewhere, (firsts.len() as f64 - n_next) / n);
    let longer = pair.n_words(0).max(pair.n_words(1)).max(2) as f64;
    out.put(Feature::AlignedInRow, n_next / (longer - 1.0));
}
