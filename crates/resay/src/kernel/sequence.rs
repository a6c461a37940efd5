//! Patterns of one sequence: its k-grams (the spectrum kernel of Leslie et al. 2002), and its
//! k-grams with any symbols replaced by wildcards (the wildcard kernel of Leslie et al. 2004).

use super::{Item, PatternIds};

/// Sorts by key and merges equal keys, adding their values in order of appearance.
pub(super) fn sum_by_key(entries: &mut Vec<(u32, f64)>) {
    entries.sort_by_key(|(key, _)| *key);
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// Writes every k-gram with its number of occurrences.
pub(super) fn spectrum(k: usize, units: &[u32], patterns: &mut dyn PatternIds, out: &mut Vec<(u32, f64)>) {
    out.clear();
    let mut items = Vec::with_capacity(k);
    for gram in units.windows(k) {
        items.clear();
        items.extend(gram.iter().map(|&symbol| Item::symbol(symbol)));
        out.push((patterns.id(&items), 1.0));
    }
    sum_by_key(out);
}

/// Writes every k-gram with every set of at most `most` positions replaced by wildcards. The value
/// is the number of matches times lambda to the number of wildcards. With most = k, <x, y> of one
/// k-gram pair with h equal positions is therefore (1 + l^2)^h (l^2)^(k - h).
pub(super) fn wildcard(
    k: usize,
    most: usize,
    lambda: f64,
    units: &[u32],
    patterns: &mut dyn PatternIds,
    out: &mut Vec<(u32, f64)>,
) {
    out.clear();
    let mut items = Vec::with_capacity(k);
    for gram in units.windows(k) {
        for mask in (0..1_u32 << k).filter(|mask| mask.count_ones() as usize <= most) {
            items.clear();
            items.extend(
                gram.iter().enumerate().map(
                    |(place, &symbol)| {
                        if mask >> place & 1 == 1 { Item::ANY } else { Item::symbol(symbol) }
                    },
                ),
            );
            out.push((patterns.id(&items), lambda.powi(mask.count_ones() as i32)));
        }
    }
    sum_by_key(out);
}
