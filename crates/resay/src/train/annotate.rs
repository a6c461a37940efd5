//! Turns data sets into annotated sentence pairs.

use crate::Result;
use crate::data::Dataset;
use crate::pair::Annotated;
use resay_learn::progress::{Progress, Stage};
use resay_text::{Annotator, Interner, Pair, StemMemo};

/// The source of annotation for files that contain some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationSource {
    /// Annotate the text with our own annotators, as the model will when it is applied.
    Text,
    /// Use the annotation in the file, and predict what it lacks.
    File,
}

/// Returns the annotated pairs of all sets, in order. Progress is reported per pair.
pub fn annotate(
    sets: &[&Dataset],
    annotator: &Annotator,
    annotation: AnnotationSource,
    symbols: &mut Interner,
    progress: Progress<'_>,
) -> Result<Vec<Pair>> {
    let mut memo = StemMemo::default();
    let total = sets.iter().map(|set| set.len()).sum();
    let mut pairs = Vec::with_capacity(total);
    for set in sets {
        for (idx, example) in set.rows.iter().enumerate() {
            let given = example.analyses.as_deref();
            let mut sentence = |text: &str, side: usize| match given {
                Some(analyses) if annotation == AnnotationSource::File => {
                    annotator.given(&analyses[side], symbols, &mut memo)
                }
                _ => annotator.sentence_with(text, symbols, &mut memo),
            };
            // Consecutive candidates share their question, which is annotated once.
            let before = pairs
                .last()
                .map(|pair: &Pair| &pair.source)
                .filter(|_| idx > 0 && annotation == AnnotationSource::Text);
            let source = match before {
                Some(before) if *before.text == *example.source => before.clone(),
                _ => sentence(&example.source, 0),
            };
            pairs.push(Pair { source, target: sentence(&example.target, 1) });
            progress.report(Stage::Annotate, pairs.len(), total)?;
        }
    }
    Ok(pairs)
}

/// Turns annotated text pairs into the symbols of an annotator.
pub(super) fn symbols_of(
    texts: &[[Annotated; 2]],
    annotator: &Annotator,
    symbols: &mut Interner,
    progress: Progress<'_>,
) -> Result<Vec<Pair>> {
    let mut memo = StemMemo::default();
    let mut pairs = Vec::with_capacity(texts.len());
    for pair in texts {
        progress.check()?;
        let mut sentence = |text: &Annotated| annotator.analysed(text.analysis().clone(), symbols, &mut memo);
        pairs.push(Pair { source: sentence(&pair[0]), target: sentence(&pair[1]) });
    }
    Ok(pairs)
}
