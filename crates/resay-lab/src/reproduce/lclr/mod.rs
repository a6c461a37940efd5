//! Chang, Goldwasser, Roth and Srikumar, "Discriminative Learning over Constrained Latent
//! Representations" (NAACL 2010): joint learning of latent alignment and decision, beside the same
//! decision learned over fixed alignments.

mod names;
mod sentences;

use super::Measured;
use resay::Result;
use resay::resources::Resources;
use resay_learn::progress::Progress;
use std::path::Path;

pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    names::measure(folder, seed, resources, progress, &mut measured)?;
    sentences::measure(folder, seed, resources, progress, &mut measured)?;
    Ok(measured)
}
