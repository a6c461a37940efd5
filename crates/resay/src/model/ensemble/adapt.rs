//! Adapting an ensemble: its base models, features and scales stay, and the linear weights of the
//! scorer change.

use super::Ensemble;
use crate::Result;
use crate::model::AnswerCalibration;
use crate::model::adapt::{AdaptRow, Adaptable, HeadChange};
use crate::model::contract::score_texts;
use crate::model::header::Header;
use resay_learn::progress::Progress;

impl Adaptable for Ensemble {
    fn header(&self) -> &Header {
        &self.trained.about.header
    }

    fn calibration(&self) -> &AnswerCalibration {
        &self.trained.calibration
    }

    fn n_weights(&self) -> usize {
        self.values().len()
    }

    fn rows(&self, pairs: &[(&str, &str)], progress: Progress<'_>) -> Result<Vec<Result<AdaptRow>>> {
        let row = |values: Vec<f64>| {
            let features = self.trained.machines.iter().map(|machine| {
                let seen = machine.seen(&values).into_iter();
                (0..).zip(seen).filter(|(_, value)| *value != 0.0).collect()
            });
            AdaptRow { features: features.collect(), heads: self.heads(&values), is_fixed: false }
        };
        let score = |scorer: &mut super::EnsembleScorer<'_>, views: &[crate::pair::PairView<'_>]| {
            let values = scorer.values_all(views, progress.quiet()).into_iter();
            values.map(|values| values.map(row)).collect()
        };
        score_texts(self, pairs, |pair| *pair, progress, || self.new_scorer(), score)
    }

    fn change(&mut self, header: Header, changes: &[HeadChange], calibration: AnswerCalibration) {
        for (machine, change) in self.trained.machines.iter_mut().zip(changes) {
            machine.change(change.scale, &change.weights, change.bias);
        }
        self.trained.about.header = header;
        self.trained.calibration = calibration;
    }
}
