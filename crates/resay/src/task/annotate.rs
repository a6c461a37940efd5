//! Data to pairs of sentences.

use crate::data::Dataset;
use crate::text::{Annotator, Interner, Pair, StemMemo};

/// Whose annotation kernels see, where a file comes with some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Ours, made from the text: what a model will see when it is used.
    Ours,
    /// The file's; what it lacks is made.
    Theirs,
}

/// The pairs of some sets, one set after the other; `done` is told how many are ready.
pub fn annotate(
    sets: &[&Dataset],
    annotator: &Annotator,
    whose: Whose,
    symbols: &mut Interner,
    done: &dyn Fn(usize),
) -> Vec<Pair> {
    let mut memo = StemMemo::default();
    let mut pairs = Vec::with_capacity(sets.iter().map(|set| set.len()).sum());
    for set in sets {
        for (idx, example) in set.examples.iter().enumerate() {
            let given = set.analyses.get(idx).and_then(|analyses| analyses.as_deref());
            let mut sentence = |text: &str, side: usize| match given {
                Some(analyses) if whose == Whose::Theirs => annotator.given(&analyses[side], symbols, &mut memo),
                _ => annotator.sentence_with(text, symbols, &mut memo),
            };
            // A question stands before each of its candidates: it is annotated once.
            let before = pairs.last().map(|pair: &Pair| &pair.source).filter(|_| idx > 0 && whose == Whose::Ours);
            let source = match before {
                Some(before) if *before.text == *example.source => before.clone(),
                _ => sentence(&example.source, 0),
            };
            pairs.push(Pair { source, target: sentence(&example.target, 1) });
            done(pairs.len());
        }
    }
    pairs
}
