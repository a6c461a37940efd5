//! What `resay gram` compares: pairs, or, if its kernel is one of single texts, documents. A document stands as a pair
//! without a second text, which such kernels do not look at.

use crate::args::{Common, GramArgs, SplitChoice, document_format, pair_format};
use crate::input;
use resay::data::{Dataset, Documents};
use resay::kernel::Expression;
use resay::task::{AnnotationSource, annotate};
use resay_learn::progress::Progress;
use resay_text::{Annotator, Interner, Pair, StemMemo, Units};
use std::path::Path;

/// Things to compare, with their names.
pub(super) struct Items {
    pub(super) ids: Vec<String>,
    pub(super) pairs: Vec<Pair>,
}

/// Reads files for one kernel; all share a table of symbols.
pub(super) struct Reading<'a> {
    common: &'a Common,
    args: &'a GramArgs,
    is_of_texts: bool,
    annotator: Annotator,
    symbols: Interner,
}

impl<'a> Reading<'a> {
    pub(super) fn new(common: &'a Common, args: &'a GramArgs, expression: &Expression) -> anyhow::Result<Self> {
        let is_of_texts = expression.texts().is_some();
        if is_of_texts {
            args.columns.refuse()?;
        } else {
            args.split.refuse()?;
        }
        let units = args.units.unwrap_or(if is_of_texts { Units::Chars } else { Units::Stems });
        let annotator = common.resources.annotator(units, expression.layers())?.with_classes(expression.classes());
        Ok(Self { common, args, is_of_texts, annotator, symbols: Interner::new() })
    }

    pub(super) fn read(&mut self, path: &Path) -> anyhow::Result<Items> {
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
