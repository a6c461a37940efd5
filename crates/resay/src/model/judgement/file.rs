//! The file format of joint judgements: the codes of the inputs, the rules, and the trees.

use super::{JudgementAbout, JudgementModel, JudgementTrained, KIND, N_RELATIONS, RuleWeights};
use crate::model::header::expect_kind;
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::boost::{Boosted, MAX_INPUTS, Tree, TreeNode};
use resay_text::container::{Container, SectionReader, put};

/// `inputs`, `rules`, `relations`, `similarity`.
const N_SECTIONS: usize = 4;

/// The most trees and nodes of a file, far beyond any that training makes.
const MAX_TREES: usize = 100_000;
const MAX_NODES: usize = 1 << 16;

impl JudgementTrained {
    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut codes = Vec::new();
        put(&mut codes, self.codes.len() as u64);
        self.codes.iter().for_each(|code| put(&mut codes, u64::from(*code)));
        container.push("inputs", codes);
        container.push("rules", write_rules(&self.rules));
        container.push("relations", write(&self.relations));
        container.push("similarity", write(&self.similarity));
        container.pack()
    }
}

impl JudgementModel {
    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, KIND)?;
        let container = Container::<JudgementAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != N_SECTIONS {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {N_SECTIONS}: the model is damaged")));
        }
        let damaged = |message: &str| Error::file(name, format!("{message}: the model is damaged"));
        let details = &about.details;
        let is_rising = details.slope.is_finite() && details.slope > 0.0;
        if !(is_rising && details.interval.iter().all(|end| *end >= 0.0)) {
            return Err(damaged("a calibration that falls"));
        }
        let section = |wanted: &'static str| -> Result<SectionReader<'_>> {
            Ok(SectionReader::new(name, wanted, container.section(name, wanted)?))
        };
        let mut reader = section("inputs")?;
        let mut codes = Vec::new();
        for _ in 0..reader.count(1)? {
            codes.push(reader.below(u32::MAX as usize, "an input")?);
        }
        reader.end()?;
        if codes.len() > MAX_INPUTS {
            return Err(damaged("too many inputs"));
        }
        let rules = read_rules(section("rules")?)?;
        let relations = read(section("relations")?, codes.len())?;
        let similarity = read(section("similarity")?, codes.len())?;
        let trained = JudgementTrained { about, codes, rules, relations, similarity };
        Self::new(trained, resources).map_err(|error| damaged(&error.to_string()))
    }
}

/// The number of rules, the unit, the steps from rule to rule, the weights relation by relation.
fn write_rules(rules: &RuleWeights) -> Vec<u8> {
    let (keys, weights, unit) = rules.parts();
    let mut out = Vec::new();
    put(&mut out, keys.len() as u64);
    out.extend(unit.to_le_bytes());
    let mut last = 0;
    for &key in keys {
        put(&mut out, u64::from(key - last));
        last = key;
    }
    for relation in 0..N_RELATIONS {
        out.extend(weights.iter().map(|weights| weights[relation] as u8));
    }
    out
}

fn read_rules(mut reader: SectionReader<'_>) -> Result<RuleWeights> {
    let n_rules = reader.count(1 + N_RELATIONS)?;
    let unit = reader.short_real()?;
    let mut keys = Vec::with_capacity(n_rules);
    let mut last = 0_u64;
    for _ in 0..n_rules {
        last = last.saturating_add(reader.number()?);
        match u32::try_from(last) {
            Ok(key) => keys.push(key),
            Err(_) => return reader.fail(format!("the rule {last}")),
        }
    }
    let mut weights = vec![[0_i8; N_RELATIONS]; n_rules];
    for relation in 0..N_RELATIONS {
        for (weights, byte) in weights.iter_mut().zip(reader.bytes(n_rules)?) {
            weights[relation] = *byte as i8;
        }
    }
    reader.end()?;
    RuleWeights::from_parts(keys, weights, unit).or_else(|error| reader.fail(error))
}

fn write(made: &Boosted) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, made.offsets.len() as u64);
    made.offsets.iter().for_each(|offset| out.extend(offset.to_le_bytes()));
    put(&mut out, made.trees.len() as u64);
    for tree in &made.trees {
        put(&mut out, tree.nodes.len() as u64);
        tree.nodes.iter().for_each(|node| put(&mut out, u64::from(node.child)));
        tree.nodes.iter().for_each(|node| out.extend(node.value.to_le_bytes()));
        for node in tree.nodes.iter().filter(|node| node.child > 0) {
            put(&mut out, u64::from(node.input));
            out.extend(node.threshold.to_le_bytes());
        }
    }
    out
}

fn read(mut reader: SectionReader<'_>, n_inputs: usize) -> Result<Boosted> {
    let n_heads = reader.count(8)?;
    let offsets = (0..n_heads).map(|_| reader.real()).collect::<Result<Vec<f64>>>()?;
    let n_trees = reader.count(1)?;
    if n_trees > MAX_TREES || n_heads == 0 || n_trees % n_heads != 0 {
        return reader.fail(format!("{n_trees} trees for {n_heads} heads"));
    }
    let mut trees = Vec::with_capacity(n_trees);
    for _ in 0..n_trees {
        let n_nodes = reader.count(5)?;
        if n_nodes == 0 || n_nodes > MAX_NODES {
            return reader.fail(format!("a tree of {n_nodes} nodes"));
        }
        let mut nodes = Vec::with_capacity(n_nodes);
        for at in 0..n_nodes {
            let child = reader.below(n_nodes, "a child")?;
            // Children stand behind their parent, so that every path ends.
            if child > 0 && (child as usize <= at || child as usize + 1 >= n_nodes) {
                return reader.fail(format!("node {at} has the child {child} of {n_nodes} nodes"));
            }
            nodes.push(TreeNode { input: 0, threshold: 0.0, child, value: 0.0 });
        }
        for node in &mut nodes {
            node.value = reader.short_real()?;
        }
        for node in nodes.iter_mut().filter(|node| node.child > 0) {
            node.input = reader.below(n_inputs, "an input")? as u16;
            node.threshold = reader.short_real()?;
        }
        trees.push(Tree { nodes });
    }
    reader.end()?;
    Ok(Boosted { offsets, trees })
}
