//! Task models: the aligner, the rewrite-rule models and the judges.
//!
//! Each is a row of options that determines both the training and the settings in the record.

use crate::files::Files;
use crate::open;
use anyhow::{Context, Result, ensure};
use resay::align::AlignSettings;
use resay::data::{AlignedPairs, Columns, Dataset};
use resay::model::{Header, Pruning};
use resay::train::align::{AlignOptions, train_align};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::{self, CostChoice, Task, TrainOptions};
use resay_learn::progress::{Progress, Step};
use resay_learn::svm::search::cost_grid;
use resay_text::Units;
use std::path::PathBuf;
use std::sync::Mutex;

/// Contrast training pairs for the judges: each pair differs in one respect.
pub(crate) const CONTRAST: &str = "contrast/training.tsv";

/// The seed of all random choices: folds, the order of rows, sampled negatives.
const SEED: u64 = 1;

/// The aligner.
pub(crate) struct Aligner {
    /// Maximum number of words in a phrase.
    longest: usize,
    /// The licence of the training data.
    licence: &'static str,
    note: &'static str,
}

/// `align.resay`.
pub(crate) const ALIGN: Aligner =
    Aligner { longest: 3, licence: "Apache-2.0", note: "Edinburgh++ (train part), Apache 2.0; weights only" };

impl Aligner {
    /// Fills in the metadata that only the builder of a model knows.
    fn say(&self, header: &mut Header) {
        header.licence = self.licence.to_owned();
        header.note = self.note.to_owned();
    }

    fn options(&self) -> AlignOptions {
        AlignOptions::new(AlignSettings { longest: self.longest, ..AlignSettings::phrases() })
    }

    pub(crate) fn settings(&self) -> String {
        let AlignOptions { settings, possible, synthesise } = self.options();
        let AlignSettings { features, longest, l2, costs, max_steps } = settings;
        let features = features.join(",");
        format!(
            "features={features} longest={longest} l2={l2} costs={:?} max-steps={max_steps} possible={possible} \
             synthesise={synthesise} licence={} note={}",
            [costs.missed, costs.extra, costs.wrong],
            self.licence,
            self.note
        )
    }

    pub(crate) fn make(&self, files: &Files<'_>) -> Result<()> {
        let paths = files.corpora();
        let mut pairs: Option<AlignedPairs> = None;
        for path in &paths {
            let next = AlignedPairs::read(path, None)?;
            match &mut pairs {
                None => pairs = Some(next),
                Some(pairs) => pairs.append(next),
            }
        }
        let mut pairs = pairs.context("no corpus to learn from")?;
        pairs.name = joined_name(&paths);
        let mut model = train_align(&pairs, &self.options(), &open::resources(files)?, Progress::new(&stages()))?;
        self.say(model.header_mut());
        Ok(model.save(&files.output())?)
    }
}

/// A rewrite-rule model.
pub(crate) struct Rules {
    task: Task,
    kernel: &'static str,
    max_rules: usize,
    /// The licence of the training data.
    licence: &'static str,
    note: &'static str,
}

/// `paraphrase.resay`.
pub(crate) const PARAPHRASE: Rules = Rules {
    task: Task::Paraphrase,
    kernel: "kb(k=1..4)+pr",
    max_rules: 50_000,
    licence: "Microsoft shared source licence",
    note: "MSR Paraphrase Corpus (train part), Microsoft shared source licence; rules and weights only",
};

/// `entailment.resay`.
pub(crate) const ENTAILMENT: Rules = Rules {
    task: Task::Entailment,
    kernel: "kb(k=1..4)+pr",
    max_rules: 50_000,
    licence: "for research",
    note: "RTE-1 and RTE-2 (dev and test), RTE-3 (dev), for research; rules and weights only",
};

impl Rules {
    /// Fills in the metadata that only the builder of a model knows.
    fn say(&self, header: &mut Header) {
        header.licence = self.licence.to_owned();
        header.note = self.note.to_owned();
    }

    const COSTS: [f64; 2] = [0.01, 100.0];
    const FOLDS: usize = 10;

    fn options(&self) -> Result<TrainOptions<'static>> {
        Ok(TrainOptions {
            kernel: self.kernel.to_owned(),
            units: Units::Stems,
            costs: cost_grid(Self::COSTS[0], Self::COSTS[1])?,
            choice: CostChoice::Folds(Self::FOLDS),
            pruning: Pruning { min_support: 2, max_rules: self.max_rules, examples: false },
            seed: SEED,
            ..TrainOptions::new(self.task)
        })
    }

    pub(crate) fn settings(&self) -> String {
        let Self { task, kernel, max_rules, licence, note } = self;
        format!(
            "task={} kernel={kernel} units={} costs={:?} folds={} min-support=2 max-rules={max_rules} no-examples \
             seed={SEED} licence={licence} note={note}",
            task.name(),
            Units::Stems.name(),
            Self::COSTS,
            Self::FOLDS
        )
    }

    pub(crate) fn make(&self, files: &Files<'_>) -> Result<()> {
        let mut model = train::train(
            &pairs(&files.corpora())?,
            &self.options()?,
            &open::resources(files)?,
            Progress::new(&stages()),
        )?;
        self.say(model.header_mut());
        Ok(model.save(&files.output())?)
    }
}

/// A judge: the ensemble of all base models and features.
pub(crate) struct Judge {
    task: Task,
    max_rules: usize,
    /// The cost, unless it is chosen by cross-validation.
    cost: Option<f64>,
    /// Phenomena excluded from the contrast training pairs.
    without: &'static [&'static str],
    /// The licence of the training data.
    licence: &'static str,
    note: &'static str,
}

/// `judge-paraphrase.resay`.
pub(crate) const JUDGE_PARAPHRASE: Judge = Judge {
    task: Task::Paraphrase,
    max_rules: 20_000,
    cost: Some(0.02),
    without: &[],
    licence: "Microsoft shared source licence; our own pairs MIT OR Apache-2.0",
    note: "MSR Paraphrase Corpus (train part), Microsoft shared source licence, and our own contrast/training.tsv; rules \
        and weights only",
};

/// `judge-entailment.resay`. Pairs about quantifiers and tense may have another label in entailment
/// ("all" entails "some"), and the reworded pairs were written for paraphrase.
pub(crate) const JUDGE_ENTAILMENT: Judge = Judge {
    task: Task::Entailment,
    max_rules: 20_000,
    cost: None,
    without: &["quantifier", "tense", "reworded"],
    licence: "for research; our own pairs MIT OR Apache-2.0",
    note: "RTE-1 and RTE-2 (dev and test), RTE-3 (dev), for research, and our own contrast/training.tsv without quantifier \
        and tense; rules and weights only",
};

impl Judge {
    /// Fills in the metadata that only the builder of a model knows.
    fn say(&self, header: &mut Header) {
        header.licence = self.licence.to_owned();
        header.note = self.note.to_owned();
    }

    fn options(&self) -> CombinedOptions {
        let defaults = CombinedOptions::new(self.task);
        CombinedOptions {
            costs: self.cost.map_or_else(|| defaults.costs.clone(), |cost| vec![cost]),
            max_rules: self.max_rules,
            seed: SEED,
            ..defaults
        }
    }

    pub(crate) fn settings(&self) -> String {
        let CombinedOptions {
            task,
            answers: _,
            costs,
            folds,
            measure,
            rules,
            typed,
            precision: _,
            strangers,
            max_rules,
            seed,
        } = self.options();
        format!(
            "task={} costs={costs:?} folds={folds} measure={} rules={} {} typed={} {} strangers={strangers} \
             max-rules={max_rules} seed={seed} without={} licence={} note={}",
            task.name(),
            measure.name(),
            rules.0,
            rules.1,
            typed.0,
            typed.1,
            self.without.join(","),
            self.licence,
            self.note
        )
    }

    pub(crate) fn make(&self, files: &Files<'_>) -> Result<()> {
        let dataset = pairs(&files.corpora())?;
        let (path, text) = files.own_text(CONTRAST)?;
        let name = path.display().to_string();
        let text = practised(&text, self.without).with_context(|| name.clone())?;
        let contrast = Dataset::from_reader(&name, text.as_bytes(), None, &Columns::default())?;
        let resources = open::resources(files)?;
        let report = stages();
        let mut model = train_combined(&dataset, Some(&contrast), &self.options(), &resources, Progress::new(&report))?;
        self.say(model.header_mut());
        Ok(model.save(&files.output())?)
    }
}

/// The pairs of all files, concatenated.
fn pairs(paths: &[PathBuf]) -> Result<Dataset> {
    let mut joined: Option<Dataset> = None;
    for path in paths {
        let next = Dataset::read(path, None, &Columns::default())?;
        match &mut joined {
            None => joined = Some(next),
            Some(joined) => joined.append(next),
        }
    }
    let mut joined = joined.context("no corpus to learn from")?;
    joined.name = joined_name(paths);
    Ok(joined)
}

/// The file names of the data, without folders.
fn joined_name(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    paths.iter().map(name).collect::<Vec<_>>().join("+")
}

/// The header of a table of pairs and the lines that are not about these phenomena (the second
/// column).
fn practised(text: &str, without: &[&str]) -> Result<String> {
    let phenomenon = |line: &str| line.split('\t').nth(1).unwrap_or_default().to_owned();
    let header = text.lines().next().unwrap_or_default();
    ensure!(phenomenon(header) == "phenomenon", "line 1: expected the second column to be 'phenomenon'");
    let is_kept = |line: &&str| !without.contains(&phenomenon(line).as_str());
    Ok(text.split_inclusive('\n').filter(is_kept).collect())
}

/// Prints each stage when it starts.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn stages() -> impl Fn(Step<'_>) + Sync {
    let last = Mutex::new(None);
    move |step| {
        if let Ok(mut last) = last.lock()
            && *last != Some(step.stage)
        {
            *last = Some(step.stage);
            println!("  {:?}", step.stage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_practised_is_left_out_line_by_line() {
        let text = "id\tphenomenon\tsource\na\ttense\tx\nb\tpassive\ttense\nc\treworded\ty\nd\tpassive\tz";
        let check = |without: &[&str], expected: &str| {
            let ids = practised(text, without).unwrap().lines().map(|line| line[..1].to_owned()).collect::<String>();
            assert_eq!(ids, expected, "{without:?}");
        };
        check(&[], "iabcd");
        check(&["tense"], "ibcd");
        check(&["tense", "reworded"], "ibd");
        assert_eq!(practised(text, &[]).unwrap(), text);
        assert!(practised("id\tlabel\na\ttense\n", &["tense"]).is_err());
    }

    /// The settings in the record follow from the options, so they always change together.
    #[test]
    fn settings_tell_models_apart() {
        let all = [
            ALIGN.settings(),
            PARAPHRASE.settings(),
            ENTAILMENT.settings(),
            JUDGE_PARAPHRASE.settings(),
            JUDGE_ENTAILMENT.settings(),
        ];
        for (at, settings) in all.iter().enumerate() {
            assert!(!all[..at].contains(settings), "{settings}");
        }
        assert!(JUDGE_PARAPHRASE.settings().contains("costs=[0.02]"));
        assert_ne!(Judge { cost: None, ..JUDGE_PARAPHRASE }.settings(), JUDGE_PARAPHRASE.settings());
        assert_ne!(Judge { without: &[], ..JUDGE_ENTAILMENT }.settings(), JUDGE_ENTAILMENT.settings());
        assert_ne!(Aligner { longest: 2, ..ALIGN }.settings(), ALIGN.settings());
        assert_ne!(Rules { max_rules: 1, ..PARAPHRASE }.settings(), PARAPHRASE.settings());
    }

    /// The aligner's annotation layers determine when it must be rebuilt.
    #[test]
    fn the_aligner_needs_no_entities_and_no_parser() {
        let layers = ALIGN.options().settings.layers().unwrap();
        assert!(layers.tags && layers.lemmas && layers.chunks && !layers.entities && !layers.heads);
    }
}
