//! A joint judgement that was adapted to pairs of a user's own.
//!
//! It keeps the whole judge and asks it one question: whether two texts say the same, whether one
//! follows from the other, how similar they are, or which of several classes of relations holds.
//! What the judge knows of a pair is taken apart ([`views`]), and the score of the answer is
//!
//! ```text
//! scale · score of the judge + bias + weights · (views, and what every input adds to them)
//! ```
//!
//! Two laws of the judge stay. Texts that are equal after normalisation are equivalent with
//! probability 1, or as similar as any; and where the question is the same both ways, so is the
//! answer, to the bit.

mod explain;
mod file;
mod views;

use super::{CERTAIN, HIGHEST, JudgementModel, Question, Scored, Way};
use crate::Result;
use crate::explain::What;
use crate::features::Wanted;
use crate::id::TextRelation;
use crate::model::adapt::{AdaptBlock, AdaptRow, Adaptable, HeadChange};
use crate::model::answer::{AnswerCalibration, AskedClass};
use crate::model::contract::{
    Decision, Explained, PairDetails, PairModel, PairScorer, Prediction, Weight, score_texts,
};
use crate::model::header::{About, Header, ModelKind, Response};
use crate::pair::{Needs, PairView};
use crate::resources::Resources;
use resay_learn::calibrate::{Platt, PredictionInterval, Softmax};
use resay_learn::progress::Progress;
use serde::{Deserialize, Serialize};
use views::{Columns, RelationMask, View, has};

/// Header fields of adapted judgements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptedJudgementDetails {
    /// What the judge is asked, by name.
    pub question: String,
    /// The number of inputs of the judge.
    pub n_inputs: usize,
    /// The number of weights of the correction.
    pub n_weights: usize,
}

/// The header of an adapted judgement.
pub type AdaptedJudgementAbout = About<AdaptedJudgementDetails>;

/// A joint judgement and its correction.
pub struct AdaptedJudgement {
    about: AdaptedJudgementAbout,
    judge: JudgementModel,
    question: Question,
    columns: Columns,
    heads: Vec<AdaptedHead>,
    calibration: AnswerCalibration,
}

/// One function of the pair.
#[derive(Clone, Debug, PartialEq)]
struct AdaptedHead {
    /// The view that it starts from.
    view: RelationMask,
    scale: f64,
    bias: f64,
    /// One per column.
    weights: Vec<f64>,
}

impl AdaptedHead {
    fn is_good(&self) -> bool {
        self.scale.is_finite() && self.bias.is_finite() && self.weights.iter().all(|weight| weight.is_finite())
    }
}

/// The views of a pair and what they are worth.
struct Seen {
    views: Vec<View>,
    values: Vec<f64>,
    heads: Vec<f64>,
}

impl AdaptedJudgement {
    /// The judge as it is, ready to be adapted: it answers `question` with answers of this kind.
    pub(crate) fn new(judge: JudgementModel, question: Question, task: &str, response: Response) -> Result<Self> {
        let columns = Columns::new(&judge, question);
        let (scale, bias) = match &response {
            // The lowest label stands for nothing in common, the highest for the same.
            Response::Real { low, high } => ((high - low) / HIGHEST, *low),
            _ => (1.0, 0.0),
        };
        let head = |view| AdaptedHead { view, scale, bias, weights: vec![0.0; columns.len()] };
        let heads: Vec<AdaptedHead> = views::asked(question, &response)?.into_iter().map(head).collect();
        let calibration = match &response {
            Response::Categories { labels } => AnswerCalibration::Categories(Softmax {
                slopes: vec![1.0; labels.len()],
                intercepts: vec![0.0; labels.len()],
            }),
            Response::Real { low, high } => {
                let [below, above] = judge.about().details.interval.map(|end| scale * end);
                let interval = PredictionInterval { below, above, coverage: 0.9 };
                AnswerCalibration::Real { interval, range: [*low, *high] }
            }
            _ => AnswerCalibration::Binary(Platt { slope: 1.0, intercept: 0.0 }),
        };
        let header = Header {
            kind: ModelKind::AdaptedJudgement,
            task: task.to_owned(),
            counts: vec![0; response.labels().len()],
            response,
            ..judge.about().header.clone()
        };
        let details = AdaptedJudgementDetails {
            question: question.name().to_owned(),
            n_inputs: judge.places.len(),
            n_weights: 0,
        };
        Ok(Self { about: About { header, details }, judge, question, columns, heads, calibration })
    }

    /// The header and details.
    pub fn about(&self) -> &AdaptedJudgementAbout {
        &self.about
    }

    /// The header, for the trainer's remarks.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// What the judge is asked.
    pub fn question(&self) -> Question {
        self.question
    }

    fn seen(&self, scored: &Scored) -> Seen {
        let of_heads: Vec<RelationMask> = self.heads.iter().map(|head| head.view).collect();
        let masks = self.columns.views(&of_heads);
        let views = self.judge.views(scored, &masks);
        let values = self.columns.values(&views, &of_heads);
        let score = |head: &AdaptedHead| {
            let base = masks.iter().position(|mask| *mask == head.view).map_or(0.0, |at| views[at].value);
            let moved: f64 = head.weights.iter().zip(&values).map(|(weight, value)| weight * value).sum();
            head.scale * base + head.bias + moved
        };
        let heads = self.heads.iter().map(score).collect();
        Seen { views, values, heads }
    }

    /// The heads of texts that are equal after normalisation, if the question decides about them.
    fn heads_of_equal(&self) -> Option<Vec<f64>> {
        let is_equivalent = |head: &AdaptedHead| has(head.view, TextRelation::Equivalent as usize);
        match &self.about.header.response {
            Response::Real { high, .. } => Some(vec![*high]),
            Response::Binary { .. } => {
                Some(self.heads.iter().map(|head| if is_equivalent(head) { CERTAIN } else { -CERTAIN }).collect())
            }
            // Classes that no equal texts can have leave it to the scores.
            _ => {
                self.heads.iter().any(is_equivalent).then(|| {
                    self.heads.iter().map(|head| if is_equivalent(head) { CERTAIN } else { -CERTAIN }).collect()
                })
            }
        }
    }

    /// The answer to texts that are equal after normalisation: not almost certain, but certain.
    fn prediction_of_equal(&self) -> Option<Prediction> {
        let heads = self.heads_of_equal()?;
        let certain = |head: &f64| if *head > 0.0 { 1.0 } else { 0.0 };
        Some(match &self.about.header.response {
            Response::Real { high, .. } => Prediction::Real { value: *high, interval: [*high; 2] },
            Response::Binary { .. } => {
                let score = heads.first().copied().unwrap_or_default();
                Decision { score, probability: certain(&score), label: score > 0.0 }.into()
            }
            _ => Prediction::Category {
                probabilities: heads.iter().map(certain).collect(),
                label: heads.iter().position(|head| *head > 0.0).unwrap_or_default(),
                scores: heads,
            },
        })
    }

    fn prediction(&self, scored: &Scored) -> Prediction {
        let of_equal = if scored.is_equal { self.prediction_of_equal() } else { None };
        of_equal.unwrap_or_else(|| self.calibration.predict(&self.seen(scored).heads))
    }

    fn row(&self, pair: &PairView<'_>) -> Result<AdaptRow> {
        let scored = self.judge.scored_in(Way::Plain, pair, Wanted::Values, Progress::none())?;
        if let Some(heads) = self.heads_of_equal().filter(|_| scored.is_equal) {
            return Ok(AdaptRow { heads, features: vec![Vec::new()], is_fixed: true });
        }
        let seen = self.seen(&scored);
        let features = (0..).zip(seen.values).filter(|(_, value)| *value != 0.0).collect();
        Ok(AdaptRow { heads: seen.heads, features: vec![features], is_fixed: false })
    }
}

impl Adaptable for AdaptedJudgement {
    fn header(&self) -> &Header {
        &self.about.header
    }

    fn calibration(&self) -> &AnswerCalibration {
        &self.calibration
    }

    fn n_weights(&self) -> usize {
        self.columns.len()
    }

    fn blocks(&self) -> Vec<AdaptBlock> {
        self.columns.blocks()
    }

    fn rows(&self, pairs: &[(&str, &str)], progress: Progress<'_>) -> Result<Vec<Result<AdaptRow>>> {
        let rows = |_: &mut (), views: &[PairView<'_>]| {
            let row = |view| {
                progress.check()?;
                self.row(view)
            };
            views.iter().map(row).collect()
        };
        score_texts(self, pairs, |pair| *pair, progress, || (), rows)
    }

    fn change(&mut self, header: Header, changes: &[HeadChange], calibration: AnswerCalibration) {
        for (head, change) in self.heads.iter_mut().zip(changes) {
            head.scale *= change.scale;
            head.bias = change.scale * head.bias + change.bias;
            head.weights.iter_mut().for_each(|weight| *weight *= change.scale);
            head.weights.iter_mut().zip(&change.weights).for_each(|(weight, more)| *weight += more);
        }
        let n_weights = self.heads.iter().flat_map(|head| &head.weights).filter(|weight| **weight != 0.0).count();
        self.about.details.n_weights = n_weights;
        self.about.header = header;
        self.calibration = calibration;
    }
}

/// The per-thread state of scoring.
struct AdaptedScorer<'a> {
    model: &'a AdaptedJudgement,
}

impl PairScorer for AdaptedScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let score = |pair: &PairView<'_>| {
            progress.check()?;
            Ok(self.model.prediction(&self.model.judge.scored_in(
                Way::Plain,
                pair,
                Wanted::Values,
                Progress::none(),
            )?))
        };
        pairs.iter().map(score).collect()
    }

    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, _top: usize) -> Result<Explained> {
        self.model.explain(pair, asked)
    }
}

impl PairModel for AdaptedJudgement {
    fn header(&self) -> &Header {
        &self.about.header
    }

    fn resources(&self) -> &Resources {
        self.judge.resources()
    }

    fn details(&self) -> PairDetails<'_> {
        PairDetails::AdaptedJudgement(&self.about.details)
    }

    fn needs(&self) -> Needs {
        self.judge.needs()
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(AdaptedScorer { model: self })
    }

    /// How far each input can move the score, as corrected.
    fn weights(&self, head: usize) -> Vec<Weight> {
        let Some(head) = self.heads.get(head) else { return Vec::new() };
        let mut sums = vec![0.0; self.judge.places.len()];
        for view in self.columns.views(&[head.view]) {
            let factors = self.columns.factors(view, head);
            let spread = self.judge.spread_of_view(view);
            for (sum, (factor, spread)) in sums.iter_mut().zip(factors.into_iter().zip(spread)) {
                *sum += factor.abs() * spread;
            }
        }
        let weights = self.judge.places.iter().zip(sums).filter(|(_, sum)| *sum > 0.0);
        let mut weights: Vec<Weight> =
            weights.map(|(&place, sum)| Weight::of(What::RelationFeature(self.judge.features[place]), sum)).collect();
        Weight::heaviest_first(&mut weights);
        weights
    }

    fn to_bytes(&self) -> Result<Vec<u8>> {
        self.write()
    }
}

/// The kind of these files.
const KIND: ModelKind = ModelKind::AdaptedJudgement;
