//! The form for texts that share many symbols: row by row, with columns in blocks of four.
//!
//! Problem: for every cell (i, j) with s_i = t_j and every level k, compute the weight of all
//! subsequences of length k that end there in both texts,
//!
//!   D_1(i, j) = lambda^2,
//!   D_{k+1}(i, j) = sum over i' < i, j' < j of D_k(i', j') lambda^(i - i' + j - j').
//!
//! K_k is the sum of D_k over all cells. Divided by lambda^(i + j), the recursion loses its powers:
//!
//!   x_1(i, j) = lambda^2 / lambda^(i + j),
//!   x_{k+1}(i, j) = q_k(i, j) = sum over i' < i, j' < j of x_k(i', j'),
//!   K_{k+1} = sum over (i, j) of lambda^(i + j) q_k(i, j).
//!
//! In a long text such powers leave the range of floating-point numbers. So i and j are counted
//! from the start of a window that is narrow enough ([`Powers::window`]). When rows enter a new
//! window, all sums are multiplied by the power of the distance, and so is a prefix sum carried
//! from one window of columns to the next.
//!
//! What remains is addition: q(i, j) is the sum of what earlier rows added to earlier columns. Each
//! block of four columns keeps its sum, and three more sums inside it in the manner of Fenwick
//! (1994). A row takes one pass over the block sums and a few additions per match. All levels lie
//! side by side in an array of N, so that each addition is a vector addition. Level k + 1 of the
//! added value is level k of the value read; levels 1 .. N/2 lie in the even lanes and the others
//! in the odd ones, so that whole pairs of lanes move on and no vector straddles two.
//!
//! Long texts are cut into tiles of columns that fit into the L1 cache. A tile is completed for all
//! rows before the next one starts; of each row only the sum of the tiles so far is kept.

use super::powers::Powers;
use super::prepared::{Row, Shared};

/// Columns per block.
pub(super) const BLOCK: usize = 4;
/// Maximal number of columns per tile.
pub(super) const TILE_COLUMNS: usize = 512;

/// A column that matches a row.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// The index of the block in the tile.
    block: u32,
    /// The position in the block, 0..4.
    place: u32,
    /// lambda^j.
    power: f64,
    /// lambda^2 / lambda^j.
    start: f64,
}

/// A run of blocks whose columns are counted from the same position.
#[derive(Clone, Copy, Debug)]
struct Window {
    first_block: u32,
    /// lambda to the distance from the start of the previous window.
    decay: f64,
}

/// Buffers, reused for the next tile and the next two texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    windows: Vec<Window>,
    /// The columns of the tile from first to last.
    placed: Vec<Column>,
    /// The same columns by symbol, then by position in the block, last first.
    columns: Vec<Column>,
    /// Where each symbol and position (`symbol * 4 + 3 - place`) starts in `columns`.
    starts: Vec<u32>,
    /// `[block][2][N]`: the sum of all columns before the block, and the sum of its own columns.
    outer: Vec<f64>,
    /// `[block][3][N]`: column 0; columns 0 and 1; column 2.
    inner: Vec<f64>,
    /// `[row][N]`: the sum of all tiles before this one, as seen by the row.
    carries: Vec<f64>,
}

/// `[before, own]` of a block.
type Outer<const N: usize> = [[f64; N]; 2];
/// See [`Blocks::inner`].
type Inner<const N: usize> = [[f64; N]; 3];

impl Blocks {
    /// Adds the N values K_2, K_3, ... to `totals`; N is even.
    pub(super) fn run<const N: usize>(&mut self, shared: &Shared, powers: &Powers, totals: &mut [f64; N]) {
        self.carries.clear();
        self.carries.resize(shared.rows.len() * N, 0.0);
        let mut lanes = [0.0; N];
        let (mut next, mut base) = (0, 0);
        while next < shared.columns.len() {
            let n_blocks = self.place(shared, powers, &mut next, &mut base);
            self.outer.clear();
            self.outer.resize(n_blocks * 2 * N, 0.0);
            self.inner.clear();
            self.inner.resize(n_blocks * 3 * N, 0.0);
            self.tile(&shared.rows, powers, next == shared.columns.len(), &mut lanes);
        }
        for (level, total) in totals.iter_mut().enumerate() {
            *total += lanes[lane(level, N)];
        }
    }

    /// Places columns from `next` on until the tile is full. Returns the number of blocks. `base`
    /// is the start of the last window.
    fn place(&mut self, shared: &Shared, powers: &Powers, next: &mut usize, base: &mut u32) -> usize {
        let (width, squared) = (powers.window(), powers.at(2));
        self.windows.clear();
        self.placed.clear();
        self.starts.clear();
        self.starts.resize(shared.n_symbols() * BLOCK + 1, 0);
        let key = |symbol: u32, place: u32| symbol as usize * BLOCK + (BLOCK - 1 - place as usize);
        let first = *next;
        let (mut block, mut place) = (0, 0);
        for (&position, &symbol) in shared.columns[first..].iter().zip(&shared.symbols[first..]) {
            if self.windows.is_empty() || position - *base >= width {
                block += u32::from(place > 0);
                self.windows.push(Window { first_block: block, decay: powers.at(u64::from(position - *base)) });
                (place, *base) = (0, position);
            }
            let power = powers.small(position - *base);
            self.placed.push(Column { block, place, power, start: squared / power });
            self.starts[key(symbol, place)] += 1;
            place += 1;
            if place == BLOCK as u32 {
                (block, place) = (block + 1, 0);
            }
            if block as usize * BLOCK >= TILE_COLUMNS {
                break;
            }
        }
        *next += self.placed.len();
        // Counts become ends, and ends become starts as columns are inserted before them.
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.columns.clear();
        self.columns.resize(self.placed.len(), Column::default());
        for (column, &symbol) in self.placed.iter().zip(&shared.symbols[first..]) {
            let start = &mut self.starts[key(symbol, column.place)];
            *start -= 1;
            self.columns[*start as usize] = *column;
        }
        block as usize + usize::from(place > 0)
    }

    /// Processes all rows of one tile.
    fn tile<const N: usize>(&mut self, rows: &[Row], powers: &Powers, is_last: bool, totals: &mut [f64; N]) {
        let (outer, _) = self.outer.as_chunks_mut::<N>();
        let (outer, _) = outer.as_chunks_mut::<2>();
        let (inner, _) = self.inner.as_chunks_mut::<N>();
        let (inner, _) = inner.as_chunks_mut::<3>();
        let (carries, _) = self.carries.as_chunks_mut::<N>();
        let whole_decay: f64 = self.windows.iter().map(|window| window.decay).product();
        let mut tile_totals = [0.0; N];
        // The sum of the whole tile, if known.
        let mut whole = Some([0.0; N]);
        let width = powers.window();
        let mut base = 0;
        for (row, carry) in rows.iter().zip(carries) {
            if row.position - base >= width {
                let decay = powers.at(u64::from(row.position - base));
                outer.iter_mut().for_each(|[_, own]| own.iter_mut().for_each(|sum| *sum *= decay));
                inner.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|sum| *sum *= decay);
                base = row.position;
                whole = None;
            }
            let starts = &self.starts[row.symbol as usize * BLOCK..][..=BLOCK];
            if starts[0] == starts[BLOCK] {
                if !is_last {
                    let whole = *whole.get_or_insert_with(|| whole_sum(&self.windows, outer));
                    for (carry, whole) in carry.iter_mut().zip(whole) {
                        *carry = *carry * whole_decay + whole;
                    }
                }
                continue;
            }
            whole = None;
            *carry = scan(&self.windows, outer, *carry);
            let power = powers.small(row.position - base);
            let inverse = power.recip();
            let mut total = [0.0; N];
            // Last position first, so that additions do not affect what this row still reads. Each
            // position has its own loop, so that the compiler knows the operands without a branch
            // or a table.
            let columns = |at: usize| &self.columns[starts[at] as usize..starts[at + 1] as usize];
            for column in columns(0) {
                let Some((outer, inner)) = block(outer, inner, column) else { break };
                let taken = sum(&outer[0], &sum(&inner[1], &inner[2]));
                let put = shift(column.start * inverse, &taken);
                add_scaled(&mut total, column.power, &taken);
                add(&mut outer[1], &put);
            }
            for column in columns(1) {
                let Some((outer, inner)) = block(outer, inner, column) else { break };
                let taken = sum(&outer[0], &inner[1]);
                let put = shift(column.start * inverse, &taken);
                add_scaled(&mut total, column.power, &taken);
                add(&mut outer[1], &put);
                add(&mut inner[2], &put);
            }
            for column in columns(2) {
                let Some((outer, inner)) = block(outer, inner, column) else { break };
                let taken = sum(&outer[0], &inner[0]);
                let put = shift(column.start * inverse, &taken);
                add_scaled(&mut total, column.power, &taken);
                add(&mut outer[1], &put);
                add(&mut inner[1], &put);
            }
            for column in columns(3) {
                let Some((outer, inner)) = block(outer, inner, column) else { break };
                let taken = outer[0];
                let put = shift(column.start * inverse, &taken);
                add_scaled(&mut total, column.power, &taken);
                add(&mut outer[1], &put);
                add(&mut inner[0], &put);
                add(&mut inner[1], &put);
            }
            add_scaled(&mut tile_totals, power, &total);
        }
        add(totals, &tile_totals);
    }
}

/// Returns the sums of the block of a column, which always exist.
#[inline(always)]
fn block<'a, const N: usize>(
    outer: &'a mut [Outer<N>],
    inner: &'a mut [Inner<N>],
    column: &Column,
) -> Option<(&'a mut Outer<N>, &'a mut Inner<N>)> {
    Some((outer.get_mut(column.block as usize)?, inner.get_mut(column.block as usize)?))
}

/// Gives every block the sum of all blocks before it, as seen from the start of its window. Returns
/// the sum carried to the next tile.
#[inline(always)]
fn scan<const N: usize>(windows: &[Window], blocks: &mut [Outer<N>], mut carry: [f64; N]) -> [f64; N] {
    for (at, window) in windows.iter().enumerate() {
        carry = carry.map(|sum| sum * window.decay);
        let end = windows.get(at + 1).map_or(blocks.len(), |next| next.first_block as usize);
        let Some(run) = blocks.get_mut(window.first_block as usize..end) else { break };
        // Two blocks at a time, so that the carry waits for one addition per two blocks.
        let (pairs, last) = run.as_chunks_mut::<2>();
        for [first, second] in pairs {
            let both = sum(&first[1], &second[1]);
            let middle = sum(&carry, &first[1]);
            first[0] = carry;
            second[0] = middle;
            carry = sum(&carry, &both);
        }
        for block in last {
            block[0] = carry;
            carry = sum(&carry, &block[1]);
        }
    }
    carry
}

/// Returns what [`scan`] returns if nothing is carried in.
fn whole_sum<const N: usize>(windows: &[Window], blocks: &[Outer<N>]) -> [f64; N] {
    let mut carry = [0.0; N];
    for (at, window) in windows.iter().enumerate() {
        carry = carry.map(|sum| sum * window.decay);
        let end = windows.get(at + 1).map_or(blocks.len(), |next| next.first_block as usize);
        for block in blocks.iter().take(end).skip(window.first_block as usize) {
            add(&mut carry, &block[1]);
        }
    }
    carry
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [f64; N], added: &[f64; N]) {
    for lane in 0..N {
        sum[lane] += added[lane];
    }
}

#[inline(always)]
fn add_scaled<const N: usize>(sum: &mut [f64; N], factor: f64, added: &[f64; N]) {
    for lane in 0..N {
        sum[lane] += factor * added[lane];
    }
}

#[inline(always)]
fn sum<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    let mut sum = *a;
    add(&mut sum, b);
    sum
}

/// Moves every level to the next: lanes 2p move to 2(p + 1), and so do lanes 2p + 1, as pairs.
/// Level N / 2, at the end of the even lanes, moves to the start of the odd ones.
#[inline(always)]
fn shift<const N: usize>(first: f64, rest: &[f64; N]) -> [f64; N] {
    let mut all = [first; N];
    all[1] = rest[N - 2];
    all[2..].copy_from_slice(&rest[..N - 2]);
    all
}

/// Returns the lane of a level, both from 0.
fn lane(level: usize, n: usize) -> usize {
    if level < n / 2 { 2 * level } else { 2 * level + 1 - n }
}
