//! What the commands share about documents and topics.

use resay::model::{TopicDecision, TopicModel};
use resay_view::json;

/// A document's topics, by their scores.
pub(super) struct Sorted<'a> {
    pub(super) model: &'a TopicModel,
    /// One a topic, in the order of the model.
    decisions: Vec<TopicDecision>,
    /// The numbers of the topics, best first; of equals, the order of the model.
    order: Vec<usize>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(model: &'a TopicModel, decisions: Vec<TopicDecision>) -> Self {
        let mut order: Vec<usize> = (0..decisions.len()).collect();
        // Adding 0 makes -0 to 0.
        order.sort_by(|&a, &b| (decisions[b].score + 0.0).total_cmp(&(decisions[a].score + 0.0)));
        Self { model, decisions, order }
    }

    /// The number of the best topic; every model has topics.
    pub(super) fn best(&self) -> Option<usize> {
        self.order.first().copied()
    }

    pub(super) fn best_decision(&self) -> Option<&TopicDecision> {
        self.decision(self.best()?)
    }

    pub(super) fn decision(&self, topic: usize) -> Option<&TopicDecision> {
        self.decisions.get(topic)
    }

    pub(super) fn name(&self, topic: usize) -> &'a str {
        self.model.about().header.response.labels().get(topic).map_or("", String::as_str)
    }

    /// The topics that the document is of, best first.
    pub(super) fn accepted(&self) -> impl Iterator<Item = (&'a str, &TopicDecision)> {
        let named = self.order.iter().map(|&topic| (self.name(topic), &self.decisions[topic]));
        named.filter(|(_, decision)| decision.is_yes())
    }

    pub(super) fn labels(&self) -> Vec<&'a str> {
        self.accepted().map(|(name, _)| name).collect()
    }

    /// All topics, in the order of the model.
    pub(super) fn scores(&self) -> Vec<json::TopicScore<'a>> {
        let score = |(topic, decision): (usize, &TopicDecision)| json::TopicScore {
            topic: self.name(topic),
            score: decision.score,
            probability: decision.probability,
        };
        self.decisions.iter().enumerate().map(score).collect()
    }
}
