//! Dates, amounts of money, percentages and numbers, by pattern.
//!
//! What counts:
//! - **DATE**: days, months and years in their usual orders ("March 3, 2004", "3 March", "Mar.
//!   2004", "the 3rd of March" without "the"), weekdays, months by name, dates in digits with two
//!   separators ("2004-03-03"), decades ("1990s"), years from 1500 to 2100 if the surrounding words
//!   call for one ("in 2004", "( 1999 )"), "today" and the like, "last week" and the like. Times of
//!   day are not labelled.
//! - **MONEY**: a number with a currency sign before it or a currency name after it ("$ 3.5
//!   million", "five cents"). Pounds are money only by their sign, because they are a weight too.
//! - **PERCENT**: a number and "%", "percent", "pct", "per cent".
//! - **NUMBER**: digits and number words ("1,200", "3 1/2", "twenty-five", "two hundred and five");
//!   "one" only if it is tagged as a number, because it is a pronoun more often. No ordinals,
//!   nothing vague ("thousands").
//!
//! Each word is read a bounded number of times: a pattern either consumes its words or looks a few
//! ahead.

use super::super::bio;
use super::super::cardinal;
use super::super::words::Words;

/// The pattern types follow the learned types.
pub(super) const DATE: u8 = 3;
pub(super) const MONEY: u8 = 4;
pub(super) const NUMBER: u8 = 5;
pub(super) const PERCENT: u8 = 6;

/// The class of a word in patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Other,
    /// A month, and whether it is a date without a day or a year next to it.
    Month(Alone),
    Weekday,
    /// A whole number in digits.
    Whole(u32),
    /// "3rd".
    Ordinal,
    /// Any other number in digits.
    Digits,
    /// "1/2".
    Fraction,
    /// "2004-03-03", "1990s", "1999-2004", "today".
    Date,
    /// "$5".
    Money,
    /// "20%".
    Percent,
    /// "zero", "two" to "nineteen", "twenty" to "ninety", "twenty-five".
    Word,
    /// "one".
    One,
    /// "hundred" to "trillion", "dozen".
    Scale,
    /// "$".
    Sign,
    /// "dollars".
    Currency,
    PercentSign,
    Hyphen,
    Comma,
    Dot,
    And,
    Of,
    Per,
    Cent,
    /// "last", "this", "next", "past".
    Which,
    /// "week", "month".
    Period,
    /// "summer": after "last", and before a year.
    Season,
    /// "in", "since" and other words after which four digits are a year.
    YearAfter,
    /// "by", "after" and other words after which four digits are a year unless they count
    /// something.
    YearPerhaps,
    OpenBracket,
    CloseBracket,
    /// "am", "p.m.".
    Hour,
}

use Class::*;

/// Whether the name of a month is a date by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alone {
    Yes,
    /// If it is tagged as a name, and not the first word of the sentence: "May".
    Tagged,
    /// Abbreviations without a dot, some of which are people's names: "Jan".
    No,
}

const MONTHS: [&str; 10] =
    ["january", "february", "april", "june", "july", "august", "september", "october", "november", "december"];
const SHORT_MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 13] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "tue",
    "tues",
    "thu",
    "thur",
    "thurs",
    "fri",
];
const SCALES: [&str; 6] = ["hundred", "thousand", "million", "billion", "trillion", "dozen"];
const CURRENCIES: [&str; 26] = [
    "dollar", "dollars", "cents", "euro", "euros", "yen", "yuan", "rupee", "rupees", "franc", "francs", "peso",
    "pesos", "pence", "ruble", "rubles", "rouble", "roubles", "shekel", "shekels", "usd", "eur", "gbp", "jpy",
    "kronor", "bucks",
];
const SIGNS: [&str; 15] = ["$", "£", "€", "¥", "us$", "c$", "a$", "s$", "hk$", "nz$", "au$", "ca$", "r$", "rs", "rs."];
const PERIODS: [&str; 6] = ["week", "month", "quarter", "weekend", "decade", "century"];
const SEASONS: [&str; 6] = ["spring", "summer", "autumn", "fall", "winter", "year"];
const YEAR_AFTER: [&str; 11] =
    ["in", "since", "during", "until", "till", "circa", "early", "late", "mid", "between", "ca."];
const YEAR_PERHAPS: [&str; 9] = ["by", "before", "after", "from", "to", "the", "through", "and", "for"];
const HOURS: [&str; 6] = ["am", "pm", "a.m.", "p.m.", "a.m", "p.m"];

/// A word in lower case, on the stack; empty if it is too long for any list.
struct Lower {
    bytes: [u8; 24],
    n: usize,
}

impl Lower {
    fn new(form: &str) -> Self {
        let mut lower = Self { bytes: [0; 24], n: 0 };
        if form.len() <= lower.bytes.len() {
            lower.bytes[..form.len()].copy_from_slice(form.as_bytes());
            lower.bytes.make_ascii_lowercase();
            lower.n = form.len();
        }
        lower
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.n]).unwrap_or_default()
    }
}

fn class(form: &str) -> Class {
    let first = form.as_bytes().first().copied().unwrap_or(b' ');
    if first.is_ascii_digit()
        || matches!(first, b'.' | b'-' | b'+' | b'$' | b'\'') && form.bytes().any(|byte| byte.is_ascii_digit())
    {
        return digits(form);
    }
    let lower = Lower::new(form);
    let word = lower.text();
    let is = |list: &[&str]| list.contains(&word);
    // Months and "Fri" are capitalised, and even then not always a month or a day.
    let is_capital = first.is_ascii_uppercase();
    let name = word.strip_suffix('.').unwrap_or(word);
    match word {
        "" => Other,
        "%" | "percent" | "pct" | "pct." => PercentSign,
        "-" | "–" => Hyphen,
        "," => Comma,
        "." => Dot,
        "and" => And,
        "of" => Of,
        "per" => Per,
        "cent" => Cent,
        "one" => One,
        "last" | "this" | "next" | "past" => Which,
        "(" | "[" => OpenBracket,
        ")" | "]" => CloseBracket,
        "today" | "yesterday" | "tomorrow" => Date,
        "may" | "march" if is_capital => Month(Alone::Tagged),
        _ if is_capital && is(&MONTHS) => Month(Alone::Yes),
        _ if is_capital && SHORT_MONTHS.contains(&name) => Month(if name == word { Alone::No } else { Alone::Yes }),
        _ if WEEKDAYS[..7].contains(&word) || is_capital && WEEKDAYS[7..].contains(&name) => Weekday,
        _ if is_number(word) => Word,
        _ if is(&SCALES) => Scale,
        _ if is(&CURRENCIES) => Currency,
        _ if is(&SIGNS) => Sign,
        _ if is(&YEAR_AFTER) => YearAfter,
        _ if is(&PERIODS) => Period,
        _ if is(&SEASONS) => Season,
        _ if is(&YEAR_PERHAPS) => YearPerhaps,
        _ if is(&HOURS) => Hour,
        _ if is_compound(word) => Word,
        _ => Other,
    }
}

/// Whether a word is a number word; "one" mostly is not.
fn is_number(word: &str) -> bool {
    word != "one" && cardinal(word).is_some()
}

/// "twenty-five", "two-hundred".
fn is_compound(word: &str) -> bool {
    word.contains('-') && word.split('-').all(|part| cardinal(part).is_some() || SCALES.contains(&part))
}

/// Returns the class of a word with a digit near its start.
fn digits(form: &str) -> Class {
    if let Some(amount) = form.strip_prefix('$') {
        let amount = amount.trim_end_matches(['k', 'K', 'm', 'M', 'b', 'B', 'n']);
        return if is_decimal(amount) { Money } else { Other };
    }
    if let Some(number) = form.strip_suffix('%') {
        return if is_decimal(number) { Percent } else { Other };
    }
    if let Some(decade) = form.strip_suffix('s').map(|rest| rest.strip_suffix('\'').unwrap_or(rest)) {
        let years = decade.strip_prefix('\'').unwrap_or(decade);
        let is_decade = years.ends_with('0') && years.bytes().all(|byte| byte.is_ascii_digit());
        let is_year = years.len() == 4 || years.len() == 2 && decade.len() == 3;
        return if is_decade && is_year { Date } else { Other };
    }
    if form.bytes().all(|byte| byte.is_ascii_digit()) {
        return form.parse().map_or(Digits, Whole);
    }
    let ordinal = form.len().checked_sub(2).filter(|&end| form.is_char_boundary(end)).map(|end| form.split_at(end));
    if let Some((number, "st" | "nd" | "rd" | "th")) = ordinal {
        return if number.parse().is_ok_and(is_day) { Ordinal } else { Other };
    }
    for separator in ['/', '-', '.'] {
        let mut parts = form.split(separator);
        let part = |part: Option<&str>| part.filter(|part| part.len() <= 4).and_then(|part| part.parse::<u32>().ok());
        let numbers = [part(parts.next()), part(parts.next()), part(parts.next())];
        if parts.next().is_some() {
            continue;
        }
        match numbers {
            [Some(a), Some(b), Some(c)] if is_date(a, b, c) => return Date,
            [Some(a), Some(b), None] if separator == '-' && is_year(a) && is_year(b) && form.len() == 9 => return Date,
            [Some(_), Some(_), None] if separator == '/' && form.matches('/').count() == 1 => return Fraction,
            [Some(_), Some(_), None] if separator == '-' && form.matches('-').count() == 1 => return Digits,
            _ => {}
        }
    }
    if is_decimal(form) { Digits } else { Other }
}

fn is_day(number: u32) -> bool {
    (1..=31).contains(&number)
}

fn is_year(number: u32) -> bool {
    (1500..=2100).contains(&number)
}

/// Whether three numbers are year, month and day in one of the usual orders. A two-digit year must
/// be last.
fn is_date(a: u32, b: u32, c: u32) -> bool {
    let is_month = |number| (1..=12).contains(&number);
    let is_day_and_month = |a, b| is_day(a) && is_month(b) || is_month(a) && is_day(b);
    is_year(a) && is_day_and_month(b, c) || (is_year(c) || c < 100) && is_day_and_month(a, b)
}

/// "1,200", "3.5", ".5", "-7": digits with optional thousands separators, decimal point and sign.
fn is_decimal(number: &str) -> bool {
    let number = number.strip_prefix(['-', '+']).unwrap_or(number);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(first)
        && (!whole.is_empty() || number.len() > 1)
        && groups.all(|group| group.len() == 3 && is_digits(group))
        && !part.is_empty()
        && is_digits(part)
}

/// Labels dates, money, percentages and numbers among words without a label. `tags` holds hashes of
/// Penn tags.
pub(super) fn label<'a>(form: impl Fn(usize) -> &'a str, tags: &[u32], scratch: &mut Scratch, out: &mut [u8]) {
    scratch.classes.clear();
    scratch.classes.extend((0..out.len()).map(|word| class(form(word))));
    let patterns = Patterns { classes: &scratch.classes, tags, keys: &scratch.keys };
    let mut at = 0;
    while at < out.len() {
        let Some((end, kind)) = patterns.at(at) else {
            at += 1;
            continue;
        };
        // Learned names win: a pattern that overlaps one is dropped.
        if out[at..end].iter().all(|&label| label == bio::OUTSIDE) {
            out[at] = bio::begin(kind);
            out[at + 1..end].fill(bio::inside(kind));
        }
        at = end;
    }
}

/// Keys of the Penn tags that patterns use.
#[derive(Clone, Debug)]
struct Keys {
    number: u32,
    name: u32,
    nouns: [u32; 3],
}

/// Buffers reused from sentence to sentence.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    classes: Vec<Class>,
    keys: Keys,
}

impl Default for Scratch {
    fn default() -> Self {
        let keys = Keys {
            number: Words::key("CD"),
            name: Words::key("NNP"),
            nouns: [Words::key("NN"), Words::key("NNS"), Words::key("JJ")],
        };
        Self { classes: Vec::new(), keys }
    }
}

struct Patterns<'a> {
    classes: &'a [Class],
    tags: &'a [u32],
    keys: &'a Keys,
}

impl Patterns<'_> {
    fn class(&self, at: usize) -> Class {
        self.classes.get(at).copied().unwrap_or(Other)
    }

    fn before(&self, at: usize) -> Class {
        at.checked_sub(1).map_or(Other, |at| self.class(at))
    }

    fn tag(&self, at: usize) -> u32 {
        self.tags.get(at).copied().unwrap_or(0)
    }

    /// Returns the end and the type of the pattern that starts at a word.
    fn at(&self, at: usize) -> Option<(usize, u8)> {
        if let Some(end) = self.date(at) {
            return Some((end, DATE));
        }
        match self.class(at) {
            Money => return Some((self.scales(at + 1), MONEY)),
            Percent => return Some((at + 1, PERCENT)),
            Sign => return self.number(at + 1, true).map(|end| (end, MONEY)),
            _ => {}
        }
        let end = self.number(at, false)?;
        match (self.class(end), self.class(end + 1)) {
            (PercentSign, _) => Some((end + 1, PERCENT)),
            (Per, Cent) => Some((end + 2, PERCENT)),
            (Currency | Cent, _) => Some((end + 1, MONEY)),
            (Hour, _) => None,
            _ => Some((end, NUMBER)),
        }
    }

    /// Returns the end of a run of scales ("million").
    fn scales(&self, mut at: usize) -> usize {
        while self.class(at) == Scale {
            at += 1;
        }
        at
    }

    /// Returns the end of a number.
    fn number(&self, at: usize, is_amount: bool) -> Option<usize> {
        match self.class(at) {
            Whole(_) if self.class(at + 1) == Fraction => Some(self.scales(at + 2)),
            Whole(_) | Digits | Fraction => Some(self.scales(at + 1)),
            One if !is_amount && self.tag(at) != self.keys.number && self.class(at + 1) != Scale => None,
            Word | One | Scale => Some(self.number_words(at + 1)),
            _ => None,
        }
    }

    /// Returns the end of the number words that continue a number.
    fn number_words(&self, mut at: usize) -> usize {
        loop {
            let next = match (self.class(at), self.class(at + 1)) {
                (Word | One | Scale, _) => at + 1,
                (Hyphen, Word | One | Scale) => at + 2,
                (And, Word | One) if self.before(at) == Scale => at + 2,
                _ => return at,
            };
            at = next;
        }
    }

    /// Returns the end of a date.
    fn date(&self, at: usize) -> Option<usize> {
        let has_day =
            |at: usize| matches!(self.class(at), Ordinal) || matches!(self.class(at), Whole(day) if is_day(day));
        let has_year = |at: usize| matches!(self.class(at), Whole(year) if is_year(year));
        let with_year = |at: usize| match self.class(at) {
            Comma if has_year(at + 1) => at + 2,
            _ if has_year(at) => at + 1,
            _ => at,
        };
        match self.class(at) {
            Date => Some(at + 1),
            Weekday => {
                // "Tuesday, March 3": the comma is included only if a date follows.
                let next = at + 1 + usize::from(self.class(at + 1) == Comma);
                let is_more = matches!(self.class(next), Month(_)) && has_day(self.after_dot(next))
                    || has_day(next) && matches!(self.class(next + 1), Month(_));
                if is_more { self.date(next) } else { Some(at + 1) }
            }
            Month(alone) => {
                let next = self.after_dot(at);
                if has_day(next) && self.class(next + 1) != Hour {
                    return Some(with_year(next + 1));
                }
                let end = with_year(next);
                let is_month = match alone {
                    Alone::Yes => true,
                    Alone::Tagged => self.tag(at) == self.keys.name && at > 0,
                    Alone::No => false,
                };
                if end > next { Some(end) } else { is_month.then_some(at + 1) }
            }
            Which => match self.class(at + 1) {
                Period | Season | Weekday | Month(_) => Some(at + 2),
                _ => None,
            },
            _ if has_day(at) => {
                let month = at + 1 + usize::from(self.class(at + 1) == Of);
                matches!(self.class(month), Month(_)).then(|| with_year(self.after_dot(month)))
            }
            _ if has_year(at) => {
                let is_counting = self.keys.nouns.contains(&self.tag(at + 1)) || self.number(at + 1, false).is_some();
                let is_measure = matches!(self.class(at + 1), Scale | Currency | PercentSign | Per | Cent);
                let is_asked = match self.before(at) {
                    YearAfter | Season => true,
                    YearPerhaps | Of | And | Which => !is_counting,
                    OpenBracket => matches!(self.class(at + 1), CloseBracket | Hyphen),
                    Hyphen => at > 1 && has_year(at - 2),
                    _ => false,
                };
                (is_asked && !is_measure).then_some(at + 1)
            }
            _ => None,
        }
    }

    /// Skips a month, and the dot of an abbreviation if it is a separate token.
    fn after_dot(&self, month: usize) -> usize {
        let is_more = matches!(self.class(month + 2), Whole(_) | Ordinal);
        month + 1 + usize::from(self.class(month + 1) == Dot && is_more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 4] = ["DATE", "MONEY", "NUMBER", "PERCENT"];

    /// Labels words given as `form` or `form/:TAG`.
    fn found(sentence: &str) -> String {
        let words: Vec<(&str, &str)> =
            sentence.split(' ').map(|word| word.rsplit_once("/:").unwrap_or((word, ""))).collect();
        let tags: Vec<u32> = words.iter().map(|(_, tag)| Words::key(tag)).collect();
        let mut labels = vec![bio::OUTSIDE; words.len()];
        label(|word| words[word].0, &tags, &mut Scratch::default(), &mut labels);
        assert!(bio::is_well_formed(&labels, 7), "{sentence}");
        let stretches = bio::stretches(&labels);
        let text = |start: usize, end: usize| words[start..end].iter().map(|(form, _)| *form).collect::<Vec<_>>();
        let name = |kind: u8| NAMES[usize::from(kind - DATE)];
        let shown =
            stretches.iter().map(|&(start, end, kind)| format!("{} {}", name(kind), text(start, end).join(" ")));
        shown.collect::<Vec<_>>().join("; ")
    }

    fn check(sentence: &str, expected: &str) {
        assert_eq!(found(sentence), expected, "{sentence}");
    }

    #[test]
    fn dates() {
        check("It rained on March 3 , 2004 , they say", "DATE March 3 , 2004");
        check("It rained on 3 March 2004", "DATE 3 March 2004");
        check("on the 3rd of March", "DATE 3rd of March");
        check("Mar. 3rd", "DATE Mar. 3rd");
        check("Jan met Ann in Jan. or Jan 2004", "DATE Jan.; DATE Jan 2004");
        check("Sept . 11 , 2001", "DATE Sept . 11 , 2001");
        check("March 2004 was wet", "DATE March 2004");
        check("They march in May/:NNP", "DATE May");
        check("May/:MD I go ?", "");
        check("She may go", "");
        check("on Tuesday , May 4 , and Friday", "DATE Tuesday , May 4; DATE Friday");
        check("on Tuesday , he left", "DATE Tuesday");
        check("in 2004 and since 1999", "DATE 2004; DATE 1999");
        check("of 2000 people/:NNS", "NUMBER 2000");
        check("the 2004 election/:NN", "NUMBER 2004");
        check("by 2010 .", "DATE 2010");
        check("Smith ( 1999 )", "DATE 1999");
        check("in 1999 - 2004", "DATE 1999; DATE 2004");
        check("born 1999-2004 , in the 1990s and '80s", "DATE 1999-2004; DATE 1990s; DATE '80s");
        check("on 2004-03-03 or 3/4/2004 or 04/25/01", "DATE 2004-03-03; DATE 3/4/2004; DATE 04/25/01");
        check(
            "yesterday , last week , next Friday , this summer",
            "DATE yesterday; DATE last week; DATE next Friday; DATE this summer",
        );
        check("the last of them", "");
        check("in summer 2004", "DATE 2004");
    }

    #[test]
    fn money() {
        check("$ 3.5 million was paid", "MONEY $ 3.5 million");
        check("US$ 20 or $5 or €7", "MONEY US$ 20; MONEY $5");
        check("five cents and 3 million dollars", "MONEY five cents; MONEY 3 million dollars");
        check("$ per day", "");
        check("20 pounds", "NUMBER 20");
        check("in 2000 dollars", "MONEY 2000 dollars");
    }

    #[test]
    fn percentages() {
        check("20 % of them", "PERCENT 20 %");
        check("five percent", "PERCENT five percent");
        check("3.5 per cent", "PERCENT 3.5 per cent");
        check("rose 20%", "PERCENT 20%");
        check("twenty - five pct .", "PERCENT twenty - five pct");
        check("per cent", "");
    }

    #[test]
    fn numbers() {
        check("1,200 men and twenty-five women", "NUMBER 1,200; NUMBER twenty-five");
        check("two hundred and five", "NUMBER two hundred and five");
        check("five and six", "NUMBER five; NUMBER six");
        check("3 1/2 cups", "NUMBER 3 1/2");
        check("one/:CD day", "NUMBER one");
        check("the one/:NN", "");
        check("one million", "NUMBER one million");
        check("the third man , thousands of them", "");
        check("a 3-year-old", "");
        check("at 5 pm or 5:30", "");
        check("12,34 is no number , 1,2345 neither", "");
        check("-7 and .5", "NUMBER -7; NUMBER .5");
        check("99999999999999999999", "NUMBER 99999999999999999999");
        check("F-16 and B2B", "");
    }

    #[test]
    fn a_pattern_that_touches_a_name_is_not_there() {
        let words = ["Room", "20", "percent", "20"];
        let mut labels = vec![0, 1, 0, 0];
        label(|word| words[word], &[], &mut Scratch::default(), &mut labels);
        assert_eq!(labels, [0, 1, 0, bio::begin(NUMBER)]);
    }

    proptest! {
        #[test]
        fn anything_is_labelled_well(
            words in prop::collection::vec(
                prop_oneof![
                    "\\PC{0,6}",
                    "[0-9$%,./'-]{0,8}",
                    "(one|five|hundred|March|May|Tuesday|last|week|of|and|,|-|%|per|cent|\\$|dollars|2004|3|3rd)",
                ],
                0..20,
            ),
        ) {
            let mut labels = vec![bio::OUTSIDE; words.len()];
            label(|word| words[word].as_str(), &[], &mut Scratch::default(), &mut labels);
            prop_assert!(bio::is_well_formed(&labels, 7));
        }
    }
}
