//! Tables 3, 4 and 5 of the paper on phrase alignment (Yao et al., 2013), and an ablation of
//! features.
//!
//! Four corpora: MSR06 and Edinburgh++, and both with phrases made from chunks (MSR06P, EDB++P). On
//! each, a token model and a phrase model are trained, once as in the paper (its features, the best
//! segmentation from source to target) and once as ours (all features of the model, confident
//! links). The number of steps and the threshold are tuned on held-out training pairs, nothing on a
//! test set. Figures for identical and different words, and for token and phrase blocks, are means
//! over pairs; the paper's came from counters that were never reset, so they are not compared with
//! ours.

mod ablation;
mod applications;

pub(crate) use ablation::ablate;

use super::{Measured, Row, Scored, there};
use resay::Result;
use resay::align::{AlignSettings, Decode, Direction};
use resay::data::{AlignedPair, AlignedPairs};
use resay::model::AlignModel;
use resay::resources::Resources;
use resay::train::align::{AlignOptions, align_counts, align_pairs, train_align};
use resay_learn::eval::alignment::{AlignmentFigure, Counts, LinkSubset};
use resay_learn::eval::blocks::WordLink;
use resay_learn::eval::significance::ResampleOptions;
use resay_learn::progress::{Progress, Stage};
use std::path::Path;

/// A corpus of Table 3.
pub(super) struct Corpus {
    pub(super) name: &'static str,
    train: &'static str,
    test: &'static str,
    /// The paper's token model and phrase model: precision, recall, F1, exact.
    paper: [[f64; 4]; 2],
    /// Results of other systems.
    others: &'static str,
}

pub(super) const CORPORA: [Corpus; 4] = [
    Corpus {
        name: "MSR06",
        train: "msr06/converted/RTE2_dev_M.align.txt",
        test: "msr06/converted/RTE2_test_M.align.txt",
        paper: [[93.6, 83.5, 88.3, 32.1], [92.1, 82.8, 86.8, 29.1]],
        others: "Meteor 1.4 81.9, MANLI 87.8, Sultan 2014 91.7, Sultan 2015 92.1",
    },
    Corpus {
        name: "MSR06P",
        train: "msr06/synthetic-phrases/RTE2_dev_M.synthetic-phrases.json",
        test: "msr06/synthetic-phrases/RTE2_test_M.synthetic-phrases.json",
        paper: [[92.9, 66.1, 77.2, 13.5], [83.5, 77.0, 80.1, 14.3]],
        others: "Meteor 1.4 74.7",
    },
    Corpus {
        name: "EDB++",
        train: "edinburgh/gold.train.sure.json",
        test: "edinburgh/gold.test.sure.json",
        paper: [[91.3, 82.0, 86.4, 15.0], [90.4, 81.9, 85.9, 13.7]],
        others: "Meteor 1.4 84.2, Sultan 2014 87.6, Sultan 2015 88.5, simalign with MiniLM 88.4",
    },
    Corpus {
        name: "EDB++P",
        train: "edinburgh/synthetic-phrases/gold.synthetic-phrases.train.sure.json",
        test: "edinburgh/synthetic-phrases/gold.synthetic-phrases.test.sure.json",
        paper: [[90.7, 55.8, 69.1, 2.3], [82.3, 65.3, 72.8, 1.6]],
        others: "Meteor 1.4 71.9",
    },
];

/// The feature groups of the paper, or their equivalents.
const PAPERS: [&str; 11] =
    ["bias", "string", "lemma", "pos", "position", "wordnet", "ppdb", "names", "distortion", "context", "vectors"];

const BY_PAPER: &str = "the paper's features, best forward";
const BY_OURS: &str = "ours, confident links";

pub(super) fn read(folder: &Path, file: &str) -> Result<AlignedPairs> {
    AlignedPairs::read(&there(folder, file)?, None)
}

/// The two models.
pub(super) fn models() -> [(&'static str, AlignSettings); 2] {
    [("token", AlignSettings::tokens()), ("phrase", AlignSettings::phrases())]
}

pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    let total = CORPORA.len() * 4 + 1;
    let mut done = 0;
    for (number, corpus) in CORPORA.iter().enumerate() {
        let (train, test) = (read(folder, corpus.train)?, read(folder, corpus.test)?);
        let same: Vec<Vec<WordLink>> = test.rows.iter().map(same_words).collect();
        rows(&mut measured, corpus, "same words, from left to right", "no training", &test, &same, None, None, seed)?;
        for (at, (name, settings)) in models().into_iter().enumerate() {
            for (protocol, decode) in [(BY_PAPER, Decode::Best(Direction::Forward)), (BY_OURS, Decode::Confident(None))]
            {
                let mut settings = settings.clone();
                if protocol == BY_PAPER {
                    settings.features.retain(|piece| {
                        PAPERS.contains(&piece.as_str()) || (at == 1 && matches!(&**piece, "chunks" | "phrases"))
                    });
                }
                let (before, what) = (done, format!("{}, {name}", corpus.name));
                progress.report_on(Stage::Measure, &what, before, total)?;
                let model = train_align(&train, &AlignOptions::new(settings), resources, progress.quiet())?;
                let found: Vec<Vec<WordLink>> = align_pairs(&model, &test, decode, progress.quiet())?
                    .iter()
                    .map(|aligned| aligned.alignment.pairs())
                    .collect();
                let paper = Some(corpus.paper[at]);
                rows(&mut measured, corpus, name, protocol, &test, &found, paper, Some(&model), seed)?;
                // The model that fits the corpus: tokens if the gold standard links words, phrases
                // if it has phrases.
                if protocol == BY_OURS && number % 2 == at {
                    measured.scores.extend(each_pair(corpus.name, name, &test, &found));
                }
                done += 1;
            }
        }
    }
    progress.report_on(Stage::Measure, "applications", total - 1, total)?;
    applications::measure(folder, resources, progress.quiet(), &mut measured)?;
    Ok(measured)
}

/// One row per figure.
#[allow(clippy::too_many_arguments, reason = "all that a row says")]
fn rows(
    measured: &mut Measured,
    corpus: &Corpus,
    system: &str,
    protocol: &'static str,
    test: &AlignedPairs,
    found: &[Vec<WordLink>],
    paper: Option<[f64; 4]>,
    model: Option<&AlignModel>,
    seed: u64,
) -> Result<()> {
    let row = |metric: &'static str, value: f64, paper: Option<f64>, note: String| Row {
        dataset: corpus.name,
        system: system.to_owned(),
        protocol,
        cost: 0.0,
        metric,
        value: 100.0 * value,
        held_out: model.filter(|_| metric == "F1").and_then(|model| model.about().header.held_out).map(|f1| 100.0 * f1),
        paper,
        note,
    };
    let all = align_counts(test, found, LinkSubset::All, false);
    let options = ResampleOptions { seed, ..ResampleOptions::default() };
    let interval = AlignmentFigure::F1.interval(&all, &options)?;
    let note = format!("95 % interval {:.1} to {:.1}; {}", 100.0 * interval.low, 100.0 * interval.high, corpus.others);
    for (at, (metric, figure)) in [
        ("precision", AlignmentFigure::Precision),
        ("recall", AlignmentFigure::Recall),
        ("F1", AlignmentFigure::F1),
        ("exact", AlignmentFigure::Exact),
    ]
    .into_iter()
    .enumerate()
    {
        let note = if at == 2 { note.clone() } else { String::new() };
        measured.rows.push(row(metric, figure.of(&all), paper.map(|paper| paper[at]), note));
    }
    let parts = [
        (LinkSubset::Identical, ["precision, identical", "recall, identical", "F1, identical"]),
        (LinkSubset::Different, ["precision, different", "recall, different", "F1, different"]),
        (LinkSubset::Tokens, ["precision, token blocks", "recall, token blocks", "F1, token blocks"]),
        (LinkSubset::Phrases, ["precision, phrase blocks", "recall, phrase blocks", "F1, phrase blocks"]),
    ];
    for (part, metrics) in parts {
        let counts: Vec<Counts> = align_counts(test, found, part, false);
        for (metric, figure) in
            metrics.into_iter().zip([AlignmentFigure::Precision, AlignmentFigure::Recall, AlignmentFigure::F1])
        {
            measured.rows.push(row(metric, figure.of(&counts), None, String::new()));
        }
    }
    Ok(())
}

/// F1 of every pair, so that two versions can be compared, and whether it was exact.
fn each_pair(dataset: &'static str, system: &str, test: &AlignedPairs, found: &[Vec<WordLink>]) -> Vec<Scored> {
    let counts = align_counts(test, found, LinkSubset::All, false);
    let scored = |(pair, counts): (&AlignedPair, Counts)| Scored {
        dataset,
        system: system.to_owned(),
        id: pair.id.clone(),
        label: counts.is_exact(),
        score: counts.f1(),
    };
    test.rows.iter().zip(counts).map(scored).collect()
}

/// The simplest aligner: every target word is linked to the first identical source word, ignoring
/// case, that is not yet linked.
fn same_words(pair: &AlignedPair) -> Vec<WordLink> {
    let mut is_taken = vec![false; pair.source.len()];
    let mut links = Vec::new();
    for (target, word) in pair.target.iter().enumerate() {
        let word = word.to_lowercase();
        let free =
            (0..pair.source.len()).find(|&source| !is_taken[source] && pair.source[source].to_lowercase() == word);
        if let Some(source) = free {
            is_taken[source] = true;
            links.push((source as u32, target as u32));
        }
    }
    links.sort_unstable();
    links
}
