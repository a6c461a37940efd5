//! Tells whether two words are one typing error apart.

/// Whether two words of four or more letters differ by one typing error: a letter too many, too few
/// or wrong, or two neighbours swapped. Equal words do not.
pub fn edit_distance_one(a: &str, b: &str) -> bool {
    let is_long = |word: &str| word.chars().nth(3).is_some();
    if !is_long(a) || !is_long(b) || a == b {
        return false;
    }
    let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
    loop {
        let (mut after_a, mut after_b) = (rest_a.clone(), rest_b.clone());
        match (after_a.next(), after_b.next()) {
            (Some(x), Some(y)) if x == y => (rest_a, rest_b) = (after_a, after_b),
            (x, y) => {
                let (plain_a, plain_b) = (after_a.as_str(), after_b.as_str());
                let is_swap = x.is_some()
                    && y.is_some()
                    && after_a.next() == y
                    && after_b.next() == x
                    && after_a.as_str() == after_b.as_str();
                return is_swap || plain_a == plain_b || plain_a == rest_b.as_str() || rest_a.as_str() == plain_b;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: all words one error away.
    fn neighbours(word: &str, letters: &str) -> Vec<String> {
        let word: Vec<char> = word.chars().collect();
        let mut all = Vec::new();
        for at in 0..=word.len() {
            for letter in letters.chars() {
                let mut longer = word.clone();
                longer.insert(at, letter);
                all.push(longer);
                if at < word.len() {
                    let mut other = word.clone();
                    other[at] = letter;
                    all.push(other);
                }
            }
            if at < word.len() {
                let mut shorter = word.clone();
                shorter.remove(at);
                all.push(shorter);
            }
            if at + 1 < word.len() {
                let mut swapped = word.clone();
                swapped.swap(at, at + 1);
                all.push(swapped);
            }
        }
        all.into_iter().map(|word| word.into_iter().collect()).collect()
    }

    proptest! {
        #[test]
        fn one_error_apart(a in "[abé]{0,7}", b in "[abé]{0,7}") {
            let is_long = a.chars().count() >= 4 && b.chars().count() >= 4;
            let expected = is_long && a != b && neighbours(&a, "abé").contains(&b);
            prop_assert_eq!(edit_distance_one(&a, &b), expected);
            prop_assert_eq!(edit_distance_one(&b, &a), expected);
        }

        #[test]
        fn every_neighbour_is_found(word in "[abcé]{5,8}", pick in any::<prop::sample::Index>()) {
            let all = neighbours(&word, "abé");
            let other = &all[pick.index(all.len())];
            prop_assert_eq!(edit_distance_one(&word, other), *other != word);
        }
    }

    #[test]
    fn words() {
        for (a, b, expected) in [
            ("recieve", "receive", true),
            ("tommorow", "tomorrow", false),
            ("definately", "definitely", true),
            ("speling", "spelling", true),
            ("cat", "cats", false),
            ("form", "from", true),
            ("same", "same", false),
        ] {
            assert_eq!(edit_distance_one(a, b), expected, "{a} {b}");
        }
    }
}
