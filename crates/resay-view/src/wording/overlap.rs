//! What the kernels `pr` and `idf` measure, in English.

use resay::id::OverlapMeasure;

/// A measure with what it counts.
pub fn overlap_measure(measure: OverlapMeasure) -> &'static str {
    match measure {
        OverlapMeasure::Precision => "precision: share of the target's words that the source has",
        OverlapMeasure::Recall => "recall: share of the source's words that the target has",
        OverlapMeasure::RareWords => "rare words: share of the source's words, weighed by rarity, that the target has",
    }
}
