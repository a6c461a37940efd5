//! The names that stand for all others.

use super::Gender;

/// How many people of one gender a text may tell apart. Others keep their names.
const N_EACH: usize = 14;

/// Each with a short form, or itself: where one name of two texts is short for another, both stand.
/// The first are those with which the parser reads most short sentences ("Pamela sued Edward.")
/// right.
type Names = [[&'static str; 2]; N_EACH];

const FEMALE: Names = [
    ["Pamela", "Pam"],
    ["Elizabeth", "Liz"],
    ["Stephanie", "Steph"],
    ["Katherine", "Kathy"],
    ["Barbara", "Barb"],
    ["Jennifer", "Jenny"],
    ["Jacqueline", "Jackie"],
    ["Amanda", "Mandy"],
    ["Rebecca", "Becky"],
    ["Cynthia", "Cindy"],
    ["Susan", "Susie"],
    ["Margaret", "Maggie"],
    ["Deborah", "Debbie"],
    ["Victoria", "Vicky"],
];

const MALE: Names = [
    ["Edward", "Eddie"],
    ["Robert", "Bob"],
    ["Kenneth", "Kenny"],
    ["Richard", "Rick"],
    ["Ronald", "Ronnie"],
    ["Jeffrey", "Jeff"],
    ["Timothy", "Tim"],
    ["Andrew", "Andy"],
    ["Lawrence", "Larry"],
    ["Gregory", "Greg"],
    ["Thomas", "Tommy"],
    ["Daniel", "Danny"],
    ["Michael", "Mike"],
    ["Steven", "Steve"],
];

const BOTH: Names = [
    ["Sam", "Samantha"],
    ["Shannon", "Shannon"],
    ["Robin", "Robin"],
    ["Leslie", "Leslie"],
    ["Alexis", "Alex"],
    ["Kim", "Kimberly"],
    ["Taylor", "Taylor"],
    ["Tracy", "Tracy"],
    ["Kelly", "Kelly"],
    ["Jamie", "Jamie"],
    ["Chris", "Christian"],
    ["Terry", "Terry"],
    ["Casey", "Casey"],
    ["Ashley", "Ashley"],
];

/// What stands for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    /// The name itself.
    AsWritten,
    /// A canonical name.
    Canonical(&'static str),
}

impl NameForm {
    /// Writes the form of a name; `original` is how the text writes it.
    pub(super) fn write(self, is_shouted: bool, original: &str, out: &mut String) {
        match self {
            Self::AsWritten => out.push_str(original),
            Self::Canonical(name) if is_shouted => out.extend(name.chars().map(|c| c.to_ascii_uppercase())),
            Self::Canonical(name) => out.push_str(name),
        }
    }
}

/// Gives out canonical names, each once.
#[derive(Clone, Debug)]
pub struct CanonicalNames<'a> {
    kept: &'a [Box<str>],
    /// How many of each gender were considered.
    n_taken: [usize; 3],
}

impl<'a> CanonicalNames<'a> {
    /// Names that are none of these (in lower case), which keep their form.
    pub fn without(kept: &'a [Box<str>]) -> Self {
        Self { kept, n_taken: [0; 3] }
    }

    /// The form of the next name.
    pub fn next(&mut self, gender: Gender, lower: &str) -> NameForm {
        self.next_two(gender, lower)[0]
    }

    /// The form of the next name, and that of one that is short for it, or that it is short for.
    pub fn next_two(&mut self, gender: Gender, lower: &str) -> [NameForm; 2] {
        let is_kept = |name: &str| self.kept.iter().any(|kept| kept.eq_ignore_ascii_case(name));
        if is_kept(lower) {
            return [NameForm::AsWritten; 2];
        }
        let names = match gender {
            Gender::Female => &FEMALE,
            Gender::Male => &MALE,
            Gender::Both => &BOTH,
        };
        let taken = &mut self.n_taken[gender as usize];
        let free = names[*taken..].iter().position(|[name, short]| !is_kept(name) && !is_kept(short));
        let Some(free) = free else { return [NameForm::AsWritten; 2] };
        *taken += free + 1;
        names[*taken - 1].map(NameForm::Canonical)
    }
}
