//! Algorithm 2 of the string re-writing kernels (Bu, Li, Zhu 2012) once more, written for speed: the baseline must be
//! a fair one. Same steps as the library's plain version; doubles are packed into one number each, lists of them are
//! arrays, groups are chains in one list, and all memory is used again.

use rustc_hash::FxHashMap;

/// K doubles, sorted, unlike ones first: `(first << 32 | second)`, or with the top bit `symbol` for a like one.
type Doubles<const K: usize> = [u64; K];

const LIKE: u64 = 1 << 63;
/// The end of a chain, and of the unlike doubles in a key.
const NONE: u32 = u32::MAX;

/// One list of doubles in a group, how many k-gram pairs have it, and the next list of the group.
struct Link<const K: usize> {
    doubles: Doubles<K>,
    count: f64,
    next: u32,
}

/// Memory for one evaluation after another.
pub(crate) struct Algorithm2<const K: usize> {
    lambda: f64,
    /// Unlike doubles to their group.
    groups: FxHashMap<Doubles<K>, u32>,
    /// The first link of each group, of the sources and of the targets.
    heads: Vec<[u32; 2]>,
    links: Vec<Link<K>>,
}

impl<const K: usize> Algorithm2<K> {
    pub(crate) fn new(lambda: f64) -> Self {
        Self { lambda, groups: FxHashMap::default(), heads: Vec::new(), links: Vec::new() }
    }

    /// K_k((s1, t1), (s2, t2)).
    pub(crate) fn value(&mut self, first: (&[u32], &[u32]), second: (&[u32], &[u32])) -> f64 {
        self.groups.clear();
        self.heads.clear();
        self.links.clear();
        for a in first.0.windows(K) {
            for b in second.0.windows(K) {
                let (doubles, key) = doubles(a, b);
                let next = self.heads.len() as u32;
                let group = *self.groups.entry(key).or_insert(next);
                if group == next {
                    self.heads.push([NONE; 2]);
                }
                self.count(group, 0, doubles);
            }
        }
        for a in first.1.windows(K) {
            for b in second.1.windows(K) {
                let (doubles, key) = doubles(a, b);
                // What no source has pairs with nothing.
                if let Some(&group) = self.groups.get(&key) {
                    self.count(group, 1, doubles);
                }
            }
        }
        let mut sum = 0.0;
        for &[source, target] in self.heads.iter().filter(|[_, target]| *target != NONE) {
            for source in chain(&self.links, source) {
                for target in chain(&self.links, target) {
                    sum += source.count * target.count * product(&source.doubles, &target.doubles, self.lambda);
                }
            }
        }
        sum
    }

    fn count(&mut self, group: u32, side: usize, doubles: Doubles<K>) {
        let head = self.heads[group as usize][side];
        let mut at = head;
        while at != NONE {
            let link = &mut self.links[at as usize];
            if link.doubles == doubles {
                link.count += 1.0;
                return;
            }
            at = link.next;
        }
        self.heads[group as usize][side] = self.links.len() as u32;
        self.links.push(Link { doubles, count: 1.0, next: head });
    }
}

fn chain<const K: usize>(links: &[Link<K>], head: u32) -> impl Iterator<Item = &Link<K>> {
    std::iter::successors(links.get(head as usize), |link| links.get(link.next as usize))
}

/// The sorted doubles of two k-grams, and the unlike ones alone.
fn doubles<const K: usize>(a: &[u32], b: &[u32]) -> (Doubles<K>, Doubles<K>) {
    let mut doubles = [0; K];
    for (place, double) in doubles.iter_mut().enumerate() {
        let (a, b) = (u64::from(a[place]), u64::from(b[place]));
        *double = if a == b { LIKE | a } else { a << 32 | b };
    }
    // Insertion sort: K is at most four here.
    for end in 1..K {
        let mut at = end;
        while at > 0 && doubles[at - 1] > doubles[at] {
            doubles.swap(at - 1, at);
            at -= 1;
        }
    }
    let key = doubles.map(|double| if double & LIKE == 0 { double } else { u64::MAX });
    (doubles, key)
}

/// The product of g_e over the doubles of two lists whose unlike doubles are the same.
fn product<const K: usize>(source: &Doubles<K>, target: &Doubles<K>, lambda: f64) -> f64 {
    let squared = lambda * lambda;
    let (mut i, mut j, mut product) = (0, 0, 1.0);
    let run = |list: &Doubles<K>, start: usize| list[start..].iter().take_while(|other| **other == list[start]).count();
    while i < K && j < K {
        match source[i].cmp(&target[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let (n, m) = (run(source, i), run(target, j));
                if source[i] & LIKE == 0 {
                    product *= (1..=n).map(|count| count as f64 * squared).product::<f64>();
                } else {
                    let (mut sum, mut term) = (1.0, 1.0);
                    for links in 0..n.min(m) {
                        term *= (n - links) as f64 * (m - links) as f64 / (links + 1) as f64 * squared;
                        sum += term;
                    }
                    product *= sum;
                }
                (i, j) = (i + n, j + m);
            }
        }
    }
    product
}
