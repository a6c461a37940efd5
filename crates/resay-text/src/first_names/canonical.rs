//! The names that stand for all others.

use super::Gender;

/// How many people of one gender a text may tell apart. Others keep their names.
const N_EACH: usize = 14;

/// Each with a short form: where one name of two texts is short for another, both stand.
type Names = [[&'static str; 2]; N_EACH];

const FEMALE: Names = [
    ["Susan", "Susie"],
    ["Jennifer", "Jenny"],
    ["Katherine", "Kathy"],
    ["Elizabeth", "Liz"],
    ["Deborah", "Debbie"],
    ["Rebecca", "Becky"],
    ["Victoria", "Vicky"],
    ["Pamela", "Pam"],
    ["Cynthia", "Cindy"],
    ["Margaret", "Maggie"],
    ["Barbara", "Barb"],
    ["Stephanie", "Steph"],
    ["Jacqueline", "Jackie"],
    ["Amanda", "Mandy"],
];

const MALE: Names = [
    ["Michael", "Mike"],
    ["Robert", "Bob"],
    ["Steven", "Steve"],
    ["Thomas", "Tommy"],
    ["Richard", "Rick"],
    ["Kenneth", "Kenny"],
    ["Daniel", "Danny"],
    ["Timothy", "Tim"],
    ["Jeffrey", "Jeff"],
    ["Andrew", "Andy"],
    ["Gregory", "Greg"],
    ["Ronald", "Ronnie"],
    ["Lawrence", "Larry"],
    ["Edward", "Eddie"],
];

const BOTH: Names = [
    ["Alexis", "Alex"],
    ["Christian", "Chris"],
    ["Samantha", "Sam"],
    ["Kimberly", "Kim"],
    ["Robin", "Robin"],
    ["Kelly", "Kelly"],
    ["Taylor", "Taylor"],
    ["Casey", "Casey"],
    ["Ashley", "Ashley"],
    ["Leslie", "Leslie"],
    ["Shannon", "Shannon"],
    ["Jamie", "Jamie"],
    ["Terry", "Terry"],
    ["Tracy", "Tracy"],
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
