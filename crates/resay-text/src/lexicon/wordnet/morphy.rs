//! Base forms by WordNet's rules: exceptions first, else endings. Only lemmas count as base forms.
//!
//! The order is that of NLTK's reader: the form itself, then the exceptions or else the rules in
//! their order, each lemma once. Princeton's program tries exceptions and rules in the same order,
//! and the form itself if it is in the index. Rules are not tried for a form with exceptions, even
//! if none of its exceptions is a lemma.

use super::{LemmaId, Pos, WordNet};
use crate::ENDINGS;

impl WordNet {
    /// Returns the possible lemmas of a form in one part of speech. Case does not matter; words are
    /// separated by a space or `_`.
    pub fn morphy(&self, form: &str, pos: Pos) -> Vec<LemmaId> {
        let form = form.to_ascii_lowercase().replace(' ', "_");
        let mut found: Vec<LemmaId> = Vec::new();
        let mut offer = |lemma: Option<LemmaId>| {
            let lemma = lemma.filter(|&lemma| self.senses(lemma, Some(pos)).len() > 0);
            found.extend(lemma.filter(|lemma| !found.contains(lemma)));
        };
        offer(self.lemma(&form));
        let (exceptions, lemmas) = &self.exceptions[pos as usize];
        if let Some(exception) = exceptions.find(&form) {
            lemmas.row(exception as usize).iter().for_each(|&lemma| offer(Some(LemmaId(lemma))));
        } else {
            for (ending, instead) in ENDINGS.get(pos as usize).copied().into_iter().flatten() {
                if let Some(stem) = form.strip_suffix(ending) {
                    offer(self.lemma(&format!("{stem}{instead}")));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;

    #[test]
    fn forms_are_led_back_to_lemmas_of_the_part_of_speech() {
        let wordnet = toy::wordnet();
        let check = |form: &str, pos: Pos, expected: &str| {
            let found: Vec<&str> = wordnet.morphy(form, pos).into_iter().map(|lemma| wordnet.word(lemma)).collect();
            assert_eq!(found.join(" "), expected, "{form}, {pos:?}");
        };
        check("birds", Pos::Noun, "bird");
        check("Ravens", Pos::Noun, "raven");
        check("flies", Pos::Noun, "fly");
        check("flew", Pos::Verb, "fly");
        check("flew", Pos::Noun, "");
        check("flies", Pos::Verb, "fly");
        check("travelling", Pos::Verb, "");
        check("traveling", Pos::Verb, "travel");
        check("wing", Pos::Verb, "wing");
        check("winged", Pos::Verb, "wing");
        check("darker", Pos::Adjective, "dark");
        check("To and Fro", Pos::Adverb, "to_and_fro");
        // Its list of base forms is empty, so no rule is tried.
        check("ravenes", Pos::Noun, "");
        check("", Pos::Noun, "");
        check("s", Pos::Noun, "");
        check("éing", Pos::Verb, "");
    }
}
