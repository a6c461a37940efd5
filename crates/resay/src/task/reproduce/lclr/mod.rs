//! Chang, Goldwasser, Roth and Srikumar, "Discriminative Learning over Constrained Latent Representations" (NAACL 2010):
//! hidden alignment and decision learned together, beside the same decision learned over alignments that are held.

mod names;
mod sentences;

use super::{Measured, Report};
use crate::Result;
use std::path::Path;

pub(super) fn measure(folder: &Path, seed: u64, report: Report<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    names::measure(folder, seed, report, &mut measured)?;
    sentences::measure(folder, seed, report, &mut measured)?;
    Ok(measured)
}
