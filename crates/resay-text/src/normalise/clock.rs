//! Times of day.

use super::items::Item;
use super::number::{digits, is_glued, sign, small, whole, word};
use super::scan::Sort;

/// A time: its minutes after midnight, whether it may also be twelve hours later, and the item
/// behind it.
pub(super) type Time = (u16, bool, usize);

const HALF: u16 = 720;

/// Reads a time of day at `at`.
pub(super) fn time(items: &[Item], at: usize) -> Option<Time> {
    match word(items, at) {
        "noon" | "midday" => return Some((HALF, false, at + 1)),
        "midnight" => return Some((0, false, at + 1)),
        _ => {}
    }
    if let Some((minutes, is_open, end)) = past(items, at).or_else(|| colon(items, at)).or_else(|| o_clock(items, at)) {
        return Some(match half(items, end, minutes).filter(|_| (60..=HALF + 59).contains(&minutes)) {
            Some((minutes, end)) => (minutes, false, end),
            None if is_open => (minutes % HALF, true, end),
            None => (minutes, false, end),
        });
    }
    // "3 pm", "at nine in the morning".
    let (hour, end) = hour(items, at)?;
    let is_marked =
        at > 0 && matches!(word(items, at - 1), "at" | "by" | "until" | "till" | "before" | "after" | "since");
    let is_digits = digits(items, at).is_some();
    let (minutes, behind) = half(items, end, hour * 60)?;
    let is_sign = matches!(word(items, end), "am" | "pm" | "a" | "p");
    (is_sign && (is_digits || at + 1 == end) || is_marked && !is_sign).then_some((minutes, false, behind))
}

/// Reads an hour from one to twelve.
fn hour(items: &[Item], at: usize) -> Option<(u16, usize)> {
    let hour = match whole(items, at) {
        Some(hour) => hour,
        None => small(word(items, at))? as u16,
    };
    (1..=12).contains(&hour).then_some((hour, at + 1))
}

/// Reads what tells the half of the day: returns the minutes in it and the item behind it.
fn half(items: &[Item], at: usize, minutes: u16) -> Option<(u16, usize)> {
    let hours = minutes / 60 % 12 * 60 + minutes % 60;
    let morning = Some((hours, at + 1));
    let evening = Some((hours + HALF, at + 1));
    let item = items.get(at)?;
    match word(items, at) {
        "am" if item.is_dotted || is_half_sign(items, at) => return morning,
        "pm" => return evening,
        _ => {}
    }
    let later = |found: Option<(u16, usize)>, more: usize| found.map(|(minutes, end)| (minutes, end + more));
    let hour = minutes / 60;
    match (word(items, at), word(items, at + 1), word(items, at + 2)) {
        ("in", "the", "morning") if hour < 12 => later(morning, 2),
        ("in", "the", "afternoon") if hour <= 6 || hour == 12 => later(evening, 2),
        ("in", "the", "evening") if (4..12).contains(&hour) => later(evening, 2),
        ("at", "night", _) if (6..12).contains(&hour) => later(evening, 1),
        ("at", "night", _) if hour <= 4 || hour == 12 => later(morning, 1),
        _ => None,
    }
}

/// Whether "am" behind a number is no verb: no word comes before it that could be its subject.
fn is_half_sign(items: &[Item], at: usize) -> bool {
    is_glued(items, at)
        || at > 0 && items.get(at - 1).is_some_and(|item| item.sort == Sort::Number || small(&item.text).is_some())
}

/// Reads "half past three", "quarter to five", "ten past six".
fn past(items: &[Item], at: usize) -> Option<Time> {
    let article = usize::from(word(items, at) == "a");
    let (minutes, next) = match word(items, at + article) {
        "half" if article == 0 => (30, at + 1),
        "quarter" => (15, at + article + 1),
        name if article == 0 => {
            let minutes = whole(items, at).or_else(|| small(name).map(|n| n as u16))?;
            let has_unit = matches!(word(items, at + 1), "minute" | "minutes");
            if minutes == 20 && small(word(items, at + 1)) == Some(5) {
                (25, at + 2)
            } else if has_unit || matches!(minutes, 5 | 10 | 20 | 25) {
                (minutes, at + 1 + usize::from(has_unit))
            } else {
                return None;
            }
        }
        _ => return None,
    };
    if minutes >= 60 {
        return None;
    }
    let is_to = match word(items, next) {
        "past" => false,
        "to" | "before" if minutes != 30 => true,
        _ => return None,
    };
    let is_named = matches!(word(items, next + 1), "noon" | "midday" | "midnight");
    let (hour, end) = match word(items, next + 1) {
        "noon" | "midday" => (12, next + 2),
        "midnight" => (24, next + 2),
        _ => hour(items, next + 1)?,
    };
    // "ten to five people" and "20 to 5" are no times.
    let is_end = {
        let behind = word(items, end);
        behind.is_empty() && digits(items, end).is_none()
            || super::words::is_function(behind)
            || matches!(behind, "am" | "pm" | "o'clock")
    };
    let is_words = digits(items, at).is_none() && digits(items, next + 1).is_none() || !is_to;
    let is_sure = matches!(word(items, at + article), "half" | "quarter") || !is_to || is_named;
    let is_at = at > 0
        && matches!(word(items, at - 1), "at" | "by" | "until" | "till" | "is" | "was" | "before" | "after" | "since");
    if !is_end || !is_words || !(is_sure || is_at) {
        return None;
    }
    let end = end + usize::from(word(items, end) == "o'clock");
    let all = if is_to { hour * 60 - minutes } else { hour * 60 + minutes } % 1440;
    // "quarter to one" is 12:45; before one o'clock the minutes lie below 60.
    let all = if is_to && hour == 1 && !is_named { HALF + 60 - minutes } else { all };
    Some((all, !is_named, end))
}

/// Reads "15:00", "3:30", "03:30".
fn colon(items: &[Item], at: usize) -> Option<Time> {
    let (hour, minute) = (whole(items, at)?, whole(items, at + 2)?);
    let is_form =
        sign(items, at + 1) == ":" && is_glued(items, at + 1) && digits(items, at + 2).map(str::len) == Some(2);
    let first = digits(items, at)?;
    let is_more = sign(items, at + 3) == ":" || first.len() > 2;
    if !is_form || is_more || hour > 23 || minute > 59 {
        return None;
    }
    let is_open = (1..=12).contains(&hour) && !first.starts_with('0');
    let end = at + 3;
    let is_hours = matches!(word(items, end), "hrs" | "hours");
    Some((hour * 60 + minute, is_open && !is_hours, end + usize::from(is_hours)))
}

/// Reads "three o'clock".
fn o_clock(items: &[Item], at: usize) -> Option<Time> {
    let (hour, end) = hour(items, at)?;
    (word(items, end) == "o'clock").then_some((hour * 60, true, end + 1))
}
