//! Opens a table's file. Everything is numbers in flat lists; what is derived here (senses by lemma, mirrored pointers,
//! ancestors) takes a few milliseconds and would take longer to unpack than to make.
//!
//! Numbers are in groups of seven bits unless said otherwise; lists follow each other without gaps.
//!
//! ```text
//! words          the lemmas, sorted: see `words.rs`
//! synsets        for each part of speech: number of synsets, number of inner ones
//!                for each synset: number of its words, one byte
//!                for each inner synset: length of the shortest way to a root, one byte; then the longest of each
//! senses         for each word of each synset: its lemma; for the first word as the (signed) distance from the first
//!                word of the synset before
//!                for each of them: which sense of the lemma in its part of speech it is, one byte
//!                for each of them: how often it was met
//! pointers       for each kind two lists of synsets: pointers that are there in both directions, and the others;
//!                each a length, then source (distance from the one before) and target
//! word pointers  the same between senses, the target as the (signed) distance from the source
//! masses         two doubles: noun and verb roots; then, for each noun and verb synset a float, first the lowest bytes of
//!                all, then the next
//! exceptions     for each part of speech: the forms, as `words`; for each its number of lemmas, one byte; the lemmas
//! ```

use super::ancestors::{Ancestors, MAX_SYNSETS};
use super::table::Csr;
use super::words::Words;
use super::{Layout, Lexical, PointerKind, Pos, Row, TARGET_MASK, WordNet, packed};
use crate::pack::{Container, Origin, Reader};
use crate::{Error, Result};

/// Pointers of one kind: those that are there in both directions, and the others.
type Pairs = [Vec<(u32, u32)>; 2];

/// Unsigned to signed, small to small.
fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// A number at a signed distance from another.
fn near(reader: &mut Reader<'_>, from: u32, limit: usize, what: &str) -> Result<u32> {
    let number = i64::from(from).checked_add(unzigzag(reader.number()?));
    match number.and_then(|number| u32::try_from(number).ok()).filter(|number| (*number as usize) < limit) {
        Some(number) => Ok(number),
        None => reader.fail(format_args!("{what} out of range, expected one below {limit}")),
    }
}

impl WordNet {
    /// Opens a table; `name` is for messages. Any bytes are either opened or refused.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self> {
        let container: Container<Origin> = Container::unpack(name, bytes)?;
        if container.about.resource != "wordnet" {
            return Err(Error::file(
                name,
                format!("the file holds '{}', expected 'wordnet': use models/wordnet.resay", container.about.resource),
            ));
        }
        let section = |section| -> Result<_> { Ok(Reader::new(name, section, container.section(name, section)?)) };

        let mut reader = section("words")?;
        let words = Words::read(&mut reader)?;
        reader.end()?;

        let mut reader = section("synsets")?;
        let (layout, n_members, depths) = synsets(&mut reader)?;
        reader.end()?;

        let mut reader = section("senses")?;
        let senses = Senses::read(&mut reader, &layout, words.len(), n_members)?;
        reader.end()?;

        let mut reader = section("pointers")?;
        let n_synsets = layout.starts[4] as usize;
        let pairs = pairs(&mut reader, n_synsets, false)?;
        reader.end()?;
        let is_inner = |pair: &&(u32, u32)| layout.inner(pair.1).is_none();
        if let Some(pair) = pairs[..2].iter().flatten().flatten().find(is_inner) {
            return reader.fail(format_args!("hypernym {} is not an inner synset", pair.1));
        }
        let pointers =
            Csr::gather(n_synsets, || both_ways(&pairs).map(|(kind, source, target)| (source, packed(kind, target))));
        let ancestors = Ancestors::new(&layout, &pointers, depths, &reader)?;

        let mut reader = section("word pointers")?;
        let pairs = self::pairs(&mut reader, senses.synsets.len(), true)?;
        reader.end()?;
        let (lemmas, lexical) = lexical(&senses, &pairs);

        let mut reader = section("masses")?;
        let (total_masses, masses) = masses(&mut reader, layout.starts[2] as usize)?;
        reader.end()?;

        let mut reader = section("exceptions")?;
        let mut exceptions = || -> Result<(Words, Csr)> {
            let forms = Words::read(&mut reader)?;
            let lengths = reader.bytes(forms.len())?;
            let n_items = lengths.iter().map(|&length| usize::from(length)).sum();
            let mut items = Vec::new();
            for _ in 0..n_items {
                items.push(reader.below(words.len(), "lemma")?);
            }
            Ok((forms, Csr::from_lengths(lengths, items)))
        };
        let exceptions = [exceptions()?, exceptions()?, exceptions()?, exceptions()?];
        reader.end()?;

        Ok(Self {
            origin: container.about.clone(),
            words,
            layout,
            lemmas,
            senses: senses.synsets,
            counts: senses.counts,
            members: senses.members,
            pointers,
            lexical,
            ancestors,
            masses,
            total_masses,
            exceptions,
        })
    }
}

/// Layout, number of words of each synset, depths of the inner ones.
fn synsets<'a>(reader: &mut Reader<'a>) -> Result<(Layout, &'a [u8], Vec<(u8, u8)>)> {
    let mut layout = Layout::default();
    for pos in 0..4 {
        let n_synsets = reader.below(MAX_SYNSETS, "number of synsets")?;
        layout.n_inner[pos] = reader.below(n_synsets as usize + 1, "number of inner synsets")?;
        layout.starts[pos + 1] = layout.starts[pos] + n_synsets;
    }
    if layout.starts[4] as usize > MAX_SYNSETS {
        return reader.fail("too many synsets");
    }
    let n_members = reader.bytes(layout.starts[4] as usize)?;
    let n_inner = layout.n_inner.iter().sum::<u32>() as usize;
    let (shortest, longest) = (reader.bytes(n_inner)?, reader.bytes(n_inner)?);
    Ok((layout, n_members, shortest.iter().copied().zip(longest.iter().copied()).collect()))
}

struct Senses {
    /// `starts[lemma]..starts[lemma + 1]` are its senses.
    starts: Vec<u32>,
    synsets: Vec<u32>,
    counts: Vec<u32>,
    members: Csr,
}

impl Senses {
    fn read(reader: &mut Reader<'_>, layout: &Layout, n_lemmas: usize, n_members: &[u8]) -> Result<Self> {
        let n_senses: usize = n_members.iter().map(|&n_words| usize::from(n_words)).sum();
        // `u32::MAX` must be no synset, and senses must fit into packed pointers.
        if n_senses > TARGET_MASK as usize {
            return reader.fail("too many senses");
        }
        let mut lemmas = Vec::new();
        let mut first = 0;
        for &n_words in n_members {
            for place in 0..n_words {
                if place == 0 {
                    first = near(reader, first, n_lemmas, "lemma")?;
                    lemmas.push(first);
                } else {
                    lemmas.push(reader.below(n_lemmas, "lemma")?);
                }
            }
        }
        let sense_numbers = reader.bytes(n_senses)?;

        let mut starts = vec![0_u32; n_lemmas + 1];
        lemmas.iter().for_each(|&lemma| starts[lemma as usize + 1] += 1);
        for lemma in 0..n_lemmas {
            starts[lemma + 1] += starts[lemma];
        }
        // `next[lemma]`: where its senses in the part of speech at hand begin.
        let mut next = starts.clone();
        let mut senses = Self {
            synsets: vec![u32::MAX; n_senses],
            counts: vec![0; n_senses],
            members: Csr::from_lengths(n_members, lemmas),
            starts,
        };
        // There are as many places as words and each is taken once. A gap that is left in one part of speech cannot be
        // filled by the next, which begins behind it, so senses without gaps are all that gets through.
        let mut number = 0;
        for pos in Pos::ALL {
            let begin = number;
            for synset in layout.range(Some(pos)) {
                for &lemma in senses.members.row(synset as usize) {
                    let place = next[lemma as usize] + u32::from(sense_numbers[number]);
                    number += 1;
                    let is_inside = place < senses.starts[lemma as usize + 1];
                    match senses.synsets.get_mut(place as usize).filter(|slot| is_inside && **slot == u32::MAX) {
                        Some(slot) => *slot = synset,
                        None => return reader.fail(format_args!("lemma {lemma} has a sense twice, or misses one")),
                    }
                    let count = reader.below(usize::MAX, "count")?;
                    senses.counts[place as usize] = count;
                }
            }
            senses.members.items()[begin..number].iter().for_each(|&lemma| next[lemma as usize] += 1);
        }
        Ok(senses)
    }
}

/// The pointers of every kind.
fn pairs(reader: &mut Reader<'_>, limit: usize, is_relative: bool) -> Result<Vec<Pairs>> {
    let mut kinds = Vec::with_capacity(PointerKind::ALL.len());
    for _ in PointerKind::ALL {
        let mut lists = Pairs::default();
        for list in &mut lists {
            let n_pairs = reader.count(2)?;
            list.reserve_exact(n_pairs);
            let mut source = 0;
            for _ in 0..n_pairs {
                source += reader.below(limit - source as usize, "pointer's source")?;
                let target = if is_relative {
                    near(reader, source, limit, "pointer's target")?
                } else {
                    reader.below(limit, "pointer's target")?
                };
                list.push((source, target));
            }
        }
        kinds.push(lists);
    }
    Ok(kinds)
}

/// Every pointer in every direction, kind by kind.
fn both_ways(kinds: &[Pairs]) -> impl Iterator<Item = (PointerKind, u32, u32)> {
    PointerKind::ALL.into_iter().zip(kinds).flat_map(|(kind, [mirrored, single])| {
        let back = kind.mirror().map_or(&[][..], |mirror| &kinds[mirror as usize][0]);
        let forth = mirrored.iter().chain(single).map(move |&(source, target)| (kind, source, target));
        forth.chain(back.iter().map(move |&(source, target)| (kind, target, source)))
    })
}

/// Pointers between words by lemma of the source, and where each lemma's begin.
fn lexical(senses: &Senses, pairs: &[Pairs]) -> (Vec<Row>, Vec<Lexical>) {
    let n_senses = senses.synsets.len();
    let by_sense =
        Csr::gather(n_senses, || both_ways(pairs).map(|(kind, source, target)| (source, packed(kind, target))));
    let mut lexical = Vec::with_capacity(by_sense.n_items());
    let mut rows = Vec::with_capacity(senses.starts.len());
    let mut source = 0;
    for &start in &senses.starts {
        while source < start {
            let pointers = by_sense.row(source as usize).iter();
            lexical.extend(pointers.map(|&kind_and_target| Lexical { source, kind_and_target }));
            source += 1;
        }
        rows.push(Row { sense: start, lexical: lexical.len() as u32 });
    }
    (rows, lexical)
}

fn masses(reader: &mut Reader<'_>, n_synsets: usize) -> Result<([f64; 2], Vec<f32>)> {
    let totals = [reader.real()?, reader.real()?];
    let planes =
        [reader.bytes(n_synsets)?, reader.bytes(n_synsets)?, reader.bytes(n_synsets)?, reader.bytes(n_synsets)?];
    let mass = |synset: usize| f32::from_le_bytes(planes.map(|plane| plane[synset]));
    let masses: Vec<f32> = (0..n_synsets).map(mass).collect();
    let is_mass = |mass: f64| mass.is_finite() && mass > 0.0;
    if !masses.iter().all(|&mass| is_mass(f64::from(mass))) || !totals.into_iter().all(is_mass) {
        return reader.fail("a mass is not a number above zero");
    }
    Ok((totals, masses))
}
