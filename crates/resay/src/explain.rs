//! Explanations of decisions: a tree whose leaves add up to the score, each with the byte spans of
//! the two sentences that it refers to.

use crate::id::{
    AlignFeature, BaseModel, FeatureGroup, FeatureId, LatentFeature, NameFeature, OverlapMeasure, RelationFeature,
};
use resay_text::Span;
use std::fmt;

/// One node of an explanation. Its `value` is the sum of its parts' values, up to rounding.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Explanation {
    /// What the node stands for.
    pub what: What,
    /// Its contribution to the score.
    pub value: f64,
    /// Where it matches in the two sentences; empty if it has no location.
    pub places: Vec<Place>,
    /// Its children, largest absolute value first; empty for a leaf.
    pub parts: Vec<Explanation>,
}

impl Explanation {
    /// A leaf without places.
    pub fn leaf(what: What, value: f64) -> Self {
        Self { what, value, places: Vec::new(), parts: Vec::new() }
    }

    /// Sorts parts by decreasing absolute value.
    pub fn strongest_first(parts: &mut [Self]) {
        parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    }

    /// Multiplies every value of the tree by a factor.
    pub(crate) fn scaled(mut self, by: f64) -> Self {
        self.value *= by;
        self.parts = self.parts.into_iter().map(|part| part.scaled(by)).collect();
        self
    }

    /// Adds trees that explain different scores of one pair. Nodes that stand for the same at the
    /// same places become one; nodes that cancel out are dropped.
    pub(crate) fn merged(trees: impl IntoIterator<Item = Self>) -> Self {
        let mut trees = trees.into_iter();
        let mut whole = trees.next().unwrap_or_else(|| Self::leaf(What::Score, 0.0));
        for tree in trees {
            whole.add(tree);
        }
        whole.tidy();
        whole
    }

    fn add(&mut self, other: Self) {
        self.value += other.value;
        if self.parts.is_empty() != other.parts.is_empty() {
            // A leaf beside a tree: the leaf becomes a part of the tree, so that leaves still add up.
            let (leaf, mut parts) = if self.parts.is_empty() {
                (self.value - other.value, other.parts)
            } else {
                (other.value, std::mem::take(&mut self.parts))
            };
            parts.push(Self::leaf(What::Rest(1), leaf));
            self.parts = parts;
            return;
        }
        for part in other.parts {
            match self.parts.iter_mut().find(|mine| mine.what == part.what && mine.places == part.places) {
                Some(mine) => mine.add(part),
                None => self.parts.push(part),
            }
        }
    }

    fn tidy(&mut self) {
        self.parts.iter_mut().for_each(Self::tidy);
        self.parts.retain(|part| part.value != 0.0 || !part.parts.is_empty());
        Self::strongest_first(&mut self.parts);
    }

    /// All leaves below this node, in order.
    pub fn leaves(&self) -> Vec<&Explanation> {
        if self.parts.is_empty() { vec![self] } else { self.parts.iter().flat_map(Self::leaves).collect() }
    }
}

/// What a node of an explanation stands for.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum What {
    /// The whole score.
    Score,
    /// The bias of the machine.
    Bias,
    /// What cutting a number to the range of the training labels takes away.
    Range,
    /// All features of one kernel.
    Kernel(String),
    /// One re-writing rule.
    Rule(RewriteRule),
    /// All features of an ensemble in one group.
    Group(FeatureGroup),
    /// One feature of an ensemble.
    Feature(FeatureId),
    /// One base model of an ensemble.
    BaseModel(BaseModel),
    /// One thing that a joint judgement sees.
    RelationFeature(RelationFeature),
    /// That the texts are equal after normalisation.
    EqualTexts,
    /// The words that both texts have, where nothing else can be judged.
    WordsAlone,
    /// What texts of several sentences have beside the mean of their sentences: the weakest counts more.
    Sentences,
    /// The score of one base model of an ensemble for the class of this name.
    BaseModelClass(BaseModel, String),
    /// The remainder of a base model's contribution that comes from centring its score on the usual
    /// value.
    AgainstUsual,
    /// A feature of the phrase aligner.
    AlignFeature(AlignFeature),
    /// A feature of a latent sentence alignment.
    LatentFeature(LatentFeature),
    /// A feature of the names model.
    NameFeature(NameFeature),
    /// A variable of a declared programme that is 1 in the best structure, by name.
    Variable(String),
    /// A feature of a declared programme, by name.
    ProgramFeature(String),
    /// A measure of the word overlap of two sentences.
    Overlap(OverlapMeasure),
    /// One string of a document's text.
    String(String),
    /// Source words aligned to target words, or unaligned words of either side.
    Phrase {
        /// The source words; `None` for unaligned target words.
        source: Option<String>,
        /// The target words; `None` for unaligned source words.
        target: Option<String>,
    },
    /// The similarity to one training pair, by its id.
    Pair(String),
    /// The sum of this many weaker parts.
    Rest(usize),
}

/// One match of a rule: the spans of its slots in the source and in the target, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Spans in the source sentence.
    pub source: Vec<Span>,
    /// Spans in the target sentence.
    pub target: Vec<Span>,
}

/// One slot of a rule's pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A literal word, stem or character.
    Word(String),
    /// A wildcard; linked wildcards have the same number on both sides.
    Wildcard(Option<usize>),
}

/// A re-writing rule in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRule {
    /// The source pattern.
    pub source: Vec<Slot>,
    /// The target pattern.
    pub target: Vec<Slot>,
}

impl RewriteRule {
    /// Linked wildcards as 1-based (source slot, target slot), ordered by source slot.
    pub fn links(&self) -> Vec<(usize, usize)> {
        let place = |side: &[Slot], number| side.iter().position(|slot| *slot == Slot::Wildcard(Some(number)));
        let numbers = self.source.iter().enumerate().filter_map(|(at, slot)| match slot {
            Slot::Wildcard(Some(number)) => Some((at, *number)),
            _ => None,
        });
        numbers.filter_map(|(at, number)| Some((at + 1, place(&self.target, number)? + 1))).collect()
    }

    /// Both patterns with the linked wildcards replaced by `fillers`: first the words of the source
    /// and then, if they differ, those of the target.
    pub fn filled(&self, fillers: &[String]) -> String {
        let n_links = self.source.iter().filter(|slot| matches!(slot, Slot::Wildcard(Some(_)))).count();
        let of_target = if fillers.len() > n_links { &fillers[n_links..] } else { fillers };
        let slots = |side: &[Slot], fillers: &[String]| {
            let words: Vec<&str> = side
                .iter()
                .map(|slot| match slot {
                    Slot::Word(word) => word,
                    Slot::Wildcard(Some(number)) => fillers.get(*number).map_or("*", |word| word),
                    Slot::Wildcard(None) => "*",
                })
                .collect();
            words.join(" ")
        };
        format!("{} -> {}", slots(&self.source, fillers), slots(&self.target, of_target))
    }
}

impl fmt::Display for RewriteRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.filled(&[]))?;
        let links = self.links();
        if !links.is_empty() {
            f.write_str(", links")?;
            for (source, target) in links {
                write!(f, " {source}-{target}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_in_the_manual() {
        let word = |word: &str| Slot::Word(word.to_owned());
        let wild = |number| Slot::Wildcard(Some(number));
        let rule =
            RewriteRule { source: vec![word("heard"), wild(0), wild(1)], target: vec![wild(0), word("was"), wild(1)] };
        assert_eq!(rule.to_string(), "heard * * -> * was *, links 2-1 3-3");
        assert_eq!(rule.filled(&["he".into(), "ill".into()]), "heard he ill -> he was ill");
        let others = ["he", "ill", "him", "sick"].map(str::to_owned);
        assert_eq!(rule.filled(&others), "heard he ill -> him was sick");
        let plain = RewriteRule { source: vec![word("a"), Slot::Wildcard(None)], target: vec![] };
        assert_eq!(plain.to_string(), "a * -> ");
    }

    #[test]
    fn merged_trees_keep_the_sum_of_their_leaves() {
        let node = |what: What, parts: Vec<Explanation>| {
            let value = parts.iter().map(|part| part.value).sum();
            Explanation { parts, ..Explanation::leaf(what, value) }
        };
        let kernel = || What::Kernel("pr".to_owned());
        let one = node(
            What::Score,
            vec![
                Explanation::leaf(What::Bias, 0.5),
                node(kernel(), vec![Explanation::leaf(What::Rest(2), 1.0), Explanation::leaf(What::Rest(3), 2.0)]),
            ],
        );
        let other = node(
            What::Score,
            vec![
                Explanation::leaf(What::Bias, 0.25),
                node(kernel(), vec![Explanation::leaf(What::Rest(3), 4.0)]),
                Explanation::leaf(What::Rest(9), 8.0),
            ],
        );
        let both = Explanation::merged([one.clone(), other.clone().scaled(-1.0)]);
        assert_eq!(both.value, 3.5 - 12.25);
        assert_eq!(both.leaves().iter().map(|leaf| leaf.value).sum::<f64>(), both.value);
        assert_eq!(both.parts.len(), 3);
        let nothing = Explanation::merged([one.clone(), one.scaled(-1.0)]);
        assert_eq!((nothing.value, nothing.leaves().iter().map(|leaf| leaf.value).sum::<f64>()), (0.0, 0.0));
        let leaf = Explanation::merged([Explanation::leaf(What::Score, 1.0), other]);
        assert_eq!(leaf.leaves().iter().map(|leaf| leaf.value).sum::<f64>(), leaf.value);
    }

    #[test]
    fn leaves_are_found_at_any_depth() {
        let inner =
            Explanation { parts: vec![Explanation::leaf(What::Bias, 1.0)], ..Explanation::leaf(What::Score, 1.0) };
        let root = Explanation {
            parts: vec![inner, Explanation::leaf(What::Rest(2), 3.0)],
            ..Explanation::leaf(What::Score, 4.0)
        };
        assert_eq!(root.leaves().iter().map(|leaf| leaf.value).collect::<Vec<_>>(), [1.0, 3.0]);
    }
}
