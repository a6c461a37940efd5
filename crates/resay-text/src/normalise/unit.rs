//! Units of measure, of time and of money.

use super::items::Item;
use super::number::{is_glued, sign, word};
use super::quantity::{Currency, Dimension};

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    /// Per cent.
    Percent,
    /// A measure: value times factor plus offset in the base unit.
    Measure(Dimension, f64, f64),
    /// So many seconds.
    Seconds(f64),
    /// So many months.
    Months(f64),
    /// So much of a currency.
    Money(Currency, f64),
}

use Dimension::{
    Area, Data, DataRate, Energy, Frequency, Length, Mass, Pints, Power, Speed, Temperature, Voltage, Volume,
};

const fn measure(dimension: Dimension, factor: f64) -> Unit {
    Unit::Measure(dimension, factor, 0.0)
}

/// Reads the unit at `at`; returns it with the item behind it.
pub(super) fn unit(items: &[Item], at: usize) -> Option<(Unit, usize)> {
    let item = items.get(at)?;
    match &*item.text {
        "%" => return Some((Unit::Percent, at + 1)),
        "€" => return Some((Unit::Money(Currency::Eur, 1.0), at + 1)),
        "$" | "£" | "¥" if is_glued(items, at) && !is_glued(items, at + 1) => {
            return currency_sign(&item.text).map(|currency| (Unit::Money(currency, 1.0), at + 1));
        }
        "°" => {
            let letter = word(items, at + 1);
            return degrees(letter).map(|unit| (unit, at + 2));
        }
        _ => {}
    }
    let first = word(items, at);
    let next = word(items, at + 1);
    let two = match (first, next) {
        ("per", "cent") => Some(Unit::Percent),
        ("us" | "US" | "american", "dollar" | "dollars") => Some(Unit::Money(Currency::Usd, 1.0)),
        ("canadian", "dollar" | "dollars") => Some(Unit::Money(Currency::Cad, 1.0)),
        ("australian", "dollar" | "dollars") => Some(Unit::Money(Currency::Aud, 1.0)),
        ("swiss", "franc" | "francs") => Some(Unit::Money(Currency::Chf, 1.0)),
        ("pound" | "pounds", "sterling") => Some(Unit::Money(Currency::Gbp, 1.0)),
        ("degree" | "degrees", _) => degrees(next),
        ("sq" | "square", _) => named(items, at + 1).and_then(squared),
        ("cubic", _) => named(items, at + 1).and_then(cubed),
        _ => None,
    };
    if let Some(unit) = two {
        return Some((unit, at + 2));
    }
    let unit = named(items, at)?;
    let behind = at + 1;
    // "60 km/h", "60 miles per hour", "60 km an hour".
    if let Unit::Measure(Length, factor, _) = unit
        && (matches!(word(items, behind), "per" | "an" | "a") || sign(items, behind) == "/")
    {
        let seconds = match word(items, behind + 1) {
            "h" | "hr" | "hour" => Some(3600.0),
            "s" | "sec" | "second" => Some(1.0),
            "min" | "minute" => Some(60.0),
            _ => None,
        };
        if let Some(seconds) = seconds {
            return Some((measure(Speed, factor / seconds), behind + 2));
        }
    }
    Some((unit, behind))
}

fn squared(unit: Unit) -> Option<Unit> {
    if let Unit::Measure(Length, factor, _) = unit { Some(measure(Area, factor * factor)) } else { None }
}

fn cubed(unit: Unit) -> Option<Unit> {
    // A cubic metre is a thousand litres.
    if let Unit::Measure(Length, factor, _) = unit { Some(measure(Volume, factor.powi(3) * 1e3)) } else { None }
}

fn degrees(name: &str) -> Option<Unit> {
    match name {
        "c" | "celsius" | "centigrade" => Some(Unit::Measure(Temperature, 1.0, 273.15)),
        "f" | "fahrenheit" => Some(Unit::Measure(Temperature, 5.0 / 9.0, 273.15 - 160.0 / 9.0)),
        _ => None,
    }
}

/// Returns the currency of a sign.
pub(super) fn currency_sign(sign: &str) -> Option<Currency> {
    Some(match sign {
        "$" => Currency::Usd,
        "€" => Currency::Eur,
        "£" => Currency::Gbp,
        "¥" => Currency::Jpy,
        "₹" => Currency::Inr,
        "₩" => Currency::Krw,
        "₽" => Currency::Rub,
        _ => return None,
    })
}

/// Returns the currency of a code.
pub(super) fn currency_code(item: &Item) -> Option<Currency> {
    if item.raw.len() != 3 || item.raw.bytes().any(|byte| !byte.is_ascii_uppercase()) {
        return None;
    }
    Some(match item.raw {
        "AUD" => Currency::Aud,
        "CAD" => Currency::Cad,
        "CHF" => Currency::Chf,
        "CNY" | "RMB" => Currency::Cny,
        "EUR" => Currency::Eur,
        "GBP" => Currency::Gbp,
        "INR" => Currency::Inr,
        "JPY" => Currency::Jpy,
        "KRW" => Currency::Krw,
        "RUB" => Currency::Rub,
        "USD" => Currency::Usd,
        _ => return None,
    })
}

/// Returns the unit of one word.
fn named(items: &[Item], at: usize) -> Option<Unit> {
    let item = items.get(at)?;
    if item.text.len() > 17 {
        return None;
    }
    if let Some(currency) = currency_code(item) {
        return Some(Unit::Money(currency, 1.0));
    }
    by_case(item).or_else(|| by_name(word(items, at)).or_else(|| by_glue(items, at)))
}

/// Signs that capitals tell apart: "MW" and "mW", "Mb" and "MB".
fn by_case(item: &Item) -> Option<Unit> {
    Some(match item.raw {
        "MW" => measure(Power, 1e6),
        "mW" => measure(Power, 1e-3),
        "W" => measure(Power, 1.0),
        "V" => measure(Voltage, 1.0),
        "kV" => measure(Voltage, 1e3),
        "J" => measure(Energy, 1.0),
        "kJ" => measure(Energy, 1e3),
        "MJ" => measure(Energy, 1e6),
        "B" if item.is_glued() => return None,
        "Kb" | "kb" | "Kbit" | "kbit" => measure(Data, 125.0),
        "Mb" | "Mbit" => measure(Data, 125e3),
        "Gb" | "Gbit" => measure(Data, 125e6),
        "L" => measure(Volume, 1.0),
        "Mm" | "MM" | "KM/H" | "CM" => return None,
        _ => return None,
    })
}

/// Names that mean one unit, whatever stands around them.
#[rustfmt::skip]
fn by_name(name: &str) -> Option<Unit> {
    Some(match name {
        "percent" | "pct" => Unit::Percent,
        "kilometer" | "kilometers" | "km" | "kms" => measure(Length, 1e3),
        "meter" | "meters" => measure(Length, 1.0),
        "centimeter" | "centimeters" | "cm" | "cms" => measure(Length, 1e-2),
        "millimeter" | "millimeters" | "mm" => measure(Length, 1e-3),
        "mile" | "miles" => measure(Length, 1609.344),
        "yard" | "yards" | "yd" | "yds" => measure(Length, 0.9144),
        "foot" | "feet" | "ft" => measure(Length, 0.3048),
        "inch" | "inches" => measure(Length, 0.0254),
        "hectare" | "hectares" | "ha" => measure(Area, 1e4),
        "acre" | "acres" => measure(Area, 4046.8564224),
        "sqm" | "m²" => measure(Area, 1.0),
        "km²" | "sqkm" => measure(Area, 1e6),
        "cm²" => measure(Area, 1e-4),
        "sqft" | "ft²" => measure(Area, 0.09290304),
        "m³" => measure(Volume, 1e3),
        "cm³" | "cc" | "ml" | "milliliter" | "milliliters" => measure(Volume, 1e-3),
        "liter" | "liters" => measure(Volume, 1.0),
        "cl" | "centiliter" | "centiliters" => measure(Volume, 1e-2),
        "dl" | "deciliter" | "deciliters" => measure(Volume, 1e-1),
        "pint" | "pints" => measure(Pints, 1.0),
        "quart" | "quarts" => measure(Pints, 2.0),
        "gallon" | "gallons" => measure(Pints, 8.0),
        "kilogram" | "kilograms" | "kg" | "kgs" | "kilo" | "kilos" => measure(Mass, 1.0),
        "gram" | "grams" => measure(Mass, 1e-3),
        "milligram" | "milligrams" | "mg" => measure(Mass, 1e-6),
        "microgram" | "micrograms" | "μg" | "mcg" => measure(Mass, 1e-9),
        "tonne" | "tonnes" => measure(Mass, 1e3),
        "lb" | "lbs" => measure(Mass, 0.45359237),
        "ounce" | "ounces" | "oz" => measure(Mass, 0.028349523125),
        "℃" => Unit::Measure(Temperature, 1.0, 273.15),
        "℉" => Unit::Measure(Temperature, 5.0 / 9.0, 273.15 - 160.0 / 9.0),
        "kelvin" | "kelvins" => measure(Temperature, 1.0),
        "mph" => measure(Speed, 0.44704),
        "kph" | "kmh" | "kmph" => measure(Speed, 1.0 / 3.6),
        "knot" | "knots" => measure(Speed, 1852.0 / 3600.0),
        "byte" | "bytes" => measure(Data, 1.0),
        "kilobyte" | "kilobytes" | "kb" => measure(Data, 1e3),
        "megabyte" | "megabytes" | "mb" => measure(Data, 1e6),
        "gigabyte" | "gigabytes" | "gb" | "gig" | "gigs" => measure(Data, 1e9),
        "terabyte" | "terabytes" | "tb" => measure(Data, 1e12),
        "petabyte" | "petabytes" | "pb" => measure(Data, 1e15),
        "kib" => measure(Data, 1024.0),
        "mib" => measure(Data, 1048576.0),
        "gib" => measure(Data, 1073741824.0),
        "tib" => measure(Data, 1099511627776.0),
        "bit" | "bits" => measure(Data, 0.125),
        "kbps" => measure(DataRate, 1e3),
        "mbps" => measure(DataRate, 1e6),
        "gbps" => measure(DataRate, 1e9),
        "watt" | "watts" => measure(Power, 1.0),
        "kilowatt" | "kilowatts" | "kw" => measure(Power, 1e3),
        "megawatt" | "megawatts" => measure(Power, 1e6),
        "gigawatt" | "gigawatts" | "gw" => measure(Power, 1e9),
        "joule" | "joules" => measure(Energy, 1.0),
        "kilojoule" | "kilojoules" => measure(Energy, 1e3),
        "kwh" => measure(Energy, 3.6e6),
        "mwh" => measure(Energy, 3.6e9),
        "kcal" | "kilocalorie" | "kilocalories" => measure(Energy, 4184.0),
        "hertz" | "hz" => measure(Frequency, 1.0),
        "kilohertz" | "khz" => measure(Frequency, 1e3),
        "megahertz" | "mhz" => measure(Frequency, 1e6),
        "gigahertz" | "ghz" => measure(Frequency, 1e9),
        "volt" | "volts" => measure(Voltage, 1.0),
        "millisecond" | "milliseconds" | "ms" | "msec" => Unit::Seconds(1e-3),
        "second" | "seconds" | "sec" | "secs" => Unit::Seconds(1.0),
        "minute" | "minutes" | "min" | "mins" | "minimum" => Unit::Seconds(60.0),
        "hour" | "hours" | "hr" | "hrs" => Unit::Seconds(3600.0),
        "day" | "days" => Unit::Seconds(86400.0),
        "week" | "weeks" | "wk" | "wks" => Unit::Seconds(604800.0),
        "fortnight" | "fortnights" => Unit::Seconds(1209600.0),
        "month" | "months" => Unit::Months(1.0),
        "year" | "years" | "yr" | "yrs" => Unit::Months(12.0),
        "decade" | "decades" => Unit::Months(120.0),
        "century" | "centuries" => Unit::Months(1200.0),
        "millennium" | "millennia" => Unit::Months(12000.0),
        "dollar" | "dollars" | "buck" | "bucks" => Unit::Money(Currency::Usd, 1.0),
        "cent" | "cents" => Unit::Money(Currency::Usd, 0.01),
        "euro" | "euros" => Unit::Money(Currency::Eur, 1.0),
        "quid" => Unit::Money(Currency::Gbp, 1.0),
        "pence" => Unit::Money(Currency::Gbp, 0.01),
        "yen" => Unit::Money(Currency::Jpy, 1.0),
        "yuan" | "renminbi" => Unit::Money(Currency::Cny, 1.0),
        "rubles" | "roubles" | "ruble" | "rouble" => Unit::Money(Currency::Rub, 1.0),
        _ => return None,
    })
}

/// Signs of one or two letters that need care: they are units if glued to the number, or if nothing
/// that could be counted follows.
fn by_glue(items: &[Item], at: usize) -> Option<Unit> {
    let item = items.get(at)?;
    let is_glued = item.is_glued();
    let next = word(items, at + 1);
    let is_end = next.is_empty() || super::words::is_function(next) || is_dimension(next);
    Some(match &*item.text {
        "m" if is_end && item.raw == "m" => measure(Length, 1.0),
        "g" if (is_glued || is_end || next == "of") && item.raw == "g" => measure(Mass, 1e-3),
        "t" if is_glued && is_end && item.raw == "t" => measure(Mass, 1e3),
        "l" if is_glued || is_end => measure(Volume, 1.0),
        "h" if is_glued || is_end => Unit::Seconds(3600.0),
        "s" if item.is_spaced && is_end && item.raw == "s" => Unit::Seconds(1.0),
        "w" if is_glued && item.raw == "W" => measure(Power, 1.0),
        "in" if is_glued || is_dimension(next) => measure(Length, 0.0254),
        "p" if is_glued && item.raw == "p" && is_end => Unit::Money(Currency::Gbp, 0.01),
        _ => return None,
    })
}

/// Whether a word says which way a length runs.
pub(super) fn is_dimension(word: &str) -> bool {
    matches!(
        word,
        "long" | "wide" | "tall" | "high" | "deep" | "thick" | "apart" | "away" | "across" | "tower" | "wall"
    )
}
