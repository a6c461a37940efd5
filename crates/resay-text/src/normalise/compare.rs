//! Compares what two quantities say: every quantity is a set of values, and one implies another if
//! its set lies within the other's.

use super::quantity::{Bound, Date, Kind, Quantity, is_near};

/// How two quantities relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityRelation {
    /// They say the same.
    Equal,
    /// The first is more specific: whenever it holds, the second does.
    FirstImplies,
    /// The second is more specific.
    SecondImplies,
    /// They cannot both hold.
    Disjoint,
    /// They can both hold, and neither implies the other.
    Overlapping,
    /// They measure different things.
    Incomparable,
}

use QuantityRelation::{Disjoint, Equal, FirstImplies, Incomparable, Overlapping, SecondImplies};

/// How far "about" reaches, as a part of the value.
const ABOUT: f64 = 0.1;

/// Days in a calendar span are known to this part only: February and leap years.
const CALENDAR: f64 = 0.1;

/// Compares two quantities. Bare numbers that are both whole are read as whole numbers: "more than
/// 5" equals "at least 6". "About" means within a tenth, and at least one up or down for whole
/// numbers.
pub fn compare(a: &Quantity, b: &Quantity) -> QuantityRelation {
    match (&a.kind, &b.kind) {
        (Kind::Code(first), Kind::Code(second)) => codes(first, second),
        (Kind::Date(_) | Kind::Year, Kind::Date(_) | Kind::Year) => dates(a, b),
        (Kind::Time { is_either_half: first }, Kind::Time { is_either_half: second }) => times(a, *first, b, *second),
        (Kind::Duration { is_calendar: first }, Kind::Duration { is_calendar: second }) => {
            let slack = if first == second { 0.0 } else { CALENDAR };
            match sets(Set::of(a, false, 0.0), Set::of(b, false, 0.0)) {
                // Different units of time: only what is far apart or far within is certain.
                relation if slack == 0.0 => relation,
                Disjoint if sets(Set::of(a, false, slack), Set::of(b, false, slack)) == Disjoint => Disjoint,
                FirstImplies if Set::of(a, false, slack).is_within(Set::of(b, false, 0.0)) => FirstImplies,
                SecondImplies if Set::of(b, false, slack).is_within(Set::of(a, false, 0.0)) => SecondImplies,
                _ => Overlapping,
            }
        }
        (first, second) if first == second => {
            let is_whole = *first == Kind::Count && is_whole(a) && is_whole(b);
            sets(Set::of(a, is_whole, 0.0), Set::of(b, is_whole, 0.0))
        }
        _ => Incomparable,
    }
}

fn is_whole(quantity: &Quantity) -> bool {
    let end = if let Bound::Between(end) = quantity.bound { end } else { 0.0 };
    quantity.value.fract() == 0.0 && end.fract() == 0.0 && quantity.value.abs() < 1e15 && end.abs() < 1e15
}

/// All values from `low` to `high`.
#[derive(Clone, Copy, Debug)]
struct Set {
    low: f64,
    high: f64,
    has_low: bool,
    has_high: bool,
}

impl Set {
    /// Returns the values of a quantity: whole numbers alone if `is_whole`, and with both ends
    /// moved apart by `slack`.
    fn of(quantity: &Quantity, is_whole: bool, slack: f64) -> Self {
        let value = quantity.value;
        let step = if is_whole { 1.0 } else { 0.0 };
        let all = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, has_low: true, has_high: true };
        let set = match quantity.bound {
            Bound::Exact => Self { low: value, high: value, ..all },
            Bound::AtLeast => Self { low: value, ..all },
            Bound::MoreThan => Self { low: value + step, has_low: is_whole, ..all },
            Bound::AtMost => Self { high: value, ..all },
            Bound::LessThan => Self { high: value - step, has_high: is_whole, ..all },
            Bound::Between(end) => Self { low: value.min(end), high: value.max(end), ..all },
            Bound::About => {
                let reach = (ABOUT * value.abs()).max(step);
                let (low, high) = (value - reach, value + reach);
                if is_whole { Self { low: low.ceil(), high: high.floor(), ..all } } else { Self { low, high, ..all } }
            }
        };
        if slack == 0.0 {
            return set;
        }
        let (low, high) = (set.low - slack * set.low.abs(), set.high + slack * set.high.abs());
        Self { low: if low.is_nan() { set.low } else { low }, high: if high.is_nan() { set.high } else { high }, ..set }
    }

    fn is_within(self, other: Self) -> bool {
        let is_low = if is_equal(self.low, other.low) { other.has_low || !self.has_low } else { self.low > other.low };
        let is_high =
            if is_equal(self.high, other.high) { other.has_high || !self.has_high } else { self.high < other.high };
        is_low && is_high
    }

    /// Whether all values of this set lie below all of the other.
    fn is_below(self, other: Self) -> bool {
        if is_equal(self.high, other.low) { !(self.has_high && other.has_low) } else { self.high < other.low }
    }
}

/// Like [`is_near`], also for the infinities.
fn is_equal(a: f64, b: f64) -> bool {
    a == b || (a.is_finite() && b.is_finite() && is_near(a, b))
}

fn sets(a: Set, b: Set) -> QuantityRelation {
    match (a.is_within(b), b.is_within(a)) {
        (true, true) => Equal,
        (true, false) => FirstImplies,
        (false, true) => SecondImplies,
        _ if a.is_below(b) || b.is_below(a) => Disjoint,
        _ => Overlapping,
    }
}

/// Codes of the same pattern of letters and digits exclude each other: "v2.3" and "v2.4".
fn codes(a: &str, b: &str) -> QuantityRelation {
    if a == b {
        return Equal;
    }
    let is_alike = |(x, y): (char, char)| x == y || (x.is_ascii_digit() && y.is_ascii_digit());
    let is_one_pattern = a.chars().count() == b.chars().count() && a.chars().zip(b.chars()).all(is_alike);
    if is_one_pattern { Disjoint } else { Incomparable }
}

fn dates(a: &Quantity, b: &Quantity) -> QuantityRelation {
    if a.kind == Kind::Year && b.kind == Kind::Year {
        return sets(Set::of(a, true, 0.0), Set::of(b, true, 0.0));
    }
    let relation = days(date(a), date(b));
    match (a.bound, b.bound) {
        (Bound::Exact, Bound::Exact) => relation,
        (Bound::Exact, Bound::About) if matches!(relation, Equal | FirstImplies) => FirstImplies,
        (Bound::About, Bound::Exact) if matches!(relation, Equal | SecondImplies) => SecondImplies,
        (first, second) if first == second && relation == Equal => Equal,
        _ => Overlapping,
    }
}

/// Returns the date that a quantity names, with the weekday if it follows.
fn date(quantity: &Quantity) -> Date {
    let Kind::Date(date) = quantity.kind else {
        let is_year = quantity.value >= 0.0 && quantity.value <= f64::from(u16::MAX);
        return Date { year: is_year.then_some(quantity.value as u16), ..Date::default() };
    };
    match (date.year, date.month, date.day) {
        (Some(year), Some(month), Some(day)) => {
            Date { weekday: date.weekday.or_else(|| weekday(year, month, day)), ..date }
        }
        _ => date,
    }
}

/// Returns the day of the week from 1 for Monday, by Sakamoto's method.
fn weekday(year: u16, month: u8, day: u8) -> Option<u8> {
    const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let shift = SHIFT.get(usize::from(month).checked_sub(1)?)?;
    let year = u32::from(year).checked_sub(u32::from(month < 3))?;
    let days = year + year / 4 - year / 100 + year / 400 + shift + u32::from(day);
    Some(((days + 6) % 7 + 1) as u8)
}

fn days(a: Date, b: Date) -> QuantityRelation {
    let fields = |date: Date| {
        let small = |field: Option<u8>| field.map(u16::from);
        [date.year, small(date.month), small(date.day), small(date.weekday)]
    };
    let (mut is_first, mut is_second) = (true, true);
    for (one, other) in fields(a).into_iter().zip(fields(b)) {
        match (one, other) {
            (Some(one), Some(other)) if one != other => return Disjoint,
            (Some(_), None) => is_second = false,
            (None, Some(_)) => is_first = false,
            _ => {}
        }
    }
    match (is_first, is_second) {
        (true, true) => Equal,
        (false, true) => SecondImplies,
        (true, false) => FirstImplies,
        (false, false) => Overlapping,
    }
}

fn times(a: &Quantity, is_a_either: bool, b: &Quantity, is_b_either: bool) -> QuantityRelation {
    let is_same =
        if is_a_either || is_b_either { is_near(a.value % 720.0, b.value % 720.0) } else { is_near(a.value, b.value) };
    let relation = match (is_same, is_a_either, is_b_either) {
        (false, ..) => Disjoint,
        (true, false, true) => FirstImplies,
        (true, true, false) => SecondImplies,
        _ => Equal,
    };
    match (a.bound, b.bound) {
        (Bound::Exact, Bound::Exact) => relation,
        (Bound::Exact, Bound::About) if matches!(relation, Equal | FirstImplies) => FirstImplies,
        (Bound::About, Bound::Exact) if matches!(relation, Equal | SecondImplies) => SecondImplies,
        (first, second) if first == second && relation == Equal => Equal,
        _ => Overlapping,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn count(value: f64, bound: Bound) -> Quantity {
        Quantity { span: Span { start: 0, end: 0 }, kind: Kind::Count, value, bound }
    }

    fn bounds(value: i32) -> Vec<Bound> {
        let mut bounds =
            vec![Bound::Exact, Bound::AtLeast, Bound::MoreThan, Bound::AtMost, Bound::LessThan, Bound::About];
        bounds.extend((0..4).map(|more| Bound::Between(f64::from(value + more))));
        bounds
    }

    /// The definition: the whole numbers of a wide window for which a statement holds.
    fn members(value: i32, bound: Bound) -> Vec<i32> {
        let holds = |n: i32| match bound {
            Bound::Exact => n == value,
            Bound::AtLeast => n >= value,
            Bound::MoreThan => n > value,
            Bound::AtMost => n <= value,
            Bound::LessThan => n < value,
            Bound::About => (n - value).abs() * 10 <= value.abs().max(10),
            Bound::Between(end) => n >= value && f64::from(n) <= end,
        };
        (-200..=200).filter(|n| holds(*n)).collect()
    }

    #[test]
    fn counts_are_sets_of_whole_numbers() {
        let values: Vec<i32> = (-12..=24).chain([30, 33, 40, 44, 60]).collect();
        let all: Vec<(i32, Bound)> =
            values.iter().flat_map(|value| bounds(*value).into_iter().map(|bound| (*value, bound))).collect();
        let sets: Vec<Vec<i32>> = all.iter().map(|(value, bound)| members(*value, *bound)).collect();
        for (first, a) in all.iter().zip(&sets) {
            for (second, b) in all.iter().zip(&sets) {
                let is_within = |a: &[i32], b: &[i32]| a.iter().all(|n| b.binary_search(n).is_ok());
                let expected = match (is_within(a, b), is_within(b, a)) {
                    (true, true) => Equal,
                    (true, false) => FirstImplies,
                    (false, true) => SecondImplies,
                    _ if a.iter().all(|n| b.binary_search(n).is_err()) => Disjoint,
                    _ => Overlapping,
                };
                let found = compare(&count(first.0.into(), first.1), &count(second.0.into(), second.1));
                assert_eq!(found, expected, "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn weekdays_follow_from_dates() {
        assert_eq!(weekday(2024, 7, 4), Some(4));
        assert_eq!(weekday(2000, 1, 1), Some(6));
        assert_eq!(weekday(1900, 2, 28), Some(3));
        assert_eq!(weekday(2023, 12, 31), Some(7));
    }

    #[test]
    fn codes_exclude_codes_of_their_pattern() {
        assert_eq!(codes("v2.3", "v2.3"), Equal);
        assert_eq!(codes("v2.3", "v2.4"), Disjoint);
        assert_eq!(codes("v2.3", "b2b"), Incomparable);
    }
}
