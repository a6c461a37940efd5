//! What is seen of a pair, on sentences where it is plain: each row names a feature and says whether
//! it is found. Harmful pairs stand beside harmless ones that look alike.

use resay::features::Wanted;
use resay::id::RelationFeature::{self, Content, OperatorDiffers, Order, Polarity, Role, Scope};
use resay::id::{EditKind, Operator, OrderMeasure, PolarityMeasure, RoleMeasure, ScopeMeasure};
use resay::model::{JudgementModel, pair_context};
use resay::pair::PairView;
use resay::relate::{self, Knowledge};
use resay::resources::Resources;
use resay_learn::progress::Progress;
use resay_text::Layers;

/// Two texts, a feature, and whether it is there.
type Seen = (&'static str, &'static str, RelationFeature, bool);

const SCOPE: &[Seen] = &[
    ("Only the nurse tasted the soup.", "The nurse tasted only the soup.", Scope(ScopeMeasure::FocusMoved), true),
    ("Only the nurse tasted the soup.", "Only the nurse tried the soup.", Scope(ScopeMeasure::FocusMoved), false),
    ("We accept only cash.", "We accept cash only.", Scope(ScopeMeasure::FocusMoved), false),
    (
        "The doctor told me not to drink.",
        "The doctor did not tell me to drink.",
        Scope(ScopeMeasure::NegationMoved),
        true,
    ),
    ("The bus did not stop.", "The bus didn't stop.", Scope(ScopeMeasure::NegationMoved), false),
    ("Prices rose to 30 percent.", "Prices rose by 30 percent.", Scope(ScopeMeasure::OtherPrepositionOfNumber), true),
    ("Prices rose by 30 percent.", "Prices went up by 30 %.", Scope(ScopeMeasure::OtherPrepositionOfNumber), false),
    ("The shop is open until Friday.", "The shop is open from Friday.", Scope(ScopeMeasure::OtherPreposition), true),
    ("Tenants must keep dogs inside.", "Tenants may keep dogs inside.", Scope(ScopeMeasure::OtherModal), true),
    ("Tenants must keep dogs inside.", "Tenants have to keep dogs inside.", Scope(ScopeMeasure::OtherModal), false),
    ("She ate and then slept.", "She slept and then ate.", Scope(ScopeMeasure::InvertedSequence), true),
    ("She ate and then slept.", "She dined and then slept.", Scope(ScopeMeasure::InvertedSequence), false),
];

const OPERATORS: &[Seen] = &[
    ("Guests need not pay.", "Guests may not pay.", OperatorDiffers(Operator::Forbidden), true),
    ("Guests must not smoke.", "Guests may not smoke.", OperatorDiffers(Operator::Forbidden), false),
    ("Guests need not pay.", "Guests must not pay.", OperatorDiffers(Operator::Exempt), true),
    ("Guests need not pay.", "Guests don't have to pay.", OperatorDiffers(Operator::Exempt), false),
    ("Not all the lamps work.", "None of the lamps work.", OperatorDiffers(Operator::NotAll), true),
    ("Not all the lamps work.", "None of the lamps work.", OperatorDiffers(Operator::None), true),
    ("Nobody came.", "There wasn't anybody.", OperatorDiffers(Operator::None), false),
    ("Pay if you stay.", "Pay and you stay.", OperatorDiffers(Operator::Condition), true),
];

const ROLES: &[Seen] = &[
    ("The lawyer called the builder.", "The builder called the lawyer.", Role(RoleMeasure::SidesExchanged), true),
    (
        "The lawyer called the builder.",
        "The builder was called by the lawyer.",
        Role(RoleMeasure::SidesExchanged),
        false,
    ),
    (
        "The lawyer called the builder.",
        "The builder was called by the lawyer.",
        Role(RoleMeasure::SidesExchangedInPassive),
        true,
    ),
    ("The lawyer called the builder.", "The lawyer has called the builder.", Role(RoleMeasure::SidesKept), true),
    ("The lawyer called the builder.", "The builder called the lawyer.", Role(RoleMeasure::SidesKept), false),
    ("The bank lent the farm money.", "The bank borrowed the farm's money.", Role(RoleMeasure::SidesExchanged), true),
    ("Pay by card or cash.", "Pay by cash or card.", Order(OrderMeasure::InvertedInList), true),
    ("Pay by card or cash.", "Pay by cash or card.", Order(OrderMeasure::InvertedApart), false),
    ("The dog saw the cat.", "The cat saw the dog.", Order(OrderMeasure::InvertedApart), true),
    ("The dog saw the cat.", "The cat saw the dog.", Order(OrderMeasure::InvertedInList), false),
];

const EDITS: &[Seen] = &[
    ("He resigned.", "He stepped down.", Content(EditKind::Equal), true),
    ("The shop opens at nine.", "The shop closes at nine.", Content(EditKind::Opposite), true),
    ("We meet on Monday.", "We meet on Tuesday.", Content(EditKind::Alternative), true),
    ("It lasts a minute.", "It lasts an hour.", Content(EditKind::Alternative), true),
    ("Lunch costs 60 euros.", "Lunch costs sixty euros.", Content(EditKind::NumberDiffers), false),
    ("Lunch costs 60 euros.", "Lunch costs 80 euros.", Content(EditKind::NumberDiffers), true),
    ("The road is wet.", "The road is not dry.", Polarity(PolarityMeasure::OppositeNegatedOnce), true),
    ("The road is wet.", "The road is dry.", Polarity(PolarityMeasure::OppositeNegatedOnce), false),
    ("The door is open.", "The door is not open.", Scope(ScopeMeasure::NegatedInOne), true),
];

#[test]
fn plain_differences_are_seen_and_harmless_ones_are_not() {
    let resources = Resources::bundled();
    let judge = JudgementModel::bundled(&resources).unwrap();
    let (english, phrases) = (resources.english(Layers::ALL).unwrap(), resources.phrases().unwrap());
    let knowledge = Knowledge { english: &english, phrases: &phrases, left_out: &[] };
    let catalogue = relate::catalogue();
    let context = pair_context(&resources);
    let mut wrong = Vec::new();
    for (source, target, feature, is_there) in [SCOPE, OPERATORS, ROLES, EDITS].concat() {
        let at = catalogue.iter().position(|known| *known == feature).unwrap();
        let texts = judge.annotate_texts(&[source, target], Progress::none()).unwrap();
        let view = PairView::new(&context, &texts[0], &texts[1]);
        let found = relate::extract(&view, knowledge, Wanted::Values).unwrap().values[at];
        if (found != 0.0) != is_there {
            wrong.push(format!("{source} / {target}: {feature:?} is {found}, expected it to be {is_there}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
