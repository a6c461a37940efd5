//! Explanations of an ensemble's decision: groups of features with the words that they refer to,
//! and the base models down to their leaves.

use super::EnsembleScorer;
use crate::Result;
use crate::explain::{Explanation, What};
use crate::features::Wanted;
use crate::id::{EnsembleInput, FeatureGroup};
use crate::model::answer::AskedClass;
use crate::model::contract::Explained;
use crate::pair::PairView;

impl EnsembleScorer<'_> {
    /// Explains the answer asked about; the leaves add up to its score. The pair is compared and
    /// aligned once, and every base model scores it once.
    pub(super) fn explain_pair(&mut self, pair: &PairView<'_>, asked: AskedClass, top: usize) -> Result<Explained> {
        let (model, trained) = (self.model, &self.model.trained);
        let mut assessed = model.features(pair, Wanted::Evidence)?;
        let mut within: Vec<Explanation> = Vec::new();
        for scorer in [&mut self.rules, &mut self.typed] {
            let heads = scorer.score_words(pair)?;
            for head in 0..heads.len() {
                let factors: Vec<f64> = (0..heads.len()).map(|other| f64::from(u8::from(other == head))).collect();
                let explained = scorer.explain_words(pair, &factors, top)?;
                within.push(Explanation { value: heads[head], ..explained });
            }
            assessed.values.extend(heads);
        }
        let (latent, of_latent) = trained.latent.explain(pair, &mut self.sentences)?;
        assessed.values.extend(latent);
        within.extend(of_latent);
        let heads = model.heads(&assessed.values);
        let combination = trained.calibration.asked(asked, &heads)?;
        // Contributions of inputs are linear in the heads, as the score asked for is.
        let mut counts = vec![0.0; assessed.values.len()];
        let mut bias = 0.0;
        for (machine, factor) in trained.machines.iter().zip(&combination.factors).filter(|(_, factor)| **factor != 0.0)
        {
            bias += factor * machine.bias();
            let of_machine = machine.counts(&assessed.values);
            counts.iter_mut().zip(of_machine).for_each(|(count, value)| *count += factor * value);
        }
        let mut groups: Vec<(FeatureGroup, Vec<Explanation>)> = Vec::new();
        for (at, (input, &value)) in trained.inputs.iter().zip(&counts).enumerate() {
            let EnsembleInput::Feature(feature) = *input else { continue };
            if value == 0.0 {
                continue;
            }
            let place = model.places[at];
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
        let n_features = model.places.len();
        let bases = model.values().into_iter().skip(n_features).zip(within);
        for ((base, within), counted) in bases.zip(&counts[n_features..]) {
            parts.push(shared_out(base, within, *counted));
        }
        parts.push(Explanation::leaf(What::Bias, bias));
        let explanation = Explanation { what: What::Score, value: 0.0, places: Vec::new(), parts };
        let mut explanation = combination.complete(explanation, &heads);
        explanation.parts.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut explanation.parts);
        Ok(Explained { prediction: trained.calibration.predict(&heads), explanation, symbols: None })
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
fn shared_out(base: What, within: Explanation, counts: f64) -> Explanation {
    // A part contributes at most ten times its own value.
    let by = if within.value.abs() < 1e-9 { 0.0 } else { (counts / within.value).clamp(-10.0, 10.0) };
    let mut parts = within.scaled(by).parts;
    let rest = counts - parts.iter().map(|part| part.value).sum::<f64>();
    if rest.abs() > 1e-12 * counts.abs().max(1.0) {
        parts.push(Explanation::leaf(What::AgainstUsual, rest));
    }
    Explanation::strongest_first(&mut parts);
    Explanation { what: base, value: counts, places: Vec::new(), parts }
}
