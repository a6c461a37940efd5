//! Features of the names model, for display.

use resay::id::{NameFeature, NameView};

/// `sh : ש`, `e :` (deleted from the source), `: י`; `^` and `$` are the ends of a name. The
/// character that is mapped or deleted is in brackets if it has a neighbour.
pub fn name_feature(feature: NameFeature) -> String {
    match feature {
        NameFeature::Constant => "constant".to_owned(),
        NameFeature::Map { source, target } => format!("{} : {}", view(source), view(target)).trim().to_owned(),
        NameFeature::DeleteSource(source) => format!("{} :", view(source)).trim().to_owned(),
        NameFeature::DeleteTarget(target) => format!(": {}", view(target)).trim().to_owned(),
    }
}

fn view(view: NameView) -> String {
    let itself = |character: Option<char>| character.unwrap_or('?');
    match view {
        NameView::Alone(character) => itself(character).to_string(),
        NameView::After { before, character } => format!("{}[{}]", before.unwrap_or('^'), itself(character)),
        NameView::Before { character, behind } => format!("[{}]{}", itself(character), behind.unwrap_or('$')),
    }
}
