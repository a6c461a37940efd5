//! What two sentences have in common and where they part, as numbers with names: the signs that a combined judge weighs.
//!
//! [`notice`] looks at two annotated sentences and at which of their words correspond, and gives one number a sign, always
//! the same signs in the same order for a [`Shape`]. Signs that point at something (a number that differs, a word that only
//! one sentence has) come with the words and their places, so that a decision can be told in words.

mod measures;
mod mismatches;
mod observer;
mod parts;
mod quantity;
mod question;
mod roles;
mod sight;
#[cfg(test)]
mod truth;
mod verbs;

pub use observer::{Observed, Observer, ObserverScratch};
pub(crate) use observer::{ObserverPool, Pooled};
pub(crate) use sight::Sight;

use crate::align::{Alignment, Compared};
use crate::explain::{Place, What};
use crate::latent::sentences::Shape;
use crate::lexicon::Lexicon;
use crate::text::Analysis;
use parts::Parts;
use std::fmt::Display;

/// What a sign is about: decisions are told group by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Words and phrases that both sentences have.
    Overlap,
    /// What the aligner could lay side by side.
    Alignment,
    /// What it could not.
    Alone,
    /// Names, numbers, negation and other things that change what is said.
    Mismatch,
    /// Who does what to whom, and when.
    Structure,
    /// How long the sentences are.
    Length,
    /// What a question asks for.
    Answer,
}

impl Group {
    /// The groups by name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "words in common",
            Self::Alignment => "what corresponds",
            Self::Alone => "what only one says",
            Self::Mismatch => "what differs",
            Self::Structure => "who does what",
            Self::Length => "pairs of such lengths",
            Self::Answer => "what is asked for",
        }
    }

    /// Whether its signs always say something, so that they tell by how far they are from what is usual; the others count
    /// what is there, and nothing is usual.
    pub fn is_measured(self) -> bool {
        matches!(self, Self::Overlap | Self::Alignment | Self::Length)
    }
}

/// The systems that a combined judge asks beside its own signs, in their order.
pub const SYSTEMS: [&str; 3] = ["re-writing rules", "typed rules", "hidden alignment"];

/// Whether a part of a judge's explanation is one of the systems within.
pub fn is_system(what: &What) -> bool {
    matches!(what, What::Measure(name) if SYSTEMS.contains(&name.as_str()))
}

/// A sign's name and group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// As people read it.
    pub name: String,
    /// What it is about.
    pub group: Group,
}

/// Words that a sign points at.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The sign, by its place.
    pub sign: usize,
    /// The words.
    pub what: What,
    /// Where they stand.
    pub place: Place,
}

/// What was noticed about a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noticed {
    /// One a sign.
    pub values: Vec<f64>,
    /// What signs point at, where that was wanted.
    pub evidence: Vec<Evidence>,
}

/// Writes signs down, one after another.
struct Notes<'a> {
    sight: &'a Sight<'a>,
    shape: Shape,
    wanted: Wanted,
    noticed: Noticed,
    /// The signs by name, if these are wanted.
    signs: Vec<Sign>,
}

/// What is written down beside values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: a score is all that is needed.
    Values,
    /// What signs point at.
    Evidence,
    /// What signs are called.
    Names,
}

impl Notes<'_> {
    fn put(&mut self, group: Group, name: impl Display, value: f64) -> usize {
        if self.wanted == Wanted::Names {
            self.signs.push(Sign { name: name.to_string(), group });
        }
        self.noticed.values.push(value);
        self.noticed.values.len() - 1
    }

    /// Two numbers of one kind, one for either sentence. If neither is first, the smaller and the larger of them; else what
    /// the target says and what the source says. Returns the places of both.
    fn both(&mut self, group: Group, name: impl Display, of_source: f64, of_target: f64) -> [usize; 2] {
        let (names, values) = match self.shape {
            Shape::Both => (["less", "more"], [of_source.min(of_target), of_source.max(of_target)]),
            Shape::Target => (["target", "source"], [of_target, of_source]),
        };
        [0, 1].map(|at| self.put(group, format_args!("{name}, {}", names[at]), values[at]))
    }

    /// The words that a sign is about.
    fn point(&mut self, sign: usize, source: &[usize], target: &[usize]) {
        if self.wanted != Wanted::Evidence {
            return;
        }
        let what = What::Phrase { source: self.sight.words(0, source), target: self.sight.words(1, target) };
        let place = Place { source: self.sight.spans(0, source), target: self.sight.spans(1, target) };
        self.noticed.evidence.push(Evidence { sign, what, place });
    }
}

/// All signs of a pair.
pub(crate) fn notice(sight: &Sight<'_>, shape: Shape, wanted: Wanted) -> Noticed {
    look(sight, shape, wanted).noticed
}

/// Names and groups of the signs, in order.
pub fn catalogue(shape: Shape) -> Vec<Sign> {
    let empty = Analysis::default();
    let compared = Compared::new(&empty, &empty, &Lexicon::new());
    look(&Sight::new([&empty; 2], &compared, &Alignment::default(), |_| 1.0), shape, Wanted::Names).signs
}

fn look<'a>(sight: &'a Sight<'a>, shape: Shape, wanted: Wanted) -> Notes<'a> {
    let mut notes = Notes { sight, shape, wanted, noticed: Noticed::default(), signs: Vec::new() };
    measures::note(&mut notes);
    let parts = Parts::new(sight);
    parts::note(&mut notes, &parts);
    let told = mismatches::note(&mut notes, &parts);
    verbs::note(&mut notes);
    roles::note(&mut notes);
    let n_left: usize = [0, 1]
        .map(|side: usize| parts.alone[side].iter().filter(|word| !told[side].contains(word)).count())
        .iter()
        .sum();
    // The fewer content words stand alone that no mismatch is about, the more. What differs says more where nothing else
    // does.
    notes.put(Group::Alignment, "all else alike", (-0.5 * n_left as f64).exp());
    question::note(&mut notes);
    notes
}
