//! The measures of the kernels `pr` and `idf`, in English.

use resay::id::OverlapMeasure;

/// A measure and its definition.
pub fn overlap_measure(measure: OverlapMeasure) -> &'static str {
    match measure {
        OverlapMeasure::Precision => "precision: share of the target's words that the source has",
        OverlapMeasure::Recall => "recall: share of the source's words that the target has",
        OverlapMeasure::RareWords => "rare words: share of the source's words, weighed by rarity, that the target has",
    }
}
