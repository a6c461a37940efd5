//! Rows for whatever streams in: read in blocks, worked on in parallel and written, so that a file of any length takes the
//! memory of one block.

use crate::output::Output;

/// A block ends after this many items or bytes of text, whichever comes first.
const BLOCK_ITEMS: usize = 4096;
const BLOCK_BYTES: usize = 8 << 20;

/// Writes the rows of all items, in order, and returns how many items there were. A fault in the input is returned after
/// the rows before it were written.
pub(super) fn stream<T>(
    items: &mut dyn Iterator<Item = resay::Result<T>>,
    n_bytes: impl Fn(&T) -> usize,
    out: &mut Output,
    rows: impl Fn(&[T]) -> anyhow::Result<Vec<String>>,
) -> anyhow::Result<usize> {
    let mut n_items = 0;
    loop {
        let (block, fault) = next_block(items, &n_bytes);
        n_items += block.len();
        if !block.is_empty() {
            for row in rows(&block)? {
                out.line(&row)?;
            }
        }
        match fault {
            Some(fault) => {
                out.flush()?;
                return Err(fault.into());
            }
            None if block.is_empty() => return Ok(n_items),
            None => {}
        }
    }
}

/// The next items, and what stopped the reading; none at the end.
fn next_block<T>(
    items: &mut dyn Iterator<Item = resay::Result<T>>,
    n_bytes: &impl Fn(&T) -> usize,
) -> (Vec<T>, Option<resay::Error>) {
    let (mut block, mut n_read) = (Vec::new(), 0);
    while block.len() < BLOCK_ITEMS && n_read < BLOCK_BYTES {
        match items.next() {
            None => break,
            Some(Err(fault)) => return (block, Some(fault)),
            Some(Ok(item)) => {
                n_read += n_bytes(&item);
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
                _ => Ok(*size),
            };
            let (block, fault) = next_block(&mut sizes.iter().enumerate().map(item), &|size: &usize| *size);
            assert_eq!((block.len(), fault.is_some()), (expected, is_fault), "{} sizes", sizes.len());
        };
        check(&[1; 5000], None, BLOCK_ITEMS, false);
        check(&[1; 3], None, 3, false);
        check(&[], None, 0, false);
        check(&[BLOCK_BYTES - 1, 1, 1], None, 2, false);
        check(&[1; 9], Some(4), 4, true);
        check(&[1; 9], Some(0), 0, true);
    }
}
