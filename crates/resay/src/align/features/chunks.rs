//! The chunks (noun phrases, verb groups and so on) that contain two words or two phrases.

use super::{FeatureTemplate, Out, Stretch};
use crate::align::compared::WordMatrix;
use crate::align::words::{Chunk, Side};
use crate::id::align::{each, each2};
use crate::id::{AlignFeature, Argument, ChunkKind, Level, PhraseWords};
use resay_text::Layers;

pub(super) struct Chunks;

const N_KINDS: usize = ChunkKind::ALL.len();
const N: usize = N_KINDS + 1;
const ALIKE: usize = N * N;
const WHOLE: usize = ALIKE + 8;
const BOTH: usize = WHOLE + 4 * 3;

impl FeatureTemplate for Chunks {
    fn name(&self) -> &'static str {
        "chunks"
    }

    fn what(&self) -> &'static str {
        "kinds of chunks, how alike they are, and whether a phrase is one"
    }

    fn layers(&self) -> Layers {
        Layers { chunks: true, ..Layers::LEMMAS }
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each2(AlignFeature::ChunkPair);
        features.extend(each2(AlignFeature::ChunkShare));
        features.extend(each2(AlignFeature::WholeChunks));
        features.extend(each2(AlignFeature::BothChunks));
        features.extend(each(AlignFeature::InsideChunk));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let (a, b) = (pair.source.words[source].chunk, pair.target.words[target].chunk);
        let kind = |chunk: Option<Chunk>| chunk.map_or(N - 1, |chunk| chunk.kind as usize);
        out.flag(kind(a) * N + kind(b));
        if let (Some(a), Some(b)) = (a, b) {
            let cell = pair.cell(source, target);
            let n_longer = (a.end - a.start).max(b.end - b.start);
            let has_alike = |i: &usize| {
                *i != source && (b.start..b.end).any(|j| j != target && pair.level(*i, j) >= Level::Synonym)
            };
            let n_alike = (a.start..a.end).filter(has_alike).count();
            if n_alike > 0 {
                let column = ALIKE + 4 * usize::from(cell.level >= Level::Lemma) + cell.word_class_pair as usize;
                out.value(column, n_alike as f32 / n_longer as f32);
            }
        }
    }

    fn phrase(&self, pair: &WordMatrix, stretch: Stretch, members: &[(usize, usize)], out: &mut Out) {
        let Stretch { source, n_source, target, n_target } = stretch;
        let least = members.iter().map(|&(i, j)| pair.level(i, j)).min().unwrap_or(Level::None);
        let words = match least {
            Level::Same | Level::Lemma => PhraseWords::AllSame,
            Level::Synonym | Level::Near => PhraseWords::AllAlike,
            _ => PhraseWords::SomeOther,
        } as usize;
        let whole = |side: &Side, start: usize, n: usize| {
            side.words[start].chunk.filter(|chunk| chunk.start == start && chunk.end == start + n)
        };
        let inside =
            |side: &Side, start: usize, n: usize| side.words[start].chunk.is_some_and(|chunk| chunk.end >= start + n);
        let (a, b) = (whole(&pair.source, source, n_source), whole(&pair.target, target, n_target));
        out.flag(WHOLE + 3 * (usize::from(a.is_some()) + 2 * usize::from(b.is_some())) + words);
        if let (Some(a), Some(b)) = (a, b)
            && a.kind == b.kind
        {
            out.flag(BOTH + 3 * a.kind as usize + words);
        }
        let is_inside = usize::from(inside(&pair.source, source, n_source))
            + 2 * usize::from(inside(&pair.target, target, n_target));
        out.flag(BOTH + 3 * N_KINDS + is_inside);
    }
}
