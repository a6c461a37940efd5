//! Tasks: each combines data, a learner and a measure under one name. This is where labelled data
//! becomes a model.

pub mod adapt;
pub mod align;
mod annotate;
mod answers;
pub mod combined;
pub mod judgement;
mod kernel;
pub mod latent;
mod learner;
mod measure;
pub mod names;
mod plausible;
pub mod program;
mod splits;
mod sure;
pub mod topics;

pub use annotate::{AnnotationSource, annotate};
pub use answers::{AnswerOptions, Answers, Given, MAX_CLASSES, ResponseKind};
pub use kernel::{CostChoice, TrainOptions, train};
pub use learner::{KernelLearner, MAX_AUTO_GRAM, MAX_AUTO_GRAM_OF_NUMBERS, MAX_GRAM, Spectrum};
pub use measure::Measure;
pub use plausible::{Implausible, implausible};

use crate::{Error, Result};
use std::str::FromStr;

/// What to decide about a pair, document or programme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum Task {
    /// Whether both sentences mean the same.
    Paraphrase,
    /// Whether the target follows from the source.
    Entailment,
    /// Whether the target answers the question in the source. The candidates of a question form a
    /// group and are ranked.
    Answers,
    /// How similar both texts are, as a number.
    Similarity,
    /// Any labels of the user.
    Pair,
    /// Alignment of words and phrases; trained on aligned pairs by `align::train_align`.
    Align,
    /// Whether two spellings, in any two scripts, are the same name; trained on true pairs alone by
    /// [`names::train_names`].
    Names,
    /// The topics of a document; trained on documents instead of pairs by [`topics::train_topics`].
    Topics,
    /// Decisions that a user declares as 0/1 linear programmes; trained on those instead of texts
    /// by [`program::train_programs`].
    Program,
}

impl Task {
    /// All tasks by their command-line name.
    pub const NAMES: [(&'static str, Task); 9] = [
        ("paraphrase", Task::Paraphrase),
        ("entailment", Task::Entailment),
        ("similarity", Task::Similarity),
        ("answers", Task::Answers),
        ("pair", Task::Pair),
        ("names", Task::Names),
        ("topics", Task::Topics),
        ("align", Task::Align),
        ("program", Task::Program),
    ];

    /// Returns the command-line name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, task)| *task == self).map_or("", |(name, _)| name)
    }

    /// Returns the default kernel: the best on held-out folds of the training set of the MSR
    /// Paraphrase Corpus, and within a tenth of a point of the best on those of RTE-1 to RTE-3. For
    /// ranking answers, common words are weighted by their rarity.
    pub fn default_kernel(self) -> &'static str {
        match self {
            Self::Answers => "kb(k=1..4)+idf",
            Self::Topics => topics::DEFAULT_KERNEL,
            Self::Align | Self::Names | Self::Program => "",
            Self::Paraphrase | Self::Entailment | Self::Similarity | Self::Pair => "kb(k=1..4)+pr",
        }
    }

    /// Returns the default measure for choosing the cost.
    pub fn default_measure(self) -> Measure {
        if self == Self::Answers { Measure::Mrr } else { Measure::Accuracy }
    }

    /// Returns whether classes are balanced by default. Few of a question's candidates are right.
    /// On held-out folds of the TREC-QA training set, split in five ways, balancing raised MRR by
    /// 0.8 to 2.3 points and MAP by 0.4 to 1.4.
    pub fn is_balanced(self) -> bool {
        self == Self::Answers
    }
}

impl FromStr for Task {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, task)| *task).ok_or_else(|| {
            let known = Self::NAMES.map(|(known, _)| known).join(", ");
            Error::parameter(format!("unknown task '{name}', expected one of: {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Columns, Dataset};
    use crate::resources::Resources;
    use resay_learn::progress::Progress;

    #[test]
    fn tasks_have_names_and_topics_are_not_learned_from_pairs() {
        for (name, task) in Task::NAMES {
            assert_eq!((name.parse::<Task>().unwrap(), task.name()), (task, name));
        }
        assert_eq!(Task::Topics.default_kernel(), topics::DEFAULT_KERNEL);
        let pairs = "source\ttarget\tlabel\na\ta\t1\nb\tc\t0\n";
        let dataset = Dataset::from_reader("f.tsv", pairs.as_bytes(), None, &Columns::default()).unwrap();
        let trained = train(&dataset, &TrainOptions::new(Task::Topics), &Resources::bundled(), Progress::none());
        let error = trained.err().map(|error| error.to_string());
        assert!(error.unwrap_or_default().contains("learns from documents"));
    }
}
