//! `resay rank --queries Q --candidates C`: for every name of one list, the best of another.

use crate::args::{Common, RankArgs};
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use resay::data::read_names;
use resay::model::Candidates;
use resay_view::{json, text};
use std::path::Path;

/// Candidates shown of each query unless something else is asked for.
const TOP: usize = 10;
/// Queries that are ranked before their rows are written.
const BLOCK: usize = 256;

pub(super) fn run(common: &Common, args: &RankArgs, queries: &Path, candidates: &Path) -> anyhow::Result<()> {
    args.input.columns.refuse_as("is for pairs, but names are read here, one a line")?;
    let model = input::names_model(common, &args.model.model, "--queries")?;
    let queries = read_names(&input::find(common, queries))?;
    let candidates = Candidates::new(&model, read_names(&input::find(common, candidates))?);
    let top = args.top.unwrap_or(TOP);
    let mut out = Output::stdout();
    let progress = if out.is_terminal() { Progress::hidden() } else { Progress::new(common) };
    progress.set("ranking", 0, queries.len());
    if !common.json {
        out.line("query\trank\tcandidate\tscore\tprobability")?;
    }
    for block in queries.chunks(BLOCK) {
        for (query, best) in
            block.iter().zip(model.rank_all(block, &candidates, top, resay_learn::progress::Progress::none())?)
        {
            for (found, rank) in best.found.iter().zip(1..) {
                let decision = model.decide(found.score);
                let ranked = json::RankedName {
                    query,
                    rank,
                    candidate: &candidates.names()[found.candidate],
                    score: found.score,
                    probability: decision.probability,
                };
                if common.json {
                    out.json(&ranked)?;
                } else {
                    let json::RankedName { query, rank, candidate, score, probability } = ranked;
                    let [query, candidate] = [query, candidate].map(text::clean);
                    out.line(&format!("{query}\t{rank}\t{candidate}\t{score}\t{probability}"))?;
                }
            }
        }
        progress.add(block.len());
    }
    drop(progress);
    out.finish()
}
