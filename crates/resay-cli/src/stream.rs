//! Turns a stream of items into rows: reads items in blocks, processes them in parallel and writes
//! the rows, so that a file of any length needs the memory of one block.

use crate::failure::Usage;
use crate::output::Output;
use std::io::Write;

/// Maximum number of items and bytes of text per block.
const BLOCK_ITEMS: usize = 4096;
const BLOCK_BYTES: usize = 8 << 20;

/// The output for one item.
pub(crate) struct Row {
    /// The row, without line break.
    pub(crate) text: String,
    /// Why the item could not be processed. Its row says so, and the rest is still processed.
    pub(crate) fault: Option<String>,
}

impl Row {
    pub(crate) fn good(text: String) -> Self {
        Self { text, fault: None }
    }
}

/// How to handle items that cannot be processed.
#[derive(Clone, Copy)]
pub(crate) struct Faults<'a> {
    /// The file that the items come from.
    pub(crate) name: &'a str,
    /// Whether the first such item ends the run.
    pub(crate) is_strict: bool,
}

/// The result of a stream.
pub(crate) struct Streamed {
    pub(crate) n_items: usize,
    n_faults: usize,
}

impl Streamed {
    /// Returns an error if any item could not be processed: all rows were written, but the input
    /// was bad.
    pub(crate) fn check(&self, done: &str) -> anyhow::Result<()> {
        match self.n_faults {
            0 => Ok(()),
            n => Err(Usage(format!("{n} of {} rows could not be {done}; all others were", self.n_items)).into()),
        }
    }
}

/// Writes the rows of all items, in order. Each item comes with the line on which it starts. An
/// item that fails is reported on standard error with its line, and the rest is still processed. An
/// error in the input is returned after the rows before it were written.
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
                    // Ignored: nothing can be done if standard error is closed.
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

/// Reads the next block of items, empty at the end, and the error that stopped reading, if any.
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
