//! Lookup in sorted tables.

/// Returns what a sorted table holds for `key`.
pub(super) fn find<T: Copy>(table: &[(&str, T)], key: &str) -> Option<T> {
    let place = table.binary_search_by(|row| row.0.cmp(key)).ok()?;
    table.get(place).map(|row| row.1)
}

/// Whether a sorted list holds `key`.
pub(super) fn is_in(list: &[&str], key: &str) -> bool {
    list.binary_search(&key).is_ok()
}

/// Fails unless the keys ascend.
#[cfg(test)]
pub(super) fn check_sorted(keys: &[&str]) {
    for pair in keys.windows(2) {
        assert!(pair[0] < pair[1], "{pair:?} do not ascend");
    }
}
