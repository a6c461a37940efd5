//! Which column or key holds what. A user whose file names them otherwise says so;
//! the messages here name that option, because it is what to do next.

use super::lines::shorten;

/// The names of the columns of a table, or of the keys of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The first text.
    pub source: String,
    /// The second text.
    pub target: String,
    /// The label.
    pub label: String,
    /// The example's name.
    pub id: String,
    /// What the example belongs with, such as a question.
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

/// The five things an example can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Source,
    Target,
    Label,
    Id,
    Group,
}

impl Field {
    /// All fields; a field's place here is its place in arrays.
    pub(super) const ALL: [Self; 5] = [Self::Source, Self::Target, Self::Label, Self::Id, Self::Group];

    /// The default column name, and the stem of the option that changes it.
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
    /// The column name of one field.
    pub(super) fn of(&self, field: Field) -> &str {
        match field {
            Field::Source => &self.source,
            Field::Target => &self.target,
            Field::Label => &self.label,
            Field::Id => &self.id,
            Field::Group => &self.group,
        }
    }

    /// Whether a file without this column is at fault. The texts are always needed; the rest only where the user
    /// asked for a column by name, because then leaving it out silently would answer another question.
    pub(super) fn required(&self, field: Field) -> bool {
        matches!(field, Field::Source | Field::Target) || self.of(field) != field.name()
    }
}

/// Column names for a message: at most a dozen, each shortened, as they stand in the file.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut list = String::new();
    for (idx, name) in names.enumerate() {
        if idx == MOST {
            list.push_str(", ...");
            break;
        }
        if idx > 0 {
            list.push_str(", ");
        }
        list.push_str(&shorten(name));
    }
    list
}
