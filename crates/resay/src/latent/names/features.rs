//! Features of an aligned pair of characters (a map) and of a deleted character.
//!
//! A character has three views: alone (C), with its predecessor (LC), with its successor (CR). A
//! map's feature combines a view of the source character with a view of the target character; a
//! deletion's feature is a view of the deleted character. [`Templates`] selects the combinations in
//! use. The key of a feature holds its template and up to four characters in full. Features that
//! occur in the examples are numbered; a feature without a number contributes nothing.

use super::alphabet::{Context, UNKNOWN};
use crate::id::{NameFeature, NameView};
use rustc_hash::FxHashMap;

/// The number of views: alone, with the predecessor, with the successor.
pub(super) const VIEWS: usize = 3;

/// Template numbers: `VIEWS * source view + target view` for maps, then deletions of source
/// characters, deletions of target characters and the bias.
const DELETE_SOURCE: usize = VIEWS * VIEWS;
const DELETE_TARGET: usize = DELETE_SOURCE + VIEWS;
const BIAS: usize = DELETE_TARGET + VIEWS;

/// Bits per character number in a key.
const BITS: u32 = 15;

/// A feature in full: the template, two source characters and two target characters.
pub type Key = u64;

/// The key of the bias.
pub(super) const BIAS_KEY: Key = (BIAS as u64) << (4 * BITS);

/// A set of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Templates(u16);

impl Default for Templates {
    /// Both characters alone; both with their predecessors or both with their successors; either
    /// neighbour on the source side only; deletions on both sides, alone and with either neighbour.
    /// The best of eleven sets in cross-validation on 250 English and Hebrew names, where
    /// neighbours on the target side only added little and made the other features worse.
    fn default() -> Self {
        let maps = [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0)].map(|(source, target)| VIEWS * source + target);
        Self(maps.into_iter().chain(DELETE_SOURCE..BIAS).fold(0, |bits, template| bits | 1 << template))
    }
}

impl Templates {
    /// The set with these bits; `None` if a bit belongs to no template.
    pub fn from_bits(bits: u16) -> Option<Self> {
        (u32::from(bits) < 1 << BIAS).then_some(Self(bits))
    }

    /// The set as bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether the set has maps and deletions on both sides of characters without context.
    pub fn has_plain(self) -> bool {
        [0, DELETE_SOURCE, DELETE_TARGET].into_iter().all(|template| self.has(template))
    }

    #[inline]
    fn has(self, template: usize) -> bool {
        self.0 >> template & 1 == 1
    }
}

/// A view as two packed character numbers, the second 0 for a character alone; `None` if either
/// character is unknown.
#[inline]
fn view(context: &Context, view: usize) -> Option<u64> {
    let (first, second) = match view {
        0 => (context.character, 0),
        1 => (context.left, context.character),
        _ => (context.character, context.right),
    };
    (first != UNKNOWN && second != UNKNOWN).then_some(u64::from(first) << BITS | u64::from(second))
}

/// The views of a character, computed once for all templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Views([Option<u64>; VIEWS]);

impl Views {
    /// All views of a character.
    pub fn new(context: &Context) -> Self {
        Self([0, 1, 2].map(|number| view(context, number)))
    }

    /// Views computed earlier.
    pub(super) fn from_parts(views: [Option<u64>; VIEWS]) -> Self {
        Self(views)
    }

    /// The view with this number.
    pub fn get(&self, view: usize) -> Option<u64> {
        self.0[view]
    }
}

#[inline]
fn key(template: usize, source: u64, target: u64) -> Key {
    (template as u64) << (4 * BITS) | source << (2 * BITS) | target
}

/// Numbered features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameFeatures {
    templates: Templates,
    keys: Vec<Key>,
    numbers: FxHashMap<Key, u32>,
}

impl NameFeatures {
    /// A set with only the bias, feature number 0.
    pub fn new(templates: Templates) -> Self {
        let mut features = Self { templates, keys: Vec::new(), numbers: FxHashMap::default() };
        features.add(BIAS_KEY);
        features
    }

    /// The templates in use.
    pub fn templates(&self) -> Templates {
        self.templates
    }

    /// The keys, ordered by feature number.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Numbers a key; false if it is already numbered.
    pub fn add(&mut self, key: Key) -> bool {
        let next = self.keys.len() as u32;
        let is_new = *self.numbers.entry(key).or_insert(next) == next;
        if is_new {
            self.keys.push(key);
        }
        is_new
    }

    /// Numbers the features of all possible maps and deletions of a pair.
    pub fn learn(&mut self, source: &[Views], target: &[Views]) {
        for a in source {
            target.iter().for_each(|b| self.templates.map_keys(a, b, |_, key| _ = self.add(key)));
        }
        for (side, views) in [source, target].into_iter().enumerate() {
            views.iter().for_each(|views| self.templates.deletion_keys(side, views, |key| _ = self.add(key)));
        }
    }

    /// The number of a key.
    #[inline]
    pub fn number(&self, key: Key) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    #[inline]
    fn weight(&self, key: Key, weights: &[f64]) -> f64 {
        self.number(key).map_or(0.0, |number| weights[number as usize])
    }

    /// The contribution to a map's score of the features with one view of the target character.
    #[inline]
    pub fn map_part(&self, source: &Views, target_view: usize, target: Option<u64>, weights: &[f64]) -> f64 {
        let Some(target) = target else { return 0.0 };
        let mut sum = 0.0;
        for source_view in 0..VIEWS {
            let template = VIEWS * source_view + target_view;
            if self.templates.has(template)
                && let Some(source) = source.0[source_view]
            {
                sum += self.weight(key(template, source, target), weights);
            }
        }
        sum
    }

    /// The score of a map. Terms are added in the same order wherever maps are scored.
    #[inline]
    pub fn map(&self, source: &Views, target: &Views, weights: &[f64]) -> f64 {
        let part = |view: usize| self.map_part(source, view, target.0[view], weights);
        part(0) + part(1) + part(2)
    }

    /// The score of a deletion; `side` is 0 for the source.
    #[inline]
    pub fn deletion(&self, side: usize, views: &Views, weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.templates.deletion_keys(side, views, |key| sum += self.weight(key, weights));
        sum
    }

    /// The feature numbers of a map.
    pub fn of_map(&self, source: &Views, target: &Views, mut each: impl FnMut(u32)) {
        self.templates.map_keys(source, target, |_, key| self.number(key).into_iter().for_each(&mut each));
    }

    /// The feature numbers of a deletion.
    pub fn of_deletion(&self, side: usize, views: &Views, mut each: impl FnMut(u32)) {
        self.templates.deletion_keys(side, views, |key| self.number(key).into_iter().for_each(&mut each));
    }
}

impl Templates {
    fn map_keys(self, source: &Views, target: &Views, mut each: impl FnMut(usize, Key)) {
        for target_view in 0..VIEWS {
            for source_view in 0..VIEWS {
                let template = VIEWS * source_view + target_view;
                if self.has(template)
                    && let (Some(a), Some(b)) = (source.0[source_view], target.0[target_view])
                {
                    each(template, key(template, a, b));
                }
            }
        }
    }

    fn deletion_keys(self, side: usize, views: &Views, mut each: impl FnMut(Key)) {
        for (number, view) in views.0.iter().enumerate() {
            let template = [DELETE_SOURCE, DELETE_TARGET][side] + number;
            if self.has(template)
                && let Some(view) = view
            {
                each(if side == 0 { key(template, *view, 0) } else { key(template, 0, *view) });
            }
        }
    }
}

/// The key of a map of two characters without context.
pub(super) fn plain_map(source: u16, target: u16) -> Key {
    key(0, u64::from(source) << BITS, u64::from(target) << BITS)
}

/// The key of a deletion of a character without context.
pub(super) fn plain_deletion(side: usize, character: u16) -> Key {
    let view = u64::from(character) << BITS;
    if side == 0 { key(DELETE_SOURCE, view, 0) } else { key(DELETE_TARGET, 0, view) }
}

/// Whether a key is a map or deletion of characters without context.
pub(super) fn is_plain(key: Key) -> bool {
    matches!((key >> (4 * BITS)) as usize, 0 | DELETE_SOURCE | DELETE_TARGET)
}

/// Decodes a key into its feature.
pub(super) fn resolve(key: Key, alphabets: &[super::Alphabet; 2]) -> NameFeature {
    let template = (key >> (4 * BITS)) as usize;
    let seen = |side: usize, view: usize| {
        let shift = if side == 0 { 2 * BITS } else { 0 };
        let letter = |shift: u32| alphabets[side].character((key >> shift & ((1 << BITS) - 1)) as u16);
        let (first, second) = (letter(shift + BITS), letter(shift));
        match view {
            0 => NameView::Alone(first),
            1 => NameView::After { before: first, character: second },
            _ => NameView::Before { character: first, behind: second },
        }
    };
    match template {
        BIAS.. => NameFeature::Constant,
        DELETE_TARGET.. => NameFeature::DeleteTarget(seen(1, template - DELETE_TARGET)),
        DELETE_SOURCE.. => NameFeature::DeleteSource(seen(0, template - DELETE_SOURCE)),
        _ => NameFeature::Map { source: seen(0, template / VIEWS), target: seen(1, template % VIEWS) },
    }
}

/// Whether these templates and alphabets can produce a key. Keys from files are untrusted.
pub fn is_possible(key: Key, templates: Templates, alphabets: &[super::Alphabet; 2]) -> bool {
    if key == BIAS_KEY {
        return true;
    }
    let template = (key >> (4 * BITS)) as usize;
    let number = |place: u32| (key >> (place * BITS) & ((1 << BITS) - 1)) as usize;
    let limits = [alphabets[1].len(), alphabets[1].len(), alphabets[0].len(), alphabets[0].len()];
    template < BIAS && templates.has(template) && (0..4).all(|place| number(place) <= limits[place as usize])
}
