//! Explanations of a joint judgement: what each thing seen of the pair adds to the score of the
//! question, with the words that it is about.

use super::by_words::ByWords;
use super::{Judged, JudgementModel, Question, Scored, sentences, sides};
use crate::Result;
use crate::explain::{Explanation, Place, What};
use crate::features::Wanted;
use crate::id::{FeatureGroup, RelationFeature, TextRelation};
use crate::model::answer::AskedClass;
use crate::model::contract::{Explained, Prediction};
use crate::pair::{Annotated, PairView};
use crate::relate::RelationEvidence;
use resay_learn::progress::Progress;

/// How many rules an explanation shows for a relation.
const MOST_RULES: usize = 3;

impl JudgementModel {
    /// What the model says of a pair, and why it answers each of these questions as it does. The pair
    /// is looked at once.
    pub fn explain_all<const N: usize>(
        &self,
        pair: &PairView<'_>,
        questions: [Question; N],
    ) -> Result<(Judged, Vec<Explained>)> {
        let scored = self.scored(pair, Wanted::Evidence, Progress::none())?;
        let texts = pair.texts().map(Annotated::text);
        let explain = |question| self.asking(question).explain_scored(&scored, texts, AskedClass::ANSWER);
        Ok((self.judged(&scored), questions.into_iter().map(explain).collect::<Result<_>>()?))
    }

    /// Explains the answer to the question asked; the leaves add up to its score.
    pub(super) fn explain(&self, pair: &PairView<'_>, asked: AskedClass) -> Result<Explained> {
        let scored = self.scored(pair, Wanted::Evidence, Progress::none())?;
        self.explain_scored(&scored, pair.texts().map(Annotated::text), asked)
    }

    fn explain_scored(&self, scored: &Scored, texts: [&str; 2], asked: AskedClass) -> Result<Explained> {
        let prediction = self.prediction(scored);
        let explanation = match self.question {
            Question::Similarity => self.of_similarity(scored, &prediction),
            _ => self.of_relations(scored, texts, self.factors(scored, asked, &prediction)?),
        };
        Ok(Explained { prediction, explanation, symbols: None })
    }

    /// What the score asked about is made of: a factor per relation.
    fn factors(&self, scored: &Scored, asked: AskedClass, prediction: &Prediction) -> Result<[f64; 5]> {
        let mut factors = [0.0; 5];
        let n_classes = if self.question == Question::Relation { 5 } else { 2 };
        asked.check(n_classes)?;
        if self.question == Question::Relation {
            let class = asked.resolved(prediction).class.unwrap_or_default();
            factors[class] += 1.0;
            if let Some(against) = asked.against {
                factors[against] -= 1.0;
            }
        } else {
            let (yes, no) = sides(self.question, &scored.heads);
            let sign = if asked.resolved(prediction).class == Some(0) { -1.0 } else { 1.0 };
            factors[yes] += sign;
            factors[no] -= sign;
        }
        Ok(factors)
    }

    fn of_relations(&self, scored: &Scored, texts: [&str; 2], factors: [f64; 5]) -> Explanation {
        let value = factors.iter().zip(&scored.heads).map(|(factor, head)| factor * head).sum();
        if scored.is_equal {
            return whole(value, vec![Explanation::leaf(What::EqualTexts, value)]);
        }
        if scored.is_by_words() {
            return whole(value, ByWords::explain(value, factors));
        }
        if scored.inputs.is_empty() {
            return whole(value, sentences::explain(scored, texts, value, factors));
        }
        let slope = scored.whole * self.trained.about.details.slope;
        let mut parts = vec![0.0; scored.inputs.len()];
        let mut bias = 0.0;
        for (relation, factor) in TextRelation::ALL.into_iter().zip(factors).filter(|(_, factor)| *factor != 0.0) {
            // The trees saw the texts in the other order.
            let head = if scored.is_turned { relation.reversed() } else { relation };
            // Where the texts are the same from either side, either direction has half of both.
            let heads = if scored.is_symmetric { vec![relation, relation.reversed()] } else { vec![head] };
            let factor = factor * slope / heads.len() as f64;
            for head in heads {
                let mut own = vec![0.0; parts.len()];
                bias += factor * self.trained.relations.explain(head as usize, &scored.inputs, &mut own);
                parts.iter_mut().zip(own).for_each(|(part, own)| *part += factor * own);
            }
        }
        let mut explanation = self.grouped(scored, value, &parts, bias);
        if !scored.sentences.is_empty() {
            let rest = value - (parts.iter().sum::<f64>() + bias);
            explanation.parts.extend(sentences::explain(scored, texts, rest, factors));
            Explanation::strongest_first(&mut explanation.parts);
        }
        explanation
    }

    fn of_similarity(&self, scored: &Scored, prediction: &Prediction) -> Explanation {
        let Prediction::Real { value, .. } = *prediction else { return whole(0.0, Vec::new()) };
        if scored.is_equal {
            return whole(value, vec![Explanation::leaf(What::EqualTexts, value)]);
        }
        if scored.is_by_words() {
            return whole(value, vec![Explanation::leaf(What::WordsAlone, value)]);
        }
        if scored.inputs.is_empty() {
            return whole(value, vec![Explanation::leaf(What::Sentences, value)]);
        }
        let mut parts = vec![0.0; scored.inputs.len()];
        let rest = self.trained.similarity.explain(0, &scored.inputs, &mut parts) * super::HIGHEST;
        parts.iter_mut().for_each(|part| *part *= super::HIGHEST);
        let sum = parts.iter().sum::<f64>() + rest;
        let mut explanation = self.grouped(scored, value, &parts, rest);
        if sum != value {
            explanation.parts.push(Explanation::leaf(What::Range, value - sum));
        }
        explanation
    }

    /// The words of the rules that speak most for or against a relation.
    fn strongest_rules<'a>(&self, scored: &'a Scored, relation: TextRelation) -> Vec<&'a RelationEvidence> {
        let features = &scored.features;
        let weigh = |one: &'a RelationEvidence| {
            let weight = self.trained.rules.of(*features.rules.get(one.feature)?)?[relation as usize];
            (weight != 0.0).then_some((one, weight))
        };
        let mut found: Vec<(&RelationEvidence, f64)> = features.rule_evidence.iter().filter_map(weigh).collect();
        found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let mut strongest: Vec<&RelationEvidence> = Vec::new();
        for (one, _) in found {
            // Several templates are filled with the same words.
            if strongest.len() < MOST_RULES && !strongest.iter().any(|known| known.place == one.place) {
                strongest.push(one);
            }
        }
        strongest
    }

    pub(super) fn grouped(&self, scored: &Scored, value: f64, parts: &[f64], bias: f64) -> Explanation {
        let mut groups: Vec<(FeatureGroup, Vec<Explanation>)> = Vec::new();
        for (&place, &value) in self.places.iter().zip(parts).filter(|(_, value)| **value != 0.0) {
            let feature = self.features[place];
            let evidence = match feature {
                RelationFeature::Rules(relation) => self.strongest_rules(scored, relation),
                _ => scored.features.evidence.iter().filter(|one| one.feature == place).collect(),
            };
            let share = value / evidence.len().max(1) as f64;
            let words = evidence.into_iter().map(|evidence| leaf(evidence, share, scored.is_turned));
            let node =
                Explanation { what: What::RelationFeature(feature), value, places: Vec::new(), parts: words.collect() };
            match groups.iter_mut().find(|(group, _)| *group == feature.group()) {
                Some((_, nodes)) => nodes.push(node),
                None => groups.push((feature.group(), vec![node])),
            }
        }
        let group = |(group, mut nodes): (FeatureGroup, Vec<Explanation>)| {
            Explanation::strongest_first(&mut nodes);
            let value = nodes.iter().map(|node| node.value).sum();
            Explanation { what: What::Group(group), value, places: Vec::new(), parts: nodes }
        };
        let mut parts: Vec<Explanation> = groups.into_iter().map(group).collect();
        parts.push(Explanation::leaf(What::Bias, bias));
        Explanation::strongest_first(&mut parts);
        whole(value, parts)
    }
}

fn whole(value: f64, parts: Vec<Explanation>) -> Explanation {
    Explanation { what: What::Score, value, places: Vec::new(), parts }
}

/// The words of a feature, in the order in which the texts were given.
fn leaf(evidence: &RelationEvidence, value: f64, is_turned: bool) -> Explanation {
    let mut place = evidence.place.clone();
    let mut what = evidence.what.clone();
    if is_turned {
        place = Place { source: place.target, target: place.source };
        if let What::Phrase { source, target } = what {
            what = What::Phrase { source: target, target: source };
        }
    }
    Explanation { what, value, places: vec![place], parts: Vec::new() }
}
