//! Quantities: what each expression says, and how two of them relate.

use super::{Bound, Currency, Date, Dimension, Kind, Quantity, QuantityRelation, compare, normalise};
use Bound::{About, AtLeast, AtMost, Between, Exact, LessThan, MoreThan};

fn only(text: &str) -> Quantity {
    let normal = normalise(text);
    assert_eq!(normal.quantities().len(), 1, "{text:?}: {:?}", normal.quantities());
    normal.quantities()[0].clone()
}

const DAYS: Kind = Kind::Duration { is_calendar: false };
const MONTHS: Kind = Kind::Duration { is_calendar: true };
const TIME: Kind = Kind::Time { is_either_half: false };
const CLOCK: Kind = Kind::Time { is_either_half: true };
const MONTH: f64 = 2_629_746.0;

#[test]
fn what_expressions_say() {
    for (text, place, kind, value, bound) in [
        ("I saw 5 birds", "5", Kind::Count, 5.0, Exact),
        ("I saw forty-two birds", "forty-two", Kind::Count, 42.0, Exact),
        ("at least 5 birds", "at least 5", Kind::Count, 5.0, AtLeast),
        ("no fewer than five birds", "no fewer than five", Kind::Count, 5.0, AtLeast),
        ("5 or more birds", "5 or more", Kind::Count, 5.0, AtLeast),
        ("a minimum of 5 birds", "5", Kind::Count, 5.0, AtLeast),
        ("more than 5 birds", "more than 5", Kind::Count, 5.0, MoreThan),
        ("over 5 birds", "5", Kind::Count, 5.0, MoreThan),
        ("exceeding 5 metres", "5 metres", Kind::Measure(Dimension::Length), 5.0, MoreThan),
        ("up to 5 birds", "5", Kind::Count, 5.0, AtMost),
        ("no more than 5 birds", "no more than 5", Kind::Count, 5.0, AtMost),
        ("5 birds at most", "5", Kind::Count, 5.0, Exact),
        ("5 or less", "5 or less", Kind::Count, 5.0, AtMost),
        ("under 5 birds", "5", Kind::Count, 5.0, LessThan),
        ("fewer than 5 birds", "fewer than 5", Kind::Count, 5.0, LessThan),
        ("Some 20 birds", "20", Kind::Count, 20.0, About),
        ("He saw almost 20 birds", "20", Kind::Count, 20.0, About),
        ("roughly 20 birds", "roughly 20", Kind::Count, 20.0, About),
        ("5 to 10 birds", "5 to 10", Kind::Count, 5.0, Between(10.0)),
        ("between 5 and 10 birds", "5 and 10", Kind::Count, 5.0, Between(10.0)),
        ("5-10 km of road", "5-10 km", Kind::Measure(Dimension::Length), 5000.0, Between(10000.0)),
        ("the 3rd bird", "3rd", Kind::Ordinal, 3.0, Exact),
        ("a third party", "third", Kind::Ordinal, 3.0, Exact),
        ("7.5 % of it", "7.5 %", Kind::Percent, 7.5, Exact),
        ("one in five birds", "one in five", Kind::Percent, 20.0, Exact),
        ("two thirds of it", "two thirds", Kind::Percent, 200.0 / 3.0, Exact),
        ("It cost $3.5bn", "$3.5bn", Kind::Money(Currency::Usd), 3.5e9, Exact),
        ("It cost €60", "€60", Kind::Money(Currency::Eur), 60.0, Exact),
        ("It cost CHF 20", "CHF 20", Kind::Money(Currency::Chf), 20.0, Exact),
        ("It cost 20 pounds", "20 pounds", Kind::Money(Currency::Gbp), 20.0, Exact),
        ("It weighs 20 pounds", "20 pounds", Kind::Measure(Dimension::Mass), 9.0718474, Exact),
        ("less than 80 euros", "less than 80 euros", Kind::Money(Currency::Eur), 80.0, LessThan),
        ("2 hours and 30 minutes", "2 hours and 30 minutes", DAYS, 9000.0, Exact),
        ("an hour and a half", "an hour and a half", DAYS, 5400.0, Exact),
        ("three weeks ago", "three weeks", DAYS, 1_814_400.0, Exact),
        ("for a decade", "a decade", MONTHS, 120.0 * MONTH, Exact),
        ("at 3 pm", "3 pm", TIME, 900.0, Exact),
        ("at 15:30", "15:30", TIME, 930.0, Exact),
        ("at three o'clock", "three o'clock", CLOCK, 180.0, Exact),
        ("at half past twelve", "half past twelve", CLOCK, 30.0, Exact),
        ("at quarter to one", "quarter to one", CLOCK, 45.0, Exact),
        ("around noon", "around noon", TIME, 720.0, About),
        ("at midnight", "midnight", TIME, 0.0, Exact),
        ("born in 1984", "1984", Kind::Year, 1984.0, Exact),
        ("in nineteen eighty-four", "nineteen eighty-four", Kind::Year, 1984.0, Exact),
        ("at 100 km/h", "100 km/h", Kind::Measure(Dimension::Speed), 100.0 / 3.6, Exact),
        ("at 20 °C", "20 °C", Kind::Measure(Dimension::Temperature), 293.15, Exact),
        ("a 3 m wall", "3 m", Kind::Measure(Dimension::Length), 3.0, Exact),
        ("use v2.3 now", "v2.3", Kind::Code("v2.3".into()), 0.0, Exact),
        ("call 555-0199 now", "555-0199", Kind::Code("555-0199".into()), 0.0, Exact),
        ("in the 1990s", "1990s", Kind::Code("1990s".into()), 0.0, Exact),
        ("on 1/2/2024", "1/2/2024", Kind::Code("1/2/2024".into()), 0.0, Exact),
        ("5m users", "5m", Kind::Count, 5e6, Exact),
        ("Part II ends", "II", Kind::Count, 2.0, Exact),
    ] {
        let found = only(text);
        assert_eq!((&text[found.span.range()], &found.kind, found.bound), (place, &kind, bound), "{text:?}");
        assert!((found.value - value).abs() <= 1e-9 * value.abs(), "{text:?}: {}", found.value);
    }
}

#[test]
fn dates() {
    let date = |year, month, day, weekday| Date { year, month, day, weekday };
    for (text, expected) in [
        ("on 4 July", date(None, Some(7), Some(4), None)),
        ("on the 4th of July, 2024", date(Some(2024), Some(7), Some(4), None)),
        ("2024-07-04", date(Some(2024), Some(7), Some(4), None)),
        ("Thursday, July 4", date(None, Some(7), Some(4), Some(4))),
        ("on Fri.", date(None, None, None, Some(5))),
        ("in May", date(None, Some(5), None, None)),
        ("In June 2020 it fell", date(Some(2020), Some(6), None, None)),
    ] {
        assert_eq!(only(text).kind, Kind::Date(expected), "{text:?}");
    }
    for text in ["they march on", "it may rain", "I saw him", "The sun rose", "We wed", "He sat down", "April smiled"] {
        assert_eq!(normalise(text).quantities(), [], "{text:?}");
    }
}

#[test]
fn how_quantities_relate() {
    use QuantityRelation::{Disjoint, Equal, FirstImplies, Incomparable, Overlapping, SecondImplies};
    for (a, b, expected) in [
        ("5 birds", "five birds", Equal),
        ("5 birds", "at least 3 birds", FirstImplies),
        ("5 birds", "about 5 birds", FirstImplies),
        ("5 birds", "6 birds", Disjoint),
        ("more than 5 birds", "at least 6 birds", Equal),
        ("at least 5 birds", "at most 4 birds", Disjoint),
        ("at least 5 birds", "at most 9 birds", Overlapping),
        ("at least 5 birds", "7 birds", SecondImplies),
        ("5 to 10 birds", "7 birds", SecondImplies),
        ("about 500 birds", "about 5 birds", Disjoint),
        ("60 euros", "80 euros", Disjoint),
        ("60 euros", "60 dollars", Incomparable),
        ("60 euros", "over 50 euros", FirstImplies),
        ("2 km", "2000 m", Equal),
        ("2 km", "2 kg", Incomparable),
        ("2 km", "2 birds", Incomparable),
        ("half of it", "50% of it", Equal),
        ("half of it", "40% of it", Disjoint),
        ("90 minutes", "1.5 hours", Equal),
        ("30 days", "1 month", Overlapping),
        ("3 days", "1 month", Disjoint),
        ("3 days", "less than 1 month", FirstImplies),
        ("12 months", "1 year", Equal),
        ("4 July 2024", "4 July", FirstImplies),
        ("4 July 2024", "5 July", Disjoint),
        ("4 July 2024", "on Thursday", FirstImplies),
        ("4 July 2024", "on Friday", Disjoint),
        ("4 July 2024", "in 2024", FirstImplies),
        ("4 July", "in 2024", Overlapping),
        ("on Monday", "on Tuesday", Disjoint),
        ("3 pm", "15:00", Equal),
        ("3 pm", "3 o'clock", FirstImplies),
        ("3 pm", "4 o'clock", Disjoint),
        ("noon", "around noon", FirstImplies),
        ("in 1999", "in 2000", Disjoint),
        ("the 4th bird", "the fourth bird", Equal),
        ("the 4th bird", "the 5th bird", Disjoint),
        ("v2.3", "v2.4", Disjoint),
    ] {
        assert_eq!(compare(&only(a), &only(b)), expected, "{a:?} {b:?}");
    }
}
