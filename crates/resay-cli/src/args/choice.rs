//! Options whose values are names of the library's types. Help lists the names, and so does the
//! error for an unknown one.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a value parser that accepts these names.
pub(crate) fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: &'static [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let find = |typed: String| {
        let found = choices.iter().find(|(name, _)| typed.eq_ignore_ascii_case(name));
        found.map(|(_, choice)| *choice).ok_or("unknown name")
    };
    PossibleValuesParser::new(choices.map(|(name, _)| name)).try_map(find)
}
