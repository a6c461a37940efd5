//! The file format of adapted judgements: the calibration, the corrections, and the judge's file.

use super::{AdaptedJudgement, AdaptedJudgementAbout, KIND};
use crate::model::answer::AnswerCalibration;
use crate::model::header::expect_kind;
use crate::model::{JudgementModel, Question};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_text::container::{Container, SectionReader, put};

/// `head`, `weights`, `judge`.
const N_SECTIONS: usize = 3;

impl AdaptedJudgement {
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        container.push("head", self.calibration.write().iter().flat_map(|value| value.to_le_bytes()).collect());
        let mut weights = Vec::new();
        for head in &self.heads {
            weights.extend(head.scale.to_le_bytes());
            weights.extend(head.bias.to_le_bytes());
            let own = || head.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
            put(&mut weights, own().count() as u64);
            for (column, weight) in own() {
                let (view, code) = self.columns.name(column);
                put(&mut weights, u64::from(view));
                put(&mut weights, code.map_or(0, |code| u64::from(code) + 1));
                weights.extend(weight.to_le_bytes());
            }
        }
        container.push("weights", weights);
        container.push("judge", self.judge.trained.to_bytes()?);
        container.pack()
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, KIND)?;
        let container = Container::<AdaptedJudgementAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let damaged = |message: &str| Error::file(name, format!("{message}: the model is damaged"));
        if container.n_sections() != N_SECTIONS {
            return Err(damaged(&format!("{} sections, expected {N_SECTIONS}", container.n_sections())));
        }
        let section = |wanted: &'static str| -> Result<SectionReader<'_>> {
            Ok(SectionReader::new(name, wanted, container.section(name, wanted)?))
        };
        let question = Question::named(&about.details.question);
        let question = question.ok_or_else(|| damaged(&format!("the question '{}'", about.details.question)))?;
        let mut reader = section("head")?;
        let calibration = AnswerCalibration::read(&mut reader, &about.header.response)?;
        reader.end()?;
        let judge = JudgementModel::from_bytes(name, container.section(name, "judge")?, resources)?;
        let made = Self::new(judge, question, &about.header.task, about.header.response.clone());
        let mut made = made.map_err(|error| damaged(&error.to_string()))?;
        let mut reader = section("weights")?;
        for head in &mut made.heads {
            (head.scale, head.bias) = (reader.real()?, reader.real()?);
            let mut first = 0;
            for _ in 0..reader.count(10)? {
                let view = reader.below(usize::from(u8::MAX) + 1, "a view")? as u8;
                let code = reader.below(u32::MAX as usize, "an input")?.checked_sub(1);
                // Columns rise, so that none stands there twice.
                match made.columns.find(view, code).filter(|column| *column >= first) {
                    Some(column) => (head.weights[column], first) = (reader.real()?, column + 1),
                    None => return reader.fail(format!("a weight of view {view} and input {code:?}")),
                }
            }
            if !head.is_good() {
                return reader.fail("a weight that is no number");
            }
        }
        reader.end()?;
        Ok(Self { about, calibration, ..made })
    }
}
