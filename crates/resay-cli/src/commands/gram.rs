//! `resay gram`: prints the kernel matrix of pairs, or of documents if the kernel compares single
//! texts. Rows are computed and formatted in parallel, block by block, so that memory does not grow
//! with the square of the file.

use crate::args::{Common, GramArgs, GramFormat, SplitChoice, document_format, pair_format};
use crate::failure::Usage;
use crate::input;
use crate::output::Output;
use crate::progress::Progress as Bar;
use rayon::prelude::*;
use resay::data::{Dataset, Documents};
use resay::kernel::{BoundKernel, Expression};
use resay::train::{AnnotationSource, annotate};
use resay_learn::progress::Progress;
use resay_text::{Annotator, Interner, Pair, StemMemo, Units};
use resay_view::json;
use std::io::{self, Write};
use std::path::Path;

/// Approximate number of values per block.
const BLOCK_VALUES: usize = 1 << 20;

pub(crate) fn run(common: &Common, args: &GramArgs) -> anyhow::Result<()> {
    let relations = input::relations(common, &args.relations)?;
    let expression = Expression::parse(&args.kernel, &|| common.resources.lexicon_with(&relations))?;
    if common.json && args.format == GramFormat::Npy {
        return Err(Usage("--json and --format npy: expected one of them".to_owned()).into());
    }
    let output = args.output.as_ref().filter(|output| !output.is_stdout());
    let mut reader = Reader::new(common, args, &expression)?;
    let rows = reader.read(&args.file)?;
    let others = args.file2.as_deref().map(|path| reader.read(path)).transpose()?;
    let expression = expression.learn(&rows.pairs, Progress::none())?;
    let columns = &others.as_ref().unwrap_or(&rows).pairs;
    let bound = BoundKernel::new(&expression, columns, Progress::none())?;
    let matrix = Matrix { rows: &rows, new_pairs: others.is_some().then_some(&rows.pairs), bound: &bound };
    let shape = if common.json { Shape::Json } else { Shape::from(args.format) };
    let mut out = Output::stdout();
    let bar = if output.is_none() && out.is_terminal() { Bar::hidden() } else { Bar::new(common) };
    bar.set("comparing", 0, rows.ids.len());

    let Some(output) = output else {
        if shape == Shape::Npy && out.is_terminal() {
            let message = "--format npy is not text: give a file with -o, or redirect standard output";
            return Err(Usage(message.to_owned()).into());
        }
        matrix.write(shape, &bar, &mut |bytes| out.write_bytes(bytes))?;
        return out.finish();
    };
    // The writer can only return I/O errors, so an error of the kernel is passed around it.
    let mut fault = None;
    let written = output.write(|file| {
        let write = &mut |bytes: &[u8]| Ok(file.write_all(bytes)?);
        matrix.write(shape, &bar, write).map_err(|error| match error.downcast::<io::Error>() {
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

/// How a row is formatted.
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

/// The matrix of `rows` against the pairs that the kernel is bound to.
struct Matrix<'a> {
    rows: &'a Items,
    /// The pairs of the rows, if they differ from those that the kernel is bound to.
    new_pairs: Option<&'a Vec<Pair>>,
    bound: &'a BoundKernel,
}

impl Matrix<'_> {
    fn write(&self, shape: Shape, bar: &Bar, write: &mut dyn FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let (n_rows, n_columns) = (self.rows.ids.len(), self.bound.len());
        if shape == Shape::Npy {
            write(&npy_header(n_rows, n_columns))?;
        }
        let step = (BLOCK_VALUES / n_columns.max(1)).max(1);
        for first in (0..n_rows).step_by(step) {
            let block = first..(first + step).min(n_rows);
            let row = |at: usize| {
                let row = self.row(at, shape);
                bar.add(1);
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
            Some(pairs) => self.bound.row(&pairs[at], &mut values, Progress::none())?,
            None => self.bound.column(at, &mut values, Progress::none())?,
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

/// Returns the header of NumPy's format 1.0: magic bytes, the length, and a Python literal padded
/// to a multiple of 64 bytes.
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

/// Items to compare, with their ids. A document is a pair without a target, which its kernels
/// ignore.
struct Items {
    ids: Vec<String>,
    pairs: Vec<Pair>,
}

/// Reads files for one kernel. All files share a symbol table.
struct Reader<'a> {
    common: &'a Common,
    args: &'a GramArgs,
    is_of_texts: bool,
    annotator: Annotator,
    symbols: Interner,
}

impl<'a> Reader<'a> {
    fn new(common: &'a Common, args: &'a GramArgs, expression: &Expression) -> anyhow::Result<Self> {
        let is_of_texts = expression.texts().is_some();
        if is_of_texts {
            args.columns.refuse()?;
        } else {
            args.split.refuse()?;
        }
        let units = args.units.unwrap_or(if is_of_texts { Units::Chars } else { Units::Stems });
        let annotator = common.resources.annotator_for(units, expression.needs())?;
        Ok(Self { common, args, is_of_texts, annotator, symbols: Interner::new() })
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<Items> {
        let name = self.args.input_format.as_deref();
        if !self.is_of_texts {
            let format = pair_format(name)?;
            return Ok(self.of_pairs(&input::pairs(self.common, path, format, &self.args.columns.columns())?)?);
        }
        let format = document_format(name)?;
        if format.is_none() {
            let kernel = &self.args.kernel;
            let why =
                format!("{kernel} compares single texts: write pair({kernel}), or give documents (lines or jsonl)");
            input::refuse_pairs(&input::find(self.common, path), &why)?;
        }
        let choice = self.args.split.split.unwrap_or(SplitChoice::All);
        Ok(self.of_documents(input::documents(self.common, path, format, choice)?))
    }

    fn of_pairs(&mut self, dataset: &Dataset) -> resay::Result<Items> {
        let ids = dataset.rows.iter().map(|example| example.id.clone()).collect();
        let pairs = annotate(&[dataset], &self.annotator, AnnotationSource::Text, &mut self.symbols, Progress::none())?;
        Ok(Items { ids, pairs })
    }

    fn of_documents(&mut self, documents: Documents) -> Items {
        let mut memo = StemMemo::default();
        let mut sentence = |text: &str| self.annotator.sentence_with(text, &mut self.symbols, &mut memo);
        let pairs = documents.rows.iter().map(|d| Pair { source: sentence(&d.text), target: sentence("") }).collect();
        Items { ids: documents.rows.into_iter().map(|document| document.id).collect(), pairs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_npy_header_is_numpys() {
        // As written by numpy.save.
        let header = npy_header(3, 12);
        assert_eq!(header.len(), 128);
        assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert!(header[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 12), } "));
        assert!(header.ends_with(b" \n"));
        assert_eq!(npy_header(usize::MAX, usize::MAX).len() % 64, 0);
    }
}
