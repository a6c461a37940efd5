//! A dataset's pairs as the kernels see them.

use resay::data::Dataset;
use resay_text::{Annotator, Interner, Pair, Units};

/// Every pair in stems, numbered together.
pub(crate) fn annotate(dataset: &Dataset) -> Vec<Pair> {
    let (annotator, mut symbols) = (Annotator::new(Units::Stems), Interner::new());
    let mut sentence = |text: &str| annotator.sentence(text, &mut symbols);
    let pair =
        |example: &resay::data::Example| Pair { source: sentence(&example.source), target: sentence(&example.target) };
    dataset.rows.iter().map(pair).collect()
}
