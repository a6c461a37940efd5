//! Rows of different lengths in one flat list (compressed sparse rows), built by counting sort.

/// Row `row` is `items[starts[row]..starts[row + 1]]`.
#[derive(Clone, Debug)]
pub(super) struct Csr {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Csr {
    /// Creates rows of the given lengths, which must sum to the number of items.
    pub(super) fn from_lengths(lengths: &[u8], items: Vec<u32>) -> Self {
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        let mut start = 0_usize;
        for &length in lengths {
            starts.push(start.min(items.len()) as u32);
            start += usize::from(length);
        }
        starts.push(items.len() as u32);
        Self { starts, items }
    }

    /// Groups entries (row, item) by row, in their order. Entries of rows out of range are dropped.
    /// Iterates over the entries twice.
    pub(super) fn gather<I: Iterator<Item = (u32, u32)>>(n_rows: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0_u32; n_rows + 2];
        // `for_each` compiles chained iterators to plain loops, `for` does not.
        entries().for_each(|(row, _)| {
            if let Some(count) = starts.get_mut(row as usize + 2) {
                *count += 1;
            }
        });
        for row in 2..starts.len() {
            starts[row] += starts[row - 1];
        }
        // `starts[row + 1]` moves from the start of the row to its end.
        let mut items = vec![0; starts[n_rows + 1] as usize];
        entries().for_each(|(row, item)| {
            if (row as usize) < n_rows {
                let place = &mut starts[row as usize + 1];
                items[*place as usize] = item;
                *place += 1;
            }
        });
        starts.pop();
        Self { starts, items }
    }

    pub(super) fn items(&self) -> &[u32] {
        &self.items
    }

    /// Returns a mutable row; empty if it does not exist.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u32] {
        match self.starts.get(row..).and_then(|starts| starts.first_chunk()) {
            Some(&[start, end]) => &mut self.items[start as usize..end as usize],
            None => &mut [],
        }
    }

    /// Returns a row; empty if it does not exist.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        match self.starts.get(row..).and_then(|starts| starts.first_chunk()) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            None => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_order() {
        let entries = [(2, 7), (0, 5), (2, 6), (9, 1), (0, 4)];
        let rows = Csr::gather(4, || entries.into_iter());
        assert_eq!([0, 1, 2, 3, 4, 9].map(|row| rows.row(row)), [&[5, 4][..], &[], &[7, 6], &[], &[], &[]]);
        let counted = Csr::from_lengths(&[2, 0, 2], vec![5, 4, 7, 6]);
        for row in 0..5 {
            assert_eq!(counted.row(row), rows.row(row));
        }
    }
}
