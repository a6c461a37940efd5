//! The pairs that the judge of relations is trained on: a mixture of corpora, each of which fixes
//! what it knows.
//!
//! A corpus of paraphrases says that two texts are equivalent, or that they are not; a corpus of
//! entailment says that one follows from the other, and not whether the reverse holds, too. So a
//! pair carries the set of relations that are still possible. Only data that may be used freely is
//! read, and no test part of anything.

mod corpora;
mod generate;
mod groups;
mod mined;
mod own;
mod strangers;
mod table;
mod wording;

use anyhow::Result;
use groups::Groups;
use resay_learn::rng::SplitMix;
use std::path::PathBuf;

/// Both texts say the same.
pub(crate) const EQUIVALENT: u8 = 1;
/// The target follows from the source, but not the source from the target.
pub(crate) const FORWARD: u8 = 2;
/// The source follows from the target, but not the target from the source.
pub(crate) const BACKWARD: u8 = 4;
/// Both cannot be true of the same situation.
pub(crate) const CONTRADICTION: u8 = 8;
/// None of these.
pub(crate) const NEUTRAL: u8 = 16;
const NOT_EQUIVALENT: u8 = ANY ^ EQUIVALENT;
const ANY: u8 = 31;

/// The seed of every draw.
const SEED: u64 = 7;

/// Where the pairs lie.
#[derive(Clone, Debug)]
pub(crate) struct MixtureFiles {
    /// The folder of the corpora.
    pub(crate) data: PathBuf,
    /// The root of the repository, with the folder `contrast`.
    pub(crate) repository: PathBuf,
}

/// Two texts, and what is known about their relation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MixturePair {
    pub(crate) source: String,
    pub(crate) target: String,
    /// The relations that are possible, one bit each.
    pub(crate) allowed: u8,
    /// How similar people find them, from 0 to 1.
    pub(crate) similarity: Option<f32>,
    pub(crate) weight: f32,
    pub(crate) corpus: &'static str,
    /// What decides it, in the words of its corpus; may be empty.
    pub(crate) phenomenon: String,
    /// What the texts are about, in the words of the corpus; may be empty.
    pub(crate) domain: String,
    /// Pairs of one group stay together when pairs are split into folds.
    pub(crate) group: String,
}

impl MixturePair {
    fn new(corpus: &'static str, [source, target]: [&str; 2], allowed: u8, weight: f32) -> Self {
        let [source, target] = [source, target].map(|text| text.trim().replace('\t', " "));
        let [phenomenon, domain, group] = [const { String::new() }; 3];
        Self { source, target, allowed, similarity: None, weight, corpus, phenomenon, domain, group }
    }

    fn texts(&self) -> [&str; 2] {
        [&self.source, &self.target]
    }
}

/// All pairs, corpus by corpus. The same files give the same pairs.
pub(crate) fn mixture(files: &MixtureFiles) -> Result<Vec<MixturePair>> {
    let mut pairs = corpora::read(&files.data)?;
    pairs.extend(own::read(&files.repository)?);
    let mut groups = Groups::default();
    pairs.iter().for_each(|pair| groups.join(pair.texts()));
    let sentences = corpora::sentences(&files.data)?;
    let mined = mined::mine(&sentences, &pairs, &mut groups, &mut SplitMix::stream(SEED, 1));
    pairs.extend(mined);
    let strangers = strangers::draw(&pairs, &mut groups, &mut SplitMix::stream(SEED, 2));
    pairs.extend(strangers);
    let generated = generate::generated(&sentences, generate::CAP, &mut SplitMix::stream(SEED, 3));
    generated.iter().for_each(|pair| groups.join([&pair.source, &pair.group]));
    pairs.extend(generated);
    pairs.retain(|pair| !pair.source.is_empty() && !pair.target.is_empty());
    for pair in &mut pairs {
        pair.group = groups.name(&pair.source);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// Where the corpora are, if they are.
    fn files() -> Option<MixtureFiles> {
        resay_testing::corpus("the mixture of pairs", "nli/snli_dev.tsv")?;
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Some(MixtureFiles { data: resay_testing::corpora(), repository })
    }

    #[test]
    fn the_mixture_keeps_its_promises() {
        let Some(files) = files() else { return };
        let pairs = mixture(&files).unwrap();
        let mut counts: BTreeMap<(&str, u8), usize> = BTreeMap::new();
        for pair in &pairs {
            *counts.entry((pair.corpus, pair.allowed)).or_default() += 1;
            assert!(pair.allowed > 0 && pair.allowed <= ANY && pair.weight > 0.0, "{pair:?}");
            assert!(!pair.source.is_empty() && !pair.target.is_empty() && !pair.group.is_empty(), "{pair:?}");
            assert!(pair.similarity.is_none_or(|similarity| (0.0..=1.0).contains(&similarity)), "{pair:?}");
        }
        println!("{} pairs: {counts:#?}", pairs.len());
        // Nothing that is read as a paraphrase is mined as a near miss.
        let ordered = |pair: &MixturePair| {
            let [a, b] = pair.texts().map(wording::normal);
            if a < b { (a, b) } else { (b, a) }
        };
        let same: BTreeSet<_> = pairs.iter().filter(|pair| pair.allowed == EQUIVALENT).map(ordered).collect();
        for pair in pairs.iter().filter(|pair| pair.corpus.starts_with("mined") || pair.corpus == "strangers") {
            assert!(!same.contains(&ordered(pair)), "{pair:?}");
        }
        assert_eq!(pairs, mixture(&files).unwrap());
    }
}
