//! `resay rank`: ranks the candidates of each group, or for every name of one list the candidates
//! of another, best first. Rows of a group may be anywhere in a file, so it is read whole before
//! anything is printed.

use crate::args::{Common, RankArgs, refuse};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::unfit::UnfitTexts;
use crate::{input, models};
use resay::data::read_names;
use resay::model::{NameCandidates, Ranks};
use resay_view::{json, text};
use std::collections::BTreeMap;
use std::path::Path;

/// Default number of candidates shown per name.
const TOP_OF_NAME: usize = 10;
/// Number of names ranked before their rows are written.
const BLOCK: usize = 256;

pub(crate) fn run(common: &Common, args: &RankArgs) -> anyhow::Result<()> {
    if let (Some(queries), Some(candidates)) = (&args.queries, &args.candidates) {
        refuse(&[("--phrases", !args.own.phrases.is_empty())], "is for the bundled judge, but names are read here")?;
        return names(common, args, queries, candidates);
    }
    let Some(file) = &args.file else { return Err(Usage("no file of candidates".to_owned()).into()) };
    let model = models::open(common, args.model.as_deref(), "judge")?;
    models::check_phrases(&model, &args.own)?;
    let model = models::pair_model(model, "rank")?.model;
    let dataset = input::pairs(common, file, args.input.of_pairs()?, &args.input.columns.columns())?;
    let groups = dataset.ranking_groups()?;
    let progress = Progress::new(common);
    progress.set("scoring", 0, 1);
    let class = args.class.as_deref().map(|name| models::class(model.header(), name)).transpose()?;
    let predictions = input::predictions(&*model, &dataset)?;
    let unfit = UnfitTexts::new(common, &*model)?;
    dataset.rows.iter().for_each(|row| unfit.count(&row.source, &row.target));
    let ranks = predictions
        .iter()
        .map(|found| found.rank(&model.header().response, class))
        .collect::<resay::Result<Vec<Ranks>>>();
    let decisions = ranks.map_err(|_| {
        let labels = model.header().response.labels().join(", ");
        Usage(format!("--class is missing: the model knows {labels}, say which one to rank by"))
    })?;
    drop(progress);
    unfit.tell();
    // A group's number is the index of its first row, so groups are in file order.
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, group) in groups.into_iter().enumerate() {
        members.entry(group).or_default().push(row);
    }
    let mut out = Output::stdout();
    if !common.json {
        out.line("group\trank\tid\tscore\tprobability\ttarget")?;
    }
    for mut rows in members.into_values() {
        // The sort is stable, so ties are in file order. Adding 0 turns -0 into 0.
        rows.sort_by(|&a, &b| (decisions[b].score + 0.0).total_cmp(&(decisions[a].score + 0.0)));
        for (&row, rank) in rows.iter().zip(1..=args.top.unwrap_or(usize::MAX)) {
            let (example, decision) = (&dataset.rows[row], &decisions[row]);
            let ranked = json::RankedPair {
                group: example.group.as_deref().unwrap_or_default(),
                rank,
                id: &example.id,
                score: decision.score,
                probability: decision.probability,
                target: &example.target,
            };
            if common.json {
                out.json(&ranked)?;
            } else {
                let json::RankedPair { group, rank, id, score, probability, target } = ranked;
                let probability = probability.map_or_else(String::new, |probability| probability.to_string());
                let [group, id, target] = [group, id, target].map(text::clean);
                out.line(&format!("{group}\t{rank}\t{id}\t{score}\t{probability}\t{target}"))?;
            }
        }
    }
    out.finish()
}

/// Ranks the names of one list for every name of another.
fn names(common: &Common, args: &RankArgs, queries: &Path, candidates: &Path) -> anyhow::Result<()> {
    args.input.columns.refuse_as("is for pairs, but names are read here, one per line")?;
    let Some(model) = &args.model else {
        let message =
            "--queries needs a model of names, and none is bundled: train one (resay train names), give it with -m";
        return Err(Usage(message.to_owned()).into());
    };
    let model = models::names_model(models::open(common, Some(model), "")?, "rank --queries")?.model;
    let queries = read_names(&input::find(common, queries))?;
    let candidates = NameCandidates::new(&model, read_names(&input::find(common, candidates))?);
    let top = args.top.unwrap_or(TOP_OF_NAME);
    let mut out = Output::stdout();
    let bar = if out.is_terminal() { Progress::hidden() } else { Progress::new(common) };
    bar.set("ranking", 0, queries.len());
    if !common.json {
        out.line("query\trank\tcandidate\tscore\tprobability")?;
    }
    for block in queries.chunks(BLOCK) {
        let ranked = model.rank_all(block, &candidates, top, resay_learn::progress::Progress::none())?;
        for (query, best) in block.iter().zip(ranked) {
            for (found, rank) in best.found.iter().zip(1..) {
                let (candidate, score) = (&*candidates.names()[found.candidate], found.score);
                let probability = model.decide(score).probability;
                if common.json {
                    out.json(&json::RankedNameJson { query, rank, candidate, score, probability })?;
                } else {
                    let [query, candidate] = [query, candidate].map(text::clean);
                    out.line(&format!("{query}\t{rank}\t{candidate}\t{score}\t{probability}"))?;
                }
            }
        }
        bar.add(block.len());
    }
    drop(bar);
    out.finish()
}
