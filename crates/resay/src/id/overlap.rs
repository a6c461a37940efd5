//! The measures behind the numeric features of the kernels `pr` and `idf`.

/// A measure of the word overlap of two sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OverlapMeasure {
    /// The share of the target's words that occur in the source.
    Precision,
    /// The share of the source's words that occur in the target.
    Recall,
    /// The share of the source's words that occur in the target, weighted by rarity.
    RareWords,
}
