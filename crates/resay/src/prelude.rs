//! What most programs need: `use resay::prelude::*`.

pub use crate::{
    Columns, Dataset, Decision, DedupeOptions, DiffDocument, Difference, DifferenceKind, Duplicates, Example,
    Explanation, Judge, Label, Learner, PairKernel, PhraseAligner, Prediction, Progress, Resources, Result, Task,
    Training,
};
