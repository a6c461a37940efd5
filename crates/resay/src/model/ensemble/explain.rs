//! Explanations of an ensemble's decision: groups of features with the words that they refer to,
//! and the base models down to their leaves.

use super::EnsembleScorer;
use crate::Result;
use crate::explain::{Explanation, What};
use crate::features::Wanted;
use crate::id::{BaseModel, EnsembleInput, FeatureGroup};
use crate::model::contract::Explained;
use crate::pair::PairView;

impl EnsembleScorer<'_> {
    /// Explains one decision; the leaves add up to the score. The pair is compared and aligned
    /// once, and every base model scores it once.
    pub(super) fn explain_pair(&mut self, pair: &PairView<'_>, top: usize) -> Result<Explained> {
        let trained = &self.model.trained;
        let mut assessed = self.model.features(pair, Wanted::Evidence)?;
        let (rules, of_rules) = self.rules.explain_words(pair, top)?;
        let (typed, of_typed) = self.typed.explain_words(pair, top)?;
        let (latent, of_latent) = trained.latent.explain(pair, &mut self.sentences)?;
        assessed.values.extend([rules, typed, latent]);
        let counts = trained.machine.counts(&assessed.values);
        let mut groups: Vec<(FeatureGroup, Vec<Explanation>)> = Vec::new();
        for (at, (input, &value)) in trained.inputs.iter().zip(&counts).enumerate() {
            let EnsembleInput::Feature(feature) = *input else { continue };
            if value == 0.0 {
                continue;
            }
            let place = self.model.places[at];
            let evidence: Vec<_> = assessed.vector.evidence.iter().filter(|one| one.feature == place).collect();
            let share = value / evidence.len().max(1) as f64;
            let parts = evidence.into_iter().map(|evidence| Explanation {
                what: evidence.what.clone(),
                value: share,
                places: vec![evidence.place.clone()],
                parts: Vec::new(),
            });
            let node = Explanation { what: What::Feature(feature), value, places: Vec::new(), parts: parts.collect() };
            match groups.iter_mut().find(|(group, _)| *group == feature.group()) {
                Some((_, nodes)) => nodes.push(node),
                None => groups.push((feature.group(), vec![node])),
            }
        }
        let mut parts: Vec<Explanation> =
            groups.into_iter().map(|(group, nodes)| node(What::Group(group), nodes)).collect();
        let bases = BaseModel::ALL.into_iter().zip([of_rules, of_typed, of_latent]);
        for ((base, within), counted) in bases.zip(&counts[self.model.places.len()..]) {
            parts.push(shared_out(base, within, *counted));
        }
        parts.push(Explanation::leaf(What::Bias, trained.machine.bias()));
        parts.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut parts);
        let value = trained.machine.score(&assessed.values);
        let explanation = Explanation { what: What::Score, value, places: Vec::new(), parts };
        Ok(Explained { prediction: self.model.decision(value).into(), explanation, symbols: None })
    }
}

fn node(what: What, mut parts: Vec<Explanation>) -> Explanation {
    Explanation::strongest_first(&mut parts);
    let value = parts.iter().map(|part| part.value).sum();
    Explanation { what, value, places: Vec::new(), parts }
}

/// Distributes a base model's contribution over the parts of its score, in proportion, unless the
/// score is almost 0. The remainder, which comes from centring the score on its usual value, gets a
/// leaf of its own.
fn shared_out(base: BaseModel, within: Explanation, counts: f64) -> Explanation {
    // A part contributes at most ten times its own value.
    let by = if within.value.abs() < 1e-9 { 0.0 } else { (counts / within.value).clamp(-10.0, 10.0) };
    let mut parts = scaled(within, by).parts;
    let rest = counts - parts.iter().map(|part| part.value).sum::<f64>();
    if rest.abs() > 1e-12 * counts.abs().max(1.0) {
        parts.push(Explanation::leaf(What::AgainstUsual, rest));
    }
    Explanation::strongest_first(&mut parts);
    Explanation { what: What::BaseModel(base), value: counts, places: Vec::new(), parts }
}

/// Multiplies all values of a tree by a factor.
fn scaled(explanation: Explanation, by: f64) -> Explanation {
    let Explanation { what, value, places, parts } = explanation;
    let parts = parts.into_iter().map(|part| scaled(part, by)).collect();
    Explanation { what, value: value * by, places, parts }
}
