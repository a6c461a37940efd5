//! Names and numbers: short forms, misspellings, capitals, initials, and whether numbers are equal.

use super::{FeatureTemplate, Out, Stretch};
use crate::align::compared::WordMatrix;
use crate::align::words::Side;
use crate::id::align::each;
use crate::id::{AlignFeature, Level, NameClue, WordClassPair};
use resay_text::lexicon::Relation;

pub(super) struct Names;

impl FeatureTemplate for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn what(&self) -> &'static str {
        "nicknames, misspelled names, initials, numbers"
    }

    fn features(&self) -> Vec<AlignFeature> {
        each(AlignFeature::Name)
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.word_class_pair != WordClassPair::Content {
            return;
        }
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if cell.level == Level::Same {
            return;
        }
        if cell.relations.contains(Relation::Nickname) {
            out.flag(NameClue::Nickname as usize);
        }
        match (a.has_digit, b.has_digit) {
            (true, true) => out.flag(NameClue::OtherNumber as usize),
            (true, false) | (false, true) => out.flag(NameClue::OneNumber as usize),
            (false, false) => {}
        }
        match (a.is_capital, b.is_capital) {
            (true, true) => {
                out.flag(NameClue::BothCapitals as usize);
                if cell.relations.contains(Relation::Edit1) {
                    out.flag(NameClue::OneLetterApart as usize);
                }
                if cell.strings.jaro_winkler > 0.85 {
                    out.flag(NameClue::SpelledAlike as usize);
                }
            }
            (true, false) | (false, true) => out.flag(NameClue::OneCapital as usize),
            (false, false) => {}
        }
    }

    /// `UN` and `United Nations`.
    fn phrase(&self, pair: &WordMatrix, stretch: Stretch, _members: &[(usize, usize)], out: &mut Out) {
        let is_initials = |short: &Side, at: usize, long: &Side, start: usize, n: usize| {
            let letters = short.term(at).form().chars().filter(|letter| *letter != '.');
            let words = &long.words[start..start + n];
            let firsts = long.known[start..start + n].iter().filter_map(|known| known.term.form().chars().next());
            n > 1 && words.iter().all(|word| word.is_capital) && letters.eq(firsts)
        };
        let Stretch { source, n_source, target, n_target } = stretch;
        if n_source == 1 && is_initials(&pair.source, source, &pair.target, target, n_target)
            || n_target == 1 && is_initials(&pair.target, target, &pair.source, source, n_source)
        {
            out.flag(NameClue::Initials as usize);
        }
    }
}
