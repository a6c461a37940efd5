//! What two sentences have in common and where they part, as numbers with names: the signs that a combined judge weighs.
//!
//! [`notice`] looks at two annotated sentences and at which of their words correspond, and gives one number a sign, always
//! the same signs in the same order for a [`Shape`]. Signs that point at something (a number that differs, a word that only
//! one sentence has) come with the words and their places, so that a decision can be told in words.

mod measures;
mod mismatches;
mod observer;
mod parts;
mod roles;
mod sight;
#[cfg(test)]
mod truth;
mod verbs;

pub use observer::{Observed, Observer, ObserverScratch};
pub(crate) use sight::Sight;

use crate::explain::{Place, What};
use crate::latent::sentences::Shape;
use parts::Parts;

/// What a sign is about: decisions are told group by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Words and phrases that both sentences have.
    Overlap,
    /// What the aligner could and could not lay side by side.
    Alignment,
    /// Names, numbers, negation and other things that change what is said.
    Mismatch,
    /// Who does what to whom, and when.
    Structure,
    /// How long the sentences are.
    Length,
}

impl Group {
    /// The groups by name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "words in common",
            Self::Alignment => "what corresponds",
            Self::Mismatch => "what differs",
            Self::Structure => "who does what",
            Self::Length => "length",
        }
    }
}

/// The systems that a combined judge asks beside its own signs, in their order.
pub const SYSTEMS: [&str; 2] = ["re-writing rules", "hidden alignment"];

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
    /// What the signs are, in order; filled only where names are asked for.
    signs: Vec<Sign>,
    /// What signs point at.
    pub evidence: Vec<Evidence>,
    /// How far all else is alike, from 0 to 1: the fewer content words stand alone that no mismatch is about, the more.
    /// What differs says more where nothing else does.
    pub alike: f64,
}

/// Writes signs down, one after another.
struct Notes<'a> {
    sight: &'a Sight<'a>,
    shape: Shape,
    noticed: Noticed,
    with_names: bool,
}

impl Notes<'_> {
    fn put(&mut self, group: Group, name: &str, value: f64) -> usize {
        if self.with_names {
            self.noticed.signs.push(Sign { name: name.to_owned(), group });
        }
        self.noticed.values.push(value);
        self.noticed.values.len() - 1
    }

    /// Two numbers of one kind, one for either sentence. If neither is first, the smaller and the larger of them; else what
    /// the target says and what the source says. Returns the places of both.
    fn both(&mut self, group: Group, name: &str, of_source: f64, of_target: f64) -> [usize; 2] {
        let (names, values) = match self.shape {
            Shape::Both => (["less", "more"], [of_source.min(of_target), of_source.max(of_target)]),
            Shape::Target => (["target", "source"], [of_target, of_source]),
        };
        [0, 1].map(|at| self.put(group, &format!("{name}, {}", names[at]), values[at]))
    }

    /// Counts of what only one sentence has, by what is in neither way matched; `words` are what is pointed at.
    fn point(&mut self, sign: usize, source: &[usize], target: &[usize]) {
        let what = What::Phrase { source: self.sight.words(0, source), target: self.sight.words(1, target) };
        let place = Place { source: self.sight.spans(0, source), target: self.sight.spans(1, target) };
        self.noticed.evidence.push(Evidence { sign, what, place });
    }
}

/// All signs of a pair.
pub(crate) fn notice(sight: &Sight<'_>, shape: Shape) -> Noticed {
    look(sight, shape, false).noticed
}

/// Names and groups of the signs, in order.
pub fn signs(shape: Shape) -> Vec<Sign> {
    let empty = [crate::text::Analysis::default(), crate::text::Analysis::default()];
    let lexicon = crate::lexicon::Lexicon::new();
    let compared = crate::align::Compared::new(&empty[0], &empty[1], &lexicon);
    look(&Sight::new(&empty, &compared, &crate::align::Alignment::default()), shape, true).noticed.signs
}

fn look<'a>(sight: &'a Sight<'a>, shape: Shape, with_names: bool) -> Notes<'a> {
    let mut notes = Notes { sight, shape, noticed: Noticed::default(), with_names };
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
    notes.noticed.alike = (-0.5 * n_left as f64).exp();
    notes
}
