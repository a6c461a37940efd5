//! Tasks: data, learner and measure joined by name. This is where a file of labelled pairs becomes a model.

pub mod align;
mod annotate;
pub mod combined;
mod kernel;
pub mod latent;
mod learner;
pub mod names;
pub mod program;
mod splits;
pub mod topics;

pub use annotate::{AnnotationSource, annotate};
pub use kernel::{CostChoice, Measure, TrainOptions, train};
pub use learner::{KernelLearner, MAX_AUTO_GRAM, MAX_GRAM, Spectrum};

use crate::data::Dataset;
use crate::{Error, Result};
use std::str::FromStr;

/// What is to be decided about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum Task {
    /// Whether both sentences say the same.
    Paraphrase,
    /// Whether the target follows from the source.
    Entailment,
    /// Whether the target answers the question that is the source; candidates of one question are a group, and are
    /// ranked.
    Answers,
    /// Whatever two labels the user has.
    Pair,
    /// Which words and phrases correspond; learned from aligned pairs, by [`align::train_align`].
    Align,
    /// Whether two spellings, in any two scripts, are one name; learned from true pairs alone, by [`names::train_names`].
    Names,
    /// Which topics a document is of; learned from documents instead of pairs, by [`topics::train_topics`].
    Topics,
    /// Whatever a user declares as 0/1 linear programmes; learned from those instead of texts, by
    /// [`program::train_programs`].
    Program,
}

impl Task {
    /// Every task, by its name on the command line.
    pub const NAMES: [(&'static str, Task); 8] = [
        ("paraphrase", Task::Paraphrase),
        ("entailment", Task::Entailment),
        ("answers", Task::Answers),
        ("pair", Task::Pair),
        ("names", Task::Names),
        ("topics", Task::Topics),
        ("align", Task::Align),
        ("program", Task::Program),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, task)| *task == self).map_or("", |(name, _)| name)
    }

    /// The kernel that is learned with unless another is asked for: the best on held-out folds of the MSR paraphrase
    /// corpus' training set, and within a tenth of a point of the best on those of RTE-1 to RTE-3.
    /// Where answers are ranked, common words weigh by how rare they are.
    pub fn default_kernel(self) -> &'static str {
        match self {
            Self::Answers => "kb(k=1..4)+idf",
            Self::Topics => topics::DEFAULT_KERNEL,
            Self::Align | Self::Names | Self::Program => "",
            Self::Paraphrase | Self::Entailment | Self::Pair => "kb(k=1..4)+pr",
        }
    }

    /// What the search for a cost maximises unless something else is asked for.
    pub fn default_measure(self) -> Measure {
        if self == Self::Answers { Measure::Mrr } else { Measure::Accuracy }
    }

    /// Whether both labels count the same however rare one is, unless something else is asked for. Of a question's
    /// candidates few are right; on held-out folds of TREC-QA's training set, cut in five ways, this raised MRR by 0.8 to
    /// 2.3 points and MAP by 0.4 to 1.4.
    pub fn is_balanced(self) -> bool {
        self == Self::Answers
    }

    /// The label of every example as yes or no, and the names of no and yes.
    pub fn labels(self, dataset: &Dataset) -> Result<(Vec<bool>, [String; 2])> {
        let names = |no: &str, yes: &str| [no.to_owned(), yes.to_owned()];
        if self != Self::Pair || dataset.labels()?.iter().all(|label| label.as_binary().is_some()) {
            return Ok((dataset.labels_binary()?, names("0", "1")));
        }
        let labels = dataset.labels()?;
        let mut distinct: Vec<&str> = labels.iter().map(|label| label.as_str()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let [no, yes] = distinct[..] else {
            let shown = distinct.iter().take(5).copied().collect::<Vec<_>>().join(", ");
            return Err(Error::file(
                &dataset.name,
                format!(
                    "{} different labels ({shown}), expected two: keep the rows of two, or merge some",
                    distinct.len()
                ),
            ));
        };
        Ok((labels.iter().map(|label| label.as_str() == yes).collect(), names(no, yes)))
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
    use crate::data::Columns;
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
