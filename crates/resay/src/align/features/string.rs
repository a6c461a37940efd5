//! How similarly two words are spelled: the paper's measures, and the two groups of words that it
//! treats as equal.

use super::{FeatureTemplate, Out, Stretch};
use crate::align::compared::WordMatrix;
use crate::align::memo::Known;
use crate::id::align::{each, each2};
use crate::id::{AlignFeature, Argument, ContentPair, Level, LightWords, StringMeasure, WordClassPair};
use std::sync::Arc;

pub(super) struct Strings;

const SAME: usize = 0;
const SAME_CASE: usize = 4;
const LIGHT: usize = 8;
const BINS: usize = 10;
/// As in [`crate::id::EditsOver`].
const EDGES: [f32; 5] = [0.3, 0.5, 0.65, 0.8, 0.9];
const MEASURES: usize = BINS + EDGES.len() * 4;
const JOINED: usize = MEASURES + StringMeasure::ALL.len() * 2;

impl FeatureTemplate for Strings {
    fn name(&self) -> &'static str {
        "string"
    }

    fn what(&self) -> &'static str {
        "how alike words are spelled, with and without case; a/an/one and be, do, have"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each(AlignFeature::Same);
        features.extend(each(AlignFeature::SameCase));
        features.extend(each(AlignFeature::Light));
        features.extend(each2(AlignFeature::EditSimilarity));
        features.extend(each2(AlignFeature::Spelled));
        features.push(AlignFeature::Joined);
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let class = cell.word_class_pair as usize;
        if cell.level == Level::Same {
            out.flag(SAME + class);
            if a.form == b.form {
                out.flag(SAME_CASE + class);
            }
            return;
        }
        match (a.light, b.light) {
            (4, 4) => out.flag(LIGHT + LightWords::Article as usize),
            (1..=3, 1..=3) => out.flag(LIGHT + LightWords::Verb as usize),
            _ => {}
        }
        let is_content = cell.word_class_pair == WordClassPair::Content;
        let pair_class = if is_content { ContentPair::Content } else { ContentPair::Other };
        for (measure, value) in cell.strings.values().into_iter().enumerate() {
            if value > 0.0 {
                out.value(MEASURES + 2 * measure + pair_class as usize, value);
            }
        }
        let n_over = EDGES.iter().filter(|edge| cell.strings.levenshtein > **edge).count();
        if n_over > 0 {
            out.flag(BINS + (n_over - 1) * 4 + class);
        }
    }

    /// `web site` and `website`, `well-known` and `well known`.
    fn phrase(&self, pair: &WordMatrix, stretch: Stretch, _members: &[(usize, usize)], out: &mut Out) {
        let source = &pair.source.known[stretch.source..stretch.source + stretch.n_source];
        let target = &pair.target.known[stretch.target..stretch.target + stretch.n_target];
        if source.len() != target.len() && letters(source).eq(letters(target)) {
            out.flag(JOINED);
        }
    }
}

fn letters(words: &[Arc<Known>]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|known| known.term.form().bytes()).filter(|byte| *byte != b'-')
}
