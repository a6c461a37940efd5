//! Reads the quantity that begins at an item, by trying each kind in turn.

use super::items::Item;
use super::number::{self, Form, Number, cardinal, digits, is_glued, ordinal, sign, value_of, whole, word};
use super::quantity::{Currency, Dimension, Kind};
use super::scan::{Case, Sort};
use super::table::is_in;
use super::unit::{self, Unit};
use super::{calendar, clock, words};

/// A quantity without place and bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) value: f64,
    /// The item behind it.
    pub(super) end: usize,
    /// Whether the canonical form has an "of" behind it: "half the cake".
    pub(super) has_of: bool,
    /// The upper end of a range.
    pub(super) range: Option<f64>,
}

impl Found {
    fn new(kind: Kind, value: f64, end: usize) -> Self {
        Self { kind, value, end, has_of: false, range: None }
    }
}

/// Seconds in a month: a twelfth of a year of 365.2425 days.
const MONTH: f64 = 2_629_746.0;

/// The longest code in bytes. A longer one is cut: nothing is read twice.
const LONGEST_CODE: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    pub(super) items: &'a [Item<'a>],
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        word(self.items, at)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    /// Whether a quantity may begin at `at`. Cheap, and true for few words.
    pub(super) fn may_begin(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at) else { return false };
        match item.sort {
            Sort::Number => true,
            Sort::Sign => matches!(&*item.text, "$" | "€" | "£" | "¥" | "₹" | "₩" | "₽" | "-"),
            Sort::Stop => false,
            Sort::Word => {
                let is_before_digits = self.items.get(at + 1).is_some_and(|next| next.sort == Sort::Number);
                is_before_digits || begins(item) || item.case == Case::Upper && self.roman(at).is_some()
            }
        }
    }

    /// Reads the quantity at `at`.
    pub(super) fn quantity(&self, at: usize) -> Option<Found> {
        let items = self.items;
        if let Some((date, end)) = calendar::date(items, at) {
            return Some(Found::new(Kind::Date(date), 0.0, end));
        }
        if let Some((minutes, is_either_half, end)) = clock::time(items, at) {
            return Some(Found::new(Kind::Time { is_either_half }, f64::from(minutes), end));
        }
        if let Some(found) = self.money(at) {
            return Some(found);
        }
        if sign(items, at) == "-" || self.word(at) == "minus" {
            return self.negative(at);
        }
        let item = items.get(at)?;
        if item.sort == Sort::Word {
            if let Some(value) = self.roman(at) {
                return Some(Found::new(Kind::Count, f64::from(value), at + 1));
            }
            if let Some(found) = self.fraction(at).or_else(|| self.span_of_one(at)) {
                return Some(found);
            }
        }
        if let Some(found) = self.share(at) {
            return Some(found);
        }
        if let Some(found) = self.place(at) {
            return Some(found);
        }
        if let Some(found) = self.code(at) {
            return Some(found);
        }
        let number = cardinal(items, at)?;
        if let Some(found) = self.parts(at, number) {
            return Some(found);
        }
        let found = self.with_unit(at, number)?;
        Some(self.with_range(at, found))
    }

    /// Reads a Roman numeral in capitals behind a word such as "Chapter".
    fn roman(&self, at: usize) -> Option<u32> {
        let before = self.items.get(at.checked_sub(1)?)?;
        let item = self.items.get(at)?;
        let is_part = matches!(
            &*before.text,
            "act"
                | "appendix"
                | "article"
                | "book"
                | "chapter"
                | "class"
                | "figure"
                | "part"
                | "phase"
                | "scene"
                | "section"
                | "stage"
                | "table"
                | "title"
                | "type"
                | "volume"
                | "war"
        );
        if !is_part || !before.is_capital() || item.case != Case::Upper || item.is_dotted {
            return None;
        }
        let is_pronoun = &*item.text == "i" && !matches!(self.word(at + 1), "" | "is" | "was" | "of" | "and" | "in");
        number::roman(&item.text).filter(|_| !is_pronoun)
    }

    /// Reads money behind a sign or code: "$3 billion", "US$3", "USD 3bn".
    fn money(&self, at: usize) -> Option<Found> {
        let items = self.items;
        let (currency, next) = match unit::currency_sign(sign(items, at)) {
            Some(currency) => (currency, at + 1),
            None => {
                let item = items.get(at).filter(|item| item.sort == Sort::Word)?;
                let has_dollar = sign(items, at + 1) == "$" && is_glued(items, at + 1);
                match item.raw {
                    "US" if has_dollar => (Currency::Usd, at + 2),
                    "A" | "AU" if has_dollar => (Currency::Aud, at + 2),
                    "C" | "CA" if has_dollar => (Currency::Cad, at + 2),
                    _ => (unit::currency_code(item)?, at + 1),
                }
            }
        };
        if items.get(next)?.sort != Sort::Number {
            return None;
        }
        let number = cardinal(items, next)?;
        let (mut value, mut end) = (number.value, number.end);
        if matches!(self.word(end), "m" | "b" | "t") && is_glued(items, end) && !is_glued(items, end + 1)
            || self.word(end) == "m" && self.items.get(end).is_some_and(|item| item.is_spaced)
        {
            value *= match self.word(end) {
                "m" => 1e6,
                "b" => 1e9,
                _ => 1e12,
            };
            value = if (value - value.round()).abs() <= 1e-9 * value.abs() { value.round() } else { value };
            end += 1;
        }
        // Letters glued to an amount make it something else.
        if self.is_word_glued(end) {
            return None;
        }
        let found = Found::new(Kind::Money(currency), value, end);
        Some(self.with_range(at, found))
    }

    fn is_word_glued(&self, at: usize) -> bool {
        is_glued(self.items, at)
            && self
                .items
                .get(at)
                .is_some_and(|item| matches!(item.sort, Sort::Word | Sort::Number) && &*item.text != "'s")
    }

    /// Reads "-5" and "minus five".
    fn negative(&self, at: usize) -> Option<Found> {
        let is_between = at.checked_sub(1).and_then(|at| self.items.get(at)).is_some_and(|item| {
            item.sort == Sort::Number || number::small(&item.text).is_some() || matches!(&*item.text, ")" | "=")
        });
        let number = cardinal(self.items, at + 1).filter(|_| !is_between)?;
        let number = Number { value: -number.value, ..number };
        self.with_unit(at, number)
    }

    /// Reads "half of", "a third of", "half the", "three quarters".
    fn fraction(&self, at: usize) -> Option<Found> {
        let percent =
            |value: f64, end: usize, has_of: bool| Some(Found { has_of, ..Found::new(Kind::Percent, value, end) });
        let first = self.word(at);
        if first == "half" {
            if matches!(self.word(at + 1), "an" | "a") && is_whole_name(self.word(at + 2)) {
                let (unit, end) = unit::unit(self.items, at + 2)?;
                let is_long = matches!(unit, Unit::Measure(..) | Unit::Months(_)) || self.word(at + 2) == "hour";
                let half = Number { value: 0.5, end, form: Form::Words };
                let (value, kind) = self.measured(half, unit).filter(|_| is_long)?;
                return Some(Found::new(kind, value, end));
            }
            return match self.word(at + 1) {
                "of" if self.before(at) != "first" && self.before(at) != "second" => percent(50.0, at + 1, false),
                "the" | "my" | "your" | "his" | "her" | "its" | "our" | "their" if self.before(at) != "the" => {
                    percent(50.0, at + 1, true)
                }
                _ => None,
            };
        }
        let (parts, next) = match first {
            "a" | "one" => (1.0, at + 1),
            _ => {
                let number = cardinal(self.items, at).filter(|number| number.form != Form::Year)?;
                (number.value, number.end)
            }
        };
        let name = self.word(next);
        let (of, is_plural) = denominator(name)?;
        let behind = self.word(next + 1);
        let is_sure = is_plural && parts > 1.0 && parts < f64::from(of) || !is_plural && parts == 1.0 && behind == "of";
        let is_change = matches!(self.before(at), "by" | "than" | "only" | "about" | "nearly" | "almost" | "over");
        let is_bare = !is_plural && parts == 1.0 && is_change && (behind.is_empty() || words::is_function(behind));
        // "a quarter of an hour" is a span, "a second of silence" is no share.
        if (!is_sure && !is_bare) || of == 2 {
            return None;
        }
        if of == 4 && behind == "of" && self.word(next + 2) == "an" && self.word(next + 3) == "hour" {
            return Some(Found::new(Kind::Duration { is_calendar: false }, parts * 900.0, next + 4));
        }
        percent(
            parts * 100.0 / f64::from(of),
            next + 1,
            is_sure && behind != "of" && matches!(behind, "the" | "my" | "all"),
        )
    }

    /// Reads "an hour and a half", "a fortnight", "for a day".
    fn span_of_one(&self, at: usize) -> Option<Found> {
        if !matches!(self.word(at), "a" | "an" | "one") {
            return None;
        }
        let is_one = self.word(at) == "one";
        let (seconds, is_calendar) = match unit::unit(self.items, at + 1)? {
            (Unit::Seconds(seconds), _) if is_whole_name(self.word(at + 1)) => (seconds, false),
            (Unit::Months(months), _) if is_whole_name(self.word(at + 1)) => (months * MONTH, true),
            _ => return None,
        };
        if self.items.get(at + 2).is_some_and(|item| item.is_joined) {
            return None;
        }
        let kind = Kind::Duration { is_calendar };
        let next = (self.word(at + 2), self.word(at + 3), self.word(at + 4));
        match next {
            ("and", "a", "half") => return Some(Found::new(kind, seconds * 1.5, at + 5)),
            ("and", "a", "quarter") => return Some(Found::new(kind, seconds * 1.25, at + 5)),
            _ => {}
        }
        let before = self.before(at);
        let is_rate = matches!(before, "once" | "twice" | "times" | "thrice" | "per" | "every")
            || at > 0 && self.items.get(at - 1).is_some_and(|item| item.sort == Sort::Number || &*item.text == "%")
            || unit::unit(self.items, at.wrapping_sub(1)).is_some();
        let is_named = matches!(self.word(at + 1), "fortnight" | "decade");
        let is_short = matches!(self.word(at + 1), "second" | "minute" | "moment");
        let is_measured = matches!(
            before,
            "for"
                | "within"
                | "lasts"
                | "lasted"
                | "lasting"
                | "takes"
                | "took"
                | "taking"
                | "than"
                | "about"
                | "least"
                | "most"
                | "after"
                | "nearly"
                | "almost"
                | "over"
                | "under"
        ) || matches!(next.0, "ago" | "later" | "long" | "earlier" | "old");
        // "one day" is some day, and a minute need not be sixty seconds.
        let is_sure = is_named && !is_one || is_measured && !is_short && (!is_one || before != "than");
        (is_sure && !is_rate).then(|| Found::new(kind, seconds, at + 2))
    }

    /// Reads "one in four", "3 out of 5".
    fn share(&self, at: usize) -> Option<Found> {
        let part = cardinal(self.items, at).filter(|part| part.form != Form::Year)?;
        let (is_out, next) = match (self.word(part.end), self.word(part.end + 1)) {
            ("out", "of") => (true, part.end + 2),
            ("in", _) => (false, part.end + 1),
            _ => return None,
        };
        let of = cardinal(self.items, next)?;
        let is_whole = part.value.fract() == 0.0 && of.value.fract() == 0.0;
        let is_share = is_whole && part.value >= 1.0 && part.value < of.value && of.value <= 1e6;
        let is_usual = is_out || part.value == 1.0 && of.value <= 1000.0 || matches!(of.value as u32, 10 | 100 | 1000);
        let behind = self.word(of.end);
        let is_unit = unit::unit(self.items, of.end).is_some() || self.is_glued_or_joined(of.end);
        if !is_share || !is_usual || is_unit || is_out && behind == "of" {
            return None;
        }
        let has_of = !behind.is_empty() && !words::is_function(behind) || matches!(behind, "the" | "our" | "all");
        Some(Found { has_of, ..Found::new(Kind::Percent, part.value * 100.0 / of.value, of.end) })
    }

    fn is_glued_or_joined(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| item.is_joined) || self.is_word_glued(at)
    }

    /// Reads an ordinal.
    fn place(&self, at: usize) -> Option<Found> {
        let (value, end) = ordinal(self.items, at)?;
        if self.word(at) == "second" && end == at + 1 {
            // "a second" may be a moment: a place needs what is placed.
            let next = self.word(end);
            let is_placed = !next.is_empty() && !words::is_function(next);
            if self.before(at) != "the" && !is_placed || matches!(next, "hand" | "ago" | "later" | "thoughts") {
                return None;
            }
        }
        let is_fraction = matches!(self.before(at), "a" | "one") && value > 2.0 && digits(self.items, at).is_none();
        let is_placed = !self.word(end).is_empty() && !words::is_function(self.word(end));
        if is_fraction && !is_placed {
            return None;
        }
        Some(Found::new(Kind::Ordinal, value, end))
    }

    /// Reads digits and letters that are glued or joined and form no number: "v2.3", "555-1234",
    /// "B2B", "1990s", "1/2/2024".
    fn code(&self, at: usize) -> Option<Found> {
        let items = self.items;
        let first = items.get(at)?;
        if first.sort == Sort::Word {
            if !is_glued(items, at + 1) || items.get(at + 1)?.sort != Sort::Number || self.is_amount(at) {
                return None;
            }
            return self.run(at);
        }
        let text = digits(items, at)?;
        if value_of(text).is_none() {
            return self.run(at);
        }
        let next = items.get(at + 1)?;
        if next.is_spaced || next.sort == Sort::Stop {
            return None;
        }
        let joined = |at: usize| digits(items, at).filter(|_| items.get(at).is_some_and(|item| item.is_joined));
        if let Some(second) = joined(at + 1) {
            let is_many = joined(at + 2).is_some();
            return if is_many || text.len() == 3 && second.len() == 4 { self.run(at) } else { None };
        }
        if matches!(&*next.text, "/" | ":") && next.sort == Sort::Sign {
            let is_number = is_glued(items, at + 2) && digits(items, at + 2).is_some();
            if !is_number {
                return None;
            }
            let of =
                self.word(at + 3) == "of" || matches!(self.word(at + 3), "cup" | "cups" | "teaspoon" | "tablespoon");
            if let Some((part, end)) = number::slashed(items, at).filter(|_| of) {
                return Some(Found::new(Kind::Percent, part * 100.0, end));
            }
            return self.run(at);
        }
        if next.is_joined || next.sort != Sort::Word {
            return None;
        }
        // Letters behind digits: a unit or multiplier if one is known, else a code.
        let number = cardinal(items, at)?;
        if number.end > at + 1 {
            return if self.is_word_glued(number.end) && unit::unit(items, number.end).is_none() {
                self.run(at)
            } else {
                None
            };
        }
        match unit::unit(items, at + 1) {
            Some((_, end)) if !self.is_word_glued(end) => None,
            _ if &*next.text == "'s" => None,
            _ if &*next.text == "m" && self.is_people(at + 2) => None,
            _ => self.run(at),
        }
    }

    /// Whether a word before digits is a currency: "USD3bn".
    fn is_amount(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| unit::currency_code(item).is_some())
    }

    /// Whether a plural follows that only numbers count.
    fn is_people(&self, at: usize) -> bool {
        matches!(
            self.word(at),
            "people"
                | "users"
                | "customers"
                | "jobs"
                | "voters"
                | "children"
                | "workers"
                | "visitors"
                | "subscribers"
                | "copies"
        )
    }

    /// Joins what is glued into a code.
    fn run(&self, at: usize) -> Option<Found> {
        let mut text = String::new();
        let mut end = at;
        while let Some(item) = self.items.get(end) {
            let is_number = matches!(item.sort, Sort::Number | Sort::Word) && (end == at || &*item.text != "'s");
            let is_inner = item.sort == Sort::Sign && matches!(&*item.text, "/" | ":" | "." | "-");
            let is_before =
                is_inner && self.items.get(end + 1).is_some_and(|next| next.is_glued() && next.sort != Sort::Stop);
            let is_next = end == at || !item.is_spaced;
            if !(is_next && (is_number || is_before)) || text.len() + item.text.len() > LONGEST_CODE && end > at {
                break;
            }
            if item.is_joined && end > at {
                text.push('-');
            }
            text.push_str(&item.text);
            end += 1;
        }
        Some(Found::new(Kind::Code(text.into_boxed_str()), 0.0, end))
    }

    /// Reads "2 hours 30 minutes", "5 feet 10 inches", "3 pounds" and the like with a second part.
    fn parts(&self, at: usize, number: Number) -> Option<Found> {
        let (mut unit, mut end) = unit::unit(self.items, number.end)?;
        let (mut value, kind) = self.measured(number, unit)?;
        let mut has_more = false;
        // At most three parts; each in a smaller unit.
        for _ in 0..2 {
            let next = end + usize::from(self.word(end) == "and");
            let Some(more) = cardinal(self.items, next) else { break };
            let Some((smaller, behind)) = unit::unit(self.items, more.end) else { break };
            if !is_smaller(smaller, unit) {
                break;
            }
            let Some((part, other)) = self.measured(more, smaller) else { break };
            if other != kind {
                break;
            }
            value += part;
            (unit, end, has_more) = (smaller, behind, true);
        }
        // "two hours and a half".
        if !has_more && self.word(end) == "and" && self.word(end + 1) == "a" && self.word(end + 2) == "half" {
            let (one, _) = self.measured(Number { value: 0.5, ..number }, unit)?;
            (value, end, has_more) = (value + one, end + 3, true);
        }
        (has_more && !matches!(unit, Unit::Percent)).then(|| Found::new(kind, value, end)).filter(|_| at < end)
    }

    /// Returns value and kind of a number with a unit.
    fn measured(&self, number: Number, unit: Unit) -> Option<(f64, Kind)> {
        let value = number.value;
        Some(match unit {
            Unit::Percent => (value, Kind::Percent),
            Unit::Measure(dimension, factor, offset) => (value * factor + offset, Kind::Measure(dimension)),
            Unit::Seconds(seconds) => (value * seconds, Kind::Duration { is_calendar: false }),
            Unit::Months(months) => (value * months * MONTH, Kind::Duration { is_calendar: true }),
            Unit::Money(currency, factor) => (value * factor, Kind::Money(currency)),
        })
    }

    /// Adds the unit behind a number.
    fn with_unit(&self, at: usize, number: Number) -> Option<Found> {
        let items = self.items;
        if let Some((unit, end)) = unit::unit(items, number.end) {
            let is_year = number.form == Form::Year && !matches!(unit, Unit::Percent);
            // "one second" and "one day" may be a moment and some day.
            let is_moment = self.word(at) == "one" && matches!(self.word(number.end), "second" | "minute" | "day");
            if !is_year && !is_moment && !self.is_word_glued(end) {
                let (value, kind) = self.measured(number, unit)?;
                return Some(Found::new(kind, value, end));
            }
        }
        if matches!(self.word(number.end), "pound" | "pounds")
            && let Some(found) = self.pounds(at, number)
        {
            return Some(found);
        }
        if self.word(number.end) == "m" && is_glued(items, number.end) && self.is_people(number.end + 1) {
            return Some(Found::new(Kind::Count, number.value * 1e6, number.end + 1));
        }
        let item = items.get(at)?;
        if item.sort == Sort::Word && number.end == at + 1 && &*item.text == "one" && !self.is_counting(at) {
            return None;
        }
        let kind = if self.is_year(at, number) { Kind::Year } else { Kind::Count };
        Some(Found::new(kind, number.value, number.end))
    }

    /// Whether "one" counts what follows: "one apple", "one of them", but not "no one" or "the one".
    fn is_counting(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let is_pronoun = matches!(
            self.before(at),
            "no" | "any"
                | "some"
                | "every"
                | "each"
                | "which"
                | "this"
                | "that"
                | "the"
                | "another"
                | "a"
                | "such"
                | "only"
        );
        let is_joined = self.items.get(at).is_some_and(|item| item.is_joined);
        let is_some_day = matches!(
            next,
            "day" | "morning" | "evening" | "night" | "another" | "second" | "minute" | "moment" | "time"
        );
        let is_content = !next.is_empty() && !words::is_function(next) || next == "of";
        is_content && !is_pronoun && !is_joined && !is_some_day
    }

    /// Whether a bare number is a year.
    fn is_year(&self, at: usize, number: Number) -> bool {
        if number.form == Form::Year {
            return true;
        }
        let is_four = whole(self.items, at).is_some_and(|year| (1000..2200).contains(&year));
        let is_after = matches!(
            self.before(at),
            "in" | "since"
                | "until"
                | "till"
                | "by"
                | "during"
                | "year"
                | "early"
                | "late"
                | "mid"
                | "summer"
                | "winter"
                | "spring"
                | "autumn"
                | "before"
                | "after"
        );
        let next = self.word(number.end);
        number.end == at + 1 && is_four && is_after && (next.is_empty() || words::is_function(next))
    }

    /// Pounds are money or weight if the words around them say so.
    fn pounds(&self, at: usize, number: Number) -> Option<Found> {
        let end = number.end + 1;
        let near: [&str; 5] = std::array::from_fn(|back| at.checked_sub(back + 1).map_or("", |at| self.word(at)));
        let has = |known: &[&str]| near.iter().any(|word| known.contains(word));
        let is_money = has(&[
            "cost", "costs", "pay", "pays", "paid", "spend", "spent", "price", "priced", "earn", "earns", "earned",
            "owe", "owes",
        ]);
        let is_weight = has(&["weigh", "weighs", "weighed", "weighing", "weight", "gained"]);
        match (is_money, is_weight) {
            (true, false) => Some(Found::new(Kind::Money(Currency::Gbp), number.value, end)),
            (false, true) => Some(Found::new(Kind::Measure(Dimension::Mass), number.value * 0.45359237, end)),
            _ => None,
        }
    }

    /// Reads the upper end of a range: "5-10 people", "5 to 10 km", "between 5 and 10".
    fn with_range(&self, at: usize, low: Found) -> Found {
        let items = self.items;
        let is_between = self.before(at) == "between";
        let joined = items.get(low.end).is_some_and(|item| item.is_joined && item.sort == Sort::Number);
        let next = match self.word(low.end) {
            _ if joined => low.end,
            "to" if self.before(at) != "from" => low.end + 1,
            "and" if is_between => low.end + 1,
            _ => return low,
        };
        // The unit may stand at the upper end alone.
        let start = next + usize::from(unit::currency_sign(sign(items, next)).is_some());
        let Some(number) = cardinal(items, start) else { return low };
        let high = if start > next { self.money(next) } else { self.with_unit(start, number) };
        let Some(high) = high else { return low };
        let low_value = if low.kind == high.kind {
            Some(low.value)
        } else if low.kind == Kind::Count {
            // The lower end in the unit of the upper one.

            unit::unit(items, number.end).and_then(|(unit, _)| {
                self.measured(Number { value: low.value, ..number }, unit).map(|(value, _)| value)
            })
        } else if matches!(low.kind, Kind::Money(_)) && high.kind == Kind::Count {
            return if high.value > low.value { Found { range: Some(high.value), end: high.end, ..low } } else { low };
        } else {
            None
        };
        match low_value {
            Some(value) if value < high.value && high.kind != Kind::Year => {
                Found { value, range: Some(high.value), ..high }
            }
            _ => low,
        }
    }
}

/// Whether the second part of a measure is in a smaller unit of the same kind.
fn is_smaller(small: Unit, big: Unit) -> bool {
    match (small, big) {
        (Unit::Seconds(small), Unit::Seconds(big)) | (Unit::Months(small), Unit::Months(big)) => small < big,
        (Unit::Measure(first, small, _), Unit::Measure(second, big, _)) => {
            first == second && small < big && matches!(first, Dimension::Length | Dimension::Mass)
        }
        (Unit::Money(first, small), Unit::Money(second, big)) => first == second && small < big,
        _ => false,
    }
}

/// Whether the name of a unit is written out.
fn is_whole_name(word: &str) -> bool {
    word.len() > 3 || word == "day"
}

/// Returns the denominator that a word names, and whether the word is a plural.
fn denominator(word: &str) -> Option<(u32, bool)> {
    let (singular, is_plural) = match word.strip_suffix('s') {
        Some(singular) => (singular, true),
        None => (word, false),
    };
    let of = match singular {
        "half" => 2,
        "third" => 3,
        "quarter" | "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        "twentieth" => 20,
        "hundredth" => 100,
        _ => return None,
    };
    Some((of, is_plural))
}

/// Words that may begin a quantity.
#[rustfmt::skip]
const BEGINS: &[&str] = &[
    "March", "May", "US", "a", "an", "apr", "april", "aug", "august", "c", "couple", "dec", "december", "eight",
    "eighteen", "eighteenth", "eighth", "eightieth", "eighty", "eleven", "eleventh", "eur", "feb", "february",
    "fifteen", "fifteenth", "fifth", "fiftieth", "fifty", "first", "five", "fortieth", "forty", "four", "fourteen",
    "fourteenth", "fourth", "fourty", "fri", "friday", "gbp", "half", "hundredth", "jan", "january", "jul", "july",
    "jun", "june", "mar", "march", "may", "midday", "midnight", "minus", "mon", "monday", "nine", "nineteen",
    "nineteenth", "ninetieth", "ninety", "ninth", "noon", "nov", "november", "oct", "october", "one", "quarter",
    "sat", "saturday", "second", "sep", "sept", "september", "seven", "seventeen", "seventeenth", "seventh",
    "seventieth", "seventy", "six", "sixteen", "sixteenth", "sixth", "sixtieth", "sixty", "sun", "sunday", "ten",
    "tenth", "the", "third", "thirteen", "thirteenth", "thirtieth", "thirty", "three", "thu", "thur", "thurs",
    "thursday", "tue", "tues", "tuesday", "twelfth", "twelve", "twentieth", "twenty", "two", "us", "usd", "wed",
    "wednesday", "zero",
];

/// Whether a word may begin a quantity.
fn begins(item: &Item) -> bool {
    item.text.len() <= 11 && item.case != Case::Mixed && is_in(BEGINS, &item.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        crate::normalise::table::check_sorted(BEGINS);
    }
}
