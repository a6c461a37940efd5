//! The convex inner problem: positives with a fixed latent structure, negatives with all structures
//! in their cache.
//!
//! Problem (Eq. 5, divided by lambda; C = weight / lambda of an example): minimise over u
//!
//! ```text
//! ½|u|² + Σ_g C_g loss(max over k in g of 1 − u·z_k)        loss(t) = max(0, t) or max(0, t)²
//! ```
//!
//! where a group g is an example and z_k = y Φ(x, h_k) one of its representations: exactly one for
//! a positive, the whole cache for a negative. Input: groups of sparse vectors. Output: u and the
//! duality gap, which bounds the distance of u from the optimum.
//!
//! Dual, with u = Σ a_k z_k and S_g the sum of a over group g, a ≥ 0:
//!
//! ```text
//! squared hinge:  maximise Σ a − ½|u|² − Σ_g D_g/2 S_g²,   D_g = 1/(2 C_g)
//! hinge:          maximise Σ a − ½|u|²,   S_g ≤ C_g        (D_g = 0)
//! ```
//!
//! Algorithm: coordinate descent, one group per visit. First, each active variable moves to its
//! optimum with the others fixed. Then the two variables of the group with the most opposed
//! gradients exchange mass with S_g fixed; single moves do this slowly for the squared hinge, and
//! never for the hinge at its bound. A variable at 0 whose gradient pushes it well below 0 is
//! skipped (shrunk) until the others have converged.

use crate::Result;
use crate::progress::Progress;
use crate::rng::SplitMix;
use crate::svm::linear::Loss;

/// Maximum number of passes over all groups per solution.
pub(super) const MAX_PASSES: usize = 5_000;

/// Maximum number of exchanges within a group per visit.
const MAX_EXCHANGES: usize = 4;

/// A sparse vector: pairs of column and value, sorted by column.
pub type Sparse = Vec<(u32, f64)>;

/// Dot product with a dense vector.
pub fn dot(vector: &[(u32, f64)], dense: &[f64]) -> f64 {
    vector.iter().map(|(column, value)| value * dense[*column as usize]).sum()
}

/// One representation of an example. `vector` is Φ, without the sign of the example.
#[derive(Clone, Debug)]
struct Member {
    vector: Sparse,
    squared_length: f64,
    alpha: f64,
}

impl Member {
    fn new(vector: &Sparse, alpha: f64) -> Self {
        let squared_length = vector.iter().map(|(_, value)| value * value).sum();
        Self { vector: vector.clone(), squared_length, alpha }
    }
}

/// An example with its representations.
#[derive(Clone, Debug)]
struct Group {
    sign: f64,
    cost: f64,
    members: Vec<Member>,
    /// The first `n_active` members are visited; the others are shrunk.
    n_active: usize,
    /// S_g.
    sum: f64,
}

/// The result of an inner problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Solved {
    /// The primal objective at u.
    pub(super) primal: f64,
    /// A lower bound on the optimum.
    pub(super) dual: f64,
    /// Number of passes over all groups.
    pub(super) n_passes: usize,
}

impl Solved {
    pub(super) fn gap(&self) -> f64 {
        (self.primal - self.dual).max(0.0)
    }
}

/// The problem with its dual variables and the corresponding weights, kept from one solution to the
/// next.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    groups: Vec<Group>,
    weights: Vec<f64>,
    loss: Loss,
}

impl Inner {
    pub(super) fn new(n_features: usize, loss: Loss) -> Self {
        Self { groups: Vec::new(), weights: vec![0.0; n_features], loss }
    }

    /// Adds an empty group.
    pub(super) fn group(&mut self, positive: bool, cost: f64) -> usize {
        let sign = if positive { 1.0 } else { -1.0 };
        self.groups.push(Group { sign, cost, members: Vec::new(), n_active: 0, sum: 0.0 });
        self.groups.len() - 1
    }

    /// Adds a representation to a group, with dual variable 0. Returns false if it is already
    /// present, or if it violates no margin and so could get no weight.
    pub(super) fn add(&mut self, group: usize, vector: &Sparse) -> bool {
        let group = &mut self.groups[group];
        let is_met = !group.members.is_empty() && group.sign * dot(vector, &self.weights) >= 1.0;
        if is_met || group.members.iter().any(|member| member.vector == *vector) {
            return false;
        }
        group.members.push(Member::new(vector, 0.0));
        true
    }

    /// Replaces the only representation of a group, keeping its dual variable.
    pub(super) fn replace(&mut self, group: usize, vector: &Sparse) {
        let members = &mut self.groups[group].members;
        match members.first_mut() {
            Some(member) if member.vector == *vector => {}
            Some(member) => *member = Member::new(vector, member.alpha),
            None => members.push(Member::new(vector, 0.0)),
        }
    }

    /// Recomputes the weights from the dual variables: after a replacement, and against the drift
    /// of many small steps.
    pub(super) fn refresh(&mut self, progress: Progress<'_>) -> Result<()> {
        self.weights.fill(0.0);
        for group in &self.groups {
            progress.check()?;
            for member in group.members.iter().filter(|member| member.alpha > 0.0) {
                add_scaled(&mut self.weights, &member.vector, group.sign * member.alpha);
            }
        }
        Ok(())
    }

    /// u.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn n_members(&self) -> usize {
        self.groups.iter().map(|group| group.members.len()).sum()
    }

    /// C_g loss(t).
    fn loss_of(&self, cost: f64, violation: f64) -> f64 {
        match self.loss {
            Loss::Hinge => cost * violation.max(0.0),
            Loss::SquaredHinge => cost * violation.max(0.0).powi(2),
        }
    }

    /// D_g.
    fn slack(&self, cost: f64) -> f64 {
        match self.loss {
            Loss::Hinge => 0.0,
            Loss::SquaredHinge => 0.5 / cost,
        }
    }

    /// The primal objective at u.
    fn primal(&self, progress: Progress<'_>) -> Result<f64> {
        let loss = |group: &Group| progress.check().map(|()| self.loss_of(group.cost, self.violation(group)));
        let losses = self.groups.iter().map(loss).sum::<Result<f64>>()?;
        Ok(0.5 * squared_length(&self.weights) + losses)
    }

    /// The dual objective: a lower bound on this problem and on any problem with more
    /// representations.
    pub(super) fn dual(&self) -> f64 {
        let gains: f64 =
            self.groups.iter().map(|group| group.sum - 0.5 * self.slack(group.cost) * group.sum * group.sum).sum();
        gains - 0.5 * squared_length(&self.weights)
    }

    /// max over k of 1 − u·z_k.
    fn violation(&self, group: &Group) -> f64 {
        let violation = |member: &Member| 1.0 - group.sign * dot(&member.vector, &self.weights);
        group.members.iter().map(violation).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Runs passes until the gap is at most this share of the objective, or [`MAX_PASSES`] passes.
    pub(super) fn solve(&mut self, part: f64, random: &mut SplitMix, progress: Progress<'_>) -> Result<Solved> {
        self.refresh(progress)?;
        let mut order: Vec<u32> = (0..self.groups.len() as u32).collect();
        let mut n_passes = 0;
        // Variables at 0 are shrunk above this gradient; at first none is.
        let mut shrink_from = f64::INFINITY;
        self.groups.iter_mut().for_each(|group| group.n_active = group.members.len());
        // The largest step must be this small before the gap is computed, which costs as much as a
        // pass.
        let mut enough = 0.1;
        loop {
            random.shuffle(&mut order);
            let mut worst: f64 = 0.0;
            for group in &order {
                progress.check()?;
                worst = worst.max(self.visit(*group as usize, shrink_from));
            }
            n_passes += 1;
            shrink_from = worst.max(1e-12);
            if worst > enough && n_passes < MAX_PASSES && n_passes % 20 != 0 {
                continue;
            }
            self.refresh(progress)?;
            let solved = Solved { primal: self.primal(progress)?, dual: self.dual(), n_passes };
            if solved.gap() <= part * solved.primal || n_passes >= MAX_PASSES {
                return Ok(solved);
            }
            if worst <= enough {
                enough *= 0.3;
            }
            shrink_from = f64::INFINITY;
            self.groups.iter_mut().for_each(|group| group.n_active = group.members.len());
        }
    }

    /// Visits one group. Returns the largest projected gradient.
    fn visit(&mut self, number: usize, shrink_from: f64) -> f64 {
        let slack = self.slack(self.groups[number].cost);
        let group = &mut self.groups[number];
        let mut worst: f64 = 0.0;
        let mut place = 0;
        while place < group.n_active {
            let room = match self.loss {
                Loss::Hinge => group.cost - (group.sum - group.members[place].alpha),
                Loss::SquaredHinge => f64::INFINITY,
            };
            let member = &mut group.members[place];
            // G = u·z − 1 + D S.
            let gradient = group.sign * dot(&member.vector, &self.weights) - 1.0 + slack * group.sum;
            if member.alpha == 0.0 && gradient > shrink_from {
                group.n_active -= 1;
                group.members.swap(place, group.n_active);
                continue;
            }
            let diagonal = member.squared_length + slack;
            let moved = if diagonal > 0.0 {
                (member.alpha - gradient / diagonal).clamp(0.0, room.max(0.0))
            } else {
                member.alpha
            };
            let step = moved - member.alpha;
            if step != 0.0 {
                worst = worst.max(if member.alpha == 0.0 || moved == 0.0 {
                    step.abs() * diagonal
                } else {
                    gradient.abs().min(step.abs() * diagonal)
                });
                group.sum = (group.sum + step).max(0.0);
                member.alpha = moved;
                add_scaled(&mut self.weights, &member.vector, group.sign * step);
            }
            place += 1;
        }
        for _ in 1..group.n_active.min(MAX_EXCHANGES) {
            let exchanged = self.exchange(number);
            worst = worst.max(exchanged);
            if exchanged == 0.0 {
                break;
            }
        }
        worst
    }

    /// Moves mass from the member pushed down hardest to the one pulled up hardest, with S_g fixed.
    fn exchange(&mut self, number: usize) -> f64 {
        let group = &mut self.groups[number];
        let (mut up, mut down) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
        for (place, member) in group.members[..group.n_active].iter().enumerate() {
            let gradient = group.sign * dot(&member.vector, &self.weights);
            if gradient < up.0 {
                up = (gradient, place);
            }
            if member.alpha > 0.0 && gradient > down.0 {
                down = (gradient, place);
            }
        }
        let pull = down.0 - up.0;
        if pull <= 1e-12 || up.1 == down.1 {
            return 0.0;
        }
        let (raised, lowered) = (&group.members[up.1], &group.members[down.1]);
        let curvature = squared_distance(&raised.vector, &lowered.vector);
        let room = lowered.alpha;
        let step = if curvature > 0.0 { (pull / curvature).min(room) } else { room };
        add_scaled(&mut self.weights, &raised.vector, group.sign * step);
        add_scaled(&mut self.weights, &lowered.vector, -group.sign * step);
        group.members[up.1].alpha += step;
        group.members[down.1].alpha = (room - step).max(0.0);
        pull.min(step * curvature)
    }
}

fn squared_length(dense: &[f64]) -> f64 {
    dense.iter().map(|value| value * value).sum()
}

fn add_scaled(dense: &mut [f64], vector: &[(u32, f64)], scale: f64) {
    for (column, value) in vector {
        dense[*column as usize] += scale * value;
    }
}

/// |a − b|², both sorted by column.
fn squared_distance(mut a: &[(u32, f64)], mut b: &[(u32, f64)]) -> f64 {
    let mut sum = 0.0;
    while let (Some((first, rest_a)), Some((second, rest_b))) = (a.split_first(), b.split_first()) {
        let difference = match first.0.cmp(&second.0) {
            std::cmp::Ordering::Less => {
                a = rest_a;
                first.1
            }
            std::cmp::Ordering::Greater => {
                b = rest_b;
                second.1
            }
            std::cmp::Ordering::Equal => {
                (a, b) = (rest_a, rest_b);
                first.1 - second.1
            }
        };
        sum += difference * difference;
    }
    sum + a.iter().chain(b).map(|(_, value)| value * value).sum::<f64>()
}
