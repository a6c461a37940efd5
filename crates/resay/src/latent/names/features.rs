//! What a map of one character to another, or its deletion, is judged by.
//!
//! A character is seen in three ways: by itself (C), with the one before it (LC), with the one behind it (CR). A map's
//! feature is a way of seeing the source's character together with a way of seeing the target's; a deletion's is a way of
//! seeing the character that is left out. Which ways are looked at is a set of [`Templates`]. A feature is known by its
//! key: the template and up to four characters, in full. NameFeatures that occur in the examples are numbered; a feature
//! that has no number adds nothing.

use super::alphabet::{Context, UNKNOWN};
use crate::id::{NameFeature, NameView};
use rustc_hash::FxHashMap;

/// By itself, with the character before, with the one behind.
pub(super) const VIEWS: usize = 3;

/// Maps have the templates `VIEWS * source view + target view`; then come deletions of the source's characters, then of
/// the target's, then the constant.
const DELETE_SOURCE: usize = VIEWS * VIEWS;
const DELETE_TARGET: usize = DELETE_SOURCE + VIEWS;
const BIAS: usize = DELETE_TARGET + VIEWS;

/// Bits of a character's number in a key.
const BITS: u32 = 15;

/// A feature in full: the template, two characters of the source, two of the target.
pub type Key = u64;

/// The key of the constant.
pub(super) const BIAS_KEY: Key = (BIAS as u64) << (4 * BITS);

/// A set of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Templates(u16);

impl Default for Templates {
    /// Each character by itself; with the one before it or behind it on both sides, or on the source's alone; deletions of
    /// both sides, by themselves and with either neighbour. The best of eleven sets on folds of 250 English and Hebrew
    /// names: neighbours of the target's character alone say little there and make the others worse.
    fn default() -> Self {
        let maps = [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0)].map(|(source, target)| VIEWS * source + target);
        Self(maps.into_iter().chain(DELETE_SOURCE..BIAS).fold(0, |bits, template| bits | 1 << template))
    }
}

impl Templates {
    /// The set of these bits; none if one is no template's.
    pub fn from_bits(bits: u16) -> Option<Self> {
        (u32::from(bits) < 1 << BIAS).then_some(Self(bits))
    }

    /// The set as bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether maps and deletions of both sides are looked at by the characters themselves.
    pub fn has_plain(self) -> bool {
        [0, DELETE_SOURCE, DELETE_TARGET].into_iter().all(|template| self.has(template))
    }

    #[inline]
    fn has(self, template: usize) -> bool {
        self.0 >> template & 1 == 1
    }
}

/// How a character is seen: two numbers, the second 0 if it is by itself; none if a character is not known.
#[inline]
fn view(context: &Context, view: usize) -> Option<u64> {
    let (first, second) = match view {
        0 => (context.character, 0),
        1 => (context.left, context.character),
        _ => (context.character, context.right),
    };
    (first != UNKNOWN && second != UNKNOWN).then_some(u64::from(first) << BITS | u64::from(second))
}

/// The views of a character, made once for all templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Views([Option<u64>; VIEWS]);

impl Views {
    /// All views of a character.
    pub fn new(context: &Context) -> Self {
        Self([0, 1, 2].map(|number| view(context, number)))
    }

    /// Views that were made before.
    pub(super) fn from_parts(views: [Option<u64>; VIEWS]) -> Self {
        Self(views)
    }

    /// One of them.
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
    /// No feature but the constant, which is number 0.
    pub fn new(templates: Templates) -> Self {
        let mut features = Self { templates, keys: Vec::new(), numbers: FxHashMap::default() };
        features.add(BIAS_KEY);
        features
    }

    /// Which templates are looked at.
    pub fn templates(&self) -> Templates {
        self.templates
    }

    /// The keys in order of their numbers.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Numbers a key; false if it has a number already.
    pub fn add(&mut self, key: Key) -> bool {
        let next = self.keys.len() as u32;
        let is_new = *self.numbers.entry(key).or_insert(next) == next;
        if is_new {
            self.keys.push(key);
        }
        is_new
    }

    /// Numbers all features of all maps and deletions of a pair.
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

    /// What a map adds by features that see the target's character in one way.
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

    /// The score of a map. The order of the additions is the same wherever maps are scored.
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

    /// The numbers of a map's features.
    pub fn of_map(&self, source: &Views, target: &Views, mut each: impl FnMut(u32)) {
        self.templates.map_keys(source, target, |_, key| self.number(key).into_iter().for_each(&mut each));
    }

    /// The numbers of a deletion's features.
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

/// The key of mapping one character to another, seen by themselves.
pub(super) fn plain_map(source: u16, target: u16) -> Key {
    key(0, u64::from(source) << BITS, u64::from(target) << BITS)
}

/// The key of deleting a character, seen by itself.
pub(super) fn plain_deletion(side: usize, character: u16) -> Key {
    let view = u64::from(character) << BITS;
    if side == 0 { key(DELETE_SOURCE, view, 0) } else { key(DELETE_TARGET, 0, view) }
}

/// Whether a key is of a map or deletion of characters that are seen by themselves.
pub(super) fn is_plain(key: Key) -> bool {
    matches!((key >> (4 * BITS)) as usize, 0 | DELETE_SOURCE | DELETE_TARGET)
}

/// What the feature of a key is.
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

/// Whether a key is one that these templates and alphabets can make: what comes from a file may be anything.
pub fn is_possible(key: Key, templates: Templates, alphabets: &[super::Alphabet; 2]) -> bool {
    if key == BIAS_KEY {
        return true;
    }
    let template = (key >> (4 * BITS)) as usize;
    let number = |place: u32| (key >> (place * BITS) & ((1 << BITS) - 1)) as usize;
    let limits = [alphabets[1].len(), alphabets[1].len(), alphabets[0].len(), alphabets[0].len()];
    template < BIAS && templates.has(template) && (0..4).all(|place| number(place) <= limits[place as usize])
}
