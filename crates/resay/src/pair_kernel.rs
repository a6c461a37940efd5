//! [`PairKernel`]: kernels of the papers by themselves, for whoever brings a learner of their own.

use crate::kernel::{BoundKernel, Expression};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::matrix::Gram;
use resay_learn::progress::Progress;
use resay_text::{Interner, Pair, Units};

/// A kernel over pairs of texts, given as an expression such as `kb(k=1..4)+pr`: how alike two
/// pairs are, as re-writings.
///
/// ```
/// use resay::prelude::*;
///
/// let kernel = PairKernel::new("kb(k=1..3)", &Resources::bundled())?;
/// let pairs = [
///     ("Anna met Ben", "Ben was met by Anna"),
///     ("Carl saw Dora", "Dora was seen by Carl"),
///     ("Anna met Ben", "prices fell"),
/// ];
/// let gram = kernel.gram(&pairs, Progress::none())?;
/// assert_eq!(gram.row(0)[0], 1.0);
/// assert!(gram.row(0)[1] > gram.row(1)[2]);
/// # Ok::<(), resay::Error>(())
/// ```
#[derive(Debug)]
pub struct PairKernel {
    expression: Expression,
    units: Units,
    resources: Resources,
}

impl PairKernel {
    /// Reads an expression; words are compared by their stems.
    pub fn new(expression: &str, resources: &Resources) -> Result<Self> {
        let expression = Expression::parse(expression, &|| resources.lexicon())?;
        Ok(Self { expression, units: Units::default(), resources: resources.clone() })
    }

    /// What is compared in place of stems.
    #[must_use]
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// The kernel of every two of these pairs.
    pub fn gram<S: AsRef<str>, T: AsRef<str>>(&self, pairs: &[(S, T)], progress: Progress<'_>) -> Result<Gram> {
        if self.expression.texts().is_some() {
            return Err(Error::parameter(
                "a kernel of single texts, expected one of pairs: write pair(...) around it to compare pairs",
            ));
        }
        let annotator = self.resources.annotator_for(self.units, self.expression.needs())?;
        let mut symbols = Interner::new();
        let pairs: Vec<Pair> = pairs
            .iter()
            .map(|(source, target)| Pair {
                source: annotator.sentence(source.as_ref(), &mut symbols),
                target: annotator.sentence(target.as_ref(), &mut symbols),
            })
            .collect();
        self.resources.threads().run(|| BoundKernel::new(&self.expression, &pairs, progress)?.square(progress))?
    }
}
