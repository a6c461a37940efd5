//! Identities of features, base models, rules and relations, as values to compare. They carry no
//! English text: display names live in the crate `resay-view`. Model files store the codes of these
//! ids, so renaming something never breaks a model.

pub(crate) mod align;
mod argument;
mod feature;
mod latent;
mod measure;
mod names;
mod overlap;
mod relation;
mod words;

pub use align::{
    AlignFeature, ApartOver, ContentPair, CosineOver, EditsOver, Elsewhere, Flank, Flanks, HeadMatch, Jump, LightWords,
    Likelihood, NameClue, NeighboursAlike, NoneOneMore, OrderKept, PhraseLength, PhraseWords, ProbabilityOver,
    Repetition, Rival, StringMeasure, WhichSides, WordNetRelation,
};
pub use argument::{Argument, UnknownCode};
pub use feature::{BaseModel, EnsembleInput, Feature, FeatureGroup, FeatureId, Part};
pub(crate) use latent::LatentKind;
pub use latent::{
    Agreement, CoverMeasure, EntityMatch, LatentArgument, LatentFeature, LatentSide, LatentTemplate, NamesCover,
    NegationMatch, NegationPlace, RelationMatch,
};
pub use measure::{AloneMeasure, OrderMeasure, PolarityMeasure, RoleMeasure, ScopeMeasure, SizeMeasure};
pub use names::{NameFeature, NameView};
pub use overlap::OverlapMeasure;
pub use relation::{Detail, EditKind, LogicRelation, Operator, RelationFeature, TextRelation, TextSide, WordGroup};
pub use words::{ChunkKind, CoarseLevel, Level, TagMatch, WordClass, WordClassPair, WordKind, WordMatch};
