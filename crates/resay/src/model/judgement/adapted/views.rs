//! What the correction of an adapted judgement multiplies.
//!
//! A *view* is one number that the judge knows of a pair: the log-odds of a set of relations, or the
//! similarity. Log-odds are taken apart by what the trees say of every input. With relation scores
//! h and the shares q of each relation within its side,
//!
//! ```text
//! ln sum of exp h over a set = sum of q·h + entropy of q
//! ```
//!
//! so that the log-odds are a weighted sum of relation scores, and of what each input adds to them,
//! plus a rest. A correction has a column per view, and one per view and input. Inputs that differ
//! only in the text that they look at share a column.

use super::super::{HIGHEST, JudgementModel, Question, Scored};
use crate::id::TextRelation;
use crate::model::Response;
use crate::model::adapt::AdaptBlock;
use crate::{Error, Result};

/// A set of relations, one bit each; none for the similarity.
pub(super) type RelationMask = u8;

/// The view of similarity.
pub(super) const SIMILARITY: RelationMask = 0;

/// One number that the judge knows of a pair.
pub(super) struct View {
    pub(super) value: f64,
    /// What every input adds to it.
    pub(super) parts: Vec<f64>,
}

fn mask(relations: &[TextRelation]) -> RelationMask {
    relations.iter().fold(0, |mask, relation| mask | 1 << *relation as u8)
}

pub(super) fn has(mask: RelationMask, relation: usize) -> bool {
    mask & (1 << relation) != 0
}

/// The view that each head starts from.
pub(super) fn asked(question: Question, response: &Response) -> Result<Vec<RelationMask>> {
    match (question, response) {
        (Question::Similarity, Response::Real { .. }) => Ok(vec![SIMILARITY]),
        (Question::Relation, Response::Categories { labels }) => classes(labels),
        (Question::Relation | Question::Similarity, _) | (_, Response::Real { .. } | Response::Categories { .. }) => {
            Err(Error::data("answers of another kind than the question has"))
        }
        (question, Response::Binary { .. }) => Ok(vec![mask(question.holds_under())]),
        _ => Err(Error::parameter(
            "the joint judgement can be adapted to yes or no, to numbers, to the three labels of entailment and to \
             its own relations, but not to the levels of a scale: take them as numbers",
        )),
    }
}

/// The relations that each of these labels stands for.
fn classes(labels: &[String]) -> Result<Vec<RelationMask>> {
    use TextRelation::{Backward, Contradiction, Equivalent, Forward, Neutral};
    let three = |label: &str| match label {
        "entailment" => Some(mask(&[Equivalent, Forward])),
        "contradiction" => Some(mask(&[Contradiction])),
        "neutral" | "unknown" => Some(mask(&[Backward, Neutral])),
        _ => None,
    };
    let five = |label: &str| TextRelation::named(label).map(|relation| mask(&[relation]));
    let all = |of: &dyn Fn(&str) -> Option<RelationMask>| -> Option<Vec<RelationMask>> {
        let masks: Vec<_> = labels.iter().map(|label| of(&label.to_lowercase())).collect::<Option<_>>()?;
        let is_apart = masks.iter().enumerate().all(|(at, mask)| !masks[..at].contains(mask));
        is_apart.then_some(masks)
    };
    all(&three).or_else(|| all(&five)).ok_or_else(|| {
        let relations = TextRelation::ALL.map(TextRelation::name).join(", ");
        Error::parameter(format!(
            "the labels are {}, but the joint judgement can be adapted to yes or no, to numbers, to entailment, \
             contradiction and neutral, and to {relations}: name the positive label",
            labels.join(", ")
        ))
    })
}

/// The columns of a correction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    /// One column per view.
    whole: Vec<RelationMask>,
    /// The views with a column per input.
    apart: Vec<RelationMask>,
    /// The codes of inputs, rising; both texts share one.
    codes: Vec<u32>,
    /// For each input of the judge, its place among the codes.
    of_input: Vec<usize>,
}

impl Columns {
    pub(super) fn new(judge: &JudgementModel, question: Question) -> Self {
        let single = TextRelation::ALL.map(|relation| mask(&[relation]));
        // Whoever asks the same of both texts may not tell forward from backward.
        let relations = match question {
            Question::Same | Question::Contradicts | Question::Similarity => {
                vec![single[0], single[1] | single[2], single[3], single[4]]
            }
            Question::Entails | Question::Entailed | Question::Relation => single.to_vec(),
        };
        let apart = if question == Question::Similarity { vec![SIMILARITY] } else { relations.clone() };
        let whole = relations.into_iter().chain([SIMILARITY]).collect();
        let of_inputs: Vec<u32> =
            judge.places.iter().map(|place| judge.features[*place].of_either_text().code()).collect();
        let mut codes = of_inputs.clone();
        codes.sort_unstable();
        codes.dedup();
        let of_input = of_inputs.iter().map(|code| codes.partition_point(|known| known < code)).collect();
        Self { whole, apart, codes, of_input }
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.whole.len() + self.apart.len() * self.codes.len()
    }

    /// What is brought to one scale together.
    pub(super) fn blocks(&self) -> Vec<AdaptBlock> {
        vec![
            AdaptBlock { columns: 0..self.whole.len(), is_even: true },
            AdaptBlock { columns: self.whole.len()..self.len(), is_even: false },
        ]
    }

    /// The column of a view, or of an input with this code in it.
    pub(super) fn find(&self, view: RelationMask, code: Option<u32>) -> Option<usize> {
        let Some(code) = code else { return self.whole.iter().position(|known| *known == view) };
        let at = self.codes.binary_search(&code).ok()?;
        let view = self.apart.iter().position(|known| *known == view)?;
        Some(self.whole.len() + view * self.codes.len() + at)
    }

    /// The inverse of [`Self::find`].
    pub(super) fn name(&self, column: usize) -> (RelationMask, Option<u32>) {
        match column.checked_sub(self.whole.len()) {
            None => (self.whole[column], None),
            Some(at) => (self.apart[at / self.codes.len()], Some(self.codes[at % self.codes.len()])),
        }
    }

    /// All views that columns and heads need.
    pub(super) fn views(&self, of_heads: &[RelationMask]) -> Vec<RelationMask> {
        let mut views = self.whole.clone();
        for view in of_heads {
            if !views.contains(view) {
                views.push(*view);
            }
        }
        views
    }

    /// The columns of a pair. The first views are those with a column.
    pub(super) fn values(&self, views: &[View], of_heads: &[RelationMask]) -> Vec<f64> {
        let mut values = vec![0.0; self.len()];
        for (column, view) in values.iter_mut().zip(views).take(self.whole.len()) {
            *column = view.value;
        }
        for (mask, view) in self.views(of_heads).into_iter().zip(views) {
            let Some(apart) = self.apart.iter().position(|known| *known == mask) else { continue };
            let start = self.whole.len() + apart * self.codes.len();
            for (code, part) in self.of_input.iter().zip(&view.parts) {
                values[start + code] += part;
            }
        }
        values
    }

    /// What a part of a view counts for in a head, input by input.
    pub(super) fn factors(&self, view: RelationMask, head: &super::AdaptedHead) -> Vec<f64> {
        let mut whole = if view == head.view { head.scale } else { 0.0 };
        if let Some(column) = self.find(view, None) {
            whole += head.weights[column];
        }
        let apart = self.apart.iter().position(|known| *known == view);
        let own =
            |code: &usize| apart.map_or(0.0, |apart| head.weights[self.whole.len() + apart * self.codes.len() + code]);
        self.of_input.iter().map(|code| whole + own(code)).collect()
    }
}

impl JudgementModel {
    /// These views of a pair, taken apart.
    pub(super) fn views(&self, scored: &Scored, masks: &[RelationMask]) -> Vec<View> {
        let n = self.places.len();
        let mut of_relations = vec![vec![0.0; n]; TextRelation::ALL.len()];
        let mut of_similarity = vec![0.0; n];
        if !scored.is_equal {
            let slope = self.trained.about.details.slope;
            for relation in TextRelation::ALL {
                // The trees saw the texts in the other order.
                let head = if scored.is_turned { relation.reversed() } else { relation };
                let parts = &mut of_relations[relation as usize];
                self.trained.relations.explain(head as usize, &scored.inputs, parts);
                parts.iter_mut().for_each(|part| *part *= slope);
            }
            self.trained.similarity.explain(0, &scored.inputs, &mut of_similarity);
            of_similarity.iter_mut().for_each(|part| *part *= HIGHEST);
        }
        let view = |mask: &RelationMask| {
            if *mask == SIMILARITY {
                return View { value: HIGHEST * scored.similarity, parts: of_similarity.clone() };
            }
            let (value, factors) = log_odds(&scored.heads, *mask);
            let part = |input: usize| in_order(std::array::from_fn(|at| factors[at] * of_relations[at][input]));
            View { value, parts: (0..n).map(part).collect() }
        };
        masks.iter().map(view).collect()
    }

    /// How far the splits of every input move a view, if all relations of each side are as probable.
    pub(super) fn spread_of_view(&self, mask: RelationMask) -> Vec<f64> {
        let n = self.places.len();
        if mask == SIMILARITY {
            return self.trained.similarity.importance(0, n).into_iter().map(|spread| HIGHEST * spread).collect();
        }
        let slope = self.trained.about.details.slope;
        let (_, factors) = log_odds(&[0.0; 5], mask);
        let mut sums = vec![0.0; n];
        for (relation, factor) in factors.iter().enumerate() {
            let own = self.trained.relations.importance(relation, n);
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += slope * factor.abs() * own);
        }
        sums
    }
}

/// The sum of one number per relation, in an order that does not change when forward and backward
/// are exchanged.
fn in_order(values: [f64; 5]) -> f64 {
    values[0] + (values[1] + values[2]) + values[3] + values[4]
}

/// The log-odds of a set of relations, and how much the score of each counts for them.
fn log_odds(heads: &[f64; 5], mask: RelationMask) -> (f64, [f64; 5]) {
    let side = |is_within: bool| {
        let is_of_side = |at: usize| has(mask, at) == is_within;
        let own = |at: usize| if is_of_side(at) { heads[at] } else { f64::NEG_INFINITY };
        let highest = (0..5).map(own).fold(f64::NEG_INFINITY, f64::max);
        let masses: [f64; 5] = std::array::from_fn(|at| if is_of_side(at) { (heads[at] - highest).exp() } else { 0.0 });
        let sum = in_order(masses);
        (highest + sum.ln(), masses.map(|mass| mass / sum))
    };
    let ((within, yes), (without, no)) = (side(true), side(false));
    (within - without, std::array::from_fn(|at| yes[at] - no[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_are_those_of_the_mass() {
        let heads: [f64; 5] = [1.0, -0.5, 2.0, 0.3, -40.0];
        let sum = |of: &[usize]| of.iter().map(|at| heads[*at].exp()).sum::<f64>();
        let (found, factors) = log_odds(&heads, mask(&[TextRelation::Equivalent, TextRelation::Forward]));
        assert!((found - (sum(&[0, 1]) / sum(&[2, 3, 4])).ln()).abs() < 1e-12);
        assert!((factors[0] + factors[1] - 1.0).abs() < 1e-12 && (factors.iter().sum::<f64>()).abs() < 1e-12);
        // The factors are the slopes.
        for at in 0..5 {
            let mut moved = heads;
            moved[at] += 1e-6;
            let slope = (log_odds(&moved, 0b11).0 - found) / 1e-6;
            assert!((slope - factors[at]).abs() < 1e-5, "{at}");
        }
        let mirrored = [1.0, 2.0, -0.5, 0.3, -40.0];
        assert_eq!(log_odds(&heads, 1).0.to_bits(), log_odds(&mirrored, 1).0.to_bits());
    }

    #[test]
    fn labels_stand_for_relations() {
        let masks = |labels: &[&str]| classes(&labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>());
        assert_eq!(masks(&["CONTRADICTION", "entailment", "neutral"]).unwrap(), [0b01000, 0b00011, 0b10100]);
        assert_eq!(masks(&["forward", "neutral"]).unwrap(), [0b00010, 0b10000]);
        for wrong in [&["entailment", "forward"][..], &["a", "b", "c"], &["neutral", "unknown", "entailment"]] {
            let error = masks(wrong).unwrap_err().to_string();
            assert!(error.contains("entailment, contradiction and neutral, and to equivalent, forward"), "{error}");
        }
    }
}
