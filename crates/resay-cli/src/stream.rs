//! Rows for whatever streams in: read in blocks, worked on in parallel and written, so that a file
//! of any length takes the memory of one block.

use crate::failure::Usage;
use crate::output::Output;
use std::io::Write;

/// A block ends after this many items or bytes of text, whichever comes first.
const BLOCK_ITEMS: usize = 4096;
const BLOCK_BYTES: usize = 8 << 20;

/// What is printed for one item.
pub(crate) struct Row {
    /// The row, without its line break.
    pub(crate) text: String,
    /// Why the item could not be worked on; its row says so, and the rest goes on.
    pub(crate) fault: Option<String>,
}

impl Row {
    pub(crate) fn good(text: String) -> Self {
        Self { text, fault: None }
    }
}

/// What becomes of items that cannot be worked on.
#[derive(Clone, Copy)]
pub(crate) struct Faults<'a> {
    /// The file that items come from.
    pub(crate) name: &'a str,
    /// Whether the first of them ends the run.
    pub(crate) is_strict: bool,
}

/// How a stream went.
pub(crate) struct Streamed {
    pub(crate) n_items: usize,
    n_faults: usize,
}

impl Streamed {
    /// An error if any item could not be worked on: all rows were written, but the input was bad.
    pub(crate) fn check(&self, done: &str) -> anyhow::Result<()> {
        match self.n_faults {
            0 => Ok(()),
            n => Err(Usage(format!("{n} of {} rows could not be {done}; all others were", self.n_items)).into()),
        }
    }
}

/// Writes the rows of all items, in order. An item comes with the line that it starts on. A row
/// that cannot be made is named on standard error by its line, and the rest goes on. A fault in the
/// input is returned after the rows before it were written.
pub(crate) fn stream<T>(
    items: &mut dyn Iterator<Item = resay::Result<(u64, T)>>,
    n_bytes: impl Fn(&T) -> usize,
    out: &mut Output,
    faults: Faults<'_>,
    rows: impl Fn(&[(u64, T)]) -> anyhow::Result<Vec<Row>>,
) -> anyhow::Result<Streamed> {
    let mut streamed = Streamed { n_items: 0, n_faults: 0 };
    loop {
        let (block, fault) = next_block(items, &n_bytes);
        streamed.n_items += block.len();
        if !block.is_empty() {
            for (Row { text, fault }, (line, _)) in rows(&block)?.into_iter().zip(&block) {
                if let Some(fault) = fault {
                    let error = resay::Error::line(faults.name, *line, fault);
                    if faults.is_strict {
                        out.flush()?;
                        return Err(error.into());
                    }
                    streamed.n_faults += 1;
                    // Nothing is left to do if standard error is closed.
                    let _ = writeln!(std::io::stderr(), "error: {error}");
                }
                out.line(&text)?;
            }
        }
        match fault {
            Some(fault) => {
                out.flush()?;
                return Err(fault.into());
            }
            None if block.is_empty() => return Ok(streamed),
            None => {}
        }
    }
}

/// The next items, and what stopped the reading; none at the end.
fn next_block<T>(
    items: &mut dyn Iterator<Item = resay::Result<(u64, T)>>,
    n_bytes: &impl Fn(&T) -> usize,
) -> (Vec<(u64, T)>, Option<resay::Error>) {
    let (mut block, mut n_read) = (Vec::new(), 0);
    while block.len() < BLOCK_ITEMS && n_read < BLOCK_BYTES {
        match items.next() {
            None => break,
            Some(Err(fault)) => return (block, Some(fault)),
            Some(Ok(item)) => {
                n_read += n_bytes(&item.1);
                block.push(item);
            }
        }
    }
    (block, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_by_number_by_size_and_at_a_fault() {
        let check = |sizes: &[usize], fault_at: Option<usize>, expected: usize, is_fault: bool| {
            let item = |(at, size): (usize, &usize)| match fault_at {
                Some(fault) if fault == at => Err(resay::Error::line("f", 1, "!")),
                _ => Ok((at as u64 + 1, *size)),
            };
            let (block, fault) = next_block(&mut sizes.iter().enumerate().map(item), &|size: &usize| *size);
            assert_eq!((block.len(), fault.is_some()), (expected, is_fault), "{} sizes", sizes.len());
            assert!(block.iter().zip(1..).all(|((line, _), expected)| *line == expected), "lines are kept");
        };
        check(&[1; 5000], None, BLOCK_ITEMS, false);
        check(&[1; 3], None, 3, false);
        check(&[], None, 0, false);
        check(&[BLOCK_BYTES - 1, 1, 1], None, 2, false);
        check(&[1; 9], Some(4), 4, true);
        check(&[1; 9], Some(0), 0, true);
    }
}
