//! Programmes about evenings at a restaurant. Two people, each trained or not as a cook and for the
//! bar, take one post each. Who took which is latent; only whether the evening went well is known.
//! It did if both posts could have a trained person.

#![allow(dead_code, reason = "each test uses some of it")]

use resay::data::Programs;
use resay::model::ProgramModel;
use resay::resources::Resources;
use resay::train::latent::Staging;
use resay::train::program::{ProgramChoice, ProgramOptions, train_programs};
use resay_learn::progress::Progress;

/// Returns every possible evening, with an uninformative shared feature.
pub(crate) fn evenings() -> Programs {
    let line = |at: u32| {
        let trained = |bit: u32| at >> bit & 1 == 1;
        let label = trained(0) && trained(3) || trained(1) && trained(2);
        let variable = |(name, bit): (&str, u32)| {
            format!("\"{name}\": {{\"{}\": 1}}", if trained(bit) { "trained" } else { "new" })
        };
        let variables = [("cook-ada", 0), ("bar-ada", 1), ("cook-ben", 2), ("bar-ben", 3)].map(variable).join(", ");
        let constraints = "\"cook: cook-ada + cook-ben = 1\", \"bar: bar-ada + bar-ben = 1\", \
            \"cook-ada + bar-ada <= 1\", \"cook-ben + bar-ben <= 1\"";
        format!(
            "{{\"id\": {at}, \"label\": {label}, \"features\": {{\"rain\": {}}}, \"variables\": {{{variables}}}, \
             \"constraints\": [{constraints}]}}\n",
            at % 3
        )
    };
    let lines: String = (0..16).map(line).collect();
    Programs::from_reader("folder/evenings.jsonl", lines.as_bytes()).unwrap()
}

pub(crate) fn options(staging: Staging) -> ProgramOptions<'static> {
    ProgramOptions { staging, costs: vec![1.0, 100.0], choice: ProgramChoice::Folds(3), ..ProgramOptions::default() }
}

pub(crate) fn model(staging: Staging, resources: &Resources) -> ProgramModel {
    train_programs(&evenings(), &options(staging), resources, Progress::none()).unwrap()
}
