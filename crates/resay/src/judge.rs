//! [`Judge`]: the front door to every model that decides about pairs of texts.

use crate::dedupe::{self, DedupeOptions, Duplicates};
use crate::diff::{self, DiffDocument, Difference};
use crate::explain::Explanation;
use crate::model::{AnyModel, Decision, Header, PairModel, Prediction};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::progress::Progress;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A model that decides about pairs of texts: the bundled judge, another bundled model, or one of
/// your own.
///
/// Open a model once: clones share it, and threads may use one judge at the same time. The same
/// texts always get the same answer.
///
/// ```
/// use resay::prelude::*;
///
/// let judge = Judge::bundled()?;
/// let same = judge.decide("Anna sold her boat to Ben.", "Ben bought the boat from Anna.")?;
/// let other = judge.decide("Anna sold her boat to Ben.", "It rained in the mountains.")?;
/// assert!(same.probability > other.probability && !other.label);
/// # Ok::<(), resay::Error>(())
/// ```
#[derive(Clone)]
pub struct Judge {
    model: Arc<dyn PairModel>,
}

impl Judge {
    /// The bundled judge: do two texts say the same?
    pub fn bundled() -> Result<Self> {
        Self::open("judge", &Resources::bundled())
    }

    /// Opens a model by the name of a bundled one or by the path of its file.
    pub fn open(name_or_path: impl AsRef<Path>, resources: &Resources) -> Result<Self> {
        let path = name_or_path.as_ref();
        Self::try_from(AnyModel::resolve(path, resources)?)
            .map_err(|kind| Error::file(&path.display().to_string(), format!("{kind}, expected one that judges pairs")))
    }

    /// A model from the bytes of its file. `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        Self::try_from(AnyModel::from_bytes(name, bytes, resources)?)
            .map_err(|kind| Error::file(name, format!("{kind}, expected one that judges pairs")))
    }

    fn try_from(model: AnyModel) -> std::result::Result<Self, String> {
        let model = model.into_pair_model().map_err(|other| {
            let task = &other.header().task;
            format!("a model of the task '{task}'")
        })?;
        Ok(Self { model: model.into() })
    }

    /// Wraps a model that was just trained.
    pub(crate) fn new(model: impl PairModel + 'static) -> Self {
        Self { model: Arc::new(model) }
    }

    /// What the model says of one pair.
    pub fn predict(&self, source: &str, target: &str) -> Result<Prediction> {
        self.model.predict_one(source, target)
    }

    /// What the model says of one pair, as yes or no; an error for a model whose answers are
    /// others.
    pub fn decide(&self, source: &str, target: &str) -> Result<Decision> {
        self.predict(source, target)?.decision()
    }

    /// What the model says of many pairs, in parallel and in order. A pair that cannot be judged
    /// takes no other with it. The whole fails only when the work is cancelled.
    ///
    /// ```
    /// use resay::prelude::*;
    ///
    /// let judge = Judge::bundled()?;
    /// let pairs = [("It is raining.", "It rains."), ("It is raining.", "The shop is closed.")];
    /// let said = judge.predict_all(&pairs, Progress::none())?;
    /// assert_eq!(said[0].as_ref().ok(), Some(&judge.predict(pairs[0].0, pairs[0].1)?));
    /// # Ok::<(), resay::Error>(())
    /// ```
    pub fn predict_all<S: AsRef<str> + Sync, T: AsRef<str> + Sync>(
        &self,
        pairs: &[(S, T)],
        progress: Progress<'_>,
    ) -> Result<Vec<Result<Prediction>>> {
        self.model.predict(pairs, |(source, target)| (source.as_ref(), target.as_ref()), progress)
    }

    /// Why the model says what it says of a pair: a tree whose leaves add up to the score, each
    /// with the places in the texts that it is about. The crate `resay-view` turns it into
    /// sentences, HTML and SVG.
    pub fn explain(&self, source: &str, target: &str) -> Result<Explanation> {
        Ok(self.model.explain_one(source, target, usize::MAX)?.explanation)
    }

    /// What the model says of itself: task, labels, data, cost, held-out figures, licence.
    pub fn header(&self) -> &Header {
        self.model.header()
    }

    /// The model as the bytes of a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.model.to_bytes()
    }

    /// Writes the model to a file, whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let bytes = self.to_bytes()?;
        crate::data::write_whole(path.as_ref(), |out| out.write_all(&bytes))
    }

    /// Finds out what became of the sentences of a text: the same, moved, reworded, changed in
    /// meaning, added, dropped. Differences come in the order of the new text.
    ///
    /// ```
    /// use resay::prelude::*;
    ///
    /// let judge = Judge::bundled()?;
    /// let old = DiffDocument::new("It rained all day. The ticket costs 60 euros.")?;
    /// let new = DiffDocument::new("It rained all day. The ticket costs 80 euros.")?;
    /// let kinds: Vec<DifferenceKind> =
    ///     judge.diff(&old, &new, Progress::none())?.iter().map(|difference| difference.kind).collect();
    /// assert_eq!(kinds, [DifferenceKind::Same, DifferenceKind::Changed]);
    /// # Ok::<(), resay::Error>(())
    /// ```
    pub fn diff(&self, old: &DiffDocument, new: &DiffDocument, progress: Progress<'_>) -> Result<Vec<Difference>> {
        diff::compare(&*self.model, [old, new], progress)
    }

    /// Finds texts that say the same as an earlier one.
    ///
    /// ```
    /// use resay::prelude::*;
    ///
    /// let judge = Judge::bundled()?;
    /// let lines = [
    ///     "The museum opens at nine on Sunday.",
    ///     "The ferry sank off the coast.",
    ///     "On Sunday the museum opens at nine.",
    /// ];
    /// let found = judge.dedupe(&lines, &DedupeOptions::default(), Progress::none())?;
    /// let members: Vec<u32> = found.clusters[0].members.iter().map(|member| member.text).collect();
    /// assert_eq!(members, [0, 2]);
    /// # Ok::<(), resay::Error>(())
    /// ```
    pub fn dedupe<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        options: &DedupeOptions,
        progress: Progress<'_>,
    ) -> Result<Duplicates> {
        dedupe::dedupe(texts, &*self.model, options, progress)
    }

    /// The model behind it.
    #[cfg(feature = "unstable")]
    pub fn model(&self) -> &dyn PairModel {
        &*self.model
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("header", self.header()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_judges_no_pairs_is_refused() {
        let error = Judge::open("align", &Resources::bundled()).unwrap_err().to_string();
        assert_eq!(error, "align: a model of the task 'align', expected one that judges pairs");
    }

    #[test]
    fn a_saved_judge_says_the_same() {
        let resources = Resources::bundled();
        let judge = Judge::open("paraphrase", &resources).unwrap();
        let again = Judge::from_bytes("again", &judge.to_bytes().unwrap(), &resources).unwrap();
        let pair = ("The shop opens at nine.", "At nine the shop opens.");
        assert_eq!(judge.predict(pair.0, pair.1).unwrap(), again.predict(pair.0, pair.1).unwrap());
        assert!(format!("{judge:?}").contains("paraphrase"));
    }

    #[test]
    fn explanations_add_up() {
        let judge = Judge::bundled().unwrap();
        let (source, target) = ("He paid 60 euros.", "He paid 80 euros.");
        let explanation = judge.explain(source, target).unwrap();
        let sum: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
        assert!((sum - judge.decide(source, target).unwrap().score).abs() < 1e-9);
    }
}
