//! Learning from one part of a mixture and answering another, as often as wanted: what is seen of all
//! pairs is found once. For measuring what each ingredient and each corpus is worth.

use super::learn::{Learning, Row};
use super::{Ingredient, JudgementOptions, RelationData};
use crate::Result;
use crate::id::TextRelation;
use crate::resources::Resources;
use rayon::prelude::*;
use resay_learn::progress::Progress;

/// Everything that is seen of a mixture.
pub struct JudgementStudy<'a> {
    learning: Learning<'a>,
    resources: Resources,
}

/// The answer to one example.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyAnswer {
    /// The score of each relation, in the order in which the texts are given.
    pub heads: [f64; 5],
    /// The similarity, from 0 to 1.
    pub similarity: f64,
}

impl StudyAnswer {
    /// The relation with the highest score.
    pub fn relation(&self) -> TextRelation {
        let best = (0..5).fold(0, |best, at| if self.heads[at] > self.heads[best] { at } else { best });
        TextRelation::ALL[best]
    }
}

impl<'a> JudgementStudy<'a> {
    /// Looks at all examples, without some ingredients.
    pub fn new(
        data: &'a RelationData,
        options: &'a JudgementOptions,
        left_out: &[Ingredient],
        resources: &Resources,
        progress: Progress<'a>,
    ) -> Result<Self> {
        let learning = resources.threads().run(|| Learning::new(data, options, left_out, resources, progress))??;
        Ok(Self { learning, resources: resources.clone() })
    }

    /// The same without the inputs of an ingredient. What is left out before examples are looked at
    /// may change other inputs; this does not.
    #[must_use]
    pub fn without(&self, ingredient: Ingredient) -> JudgementStudy<'_> {
        JudgementStudy { learning: self.learning.without(ingredient), resources: self.resources.clone() }
    }

    /// Learns from some of the examples, by index, and answers others.
    pub fn answer(&self, learned: &[usize], asked: &[usize]) -> Result<Vec<StudyAnswer>> {
        self.resources.threads().run(|| {
            let fitted = self.learning.fit(learned)?;
            let answer = |&example: &usize| {
                let texts = &self.learning.data.examples[example];
                let is_turned = texts.source > texts.target;
                let inputs: Vec<f32> =
                    self.learning.inputs_of(Row { example, is_turned }, &fitted.rule_scores).collect();
                let mut heads = [0.0; 5];
                heads.copy_from_slice(&fitted.relations.scores(&inputs));
                if is_turned {
                    heads.swap(TextRelation::Forward as usize, TextRelation::Backward as usize);
                }
                StudyAnswer { heads, similarity: fitted.similarity.scores(&inputs)[0].clamp(0.0, 1.0) }
            };
            Ok(asked.par_iter().map(answer).collect())
        })?
    }
}
