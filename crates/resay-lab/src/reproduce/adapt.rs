//! Learning curves of adapted models: a bundled judge as it is, an ensemble trained from scratch, and
//! the judge adapted to the same few pairs. Pairs to learn from are drawn from the first half of a
//! development set, and all three are measured on pairs of its second half. No test set is read.

use super::answers::{Kind, read};
use super::{Measured, Row, there};
use resay::data::Dataset;
use resay::model::{AnyModel, PairModel};
use resay::resources::Resources;
use resay::train::adapt::{AdaptOptions, adapt};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::{AnswerOptions, Answers, Task};
use resay::{Error, Result};
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;
use std::path::Path;

/// How many labels a user has.
const SIZES: [usize; 6] = [25, 50, 100, 200, 400, 800];
/// How many samples are drawn of each size.
const SAMPLES: u64 = 5;
/// How many pairs are measured on.
const MEASURED: usize = 1000;

/// A development set and the model to start from.
struct Set {
    name: &'static str,
    file: &'static str,
    kind: Kind,
    task: Task,
    positive: &'static str,
    origin: &'static str,
}

const SETS: [Set; 2] = [
    Set {
        name: "PAWS-wiki dev",
        file: "paws_wiki/dev.tsv",
        kind: Kind::Paws,
        task: Task::Paraphrase,
        positive: "1",
        origin: "judge",
    },
    Set {
        name: "SNLI dev",
        file: "nli/snli_dev.tsv",
        kind: Kind::Plain,
        task: Task::Entailment,
        positive: "entailment",
        origin: "judge-entailment",
    },
];

/// Accuracy in percent, and log loss.
type Quality = [f64; 2];

pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    SETS.iter().try_for_each(|set| there(folder, set.file).map(|_| ()))?;
    let mut measured = Measured::default();
    let (mut done, total) = (0, SETS.len() * SIZES.len() * SAMPLES as usize);
    for set in &SETS {
        let all = read(folder, set.file, set.kind)?;
        let middle = all.len() / 2;
        let last = (middle + MEASURED).min(all.len());
        let test = all.subset(&(middle..last).collect::<Vec<_>>());
        let answers = AnswerOptions { positive: Some(set.positive.to_owned()), ..AnswerOptions::default() };
        let gold = Answers::of(&test, set.task, &answers)?;
        let gold = gold.labels().ok_or_else(|| Error::data("labels of another kind than yes or no"))?;
        let origin = || AnyModel::bundled(set.origin, resources);
        let as_it_is = quality(&*pair_model(origin()?)?, &test, gold, progress.quiet())?;
        push(&mut measured, set, format!("{} as it is", set.origin), 0, as_it_is);
        for size in SIZES {
            let (mut scratch, mut adapted) = ([0.0; 2], [0.0; 2]);
            for sample in 0..SAMPLES {
                progress.report_on(Stage::Measure, set.name, done, total)?;
                done += 1;
                let mut pool: Vec<usize> = (0..middle).collect();
                SplitMix::stream(seed, sample).shuffle(&mut pool);
                let few = all.subset(&pool[..size.min(middle)]);
                let options = AdaptOptions { answers: answers.clone(), seed, ..AdaptOptions::new(set.task) };
                let model = adapt(&few, origin()?, set.origin, &options, resources, progress.quiet())?;
                add(&mut adapted, quality(&*pair_model(model)?, &test, gold, progress.quiet())?);
                let options = CombinedOptions { answers: answers.clone(), seed, ..CombinedOptions::new(set.task) };
                let model = train_combined(&few, None, &options, resources, progress.quiet())?;
                add(&mut scratch, quality(&model, &test, gold, progress.quiet())?);
            }
            push(&mut measured, set, "ensemble from scratch".to_owned(), size, scratch);
            push(&mut measured, set, format!("{} adapted", set.origin), size, adapted);
        }
    }
    Ok(measured)
}

fn pair_model(model: AnyModel) -> Result<Box<dyn PairModel>> {
    model.into_pair_model().map_err(|_| Error::data("a model that does not decide about pairs"))
}

/// Adds what one sample contributes to the mean.
fn add(mean: &mut Quality, of_sample: Quality) {
    mean.iter_mut().zip(of_sample).for_each(|(mean, value)| *mean += value / SAMPLES as f64);
}

fn quality(model: &dyn PairModel, test: &Dataset, gold: &[bool], progress: Progress<'_>) -> Result<Quality> {
    let texts: Vec<(&str, &str)> = test.rows.iter().map(|pair| (&*pair.source, &*pair.target)).collect();
    let (mut right, mut loss) = (0.0, 0.0);
    for (prediction, label) in model.predict(&texts, |pair| *pair, progress)?.into_iter().zip(gold) {
        let decision = prediction?.decision()?;
        right += f64::from(u8::from(decision.label == *label));
        let share = if *label { decision.probability } else { 1.0 - decision.probability };
        loss -= share.max(1e-15).ln();
    }
    let n = gold.len().max(1) as f64;
    Ok([100.0 * right / n, loss / n])
}

fn push(measured: &mut Measured, set: &Set, system: String, size: usize, quality: Quality) {
    let system = if size == 0 { system } else { format!("{system}, {size} labels") };
    for (metric, value) in ["accuracy", "log loss"].into_iter().zip(quality) {
        let note = if size == 0 { String::new() } else { format!("mean of {SAMPLES} samples") };
        let (dataset, protocol) = (set.name, "half of a development set");
        measured.rows.push(Row {
            dataset,
            system: system.clone(),
            protocol,
            cost: 0.0,
            metric,
            value,
            held_out: None,
            paper: None,
            note,
        });
    }
}
