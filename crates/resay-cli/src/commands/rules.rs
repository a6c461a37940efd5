//! `resay rules`: what weighs most in a model: rules, features, or the strings of topics.

use crate::args::{Common, RulesArgs, refuse};
use crate::failure::Usage;
use crate::models::{self, Named};
use crate::output::Output;
use anstyle::{AnsiColor, Style};
use resay::explain::{Slot, What};
use resay::model::{
    AlignModel, AnyModel, Header, KernelModel, ModelKind, PairModel, Response, TopicModel, Weight, WeightedString,
};
use resay_text::Units;
use resay_view::{json, text, wording};
use serde::Serialize;

/// How many are shown: of a model, of one topic, and for and against every topic.
const TOP: usize = 20;
const TOP_OF_EACH: usize = 5;
const TOP_OF_CLASS: usize = 10;

pub(crate) fn run(common: &Common, args: &RulesArgs) -> anyhow::Result<()> {
    let Named { model, name } = models::open(common, args.model.as_deref(), "paraphrase")?;
    if !matches!(model, AnyModel::Topics(_)) {
        let task = &model.header().task;
        let why = format!("is for a model of topics, but this one is of task {task}");
        refuse(&[("--topic", args.topic.is_some())], &why)?;
    }
    let heads = heads(model.header(), args)?;
    let mut out = Output::stdout();
    match model {
        AnyModel::Kernel(model) => of_kernel(&mut out, common, args, (&model, &name), &heads)?,
        AnyModel::Topics(model) => of_topics(&mut out, common, args, &model)?,
        AnyModel::Align(model) => of_aligner(&mut out, common, args, &model)?,
        AnyModel::Program(model) => of_features(&mut out, common, args, &[(None, model.weights())])?,
        model => {
            let model = models::pair_model(Named { model, name }, "rules")?.model;
            let weights: Vec<_> = heads.into_iter().map(|(head, class)| (class, model.weights(head))).collect();
            of_features(&mut out, common, args, &weights)?;
        }
    }
    out.finish()
}

/// The heads whose weights are asked for, each with its class if there are several.
fn heads(header: &Header, args: &RulesArgs) -> anyhow::Result<Vec<(usize, Option<String>)>> {
    let labels = header.response.labels();
    let n_heads = match (&header.response, header.kind) {
        (Response::Categories { .. }, _) => labels.len(),
        (Response::Ordinal { levels }, ModelKind::Latent) => levels.len() - 1,
        _ => 1,
    };
    if n_heads == 1 {
        let why = "is for a model of several classes, but this one has a single score";
        refuse(&[("--class", args.class.is_some())], why)?;
        return Ok(vec![(0, None)]);
    }
    // The heads of a scale are its steps: each is named after the level that it leads to.
    let step = labels.len() - n_heads;
    let all = (0..n_heads).map(|head| (head, Some(labels[head + step].clone())));
    match &args.class {
        Some(name) => {
            let class = models::class(header, name)?;
            if class < step {
                let message =
                    format!("--class: {} is the lowest level, weights are of the steps above it", labels[class]);
                return Err(Usage(message).into());
            }
            Ok(all.filter(|(head, _)| head + step == class).collect())
        }
        None => Ok(all.collect()),
    }
}

impl RulesArgs {
    /// How many rows to show per head.
    fn n_rows(&self, n_heads: usize) -> usize {
        self.top.unwrap_or(if n_heads > 1 { TOP_OF_CLASS } else { TOP })
    }

    /// Whether a weight speaks for what was asked for.
    fn wants(&self, weight: f64) -> bool {
        if self.speaks_for { weight > 0.0 } else { !self.against || weight < 0.0 }
    }

    /// Whether a feature's name has the text that was asked for.
    fn matches(&self, name: &str) -> bool {
        self.matching.as_deref().is_none_or(|text| name.contains(text))
    }
}

/// Lines of JSON, or a table whose rows are green where their weight speaks for yes and red where
/// against.
fn show<T: Serialize>(
    out: &mut Output,
    as_json: bool,
    (align, heads): (&str, &[&str]),
    found: &[T],
    row: impl Fn(&T) -> (f64, Vec<String>),
) -> anyhow::Result<()> {
    if as_json {
        return found.iter().try_for_each(|found| out.json(found));
    }
    let (weights, rows): (Vec<f64>, Vec<Vec<String>>) = found.iter().map(row).unzip();
    let head = heads.iter().map(|&head| head.to_owned()).collect();
    let table: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    out.styled_table(align, &table, |at| colour(weights[at]))
}

fn colour(weight: f64) -> Style {
    if weight > 0.0 { AnsiColor::Green.on_default() } else { AnsiColor::Red.on_default() }
}

fn of_kernel(
    out: &mut Output,
    common: &Common,
    args: &RulesArgs,
    (model, name): (&KernelModel, &str),
    heads: &[(usize, Option<String>)],
) -> anyhow::Result<()> {
    let forms = args.matching.as_deref().map(|word| forms(model, word));
    let mut shown: Vec<json::RuleWeight> = Vec::new();
    let mut n_rules = 0;
    for (head, class) in heads {
        let mut rules = model.weights(*head);
        n_rules += rules.len();
        rules.retain(|rule| args.wants(rule.weight) && forms.as_ref().is_none_or(|forms| has_word(rule, forms)));
        rules.truncate(args.n_rows(heads.len()));
        shown.extend(rules.iter().map(|rule| json::RuleWeight::of(rule, class.as_deref())));
    }
    if n_rules == 0 {
        let message = "the model has no rules: it compares with pairs that it was trained on, see resay explain";
        return Err(Usage(format!("{name}: {message}")).into());
    }
    let has_classes = heads.iter().any(|(_, class)| class.is_some());
    let cells = |rule: &json::RuleWeight| {
        let example = rule.example.clone().unwrap_or_default();
        let mut cells = vec![text::signed(rule.weight), rule.support.to_string(), rule.rule.clone(), example];
        if let Some(class) = &rule.class {
            cells.insert(0, text::clean(class));
        }
        (rule.weight, cells)
    };
    match has_classes {
        true => show(out, common.json, ("<>><<", &["class", "weight", "support", "rule", "example"]), &shown, cells),
        false => show(out, common.json, (">><<", &["weight", "support", "rule", "example"]), &shown, cells),
    }
}

/// Latent alignments, names, ensembles and programmes have features with a name and a weight.
fn of_features(
    out: &mut Output,
    common: &Common,
    args: &RulesArgs,
    of_heads: &[(Option<String>, Vec<Weight>)],
) -> anyhow::Result<()> {
    let mut all: Vec<(Option<&str>, String, f64)> = Vec::new();
    for (class, weights) in of_heads {
        let named = weights.iter().map(|weight| (class.as_deref(), wording::what(&weight.what), weight.weight));
        let mut features: Vec<(Option<&str>, String, f64)> = named.collect();
        features.retain(|(_, name, weight)| args.wants(*weight) && args.matches(name));
        // Of equals, by name.
        features.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then_with(|| a.1.cmp(&b.1)));
        features.truncate(args.n_rows(of_heads.len()));
        all.extend(features);
    }
    let features: Vec<json::FeatureWeight<'_>> = all
        .iter()
        .map(|(class, feature, weight)| json::FeatureWeight { class: *class, feature, weight: *weight })
        .collect();
    let cells = |feature: &json::FeatureWeight<'_>| {
        let class = feature.class.map(text::clean).into_iter();
        let cells = class.chain([text::signed(feature.weight), text::clean(feature.feature)]);
        (feature.weight, cells.collect())
    };
    match of_heads.iter().any(|(class, _)| class.is_some()) {
        true => show(out, common.json, ("<><", &["class", "weight", "feature"]), &features, cells),
        false => show(out, common.json, ("><", &["weight", "feature"]), &features, cells),
    }
}

/// Features by weight, from source to target and back.
fn of_aligner(out: &mut Output, common: &Common, args: &RulesArgs, model: &AlignModel) -> anyhow::Result<()> {
    let named = model.aligner().weights().map(|(feature, both)| (wording::align_feature(feature), both));
    let is_wanted =
        |name: &str, both: [f64; 2]| args.wants(both[0] + both[1]) && both != [0.0; 2] && args.matches(name);
    let mut features: Vec<(String, [f64; 2])> = named.filter(|(name, both)| is_wanted(name, *both)).collect();
    let weight = |both: &[f64; 2]| both[0].abs() + both[1].abs();
    features.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1))); // Stable: of equals, the order of the model.
    features.truncate(args.top.unwrap_or(TOP));
    let features: Vec<json::AlignFeatureJson<'_>> = features
        .iter()
        .map(|(feature, [forward, backward])| json::AlignFeatureJson {
            feature,
            forward: *forward,
            backward: *backward,
        })
        .collect();
    show(out, common.json, (">><", &["forward", "backward", "feature"]), &features, |found| {
        let json::AlignFeatureJson { feature, forward, backward } = *found;
        (forward + backward, vec![text::signed(forward), text::signed(backward), text::clean(feature)])
    })
}

/// The strings that speak for and against a topic, or some of every topic's.
fn of_topics(out: &mut Output, common: &Common, args: &RulesArgs, model: &TopicModel) -> anyhow::Result<()> {
    if let Some(name) = &args.topic {
        let found = strings(args, model, model.topic(name)?, args.top.unwrap_or(TOP), |weight| args.wants(weight));
        return show(out, common.json, ("><", &["weight", "string"]), &lines(name, &found), |found| {
            (found.weight, vec![text::signed(found.weight), shown(found)])
        });
    }
    let top = args.top.unwrap_or(TOP_OF_EACH);
    for (topic, (name, n_documents)) in model.about().topics().enumerate() {
        let of_sign = |sign: f64| strings(args, model, topic, top, |weight| args.wants(weight) && weight * sign > 0.0);
        let sides = [("for", of_sign(1.0), !args.against), ("against", of_sign(-1.0), !args.speaks_for)];
        if common.json {
            sides.iter().flat_map(|(_, found, _)| lines(name, found)).try_for_each(|line| out.json(&line))?;
            continue;
        }
        if topic > 0 {
            out.line("")?;
        }
        let head = out.styled(Style::new().bold(), &text::clean(name));
        out.line(&format!("{head}  {n_documents} documents"))?;
        for (side, found, _) in sides.iter().filter(|(.., is_shown)| *is_shown) {
            let shown: Vec<String> = lines(name, found).iter().map(shown).collect();
            let shown = if shown.is_empty() { "nothing".to_owned() } else { shown.join("  ") };
            let style = colour(if *side == "for" { 1.0 } else { -1.0 });
            out.line(&format!("  {side:<8}{}", out.styled(style, &shown)))?;
        }
    }
    Ok(())
}

/// The heaviest strings, of those that are asked for.
fn strings(
    args: &RulesArgs,
    model: &TopicModel,
    topic: usize,
    top: usize,
    wants: impl Fn(f64) -> bool,
) -> Vec<WeightedString> {
    let Some(text) = &args.matching else { return model.strings(topic, top, wants) };
    let lower = text.to_lowercase();
    let mut found = model.strings(topic, usize::MAX, wants);
    // Most units are in lower case.
    found.retain(|found| found.string.contains(text) || found.string.contains(&lower));
    found.truncate(top);
    found
}

fn lines<'a>(topic: &'a str, strings: &'a [WeightedString]) -> Vec<json::TopicString<'a>> {
    let line = |found: &'a WeightedString| {
        let WeightedString { kernel, string, weight, units } = found;
        json::TopicString { topic, weight: *weight, kernel, string, units: units.map(Units::name) }
    };
    strings.iter().map(line).collect()
}

/// A string in quotes, with its units if they are not the model's.
fn shown(found: &json::TopicString<'_>) -> String {
    let units = found.units.map_or(String::new(), |units| format!(" ({units})"));
    format!("{}{units}", text::quoted(found.string))
}

/// The word as typed, in lower case, and as the model sees it: `hearing` is `hear` to a model over
/// stems.
fn forms(model: &KernelModel, word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned(), word.to_lowercase()];
    forms.extend(model.units_of(word));
    forms
}

fn has_word(rule: &Weight, forms: &[String]) -> bool {
    // A class of words is named by some of them, `[buy|purchase]`, perhaps with a number behind:
    // `[walk#2]`.
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
