//! What each ingredient of the bundled judge is worth: it is trained without one of them at a time,
//! and answers pairs of phenomena, of domains and of generators that it has not learned from.
//!
//! Some phenomena and some domains of our own pairs are held out whole, drawn by their names, and some
//! generators of contrast pairs. No pair of the contrast suite is read.

use super::{Measured, Row};
use crate::judgement::{Choice, data, is_own, options};
use crate::mixture::{MixtureFiles, mixture};
use resay::id::TextRelation;
use resay::resources::Resources;
use resay::train::judgement::{Ingredient, JudgementStudy, RelationData, RelationSet, StudyAnswer};
use resay::{Error, Result};
use resay_learn::boost::BoostParams;
use resay_learn::eval::significance::mcnemar;
use resay_learn::progress::{Progress, Stage};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// One of so many phenomena, domains and generators is held out.
const SHARE: u64 = 4;

const SETS: [&str; 3] = ["phenomena held out", "domains held out", "generators held out"];

/// What a training leaves out.
#[derive(Clone, Copy, PartialEq)]
enum LeftOut {
    Nothing,
    Ingredient(Ingredient),
    OwnPairs,
    Corpora,
    Generated,
}

impl LeftOut {
    fn name(self) -> String {
        match self {
            Self::Nothing => "judge".to_owned(),
            Self::Ingredient(ingredient) => format!("without {}", ingredient.name()),
            Self::OwnPairs => "without our own pairs".to_owned(),
            Self::Corpora => "without free corpora".to_owned(),
            Self::Generated => "without generated pairs".to_owned(),
        }
    }

    /// Whether a corpus is learned from.
    fn keeps(self, corpus: &str) -> bool {
        match self {
            Self::OwnPairs => !is_own(corpus),
            Self::Corpora => is_own(corpus) || corpus == "generated",
            Self::Generated => corpus != "generated",
            _ => true,
        }
    }
}

fn is_drawn(name: &str) -> bool {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish().is_multiple_of(SHARE)
}

/// The mixture, and which of its examples are asked.
struct Asked {
    data: RelationData,
    /// By set.
    asked: [Vec<usize>; SETS.len()],
    /// What may be learned from.
    learned: Vec<usize>,
}

fn asked(folder: &Path) -> Result<Asked> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pairs = mixture(&MixtureFiles { data: folder.to_owned(), repository })
        .map_err(|error| Error::data(format!("{error:#}")))?;
    let of_pair: Vec<[bool; SETS.len()]> = pairs
        .iter()
        .map(|pair| {
            let is_named = |name: &str| !name.is_empty() && is_drawn(name);
            [
                pair.corpus == "own-relations" && is_named(&pair.phenomenon),
                pair.corpus == "own-relations" && is_named(&pair.domain),
                pair.corpus == "generated" && is_named(&pair.phenomenon),
            ]
        })
        .collect();
    let data = data(pairs, &Choice::default());
    let asked = std::array::from_fn(|set: usize| (0..of_pair.len()).filter(|&at| of_pair[at][set]).collect::<Vec<_>>());
    let groups: BTreeSet<&str> = asked.iter().flatten().map(|&at| data.examples[at].group.as_str()).collect();
    let learned = (0..of_pair.len()).filter(|&at| !groups.contains(data.examples[at].group.as_str())).collect();
    Ok(Asked { asked, learned, data })
}

/// Whether texts that say the same are told from others, and whether the relation is right.
fn is_right(allowed: RelationSet, answer: &StudyAnswer) -> [bool; 2] {
    let relation = answer.relation();
    let same = RelationSet::of(&[TextRelation::Equivalent]);
    [(allowed == same) == (relation == TextRelation::Equivalent), allowed.has(relation)]
}

pub(super) fn measure(folder: &Path, _seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let Asked { data, asked, learned } = asked(folder)?;
    // Fewer trees than the judge has, at larger steps: ten trainings, and differences that are as large.
    let mut options = options();
    options.relations = BoostParams { rounds: 90, rate: 0.2, leaves: 24, ..options.relations };
    options.similarity = BoostParams { rounds: 1, ..options.similarity };
    let all = [LeftOut::Nothing, LeftOut::OwnPairs, LeftOut::Corpora, LeftOut::Generated];
    let all: Vec<LeftOut> = all.into_iter().chain(Ingredient::ALL.map(LeftOut::Ingredient)).collect();
    let everything: Vec<usize> = asked.iter().flatten().copied().collect();
    let seen = JudgementStudy::new(&data, &options, &[], resources, progress.quiet())?;
    // Of the training with everything: by answer.
    let mut whole: Vec<[bool; 2]> = Vec::new();
    let mut measured = Measured::default();
    for (at, left_out) in all.iter().enumerate() {
        progress.report_on(Stage::Measure, &left_out.name(), at, all.len())?;
        let is_kept = |at: &&usize| left_out.keeps(&data.corpora[data.examples[**at].corpus].0);
        let learned: Vec<usize> = learned.iter().filter(is_kept).copied().collect();
        let answers = match left_out {
            LeftOut::Ingredient(ingredient) if ingredient.changes_others() => {
                JudgementStudy::new(&data, &options, &[*ingredient], resources, progress.quiet())?
                    .answer(&learned, &everything)?
            }
            LeftOut::Ingredient(ingredient) => seen.without(*ingredient).answer(&learned, &everything)?,
            _ => seen.answer(&learned, &everything)?,
        };
        let right: Vec<[bool; 2]> = everything
            .iter()
            .zip(&answers)
            .map(|(&example, answer)| is_right(data.examples[example].allowed, answer))
            .collect();
        if *left_out == LeftOut::Nothing {
            whole.clone_from(&right);
        }
        let mut begin = 0;
        for (set, dataset) in SETS.into_iter().enumerate() {
            let range = begin..begin + asked[set].len();
            begin = range.end;
            for (metric, which) in [("says the same", 0), ("relation", 1)] {
                let of = |right: &[[bool; 2]]| right[range.clone()].iter().map(|one| one[which]).collect::<Vec<bool>>();
                let (own, full) = (of(&right), of(&whole));
                let n_right = own.iter().filter(|right| **right).count();
                let note = if *left_out == LeftOut::Nothing {
                    format!("{} pairs", own.len())
                } else {
                    format!("{} pairs, against the judge: p {:.4}", own.len(), mcnemar(&own, &full))
                };
                measured.rows.push(Row {
                    dataset,
                    system: left_out.name(),
                    protocol: "held out whole",
                    cost: 0.0,
                    metric,
                    value: 100.0 * n_right as f64 / own.len().max(1) as f64,
                    held_out: None,
                    paper: None,
                    note,
                });
            }
        }
    }
    Ok(measured)
}
