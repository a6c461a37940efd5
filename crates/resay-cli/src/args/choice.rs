//! Options whose values are names of the library's own types: help lists the names, and a wrong one
//! is told which there are.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser of one of these names.
pub(crate) fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: &'static [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let find = |typed: String| {
        let found = choices.iter().find(|(name, _)| typed.eq_ignore_ascii_case(name));
        found.map(|(_, choice)| *choice).ok_or("unknown name")
    };
    PossibleValuesParser::new(choices.map(|(name, _)| name)).try_map(find)
}
