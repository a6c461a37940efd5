//! Latent alignments, learned jointly with the classifier over them by [`resay_learn::latent`]: of
//! two sentences ([`sentences`]), of two names ([`names`]), and of user-declared structures
//! ([`program`]).

pub mod names;
pub mod program;
pub mod sentences;

pub use resay_learn::latent::{
    LatentMachine, LatentParams, LatentProblem, LatentStage, LatentStep, LatentStop, Sparse, learn, two_stage,
};
