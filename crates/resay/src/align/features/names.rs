//! Names and numbers: short forms, misspellings, capitals, initials; a number is itself or another.

use super::{Out, Piece, Stretch};
use crate::align::compared::{Compared, Level};
use crate::align::words::Side;
use crate::lexicon::Relation;
use crate::text::Layers;

pub(super) struct Names;

const FEATURES: [&str; 11] = [
    "nickname",
    "one letter apart, both with capitals",
    "spelled alike, both with capitals",
    "one kind of entity, other word",
    "one kind of entity, same word",
    "other kind of entity, other word",
    "other number",
    "one is a number",
    "only one with a capital, other word",
    "both with capitals, other word",
    "initials",
];

impl Piece for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn what(&self) -> &'static str {
        "nicknames, misspelled names, kinds of entities, initials, numbers"
    }

    fn layers(&self) -> Layers {
        Layers::LEMMAS
    }

    fn features(&self) -> Vec<String> {
        FEATURES.map(str::to_owned).to_vec()
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.gate != 0 {
            return;
        }
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if a.entity.is_some() || b.entity.is_some() {
            match (a.entity == b.entity, cell.level == Level::Same) {
                (true, false) => out.flag(3),
                (true, true) => out.flag(4),
                (false, false) => out.flag(5),
                (false, true) => {}
            }
        }
        if cell.level == Level::Same {
            return;
        }
        if cell.relations.contains(Relation::Nickname) {
            out.flag(0);
        }
        match (a.has_digit, b.has_digit) {
            (true, true) => out.flag(6),
            (true, false) | (false, true) => out.flag(7),
            (false, false) => {}
        }
        match (a.is_capital, b.is_capital) {
            (true, true) => {
                out.flag(9);
                if cell.relations.contains(Relation::Edit1) {
                    out.flag(1);
                }
                if cell.strings.jaro_winkler > 0.85 {
                    out.flag(2);
                }
            }
            (true, false) | (false, true) => out.flag(8),
            (false, false) => {}
        }
    }

    /// `UN` and `United Nations`.
    fn phrase(&self, pair: &Compared, stretch: Stretch, _members: &[(usize, usize)], out: &mut Out) {
        let is_initials = |short: &Side, at: usize, long: &Side, start: usize, n: usize| {
            let letters = short.terms[at].form().chars().filter(|letter| *letter != '.');
            let words = &long.words[start..start + n];
            let firsts = long.terms[start..start + n].iter().filter_map(|term| term.form().chars().next());
            n > 1 && words.iter().all(|word| word.is_capital) && letters.eq(firsts)
        };
        let Stretch { source, n_source, target, n_target } = stretch;
        if n_source == 1 && is_initials(&pair.source, source, &pair.target, target, n_target)
            || n_target == 1 && is_initials(&pair.target, target, &pair.source, source, n_source)
        {
            out.flag(10);
        }
    }
}
