//! Decomposes the score of the best segmentation into segments, and each segment into its features.

use super::aligner::{AlignScratch, Aligner};
use super::compared::WordMatrix;
use super::crf::counted;
use super::features::{Distortion, Stretch, View};
use super::first::FirstPass;
use super::table::{Direction, Row, second_row};
use crate::Result;
use crate::explain::{Explanation, Place, What};
use resay_learn::sequence::semi_markov::{LatticeShape, Segment};
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, Span};

impl Aligner {
    /// Explains the best forward segmentation: one part per segment, in order, with its features
    /// below. Leaves add up to the score of the segmentation.
    pub fn explain(&self, lexicon: &Lexicon, source: &Analysis, target: &Analysis) -> Result<Explanation> {
        if source.words.is_empty() || target.words.is_empty() {
            return Ok(Explanation::leaf(What::Score, 0.0));
        }
        let pair = WordMatrix::new(source, target, lexicon);
        let scratch = &mut AlignScratch::default();
        let scored = self.score(&pair, scratch)?;
        let (score, segments) = self.best(&scored, Direction::Forward, scratch)?;
        let shape = scored.shapes.of(Direction::Forward);
        let first = scored.first.as_ref();
        let mut parts = Vec::with_capacity(segments.len());
        for (number, segment) in segments.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| segments[before]);
            parts.push(self.explain_segment(&pair, first, [source, target], &shape, before, *segment));
        }
        Ok(Explanation { parts, ..Explanation::leaf(What::Score, score) })
    }

    fn explain_segment(
        &self,
        pair: &WordMatrix,
        first: Option<&FirstPass>,
        [source, target]: [&Analysis; 2],
        shape: &LatticeShape,
        before: Option<Segment>,
        segment: Segment,
    ) -> Explanation {
        let start = segment.end - segment.len;
        let on = shape.span(segment.state);
        let mut values = vec![0.0; self.catalogue().features().len()];
        let mut list = Vec::new();
        let second = |row: Row, list: &mut Vec<(u16, f32)>| {
            if let Some(first) = first {
                second_row(self.catalogue(), pair, first, row, list);
            }
        };
        let words = |i: usize, j: usize, list: &mut Vec<(u16, f32)>| {
            self.catalogue().words(pair, i, j, list);
            second(Row::Words(i, j), list);
        };
        match on {
            None => {
                self.catalogue().null(&View { pair, is_turned: false }, start, &mut list);
                second(Row::Alone(Direction::Forward, start), &mut list);
            }
            Some((target, 1)) if segment.len == 1 => words(start, target, &mut list),
            Some((target, n_target)) => {
                let stretch = Stretch { source: start, n_source: segment.len, target, n_target };
                let mut members = Vec::new();
                stretch.members(pair, &mut members);
                members.iter().for_each(|&(i, j)| words(i, j, &mut list));
                self.catalogue().phrase(pair, stretch, &members, &mut list);
                second(Row::Phrase(stretch), &mut list);
            }
        }
        list.iter().for_each(|(feature, value)| values[*feature as usize] += f64::from(*value));
        if let Some(range) = self.catalogue().distortion() {
            // The step to this segment: the counts of both segments minus the counts of the first
            // alone.
            let both: Vec<Segment> = before.into_iter().chain([segment]).collect();
            Distortion::add(&counted(&both, shape), shape, 1.0, &mut values[range.clone()]);
            if before.is_some() {
                Distortion::add(&counted(&both[..1], shape), shape, -1.0, &mut values[range]);
            }
        }
        let weighed = self.weights().zip(values).map(|((feature, weights), value)| (feature, weights[0] * value));
        let mut leaves: Vec<Explanation> = weighed
            .filter(|(_, value)| *value != 0.0)
            .map(|(feature, value)| Explanation::leaf(What::AlignFeature(feature), value))
            .collect();
        Explanation::strongest_first(&mut leaves);
        let words = |analysis: &Analysis, start: usize, n: usize| {
            let forms: Vec<&str> = (start..start + n).map(|word| analysis.form(word)).collect();
            forms.join(" ")
        };
        let span = |analysis: &Analysis, start: usize, n: usize| Span {
            start: analysis.words[start].span.start,
            end: analysis.words[start + n - 1].span.end,
        };
        let what = What::Phrase {
            source: Some(words(source, start, segment.len)),
            target: on.map(|(start, n)| words(target, start, n)),
        };
        let place = Place {
            source: vec![span(source, start, segment.len)],
            target: on.map(|(start, n)| span(target, start, n)).into_iter().collect(),
        };
        let value = leaves.iter().map(|leaf| leaf.value).sum();
        Explanation { what, value, places: vec![place], parts: leaves }
    }
}
