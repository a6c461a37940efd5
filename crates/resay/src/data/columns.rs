//! Maps columns or keys to fields. Names that are common in other data sets are recognised, and
//! each recognised name is recorded so that it can be reported to the user. For any other names,
//! the user says which column holds what.

use super::lines::shorten;

/// The column names of a table, or the keys of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Columns {
    /// The first text.
    pub source: String,
    /// The second text.
    pub target: String,
    /// The label.
    pub label: String,
    /// The example's id.
    pub id: String,
    /// The group of the example, such as a question.
    pub group: String,
}

impl Default for Columns {
    fn default() -> Self {
        let name = |field: Field| field.name().to_owned();
        Self {
            source: name(Field::Source),
            target: name(Field::Target),
            label: name(Field::Label),
            id: name(Field::Id),
            group: name(Field::Group),
        }
    }
}

/// Recognised columns or keys, as spelled in the file, and the fields they hold.
pub(super) type Recognised = Vec<(String, &'static str)>;

/// Names of the source and target columns. They count only as a pair.
const TEXT_NAMES: [[&str; 2]; 5] = [
    ["source", "target"],
    ["text1", "text2"],
    ["sentence1", "sentence2"],
    ["question1", "question2"],
    ["premise", "hypothesis"],
];

/// Names of the label column.
const LABEL_NAMES: [&str; 3] = ["label", "is_duplicate", "gold_label"];

/// One more name for the label, but not beside the standard names of both texts: such a file may be
/// output of Resay, with Resay's own scores.
const SCORE_NAME: &str = "score";

/// The five fields of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Source,
    Target,
    Label,
    Id,
    Group,
}

impl Field {
    /// All fields. A field's position here is its index in arrays.
    pub(super) const ALL: [Self; 5] = [Self::Source, Self::Target, Self::Label, Self::Id, Self::Group];

    /// Returns the default column name, which is also the stem of the option that changes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Label => "label",
            Self::Id => "id",
            Self::Group => "group",
        }
    }
}

impl Columns {
    /// Returns the column name of a field.
    pub(super) fn of(&self, field: Field) -> &str {
        match field {
            Field::Source => &self.source,
            Field::Target => &self.target,
            Field::Label => &self.label,
            Field::Id => &self.id,
            Field::Group => &self.group,
        }
    }

    /// Returns whether a file must have this column. The texts are always required. The other
    /// fields are required only if the user named their column, because silently ignoring the name
    /// would answer a different question.
    pub(super) fn required(&self, field: Field) -> bool {
        matches!(field, Field::Source | Field::Target) || self.of(field) != field.name()
    }

    /// Replaces standard names that the file lacks by recognised ones, where the user gave no names
    /// and the choice is unambiguous. Returns the new names and the recognised columns. `found`
    /// holds the names in the file; `noun` is the word for them in messages.
    pub(super) fn recognise(&self, found: &[&str], noun: &str) -> Result<(Self, Recognised), String> {
        let is_open = |field: Field| self.of(field) == field.name() && !found.contains(&field.name());
        let mut columns = self.clone();
        let mut recognised = Recognised::new();
        if is_open(Field::Source)
            && is_open(Field::Target)
            && let Some([source, target]) = recognise_texts(found, noun)?
        {
            columns.source = source.to_owned();
            columns.target = target.to_owned();
            recognised.push((columns.source.clone(), Field::Source.name()));
            recognised.push((columns.target.clone(), Field::Target.name()));
        }
        // A label is optional. If several columns qualify, none is used, and code that needs a
        // label reports it as missing.
        let is_own = [Field::Source, Field::Target].iter().all(|field| found.contains(&field.name()));
        let is_label = |name: &&&str| {
            let is = |known: &&str| name.eq_ignore_ascii_case(known);
            LABEL_NAMES.iter().any(is) || (!is_own && is(&SCORE_NAME))
        };
        let mut labels = found.iter().filter(is_label);
        if is_open(Field::Label)
            && let (Some(label), None) = (labels.next(), labels.next())
        {
            columns.label = (*label).to_owned();
            recognised.push((columns.label.clone(), Field::Label.name()));
        }
        Ok((columns, recognised))
    }
}

/// Finds the names of the source and the target columns, if they are recognised. More than one such
/// pair, or half of one, is an error.
fn recognise_texts<'a>(found: &[&'a str], noun: &str) -> Result<Option<[&'a str; 2]>, String> {
    // Each spelling once, and at most two of them to keep the message short.
    let spellings = |name: &str| {
        let mut spelled: Vec<&str> = found.iter().copied().filter(|found| found.eq_ignore_ascii_case(name)).collect();
        spelled.sort_unstable();
        spelled.dedup();
        spelled.truncate(2);
        spelled
    };
    let mut whole: Vec<[&str; 2]> = Vec::new();
    let mut half = None;
    for names in TEXT_NAMES {
        let [sources, targets] = names.map(spellings);
        match (sources.first(), targets.first()) {
            (Some(one), None) => half = half.or(Some((*one, names[1]))),
            (None, Some(one)) => half = half.or(Some((*one, names[0]))),
            _ => whole.extend(sources.iter().flat_map(|source| targets.iter().map(|target| [*source, *target]))),
        }
    }
    let next = format!("say which {noun}s hold the source and the target");
    match (whole.as_slice(), half) {
        ([], None) => Ok(None),
        ([pair], _) => Ok(Some(*pair)),
        ([one, other, ..], _) => {
            let [[a, b], [c, d]] = [one.map(shorten), other.map(shorten)];
            Err(format!("{noun}s \"{a}\" and \"{b}\", but also \"{c}\" and \"{d}\"; {next}"))
        }
        ([], Some((one, missing))) => {
            Err(format!("{noun} \"{}\", but no {noun} \"{missing}\" beside it; {next}", shorten(one)))
        }
    }
}

/// Returns whether these column names are those of pairs: the standard names or recognised ones.
pub(super) fn are_of_pairs(found: &[&str]) -> bool {
    let has = |name: &str| found.iter().any(|found| found.eq_ignore_ascii_case(name));
    TEXT_NAMES.iter().any(|[source, target]| has(source) && has(target))
}

/// Formats column names for a message: at most a dozen, each shortened, in file order.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut names = names.into_iter();
    let mut list = names.by_ref().take(MOST).map(shorten).collect::<Vec<_>>().join(", ");
    if names.next().is_some() {
        list.push_str(", ...");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the recognised columns, as `name=field`, or the error.
    fn check(found: &[&str], expected: &str) {
        let recognised = Columns::default().recognise(found, "column").map(|(columns, recognised)| {
            for (name, field) in &recognised {
                assert!(Field::ALL.iter().any(|known| known.name() == *field && columns.of(*known) == name));
            }
            recognised.iter().map(|(name, field)| format!("{name}={field}")).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(recognised.unwrap_or_else(|error| error), expected, "{found:?}");
    }

    #[test]
    fn common_names_are_recognised() {
        check(&["source", "target", "label"], "");
        check(&["text1", "text2"], "text1=source text2=target");
        check(&["sentence2", "id", "sentence1"], "sentence1=source sentence2=target");
        check(
            &["qid1", "Question1", "QUESTION2", "is_duplicate"],
            "Question1=source QUESTION2=target is_duplicate=label",
        );
        check(&["Premise", "Hypothesis", "Gold_Label"], "Premise=source Hypothesis=target Gold_Label=label");
        check(&["Source", "Target", "Label"], "Source=source Target=target Label=label");
        check(&["source", "target", "gold_label"], "gold_label=label");
        check(&["source", "target", "score"], "");
        check(&["a", "b"], "");
    }

    #[test]
    fn standard_names_come_first() {
        check(&["source", "target", "label", "text1", "text2", "score"], "");
        check(&["source", "text2"], "");
        check(&["target", "premise", "hypothesis"], "");
    }

    #[test]
    fn what_is_not_clear_is_not_taken() {
        check(&["text1", "text2", "premise"], "text1=source text2=target");
        check(&["text1", "text2", "score", "gold_label"], "text1=source text2=target");
        check(&["text1", "text2", "score", "score"], "text1=source text2=target");
        check(
            &["sentence1", "sentence2", "premise", "hypothesis"],
            "columns \"sentence1\" and \"sentence2\", but also \"premise\" and \"hypothesis\"; \
             say which columns hold the source and the target",
        );
        check(
            &["text1", "Text1", "text2"],
            "columns \"Text1\" and \"text2\", but also \"text1\" and \"text2\"; \
             say which columns hold the source and the target",
        );
        check(
            &["id", "Hypothesis", "label"],
            "column \"Hypothesis\", but no column \"premise\" beside it; \
             say which columns hold the source and the target",
        );
    }

    #[test]
    fn names_given_by_hand_are_taken_at_their_word() {
        let columns = Columns { source: "q".into(), label: "gold".into(), ..Columns::default() };
        let (same, recognised) = columns.recognise(&["question1", "question2", "score"], "column").expect("no error");
        assert_eq!((same, recognised), (columns, Recognised::new()));
    }
}
