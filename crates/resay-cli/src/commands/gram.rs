//! `resay gram`: the kernel matrix of pairs or documents. Rows are computed and formatted in parallel, a block at a time, so that
//! memory does not grow with the square of the file.

use super::gram_input::{Items, Reading};
use crate::args::{Common, GramArgs, GramFormat};
use crate::failure::Usage;
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use rayon::prelude::*;
use resay::kernel::{Bound, Expression};
use resay_text::Pair;
use resay_view::json;
use std::io::{self, Write};

/// A block holds about this many values.
const BLOCK_VALUES: usize = 1 << 20;

pub(crate) fn run(common: &Common, args: &GramArgs) -> anyhow::Result<()> {
    let relations = input::relations(common, &args.relations)?;
    let expression = Expression::parse(&args.kernel, &|| common.resources.lexicon_with(&relations))?;
    if common.json && args.format == GramFormat::Npy {
        return Err(Usage("--json and --format npy: expected one of them".to_owned()).into());
    }
    let output = args.output.as_ref().filter(|output| !output.is_stdout());
    let mut reading = Reading::new(common, args, &expression)?;
    let rows = reading.read(&args.file)?;
    let others = args.file2.as_deref().map(|path| reading.read(path)).transpose()?;
    let expression = expression.learn(&rows.pairs, resay_learn::progress::Progress::none())?;
    let columns = &others.as_ref().unwrap_or(&rows).pairs;
    let bound = Bound::new(&expression, columns, resay_learn::progress::Progress::none())?;
    let matrix = Matrix { rows: &rows, new_pairs: others.is_some().then_some(&rows.pairs), bound: &bound };
    let shape = if common.json { Shape::Json } else { Shape::from(args.format) };
    let mut out = Output::stdout();
    let progress = if output.is_none() && out.is_terminal() { Progress::hidden() } else { Progress::new(common) };
    progress.set("comparing", 0, rows.ids.len());

    let Some(output) = output else {
        if shape == Shape::Npy && out.is_terminal() {
            let message = "--format npy is not text: give a file with -o, or redirect standard output";
            return Err(Usage(message.to_owned()).into());
        }
        matrix.write(shape, &progress, &mut |bytes| out.write_bytes(bytes))?;
        return out.finish();
    };
    // A kernel's fault has to get past a writer that knows only the system's.
    let mut fault = None;
    let written = output.write(|file| {
        let write = &mut |bytes: &[u8]| Ok(file.write_all(bytes)?);
        matrix.write(shape, &progress, write).map_err(|error| match error.downcast::<io::Error>() {
            Ok(refused) => refused,
            Err(other) => {
                fault = Some(other);
                io::Error::other("not finished")
            }
        })
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(written?),
    }
}

/// How a row looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Tsv,
    Json,
    Npy,
}

impl From<GramFormat> for Shape {
    fn from(format: GramFormat) -> Self {
        match format {
            GramFormat::Tsv => Self::Tsv,
            GramFormat::Npy => Self::Npy,
        }
    }
}

/// `rows` x the pairs that the kernel is bound to.
struct Matrix<'a> {
    rows: &'a Items,
    /// The rows' pairs, if they are not the ones that the kernel is bound to.
    new_pairs: Option<&'a Vec<Pair>>,
    bound: &'a Bound,
}

impl Matrix<'_> {
    fn write(
        &self,
        shape: Shape,
        progress: &Progress,
        write: &mut dyn FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (n_rows, n_columns) = (self.rows.ids.len(), self.bound.len());
        if shape == Shape::Npy {
            write(&npy_header(n_rows, n_columns))?;
        }
        let step = (BLOCK_VALUES / n_columns.max(1)).max(1);
        for first in (0..n_rows).step_by(step) {
            let block = first..(first + step).min(n_rows);
            let row = |at: usize| {
                let row = self.row(at, shape);
                progress.add(1);
                row
            };
            let block: Vec<Vec<u8>> = block.into_par_iter().map(row).collect::<anyhow::Result<_>>()?;
            for row in block {
                write(&row)?;
            }
        }
        Ok(())
    }

    fn row(&self, at: usize, shape: Shape) -> anyhow::Result<Vec<u8>> {
        let mut values = vec![0.0; self.bound.len()];
        match self.new_pairs {
            Some(pairs) => self.bound.row(&pairs[at], &mut values, resay_learn::progress::Progress::none())?,
            None => self.bound.column(at, &mut values, resay_learn::progress::Progress::none())?,
        }
        let mut bytes = Vec::with_capacity(values.len() * 8);
        match shape {
            Shape::Npy => values.iter().for_each(|value| bytes.extend(value.to_le_bytes())),
            Shape::Json => {
                serde_json::to_writer(&mut bytes, &json::GramRow { id: &self.rows.ids[at], values: &values })?;
                bytes.push(b'\n');
            }
            Shape::Tsv => {
                for (column, value) in values.iter().enumerate() {
                    let before = if column == 0 { "" } else { "\t" };
                    write!(bytes, "{before}{value}")?;
                }
                bytes.push(b'\n');
            }
        }
        Ok(bytes)
    }
}

/// The header of NumPy's format 1.0: a magic, the length, and a Python literal padded to a multiple of 64 bytes.
fn npy_header(n_rows: usize, n_columns: usize) -> Vec<u8> {
    const BEFORE: usize = 10;
    let mut literal = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({n_rows}, {n_columns}), }}");
    let padded = (BEFORE + literal.len() + 1).next_multiple_of(64) - BEFORE;
    literal.push_str(&" ".repeat(padded - 1 - literal.len()));
    literal.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((literal.len() as u16).to_le_bytes());
    header.extend(literal.bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_npy_header_is_numpys() {
        // As numpy.save writes it.
        let header = npy_header(3, 12);
        assert_eq!(header.len(), 128);
        assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert!(header[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 12), } "));
        assert!(header.ends_with(b" \n"));
        assert_eq!(npy_header(usize::MAX, usize::MAX).len() % 64, 0);
    }
}
