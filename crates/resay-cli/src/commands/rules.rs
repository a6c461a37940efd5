//! `resay rules`: a model's heaviest rules, readable. The strings of topics are in `rules_topics.rs`, features of
//! aligners in `rules_align.rs`.

use crate::args::{Common, RulesArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use crate::{input, render};
use anstyle::{AnsiColor, Style};
use resay::explain::{Slot, What};
use resay::model::{AnyModel, KernelModel, PairModel, Weight};
use resay_view::{json, text, wording};

pub(crate) fn run(common: &Common, args: &RulesArgs) -> anyhow::Result<()> {
    let (model, name) = match input::any_model_or_bundled(common, args.model.model.as_deref())? {
        (AnyModel::Kernel(model), name) => (model, name),
        (AnyModel::Topics(model), _) => return super::rules_topics::run(common, args, &model),
        (AnyModel::Align(model), _) => {
            refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one aligns")?;
            return super::rules_align::run(common, args, &model);
        }
        (model, _) => return super::rules_features::run(common, args, &*input::as_pair_model(model, "rules")?),
    };
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let mut rules = model.weights();
    if rules.is_empty() {
        let message = "the model has no rules: it leans on pairs that it was trained on, see resay explain";
        return Err(Usage(format!("{name}: {message}")).into());
    }
    let forms = args.matching.as_deref().map(|word| forms(&model, word));
    rules.retain(|rule| {
        let sign = if args.speaks_for { rule.weight > 0.0 } else { !args.against || rule.weight < 0.0 };
        sign && forms.as_ref().is_none_or(|forms| has_word(rule, forms))
    });
    rules.truncate(args.top.unwrap_or(20));

    let mut out = Output::stdout();
    if common.json {
        for rule in &rules {
            out.json(&json::RuleWeight::of(rule))?;
        }
        return out.finish();
    }
    let mut table = vec![["weight", "support", "rule", "example"].map(str::to_owned).to_vec()];
    table.extend(rules.iter().map(|rule| {
        let example = rule.example.as_deref().map(text::clean).unwrap_or_default();
        vec![text::signed(rule.weight), rule.support.unwrap_or(0).to_string(), wording::what(&rule.what), example]
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
fn forms(model: &KernelModel, word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned(), word.to_lowercase()];
    forms.extend(model.units_of(word));
    forms
}

fn has_word(rule: &Weight, forms: &[String]) -> bool {
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
        What::Overlap(measure) => is_one(wording::overlap_measure(*measure)),
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
            let rule = Weight { kernel: None, what, weight: 1.0, support: None, example: None };
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
