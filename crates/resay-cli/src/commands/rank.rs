//! `resay rank`: the candidates of each group, best first. Rows of one group may stand anywhere in the file, so the file is
//! read whole before anything is printed.

use crate::args::{Common, RankArgs};
use crate::failure::Usage;
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use resay_view::{json, text};
use std::collections::BTreeMap;

pub(crate) fn run(common: &Common, args: &RankArgs) -> anyhow::Result<()> {
    if let (Some(queries), Some(candidates)) = (&args.queries, &args.candidates) {
        return super::rank_names::run(common, args, queries, candidates);
    }
    let Some(file) = &args.file else { return Err(Usage("no file of candidates".to_owned()).into()) };
    let model = input::as_pair_model(input::any_model(common, &args.model.model)?, "rank")?;
    let dataset = input::pairs(common, file, args.input.of_pairs()?, &args.input.columns.columns())?;
    let groups = dataset.ranking_groups()?;
    let progress = Progress::new(common);
    progress.set("scoring", 0, 1);
    let decisions = input::decisions(&*model, &dataset)?;
    drop(progress);
    // A group's number is the place of its first row, so groups come in the order of the file.
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, group) in groups.into_iter().enumerate() {
        members.entry(group).or_default().push(row);
    }
    let mut out = Output::stdout();
    if !common.json {
        out.line("group\trank\tid\tscore\tprobability\ttarget")?;
    }
    for mut rows in members.into_values() {
        // Stable: of equal scores, the order of the file. Adding 0 makes -0 to 0.
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
                let [group, id, target] = [group, id, target].map(text::clean);
                out.line(&format!("{group}\t{rank}\t{id}\t{score}\t{probability}\t{target}"))?;
            }
        }
    }
    out.finish()
}
