//! Explanations of adapted judgements: what every input adds to the corrected score, with the words
//! that it is about.

use super::super::Way;
use super::{AdaptedJudgement, RelationMask};
use crate::Result;
use crate::explain::{Explanation, What};
use crate::features::Wanted;
use crate::model::answer::AskedClass;
use crate::model::contract::{Explained, Prediction};
use crate::pair::PairView;
use resay_learn::progress::Progress;

impl AdaptedJudgement {
    /// Explains the answer asked about; the leaves add up to its score.
    pub(super) fn explain(&self, pair: &PairView<'_>, asked: AskedClass) -> Result<Explained> {
        let scored = self.judge.scored_in(Way::Plain, pair, Wanted::Evidence, Progress::none())?;
        let prediction = self.prediction(&scored);
        let seen = self.seen(&scored);
        let combination = self.calibration.asked(asked, &seen.heads)?;
        if scored.is_equal && self.heads_of_equal().is_some() {
            let value = asked_value(&prediction, asked);
            let parts = vec![Explanation::leaf(What::EqualTexts, value)];
            let explanation = Explanation { what: What::Score, value, places: Vec::new(), parts };
            return Ok(Explained { prediction, explanation, symbols: None });
        }
        let of_heads: Vec<RelationMask> = self.heads.iter().map(|head| head.view).collect();
        let masks = self.columns.views(&of_heads);
        let mut parts = vec![0.0; scored.inputs.len()];
        for (head, factor) in self.heads.iter().zip(&combination.factors).filter(|(_, factor)| **factor != 0.0) {
            for (mask, view) in masks.iter().zip(&seen.views) {
                let factors = self.columns.factors(*mask, head);
                for (part, (own, of_view)) in parts.iter_mut().zip(factors.iter().zip(&view.parts)) {
                    *part += factor * own * of_view;
                }
            }
        }
        // What no input decides: where the trees start, and how probability is shared.
        let value: f64 = combination.factors.iter().zip(&seen.heads).map(|(factor, head)| factor * head).sum();
        let bias = value - parts.iter().sum::<f64>();
        let explanation = combination.complete(self.judge.grouped(&scored, value, &parts, bias), &seen.heads);
        Ok(Explained { prediction, explanation, symbols: None })
    }
}

/// The score that a prediction has for what is asked.
fn asked_value(prediction: &Prediction, asked: AskedClass) -> f64 {
    let asked = asked.resolved(prediction);
    match prediction {
        Prediction::Binary { score, .. } if asked.class == Some(0) => -score,
        Prediction::Binary { score, .. } => *score,
        Prediction::Category { scores, .. } => {
            let of = |class: Option<usize>| class.and_then(|class| scores.get(class)).copied().unwrap_or_default();
            of(asked.class) - of(asked.against)
        }
        Prediction::Real { value, .. } => *value,
    }
}
