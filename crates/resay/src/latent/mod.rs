//! Latent alignments, learned together with the decision over them by [`resay_learn::latent`]: of two sentences
//! ([`sentences`]), of two names ([`names`]), and of whatever a user declares ([`program`]).

pub mod names;
pub mod program;
pub mod sentences;

pub use resay_learn::latent::{
    LatentMachine, LatentParams, LatentProblem, LatentStage, LatentStep, LatentStop, Sparse, learn, two_stage,
};
