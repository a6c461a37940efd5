//! Trains the bundled judge, `judge.resay`, on the mixture of free corpora and our own pairs.

use crate::files::Files;
use crate::mixture::{MixtureFiles, MixturePair, mixture};
use crate::models::stages;
use crate::open;
use anyhow::Result;
use resay::train::judgement::{JudgementOptions, RelationData, RelationExample, RelationSet, train_judgement};
use resay_learn::progress::Progress;

const LICENCE: &str = "CC BY-SA 4.0 (SNLI and what was made from it, MED, HELP, STS benchmark); Apache-2.0, MIT, \
    CC BY 2.0 FR and free data; our own pairs MIT OR Apache-2.0";

const NOTE: &str = "SNLI (development part), counterfactual SNLI, CONJNLI, Breaking NLI, MED, HELP, negated NLI pairs, \
    PAWS-Wiki (development part), Tatoeba, the STS benchmark without MSR pairs, and our own contrast/training; \
    thresholds and weights of features only";

/// How much a pair of our own counts beside one of the corpora.
const OWN_WEIGHT: f32 = 5.0;

/// Options of training, and the corpora that are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Corpora whose name begins like one of these are left out.
    pub(crate) without: Vec<String>,
}

/// How the judge is trained.
pub(crate) fn options() -> JudgementOptions {
    JudgementOptions { data: "free corpora+contrast/training".to_owned(), ..JudgementOptions::default() }
}

pub(crate) fn settings() -> String {
    format!("{:?} own={OWN_WEIGHT} licence={LICENCE} note={NOTE}", options())
}

/// Whether a corpus is our own: its relations are as frequent as among users' texts.
pub(crate) fn is_own(corpus: &str) -> bool {
    corpus.starts_with("own")
}

/// The mixture as training data.
pub(crate) fn data(pairs: Vec<MixturePair>, choice: &Choice) -> RelationData {
    let mut data = RelationData::default();
    for pair in pairs {
        if choice.without.iter().any(|name| pair.corpus.starts_with(name.as_str())) {
            continue;
        }
        // Our own pairs are one corpus, whatever their labels say.
        let name = if is_own(pair.corpus) { "own" } else { pair.corpus };
        let corpus = data.corpora.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            data.corpora.push((name.to_owned(), is_own(name)));
            data.corpora.len() - 1
        });
        data.examples.push(RelationExample {
            source: pair.source,
            target: pair.target,
            allowed: RelationSet::from_bits(pair.allowed),
            similarity: pair.similarity,
            weight: pair.weight * if is_own(pair.corpus) { OWN_WEIGHT } else { 1.0 },
            corpus,
            group: pair.group,
        });
    }
    data
}

pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let (data_folder, repository) = files.roots();
    let pairs = mixture(&MixtureFiles { data: data_folder, repository })?;
    let report = stages();
    let resources = open::resources(files)?;
    let data = data(pairs, &Choice::default());
    let mut model = train_judgement(&data, &options(), &resources, Progress::new(&report))?;
    model.describe(LICENCE, NOTE);
    Ok(model.save(&files.output())?)
}
