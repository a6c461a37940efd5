//! The kernel as published (Lodhi et al. 2002): the baseline for timing the fast forms and an
//! independent check of their values.

/// K_1 .. K_max_k by the recursion as published, with every K' in a table. O(max_k |s| |t|^2):
///
///   K'_0(s, t) = 1,  K'_i(s, t) = 0 if s or t is shorter than i,
///   K'_i(sx, t) = lambda K'_i(s, t)
///                 + sum over j with t_j = x of K'_{i-1}(s, t[1:j-1]) lambda^(|t| - j + 2),
///   K_i(sx, t) = K_i(s, t) + sum over j with t_j = x of K'_{i-1}(s, t[1:j-1]) lambda^2.
pub fn subsequences_by_recursion(max_k: usize, lambda: f64, s: &[u32], t: &[u32]) -> Vec<f64> {
    let (rows, width) = (s.len() + 1, t.len() + 1);
    let mut powers = vec![1.0; t.len() + 2];
    for n in 1..powers.len() {
        powers[n] = powers[n - 1] * lambda;
    }
    let mut values = Vec::with_capacity(max_k);
    // `last[i * width + j]` = K'_{level - 1} of the first i symbols of s and the first j of t.
    let mut last = vec![1.0; rows * width];
    for level in 1..=max_k {
        let mut value = 0.0;
        for (i, &x) in s.iter().enumerate() {
            for (j, _) in t.iter().enumerate().filter(|(_, symbol)| **symbol == x) {
                value += last[i * width + j] * lambda * lambda;
            }
        }
        values.push(value);
        if level == max_k {
            break;
        }
        let mut next = vec![0.0; rows * width];
        for (i, &x) in s.iter().enumerate() {
            for length in 0..=t.len() {
                let mut sum = 0.0;
                for j in 1..=length {
                    if t[j - 1] == x {
                        sum += last[i * width + j - 1] * powers[length - j + 2];
                    }
                }
                next[(i + 1) * width + length] = lambda * next[i * width + length] + sum;
            }
        }
        last = next;
    }
    values
}

/// K_1 .. K_max_k in the common form that keeps the sum over j in K' as K''. O(max_k |s| |t|):
///
///   K''_i(sx, tz) = lambda K''_i(sx, t) + [x = z] lambda^2 K'_{i-1}(s, t),
///   K'_i(sx, t) = lambda K'_i(s, t) + K''_i(sx, t).
pub fn subsequences_by_tables(max_k: usize, lambda: f64, s: &[u32], t: &[u32]) -> Vec<f64> {
    let width = t.len() + 1;
    let squared = lambda * lambda;
    let mut values = Vec::with_capacity(max_k);
    let mut last = vec![1.0; (s.len() + 1) * width];
    let mut next = vec![0.0; (s.len() + 1) * width];
    for _ in 0..max_k {
        let mut value = 0.0;
        next[..width].fill(0.0);
        for (i, &x) in s.iter().enumerate() {
            let mut inner = 0.0;
            next[(i + 1) * width] = 0.0;
            for (j, &z) in t.iter().enumerate() {
                inner *= lambda;
                if x == z {
                    inner += squared * last[i * width + j];
                    value += squared * last[i * width + j];
                }
                next[(i + 1) * width + j + 1] = lambda * next[i * width + j + 1] + inner;
            }
        }
        values.push(value);
        std::mem::swap(&mut last, &mut next);
    }
    values
}
