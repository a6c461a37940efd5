//! Kernels of texts by themselves.

mod subsequence;

pub use subsequence::{
    Prepared, SubsequenceForm, SubsequenceScratch, Subsequences, subsequences_by_recursion, subsequences_by_tables,
};
