//! `resay rules`: a model's heaviest rules, readable. The strings of topics are in `rules_topics.rs`, features of
//! aligners in `rules_align.rs`.

use crate::args::{Common, RulesArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use crate::{input, render, wire};
use anstyle::{AnsiColor, Style};
use resay::bundled;
use resay::explain::{Slot, What};
use resay::model::{AnyModel, Model, WeightedRule};
use resay::text::{Interner, Layers};

pub(crate) fn run(common: &Common, args: &RulesArgs) -> anyhow::Result<()> {
    let (model, name) = match input::any_model_or_bundled(args.model.model.as_deref())? {
        (AnyModel::Pairs(model), name) => (model, name),
        (AnyModel::Topics(model), _) => return super::rules_topics::run(common, args, &model),
        (AnyModel::Names(model), _) => return super::rules_hidden::run(common, args, model.heaviest(usize::MAX)),
        (AnyModel::Latent(model), _) => return super::rules_hidden::run(common, args, model.features()),
        (AnyModel::Combined(model), _) => {
            return super::rules_hidden::run(common, args, model.signs());
        }
        (AnyModel::Align(model), _) => {
            refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one aligns")?;
            return super::rules_align::run(common, args, &model);
        }
    };
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let mut rules = model.rules();
    if rules.is_empty() {
        let message = "the model has no rules: it leans on pairs that it was trained on, see resay explain";
        return Err(Usage(format!("{name}: {message}")).into());
    }
    let forms = args.matching.as_deref().map(|word| forms(&model, word)).transpose()?;
    rules.retain(|rule| {
        let sign = if args.speaks_for { rule.weight > 0.0 } else { !args.against || rule.weight < 0.0 };
        sign && forms.as_ref().is_none_or(|forms| has_word(rule, forms))
    });
    rules.truncate(args.top.unwrap_or(20));

    let mut out = Output::stdout();
    if common.json {
        for rule in &rules {
            out.json(&wire::Rule::of(rule))?;
        }
        return out.finish();
    }
    let mut table = vec![["weight", "support", "rule", "example"].map(str::to_owned).to_vec()];
    table.extend(rules.iter().map(|rule| {
        let example = rule.example.as_deref().map(render::clean).unwrap_or_default();
        vec![render::signed(rule.weight), rule.support.to_string(), render::what(&rule.what), example]
    }));
    let mut lines = render::table(">><<", &table).into_iter();
    if let Some(head) = lines.next() {
        out.line(&out.styled(Style::new().bold(), &head))?;
    }
    for (line, rule) in lines.zip(&rules) {
        let colour = if rule.weight > 0.0 { AnsiColor::Green } else { AnsiColor::Red };
        out.line(&out.styled(colour.on_default(), &line))?;
    }
    out.finish()
}

/// The word as typed, in lower case, and as the model sees it: `hearing` is `hear` to a model over stems.
fn forms(model: &Model, word: &str) -> anyhow::Result<Vec<String>> {
    let mut symbols = Interner::new();
    bundled::annotator(model.about().units, Layers::NONE)?.sentence(word, &mut symbols);
    let mut forms = vec![word.to_owned(), word.to_lowercase()];
    forms.extend(symbols.strings().map(str::to_owned));
    Ok(forms)
}

fn has_word(rule: &WeightedRule, forms: &[String]) -> bool {
    // A class of words is named by some of them, `[buy|purchase]`, perhaps with a number behind: `[walk#2]`.
    let is_member = |word: &str, form: &str| {
        let inside = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        inside.is_some_and(|words| words.split('|').any(|member| member.split('#').next() == Some(form)))
    };
    let is_one = |word: &str| forms.iter().any(|form| form == word || is_member(word, form));
    match &rule.what {
        What::Rule(rule) => {
            rule.source.iter().chain(&rule.target).any(|slot| matches!(slot, Slot::Word(word) if is_one(word)))
        }
        What::Measure(name) => is_one(name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::explain::RewriteRule;

    #[test]
    fn a_class_is_found_by_its_words() {
        let check = |shown: &str, word: &str, expected: bool| {
            let rule = RewriteRule { source: vec![Slot::Word(shown.to_owned())], target: vec![Slot::Wildcard(None)] };
            let what = What::Rule(rule);
            let rule = WeightedRule { kernel: String::new(), what, weight: 1.0, support: 1, example: None };
            assert_eq!(has_word(&rule, &[word.to_owned()]), expected, "{word} in {shown}");
        };
        check("buy", "buy", true);
        check("[buy|purchase]", "purchase", true);
        check("[walk#2]", "walk", true);
        check("[walk#2]", "2", false);
        check("[buy|purchase]", "buy|purchase", false);
        check("a|b", "b", false);
    }
}
