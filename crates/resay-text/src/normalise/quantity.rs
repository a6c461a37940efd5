//! Quantities: what a number-like expression says.

use crate::Span;

/// A number-like expression in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Where it stands, with its unit, and with the words of its bound if they can mean nothing
    /// else ("at least", but not "over").
    pub span: Span,
    /// What is counted or measured.
    pub kind: Kind,
    /// How much, in the unit of the kind. For a range, its lower end. 0 for dates and codes.
    pub value: f64,
    /// What is said about the value.
    pub bound: Bound,
}

/// What a [`Quantity`] counts or measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A bare number. What is counted follows it in the text.
    Count,
    /// A place in an order: "4th", "fourth".
    Ordinal,
    /// A share in hundredths: "50 %", "half of", "one in four".
    Percent,
    /// An amount of money, in units of its currency.
    Money(Currency),
    /// A measure, in the base unit of its dimension.
    Measure(Dimension),
    /// A span of time in seconds.
    Duration {
        /// Whether it is given in months or years. They count as twelfths of a year of 365.2425
        /// days, and no span in days equals them.
        is_calendar: bool,
    },
    /// A day, a month or a weekday.
    Date(Date),
    /// A time of day in minutes after midnight.
    Time {
        /// Whether it may also be twelve hours later: "three o'clock". The minutes are below 720.
        is_either_half: bool,
    },
    /// A year of the calendar.
    Year,
    /// A version, telephone number, decade or other mixture of digits and signs, in lower case.
    Code(Box<str>),
}

/// A date, as far as it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day of the month, from 1.
    pub day: Option<u8>,
    /// The day of the week, from 1 for Monday.
    pub weekday: Option<u8>,
}

/// What is said about the value of a [`Quantity`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// It is the value or more.
    AtLeast,
    /// It is more than the value.
    MoreThan,
    /// It is the value or less.
    AtMost,
    /// It is less than the value.
    LessThan,
    /// It is near the value.
    About,
    /// It lies between the value and this one; both are included.
    Between(f64),
}

/// A currency. A bare dollar is that of the United States, a bare pound that of the United Kingdom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of ISO 4217")]
pub enum Currency {
    Aud,
    Cad,
    Chf,
    Cny,
    Eur,
    Gbp,
    Inr,
    Jpy,
    Krw,
    Rub,
    Usd,
}

/// The dimension of a measure, with its base unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dimension {
    /// Metres.
    Length,
    /// Square metres.
    Area,
    /// Litres.
    Volume,
    /// Pints, of which countries have their own.
    Pints,
    /// Kilograms.
    Mass,
    /// Kelvin.
    Temperature,
    /// Metres a second.
    Speed,
    /// Bytes.
    Data,
    /// Bits a second.
    DataRate,
    /// Watts.
    Power,
    /// Joules.
    Energy,
    /// Hertz.
    Frequency,
    /// Volts.
    Voltage,
}

/// Whether two values are equal but for rounding: within a billionth.
pub(super) fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

impl Quantity {
    /// Whether both say the same. A year equals the bare number: which of them it is depends on the
    /// words around it.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_bare = |kind: &Kind| matches!(kind, Kind::Count | Kind::Year);
        let is_bound = match (self.bound, other.bound) {
            (Bound::Between(a), Bound::Between(b)) => is_near(a, b),
            (a, b) => a == b,
        };
        let is_kind = self.kind == other.kind || (is_bare(&self.kind) && is_bare(&other.kind));
        is_kind && is_bound && is_near(self.value, other.value)
    }
}
