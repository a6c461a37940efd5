//! Dates: days, months, weekdays.

use super::items::Item;
use super::number::{digits, ordinal, whole, word};
use super::quantity::Date;
use super::scan::{Case, Sort};

/// A month, and whether its name can be nothing else.
fn month(items: &[Item], at: usize) -> Option<(u8, bool)> {
    let item = items.get(at).filter(|item| item.sort == Sort::Word && !item.is_dotted)?;
    let is_capital = item.case != Case::Lower;
    Some(match &*item.text {
        "january" => (1, true),
        "february" => (2, true),
        "March" => (3, true),
        "march" => (3, false),
        "april" => (4, true),
        "May" => (5, true),
        "may" => (5, false),
        "june" => (6, true),
        "july" => (7, true),
        "august" => (8, is_capital),
        "september" => (9, true),
        "october" => (10, true),
        "november" => (11, true),
        "december" => (12, true),
        "jan" if is_capital => (1, true),
        "feb" => (2, true),
        "mar" if is_capital => (3, false),
        "apr" => (4, true),
        "jun" if is_capital => (6, true),
        "jul" if is_capital => (7, true),
        "aug" => (8, is_capital),
        "sep" | "sept" => (9, is_capital),
        "oct" => (10, is_capital),
        "nov" => (11, is_capital),
        "dec" => (12, is_capital),
        _ => return None,
    })
}

/// A weekday, and whether its name can be nothing else.
fn weekday(items: &[Item], at: usize) -> Option<(u8, bool)> {
    let item = items.get(at).filter(|item| item.sort == Sort::Word && !item.is_dotted)?;
    let is_capital = item.case != Case::Lower;
    Some(match &*item.text {
        "monday" => (1, true),
        "tuesday" => (2, true),
        "wednesday" => (3, true),
        "thursday" => (4, true),
        "friday" => (5, true),
        "saturday" => (6, true),
        "sunday" => (7, true),
        "mon" if is_capital => (1, false),
        "tue" | "tues" if is_capital => (2, true),
        "wed" if is_capital => (3, false),
        "thu" | "thur" | "thurs" if is_capital => (4, true),
        "fri" if is_capital => (5, true),
        "sat" if is_capital => (6, false),
        "sun" if is_capital => (7, false),
        _ => return None,
    })
}

/// Returns the item behind a point or comma at `at`.
fn behind(items: &[Item], at: usize, stops: &[&str]) -> usize {
    let is_stop = items.get(at).is_some_and(|item| item.sort == Sort::Stop && stops.contains(&&*item.text));
    at + usize::from(is_stop)
}

/// Returns a year of four digits at `at`, behind a comma or not.
fn year(items: &[Item], at: usize) -> Option<(u16, usize)> {
    let at = behind(items, at, &[","]);
    let is_four = digits(items, at).is_some_and(|digits| digits.len() == 4);
    let year = whole(items, at).filter(|year| is_four && (1000..2200).contains(year))?;
    let is_more = items.get(at + 1).is_some_and(|item| {
        (item.is_joined || item.is_glued()) && matches!(item.sort, Sort::Word | Sort::Number) || &*item.text == ":"
    });
    (!is_more).then_some((year, at + 1))
}

/// Returns a day of the month, whether it is an ordinal, and the item behind it.
fn day(items: &[Item], at: usize) -> Option<(u8, bool, usize)> {
    let is_digits = digits(items, at).is_some();
    if let Some((value, end)) = ordinal(items, at) {
        return (1.0..=31.0).contains(&value).then_some((value as u8, true, end));
    }
    let value = whole(items, at).filter(|day| is_digits && (1..=31).contains(day))?;
    let is_padded = digits(items, at).is_some_and(|digits| digits.len() > 2);
    (!is_padded).then_some((value as u8, false, at + 1))
}

fn is_day_of(month: u8, day: u8) -> bool {
    let last = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    day <= last
}

/// Reads a date at `at`; returns it with the item behind it.
pub(super) fn date(items: &[Item], at: usize) -> Option<(Date, usize)> {
    if let Some(found) = iso(items, at) {
        return Some(found);
    }
    let Some((weekday, is_certain)) = weekday(items, at) else { return day_and_month(items, at) };
    // "Monday, 4 July", "Mon. the 4th of July".
    let next = behind(items, behind(items, at + 1, &["."]), &[","]);
    if let Some((date, end)) = day_and_month(items, next).filter(|(date, _)| date.day.is_some()) {
        return Some((Date { weekday: Some(weekday), ..date }, end));
    }
    let is_point = behind(items, at + 1, &["."]) > at + 1;
    let only = Date { weekday: Some(weekday), ..Date::default() };
    let is_short = word(items, at).len() <= 5 && !word(items, at).ends_with("day");
    let is_inside = is_point && items.get(at + 2).is_some_and(|item| item.sort != Sort::Stop);
    if is_certain {
        // The point of an abbreviation is its own.
        return Some((only, if is_short && is_point { at + 2 } else { at + 1 }));
    }
    let is_after_on = at > 0 && matches!(word(items, at - 1), "on" | "next" | "last" | "every");
    (is_after_on || is_inside && !items.get(at).is_some_and(|item| item.is_first))
        .then_some((only, at + 1 + usize::from(is_point)))
}

/// Reads "2024-07-04".
fn iso(items: &[Item], at: usize) -> Option<(Date, usize)> {
    let (year, month, day) = (whole(items, at)?, whole(items, at + 1)?, whole(items, at + 2)?);
    let joined = |at: usize| items.get(at).is_some_and(|item| item.is_joined);
    let len = |at: usize| digits(items, at).map_or(0, str::len);
    let is_form =
        joined(at + 1) && joined(at + 2) && !joined(at + 3) && !joined(at) && len(at + 1) == 2 && len(at + 2) == 2;
    let is_date = (1000..2200).contains(&year)
        && (1..=12).contains(&month)
        && day >= 1
        && is_day_of(month as u8, day.min(32) as u8);
    let date = Date { year: Some(year), month: Some(month as u8), day: Some(day as u8), weekday: None };
    (is_form && is_date).then_some((date, at + 3))
}

fn day_and_month(items: &[Item], at: usize) -> Option<(Date, usize)> {
    let start = at + usize::from(word(items, at) == "the");
    if let Some((month, is_certain)) = month(items, at) {
        return month_first(items, at, month, is_certain);
    }
    let (day, is_ordinal, end) = day(items, start)?;
    if start > at && !is_ordinal {
        return None;
    }
    let of = end + usize::from(word(items, end) == "of");
    let (month, is_certain) = month(items, of)?;
    let end = behind(items, of + 1, if word(items, of).len() <= 4 { &["."] } else { &[] });
    let year = year(items, end);
    let is_meant = is_certain || (is_ordinal && of > start + 1) || year.is_some();
    if !is_meant || !is_day_of(month, day) {
        return None;
    }
    // A point at the end of a sentence stays.
    let date = Date { year: year.map(|(year, _)| year), month: Some(month), day: Some(day), weekday: None };
    Some((date, year.map_or(end, |(_, end)| end)))
}

/// Reads what begins with a month: "July 4", "July the 4th, 2024", "July 2024", or "in July".
fn month_first(items: &[Item], at: usize, month: u8, is_certain: bool) -> Option<(Date, usize)> {
    let after_name = behind(items, at + 1, if word(items, at).len() <= 4 { &["."] } else { &[] });
    let date = Date { month: Some(month), ..Date::default() };
    let the = after_name + usize::from(word(items, after_name) == "the");
    if let Some((day, is_ordinal, end)) = day(items, the).filter(|(day, _, _)| is_day_of(month, *day)) {
        let year = year(items, end);
        let is_joined = items
            .get(end)
            .is_some_and(|item| item.is_joined || item.is_glued() && item.sort == Sort::Sign && &*item.text != "?");
        let is_meant = is_certain || year.is_some() || is_ordinal && the > after_name;
        // "May 4 people come" counts people.
        let next = word(items, end);
        let is_modal = items.get(at).is_some_and(|item| item.is_first) && month == 5;
        let is_count = is_modal && !is_ordinal && !next.is_empty() && !super::words::is_function(next);
        if is_meant && !is_joined && !is_count && (is_ordinal || the == after_name) {
            let date = Date { day: Some(day), year: year.map(|(year, _)| year), ..date };
            return Some((date, year.map_or(end, |(_, end)| end)));
        }
    }
    if let Some((year, end)) = year(items, after_name).filter(|_| is_certain || word(items, at) == "mar") {
        return Some((Date { year: Some(year), ..date }, end));
    }
    if !is_certain {
        return None;
    }
    let before = if at > 0 { word(items, at - 1) } else { "" };
    let is_after = matches!(
        before,
        "in" | "of"
            | "since"
            | "until"
            | "till"
            | "during"
            | "last"
            | "next"
            | "this"
            | "early"
            | "late"
            | "mid"
            | "every"
    );
    // "in May" without more; the point of an abbreviation is its own.
    is_after.then_some((date, after_name))
}
