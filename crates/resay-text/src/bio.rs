//! Spans of words as one label per word, in two encodings.
//!
//! The external encoding is BIO: `O`, `B-X` or `I-X`, numbered 0, 1 + 2 × kind and 2 + 2 × kind.
//! Chain models learn the finer BIOES encoding, which tells for every word whether its span begins,
//! continues, ends, or is that word alone (`O`, then B, I, E, S of each kind). Features can then
//! vote for the end of a span. This improves both chunks and names.

/// `O` in both encodings.
pub const OUTSIDE: u8 = 0;

/// Returns the label of the first word of a span.
#[inline]
pub fn begin(kind: u8) -> u8 {
    1 + 2 * kind
}

/// Returns the label of a later word of a span.
#[inline]
pub fn inside(kind: u8) -> u8 {
    2 + 2 * kind
}

/// Returns the kind of span that a label belongs to.
#[inline]
pub fn kind(label: u8) -> Option<u8> {
    label.checked_sub(1).map(|label| label / 2)
}

/// Whether a label is an `I-X`.
#[inline]
fn is_inside(label: u8) -> bool {
    label != OUTSIDE && label.is_multiple_of(2)
}

/// Returns the number of BIOES labels.
pub fn n_fine(n_kinds: usize) -> usize {
    1 + 4 * n_kinds
}

/// Converts BIO labels to BIOES.
pub fn to_fine(labels: &[u8]) -> Vec<u8> {
    let goes_on = |at: usize| labels.get(at + 1).is_some_and(|&next| is_inside(next) && kind(next) == kind(labels[at]));
    let fine = |(at, &label): (usize, &u8)| match kind(label) {
        None => OUTSIDE,
        Some(kind) => {
            let step = match (is_inside(label), goes_on(at)) {
                (false, true) => 0,
                (true, true) => 1,
                (true, false) => 2,
                (false, false) => 3,
            };
            1 + 4 * kind + step
        }
    };
    labels.iter().enumerate().map(fine).collect()
}

/// Converts BIOES labels to BIO, in place. The result is well-formed for any input: an inner word
/// with no span of its kind before it begins a new one.
pub fn from_fine(labels: &mut [u8]) {
    let mut before = OUTSIDE;
    for label in labels {
        if let Some(fine) = label.checked_sub(1) {
            let (of, step) = (fine / 4, fine % 4);
            let is_later = (step == 1 || step == 2) && kind(before) == Some(of);
            *label = if is_later { inside(of) } else { begin(of) };
        }
        before = *label;
    }
}

/// Returns which BIOES label may follow which, in the layout of
/// [`super::learn::FitOptions::allowed`]: the last row is the start of the sentence.
pub fn allowed(n_kinds: usize) -> Vec<bool> {
    let n = n_fine(n_kinds);
    let mut out = Vec::with_capacity((n + 1) * n);
    for before in 0..=n {
        // The kind of span that the previous label leaves open.
        let open = (before > 0 && before < n && (before - 1) % 4 < 2).then(|| (before - 1) / 4);
        for label in 0..n {
            let goes_on = (label > 0 && matches!((label - 1) % 4, 1 | 2)).then(|| (label - 1) / 4);
            out.push(open == goes_on);
        }
    }
    out
}

/// Whether every `I-X` follows `B-X` or `I-X`, and every kind exists.
pub fn is_well_formed(labels: &[u8], n_kinds: usize) -> bool {
    let mut before = OUTSIDE;
    labels.iter().all(|&label| {
        let is_right = usize::from(label) <= 2 * n_kinds && (!is_inside(label) || kind(before) == kind(label));
        before = label;
        is_right
    })
}

/// Returns the spans as (first word, one past the last word, kind).
pub fn stretches(labels: &[u8]) -> Vec<(usize, usize, u8)> {
    let mut out: Vec<(usize, usize, u8)> = Vec::new();
    for (at, &label) in labels.iter().enumerate() {
        let Some(of) = kind(label) else { continue };
        match out.last_mut() {
            Some((_, end, kind)) if is_inside(label) && *end == at && *kind == of => *end = at + 1,
            _ => out.push((at, at + 1, of)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const N_KINDS: usize = 3;

    #[test]
    fn the_finer_spelling_says_where_a_stretch_ends() {
        let check = |labels: &[u8], expected: &[u8]| assert_eq!(to_fine(labels), expected, "{labels:?}");
        check(&[0, 1, 0], &[0, 4, 0]);
        check(&[1, 2, 2, 0], &[1, 2, 3, 0]);
        check(&[1, 1, 2], &[4, 1, 3]);
        check(&[3, 4, 1], &[5, 7, 4]);
    }

    #[test]
    fn what_follows_what() {
        let allowed = allowed(1);
        // O B I E S, then the start of the sentence.
        let rows = ["11001", "00110", "00110", "11001", "11001", "11001"];
        let found: Vec<String> =
            allowed.chunks(5).map(|row| row.iter().map(|&is| if is { '1' } else { '0' }).collect()).collect();
        assert_eq!(found, rows);
    }

    proptest! {
        #[test]
        fn anything_comes_out_well_formed(mut labels in prop::collection::vec(0..n_fine(N_KINDS) as u8, 0..30)) {
            from_fine(&mut labels);
            prop_assert!(is_well_formed(&labels, N_KINDS));
            // Well-formed labels survive the round trip to BIOES and back, using allowed
            // transitions only.
            let fine = to_fine(&labels);
            let n = n_fine(N_KINDS);
            let mut before = n;
            for &label in &fine {
                prop_assert!(allowed(N_KINDS)[before * n + usize::from(label)]);
                before = usize::from(label);
            }
            let mut back = fine;
            from_fine(&mut back);
            prop_assert_eq!(&back, &labels);
            let covered: usize = stretches(&labels).iter().map(|(start, end, _)| end - start).sum();
            prop_assert_eq!(covered, labels.iter().filter(|&&label| label != OUTSIDE).count());
        }
    }
}
