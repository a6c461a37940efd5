//! The topics of a document, sorted by score.

use resay::model::{TopicDecision, TopicModel};
use resay_view::json;

/// A model's decisions for one document.
pub(crate) struct Classified<'a> {
    pub(crate) model: &'a TopicModel,
    /// One decision per topic, in the order of the model.
    decisions: Vec<TopicDecision>,
    /// Topic indices, best first; ties are in the order of the model.
    order: Vec<usize>,
}

impl<'a> Classified<'a> {
    pub(crate) fn new(model: &'a TopicModel, decisions: Vec<TopicDecision>) -> Self {
        let mut order: Vec<usize> = (0..decisions.len()).collect();
        // Adding 0 turns -0 into 0.
        order.sort_by(|&a, &b| (decisions[b].score + 0.0).total_cmp(&(decisions[a].score + 0.0)));
        Self { model, decisions, order }
    }

    /// Returns the index of the best topic. Every model has topics.
    pub(crate) fn best(&self) -> Option<usize> {
        self.order.first().copied()
    }

    pub(crate) fn best_decision(&self) -> Option<&TopicDecision> {
        self.decision(self.best()?)
    }

    pub(crate) fn decision(&self, topic: usize) -> Option<&TopicDecision> {
        self.decisions.get(topic)
    }

    pub(crate) fn name(&self, topic: usize) -> &'a str {
        self.model.about().header.response.labels().get(topic).map_or("", String::as_str)
    }

    /// Returns the accepted topics, best first.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = (&'a str, &TopicDecision)> {
        let named = self.order.iter().map(|&topic| (self.name(topic), &self.decisions[topic]));
        named.filter(|(_, decision)| decision.is_yes())
    }

    pub(crate) fn labels(&self) -> Vec<&'a str> {
        self.accepted().map(|(name, _)| name).collect()
    }

    /// Returns the scores of all topics, in the order of the model.
    pub(crate) fn scores(&self) -> Vec<json::TopicScore<'a>> {
        let score = |(topic, decision): (usize, &TopicDecision)| json::TopicScore {
            topic: self.name(topic),
            score: decision.score,
            probability: decision.probability,
        };
        self.decisions.iter().enumerate().map(score).collect()
    }
}
