//! A judge's decision taken apart: groups of signs with the words that they point at, and the systems within down to their
//! leaves.

use super::{CombinedModel, Reading};
use crate::Result;
use crate::explain::{Explanation, What};
use crate::model::{AlignedText, Decision, Model};
use crate::signs::{Group, SYSTEMS, Wanted};

/// Two sentences with what corresponds in them, and what was decided.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The sentences and what corresponds.
    pub aligned: AlignedText,
    /// The decision.
    pub decision: Decision,
}

impl CombinedModel {
    /// One decision taken apart, with the sentences and what corresponds in them; leaves add up to the score.
    pub fn explain(&self, source: &str, target: &str) -> Result<(Judged, Explanation)> {
        let read = self.read(&[source, target], &mut self.pool.take());
        self.explain_pair([&read[0], &read[1]])
    }

    /// The same for two texts that were read.
    pub fn explain_pair(&self, pair: [&Reading; 2]) -> Result<(Judged, Explanation)> {
        let mut scratch = self.scratch();
        let (observed, values) = self.look(&[pair], Wanted::Evidence, &mut scratch)?.swap_remove(0);
        let counts = self.trained.weighing.counts(&values);
        let mut groups: Vec<(Group, Vec<Explanation>)> = Vec::new();
        for (at, sign) in self.signs.iter().enumerate() {
            let value = counts[at];
            if value == 0.0 {
                continue;
            }
            let evidence: Vec<_> = observed.noticed.evidence.iter().filter(|evidence| evidence.sign == at).collect();
            let share = value / evidence.len().max(1) as f64;
            let parts = evidence.into_iter().map(|evidence| Explanation {
                what: evidence.what.clone(),
                value: share,
                places: vec![evidence.place.clone()],
                parts: Vec::new(),
            });
            let what = What::Measure(sign.name.clone());
            let node = Explanation { what, value, places: Vec::new(), parts: parts.collect() };
            match groups.iter_mut().find(|(group, _)| *group == sign.group) {
                Some((_, nodes)) => nodes.push(node),
                None => groups.push((sign.group, vec![node])),
            }
        }
        let mut parts: Vec<Explanation> =
            groups.into_iter().map(|(group, nodes)| node(group.name().to_owned(), nodes)).collect();
        let sentences = pair.map(Reading::analysis);
        let texts = pair.map(|reading| &reading.analysis);
        let hidden = self.trained.latent.explain(
            sentences,
            &observed.compared,
            self.observer.lexicon(),
            &mut scratch.sentences,
        )?;
        let explain = |model: &Model| model.explain_read(texts, usize::MAX);
        let (rules, typed) = (explain(&self.trained.rules)?.1, explain(&self.trained.typed)?.1);
        for (at, (name, within)) in SYSTEMS.into_iter().zip([rules, typed, hidden]).enumerate() {
            parts.push(shared_out(name, within, counts[self.signs.len() + at]));
        }
        parts.push(Explanation::leaf(What::Bias, self.trained.weighing.bias()));
        parts.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut parts);
        let value = self.trained.weighing.score(&values);
        let explanation = Explanation { what: What::Score, value, places: Vec::new(), parts };
        let [source, target] = sentences.map(Clone::clone);
        let aligned = AlignedText { source, target, alignment: observed.alignment };
        Ok((Judged { aligned, decision: self.decision(value) }, explanation))
    }
}

fn node(name: String, mut parts: Vec<Explanation>) -> Explanation {
    Explanation::strongest_first(&mut parts);
    let value = parts.iter().map(|part| part.value).sum();
    Explanation { what: What::Measure(name), value, places: Vec::new(), parts }
}

/// What a system's score counts, shared out among what the score is made of: each part as much as it is of the score, where
/// the score is not next to nothing; the rest, which is that the score is looked at against the usual one, stands by itself.
fn shared_out(name: &str, within: Explanation, counts: f64) -> Explanation {
    // A part never counts more than ten times its own value.
    let by = if within.value.abs() < 1e-9 { 0.0 } else { (counts / within.value).clamp(-10.0, 10.0) };
    let mut parts = scaled(within, by).parts;
    let rest = counts - parts.iter().map(|part| part.value).sum::<f64>();
    if rest.abs() > 1e-12 * counts.abs().max(1.0) {
        parts.push(Explanation::leaf(What::Measure("against what is usual".to_owned()), rest));
    }
    node(name.to_owned(), parts)
}

/// Everything of a tree times a number.
fn scaled(explanation: Explanation, by: f64) -> Explanation {
    let Explanation { what, value, places, parts } = explanation;
    let parts = parts.into_iter().map(|part| scaled(part, by)).collect();
    Explanation { what, value: value * by, places, parts }
}
