//! Exact nearest neighbours of every word by the cosine of its vector.
//!
//! Given n words with one vector each, finds for every word the `most` nearest others whose cosine
//! reaches a threshold. All n² products are computed: n = 100,000 words of 100 dimensions take 10¹²
//! multiply-adds, about seventy seconds on two cores, in blocks that stay in the cache and in
//! registers. Single precision is used for filtering only. The final values are computed again in
//! double precision, one dimension after the other, so that the same vectors give the same
//! neighbours on every machine and with any number of threads.

use rayon::prelude::*;

/// Words whose products are summed in parallel: two vector registers.
const LANES: usize = 8;
/// Words processed together against a panel.
const ROWS: usize = 4;
/// Words per parallel task: a panel is read from memory once for all of them.
const BLOCK: usize = 256;
/// Error bound of single precision; sums of a hundred products of numbers below 1 stay well within
/// it.
const SLACK: f32 = 1e-4;

/// Vectors of equal dimension in row-major order: `values[word * dimensions + dimension]`.
pub(crate) struct Vectors {
    pub(crate) dimensions: usize,
    pub(crate) values: Vec<f32>,
}

impl Vectors {
    fn len(&self) -> usize {
        self.values.len() / self.dimensions
    }

    fn row(&self, word: usize) -> &[f32] {
        &self.values[word * self.dimensions..(word + 1) * self.dimensions]
    }

    fn length(&self, word: usize) -> f64 {
        self.row(word).iter().fold(0.0, |sum, &value| sum + f64::from(value) * f64::from(value)).sqrt()
    }

    /// The cosine in double precision; `lengths` are those of the two vectors.
    fn cosine(&self, (a, b): (usize, usize), lengths: (f64, f64)) -> f64 {
        let products = self.row(a).iter().zip(self.row(b)).map(|(&x, &y)| f64::from(x) * f64::from(y));
        products.fold(0.0, |sum, product| sum + product) / (lengths.0 * lengths.1)
    }
}

/// Returns the nearest neighbours of every word, nearest first, ties by number.
pub(crate) fn neighbours(vectors: &Vectors, threshold: f64, most: usize) -> Vec<Vec<(u32, f64)>> {
    let n_words = vectors.len();
    let lengths: Vec<f64> = (0..n_words).map(|word| vectors.length(word)).collect();
    let unit = |word: usize, dimension: usize| {
        let length = lengths.get(word).copied().filter(|&length| length > 0.0);
        length.map_or(0.0, |length| (f64::from(vectors.row(word)[dimension]) / length) as f32)
    };
    // panels[panel][dimension][lane]: unit vectors of LANES words, dimension by dimension, padded
    // with zeros.
    let panels: Vec<Vec<[f32; LANES]>> = (0..n_words.div_ceil(LANES))
        .into_par_iter()
        .map(|panel| {
            let lane = |dimension| std::array::from_fn(|lane| unit(panel * LANES + lane, dimension));
            (0..vectors.dimensions).map(lane).collect()
        })
        .collect();
    let starts: Vec<usize> = (0..n_words).step_by(BLOCK).collect();
    let blocks = starts.into_par_iter().map(|start| {
        let rows = start..n_words.min(start + BLOCK);
        let mut near = vec![Vec::new(); rows.len()];
        // rows_of[group][dimension][row]: the words of the block, ROWS at a time.
        let groups: Vec<Vec<[f32; ROWS]>> = rows
            .clone()
            .step_by(ROWS)
            .map(|first| {
                let row = |dimension| std::array::from_fn(|row| unit(first + row, dimension));
                (0..vectors.dimensions).map(row).collect()
            })
            .collect();
        for (panel_idx, panel) in panels.iter().enumerate() {
            for (group_idx, group) in groups.iter().enumerate() {
                let sums = products(group, panel);
                for (row, sums) in sums.iter().enumerate() {
                    for (lane, &sum) in sums.iter().enumerate() {
                        let (a, b) = (start + group_idx * ROWS + row, panel_idx * LANES + lane);
                        if sum >= threshold as f32 - SLACK && a != b && a < n_words && b < n_words {
                            let cosine = vectors.cosine((a, b), (lengths[a], lengths[b]));
                            if cosine >= threshold {
                                near[a - start].push((b as u32, cosine));
                            }
                        }
                    }
                }
            }
        }
        for list in &mut near {
            list.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            list.truncate(most);
        }
        near
    });
    blocks.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// `sums[row][lane] = Σ over dimensions of group[dimension][row] · panel[dimension][lane]`.
fn products(group: &[[f32; ROWS]], panel: &[[f32; LANES]]) -> [[f32; LANES]; ROWS] {
    let mut sums = [[0.0; LANES]; ROWS];
    for (group, panel) in group.iter().zip(panel) {
        for row in 0..ROWS {
            for lane in 0..LANES {
                sums[row][lane] += group[row] * panel[lane];
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs by exhaustive search.
    fn slow(vectors: &Vectors, threshold: f64, most: usize) -> Vec<Vec<(u32, f64)>> {
        let n_words = vectors.len();
        let near = |a: usize| {
            let cosine = |b| vectors.cosine((a, b), (vectors.length(a), vectors.length(b)));
            let others = (0..n_words).filter(|&b| b != a).map(|b| (b as u32, cosine(b)));
            let mut list: Vec<(u32, f64)> = others.filter(|&(_, cosine)| cosine >= threshold).collect();
            list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            list.truncate(most);
            list
        };
        (0..n_words).map(near).collect()
    }

    #[test]
    fn blocks_find_what_all_pairs_find() {
        // Pseudo-random numbers; some vectors occur twice, so that there are ties, and one is all
        // zeros.
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        for n_words in [1, 5, 8, 300] {
            let dimensions = 6;
            let mut values: Vec<f32> = (0..n_words * dimensions).map(|_| next()).collect();
            if n_words == 300 {
                values.copy_within(0..10 * dimensions, 290 * dimensions);
                values[50 * dimensions..51 * dimensions].fill(0.0);
            }
            let vectors = Vectors { dimensions, values };
            for (threshold, most) in [(0.7, 10), (0.9, 2), (-2.0, 1000)] {
                assert_eq!(neighbours(&vectors, threshold, most), slow(&vectors, threshold, most), "{n_words} words");
            }
        }
    }
}
