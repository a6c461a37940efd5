//! Counts pairs with a text that does not look like English, and says so once, at the end.

use crate::args::Common;
use resay::model::{PairDetails, PairModel};
use resay_text::{English, Layers, TextKind};
use resay_view::wording;
use std::cell::Cell;
use std::io::Write;
use std::sync::Arc;

/// The number of rows by the kind of their text.
pub(crate) struct UnfitTexts {
    /// `None` for models that judge any text alike.
    english: Option<Arc<English>>,
    counts: [Cell<usize>; TextKind::ALL.len()],
}

impl UnfitTexts {
    pub(crate) fn new(common: &Common, model: &dyn PairModel) -> resay::Result<Self> {
        let is_judge = matches!(model.details(), PairDetails::Judgement(_)) && !common.quiet;
        let english = if is_judge { Some(common.resources.english(Layers::LEMMAS)?) } else { None };
        Ok(Self { english, counts: Default::default() })
    }

    /// The kinds of two texts. Equal texts are judged whatever they are.
    fn kinds(&self, texts: [&str; 2]) -> [TextKind; 2] {
        match &self.english {
            Some(english) if texts[0].trim() != texts[1].trim() => texts.map(|text| english.kind(text)),
            _ => [TextKind::English; 2],
        }
    }

    /// Warns of the texts of a single pair.
    pub(crate) fn warn(&self, source: &str, target: &str) {
        for (text, kind) in ["source", "target"].into_iter().zip(self.kinds([source, target])) {
            if let Some(warning) = wording::warning(text, kind) {
                // Ignored: nothing can be done if standard error is closed.
                let _ = writeln!(std::io::stderr(), "warning: {warning}");
            }
        }
    }

    /// Looks at the texts of a row.
    pub(crate) fn count(&self, source: &str, target: &str) {
        let kinds = self.kinds([source, target]);
        let Some(unfit) = kinds.into_iter().find(|kind| *kind != TextKind::English) else { return };
        if let Some(count) = self.counts.get(unfit as usize) {
            count.set(count.get() + 1);
        }
    }

    /// Prints the note on standard error, if there is anything to say.
    pub(crate) fn tell(&self) {
        let counts = TextKind::ALL.into_iter().zip(&self.counts).map(|(kind, count)| (kind, count.get()));
        let found: Vec<(TextKind, usize)> = counts.filter(|(_, n)| *n > 0).collect();
        let n: usize = found.iter().map(|(_, n)| n).sum();
        if n == 0 {
            return;
        }
        let kinds: Vec<String> = found.iter().map(|(kind, n)| format!("{} {n}", wording::text_kind(*kind))).collect();
        let rows = if n == 1 { "1 row has".to_owned() } else { format!("{n} rows have") };
        // Ignored: nothing can be done if standard error is closed.
        let _ = writeln!(
            std::io::stderr(),
            "note: {rows} a text that does not look like English: {}; judged by the words alone",
            kinds.join(", ")
        );
    }
}
