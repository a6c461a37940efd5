//! What the plain numbers of the kernels `pr` and `idf` measure.

/// A measure of how many words two sentences share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OverlapMeasure {
    /// The share of the target's words that the source has.
    Precision,
    /// The share of the source's words that the target has.
    Recall,
    /// The share of the source's words that the target has, each weighed by how rare it is.
    RareWords,
}
