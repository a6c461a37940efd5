//! The first names of two texts, so that it does not matter which they are.
//!
//! A text is annotated with canonical names ([`resay_text::first_names`]). In a pair, a name must be
//! the same on both sides: names are numbered jointly, those of the source first. A name that one
//! of the texts does not mask ("Will" at the start of a sentence) keeps its form in both.

use super::{Annotated, Needs, PairView};
use crate::Result;
use resay_text::first_names::{CanonicalNames, FirstNames, Gender, Masked, MaskedName, NameForm};
use resay_text::lexicon::{Lexicon, Relation, Relations};
use resay_text::{Analysis, Upos};
use std::sync::Arc;

/// A text with canonical names, and its annotation.
#[derive(Debug)]
pub(super) struct NamedText {
    masked: Masked,
    annotated: Annotated,
}

/// Annotates texts, each with canonical names.
pub(super) fn annotate<T: AsRef<str>>(
    names: &FirstNames,
    texts: &[T],
    needs: Needs,
    annotate: impl FnOnce(&[&str]) -> Vec<Analysis>,
) -> Vec<Annotated> {
    let masked: Vec<Option<Masked>> = texts.iter().map(|text| names.mask(text.as_ref())).collect();
    let to_read: Vec<&str> = texts
        .iter()
        .zip(&masked)
        .map(|(text, masked)| masked.as_ref().map_or(text.as_ref(), |masked| &masked.text))
        .collect();
    let analyses = annotate(&to_read);
    let join = |((text, masked), analysis): ((&T, Option<Masked>), Analysis)| match masked {
        Some(masked) => {
            let restored = masked.restore(text.as_ref(), &analysis);
            let annotated = Annotated::new(analysis, Needs { masks_names: false, ..needs });
            Annotated { named: Some(Arc::new(NamedText { masked, annotated })), ..Annotated::new(restored, needs) }
        }
        None => Annotated::new(analysis, needs),
    };
    texts.iter().zip(masked).zip(analyses).map(join).collect()
}

/// A name of a pair.
struct PairName<'a> {
    name: &'a MaskedName,
    form: Option<NameForm>,
}

impl Annotated {
    /// The text with canonical names, by order of first appearance in this text.
    pub(crate) fn masked_text(&self) -> &str {
        self.named.as_ref().map_or(self.text(), |named| named.annotated.text())
    }

    fn masked_names(&self) -> &[MaskedName] {
        self.named.as_ref().map_or(&[], |named| &named.masked.names)
    }

    fn kept_names(&self) -> &[Box<str>] {
        self.named.as_ref().map_or(&[], |named| &named.masked.kept)
    }

    /// The text with these names.
    fn with_names(&self, names: &[PairName<'_>]) -> Self {
        let Some(named) = &self.named else { return self.clone() };
        let form = |own: &MaskedName| {
            let known = names.iter().find(|other| other.name.lower == own.lower);
            known.and_then(|other| other.form).unwrap_or(NameForm::AsWritten)
        };
        let own = &named.masked.names;
        let forms: Vec<NameForm> = own.iter().map(form).collect();
        if own.iter().zip(&forms).all(|(name, form)| name.form == *form) {
            return named.annotated.clone();
        }
        let renamed = named.masked.rename(self.text(), named.annotated.analysis(), &forms);
        Self::new(renamed, named.annotated.has)
    }
}

impl PairView<'_> {
    /// The texts with canonical names that are the same on both sides; `None` if neither has names.
    pub(crate) fn with_names_alike(&self) -> Result<Option<[Annotated; 2]>> {
        let texts = self.texts();
        if texts.iter().all(|text| text.masked_names().is_empty()) {
            return Ok(None);
        }
        let mut names: Vec<PairName<'_>> = Vec::new();
        for name in texts.iter().flat_map(|text| text.masked_names()) {
            if !names.iter().any(|known| known.name.lower == name.lower) {
                names.push(PairName { name, form: None });
            }
        }
        let kept: Vec<Box<str>> = texts.iter().flat_map(|text| text.kept_names()).cloned().collect();
        let related = if names.len() > 1 { short_for(&names, self.lexicon()?) } else { vec![None; names.len()] };
        let mut forms = CanonicalNames::without(&kept);
        for at in 0..names.len() {
            if names[at].form.is_some() {
                continue;
            }
            let is_kept = |at: usize| kept.contains(&names[at].name.lower);
            let other = related[at].filter(|&other| names[other].form.is_none() && !is_kept(other) && !is_kept(at));
            // "Alex" is a woman beside "Alexandra".
            let own = names[at].name.gender;
            let gender = if own == Gender::Both { other.map_or(own, |other| names[other].name.gender) } else { own };
            let [form, short] = forms.next_two(gender, &names[at].name.lower);
            names[at].form = Some(form);
            if let Some(other) = other.filter(|_| short != form) {
                names[other].form = Some(short);
            }
        }
        Ok(Some(texts.map(|text| text.with_names(&names))))
    }
}

/// For every name, the first later one that is short for it, or that it is short for.
fn short_for(names: &[PairName<'_>], lexicon: &Lexicon) -> Vec<Option<usize>> {
    let terms: Vec<_> = names.iter().map(|one| lexicon.word(&one.name.lower, None, Some(Upos::Propn))).collect();
    let wanted: Relations = [Relation::Nickname].into_iter().collect();
    let is_short = |a: usize, b: &usize| !lexicon.relations_among(&terms[a], &terms[*b], wanted).is_empty();
    (0..names.len()).map(|at| (at + 1..names.len()).find(|other| is_short(at, other))).collect()
}
