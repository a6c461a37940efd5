//! Dependencies: words whose heads, or whose dependents, are alike stand in like places of their sentences.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};
use crate::text::Layers;

pub(super) struct Heads;

const HOW: [&str; 7] = [
    "heads alike",
    "heads alike by one relation",
    "heads not alike",
    "both roots",
    "one root",
    "one relation",
    "head of one is alike to a dependent of the other",
];

impl Piece for Heads {
    fn name(&self) -> &'static str {
        "heads"
    }

    fn what(&self) -> &'static str {
        "heads and dependents that are alike"
    }

    fn layers(&self) -> Layers {
        Layers { heads: true, ..Layers::LEMMAS }
    }

    fn features(&self) -> Vec<String> {
        let mut names = super::grid(&[&HOW, &Level::COARSE, &GATES]);
        names.extend(super::grid(&[&["dependents alike"], &Level::COARSE, &GATES]));
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * cell.level.coarse() + cell.gate;
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let is_alike = |i: usize, j: usize| pair.level(i, j) >= Level::Synonym;
        let mut flag = |how: usize| out.flag(how * 12 + column);
        if a.relation.is_some() && a.relation == b.relation {
            flag(5);
        }
        let (of_source, of_target) = (&pair.source.dependents[source], &pair.target.dependents[target]);
        match (a.head, b.head) {
            (Some(i), Some(j)) if is_alike(i, j) => {
                flag(0);
                if a.relation == b.relation {
                    flag(1);
                }
            }
            (Some(_), Some(_)) => flag(2),
            (None, None) => flag(3),
            _ => flag(4),
        }
        let crossed = a.head.is_some_and(|head| of_target.iter().any(|&j| is_alike(head, j)))
            || b.head.is_some_and(|head| of_source.iter().any(|&i| is_alike(i, head)));
        if crossed {
            flag(6);
        }
        let n_alike = of_source.iter().filter(|&&i| of_target.iter().any(|&j| is_alike(i, j))).count();
        if n_alike > 0 {
            out.value(HOW.len() * 12 + column, n_alike.min(3) as f32);
        }
    }
}
