//! Opens a table's file. Everything is numbers in flat lists; what is derived here (senses by lemma, mirrored pointers,
//! ancestors) takes a few milliseconds and would take longer to unpack than to make.
//!
//! Lists follow each other without gaps. A *number* is in groups of seven bits; *planes* are a list of numbers of three
//! bytes each, first the lowest bytes of all, then the middle, then the highest ones.
//!
//! ```text
//! words          the lemmas, sorted: see `words.rs`
//! synsets        number of synsets of each class: inner nouns, verbs, adjectives, adverbs, then the leaves likewise
//!                bytes: number of words of each synset
//!                bytes: length of the shortest way to a root for each inner synset; then the longest for each
//! senses         bytes: number of senses of each lemma
//!                number of senses that are said below (the others are foreseen)
//!                bytes, for each sense: the class (0 to 7) if it is the first word of the next synset of that class,
//!                8 if not
//!                planes: synset, then bytes: place in the synset, for each sense that is not foreseen
//!                planes: how often it was met, for each sense
//! pointers       for each kind two lists: pointers that are there in both directions, and the others; each a number, then
//!                planes: source (distance from the one before), then planes: target
//! word pointers  number, planes: source sense (distance from the one before), bytes: kind, planes: target sense
//! masses         two doubles: noun and verb roots; then a float for each synset up to the leaves among the verbs, in four
//!                planes
//! exceptions     for each part of speech: the forms, as `words`; bytes: number of lemmas of each; the lemmas as numbers
//! ```

use super::ancestors::{Ancestors, MAX_SYNSETS};
use super::table::Csr;
use super::words::Words;
use super::{LAST_UP, Layout, Lexical, PointerKind, Row, TARGET_MASK, WordNet, packed};
use crate::pack::{Container, Origin, Reader};
use crate::{Error, Result};

/// Pointers of one kind: those that are there in both directions, and the others.
type Pairs = [Vec<(u32, u32)>; 2];

/// Shortest and longest way to a root of every inner synset.
type Depths = Vec<(u8, u8)>;

/// Numbers of three bytes each, all below `limit`.
fn planes(reader: &mut Reader<'_>, len: usize, limit: usize, what: &str) -> Result<Vec<u32>> {
    let (low, middle, high) = (reader.bytes(len)?, reader.bytes(len)?, reader.bytes(len)?);
    let bytes = low.iter().zip(middle).zip(high);
    let numbers: Vec<u32> = bytes.map(|((&low, &middle), &high)| u32::from_le_bytes([low, middle, high, 0])).collect();
    match numbers.iter().max() {
        Some(&most) if most as usize >= limit => reader.fail(format_args!("{what} {most}, expected one below {limit}")),
        _ => Ok(numbers),
    }
}

/// Numbers below `limit` that never fall, kept as distances.
fn ascending(reader: &mut Reader<'_>, len: usize, limit: usize, what: &str) -> Result<Vec<u32>> {
    let mut numbers = planes(reader, len, usize::MAX, what)?;
    let mut last = 0_u32;
    for number in &mut numbers {
        last = last.saturating_add(*number);
        *number = last;
    }
    if len > 0 && last as usize >= limit {
        return reader.fail(format_args!("{what} {last}, expected one below {limit}"));
    }
    Ok(numbers)
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
        let n_synsets = layout.n_synsets();
        let pairs = pairs(&mut reader, n_synsets)?;
        reader.end()?;
        let hypernyms = [PointerKind::Hypernym, PointerKind::InstanceHypernym];
        let mut hypernyms = hypernyms.into_iter().flat_map(|kind| both_ways(&pairs, kind));
        if !hypernyms.all(|(_, _, target)| target < layout.n_inner()) {
            return reader.fail("a leaf is the hypernym of another synset");
        }
        let (ups, downs) = PointerKind::ALL.split_at(LAST_UP as usize + 1);
        let gather = |kinds: &[PointerKind]| {
            Csr::gather(n_synsets, || {
                let all = kinds.iter().flat_map(|&kind| both_ways(&pairs, kind));
                all.map(|(kind, source, target)| (source, packed(kind, target)))
            })
        };
        let (ups, downs) = (gather(ups), gather(downs));
        let ancestors = Ancestors::new(&ups, depths, &reader)?;

        let mut reader = section("word pointers")?;
        let (sources, lexical) = lexical(&mut reader, senses.synsets.len())?;
        reader.end()?;
        let (lemmas, lemma_ups) = rows(&senses, &ups, &sources);

        let mut reader = section("masses")?;
        let (total_masses, masses) = masses(&mut reader, layout.n_masses())?;
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
            ups,
            downs,
            lemma_ups,
            lexical,
            ancestors,
            masses,
            total_masses,
            exceptions,
        })
    }
}

/// Layout, number of words of each synset, depths of the inner ones.
fn synsets<'a>(reader: &mut Reader<'a>) -> Result<(Layout, &'a [u8], Depths)> {
    let mut layout = Layout::default();
    for class in 0..8 {
        layout.starts[class + 1] = layout.starts[class] + reader.below(MAX_SYNSETS / 8, "number of synsets")?;
    }
    let n_members = reader.bytes(layout.n_synsets())?;
    let n_inner = layout.n_inner() as usize;
    let (shortest, longest) = (reader.bytes(n_inner)?, reader.bytes(n_inner)?);
    Ok((layout, n_members, shortest.iter().copied().zip(longest.iter().copied()).collect()))
}

struct Senses {
    /// `n_senses[lemma]`
    n_senses: Vec<u8>,
    synsets: Vec<u32>,
    counts: Vec<u32>,
    members: Csr,
}

impl Senses {
    fn read(reader: &mut Reader<'_>, layout: &Layout, n_lemmas: usize, n_members: &[u8]) -> Result<Self> {
        let sum = |lengths: &[u8]| lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
        let n_senses = reader.bytes(n_lemmas)?;
        let n_all = sum(n_senses);
        if n_all != sum(n_members) || n_all > TARGET_MASK as usize {
            return reader.fail(format_args!("{n_all} senses of lemmas, {} words in synsets", sum(n_members)));
        }
        let n_said = reader.count(4)?;
        let classes = reader.bytes(n_all)?;
        let said = planes(reader, n_said, layout.n_synsets(), "synset")?;
        let places = reader.bytes(n_said)?;
        let counts = planes(reader, n_all, usize::MAX, "count")?;

        // The next synset of each class; senses that are not foreseen are of none.
        let mut next: [u32; 8] = std::array::from_fn(|class| layout.starts[class]);
        let mut said = said.iter().zip(places);
        let mut synsets = Vec::with_capacity(n_all);
        let mut members = Csr::from_lengths(n_members, vec![u32::MAX; n_all]);
        let mut class_of = classes.iter();
        for (&n_senses, lemma) in n_senses.iter().zip(0..) {
            for &class in class_of.by_ref().take(usize::from(n_senses)) {
                let (synset, place) = match next.get_mut(usize::from(class)) {
                    Some(next) => {
                        *next += 1;
                        (*next - 1, 0)
                    }
                    None => said.next().map_or((u32::MAX, 0), |(&synset, &place)| (synset, place)),
                };
                match members.row_mut(synset as usize).get_mut(usize::from(place)) {
                    Some(slot) if *slot == u32::MAX => *slot = lemma,
                    _ => return reader.fail(format_args!("synset {synset} has no place {place}, or has it twice")),
                }
                synsets.push(synset);
            }
        }
        Ok(Self { n_senses: n_senses.to_vec(), synsets, counts, members })
    }
}

/// The pointers of every kind.
fn pairs(reader: &mut Reader<'_>, limit: usize) -> Result<Vec<Pairs>> {
    let mut kinds = Vec::with_capacity(PointerKind::ALL.len());
    for _ in PointerKind::ALL {
        let mut lists = Pairs::default();
        for list in &mut lists {
            let n_pairs = reader.count(6)?;
            let sources = ascending(reader, n_pairs, limit, "pointer from")?;
            let targets = planes(reader, n_pairs, limit, "pointer to")?;
            *list = sources.into_iter().zip(targets).collect();
        }
        kinds.push(lists);
    }
    Ok(kinds)
}

/// Every pointer of a kind, those that are the mirror of another kind's as well.
fn both_ways(kinds: &[Pairs], kind: PointerKind) -> impl Iterator<Item = (PointerKind, u32, u32)> {
    let [mirrored, single] = &kinds[kind as usize];
    let back = kind.mirror().map_or(&[][..], |mirror| &kinds[mirror as usize][0]);
    let forth = mirrored.iter().chain(single).map(move |&(source, target)| (kind, source, target));
    forth.chain(back.iter().map(move |&(source, target)| (kind, target, source)))
}

/// Pointers between words: the sources, and all of each.
fn lexical(reader: &mut Reader<'_>, n_senses: usize) -> Result<(Vec<u32>, Vec<Lexical>)> {
    let n_pointers = reader.count(7)?;
    let sources = ascending(reader, n_pointers, n_senses, "pointer from")?;
    let kinds = reader.bytes(n_pointers)?;
    let targets = planes(reader, n_pointers, n_senses, "pointer to")?;
    let mut pointers = Vec::with_capacity(n_pointers);
    for ((&source, &kind), &target) in sources.iter().zip(kinds).zip(&targets) {
        match PointerKind::ALL.get(usize::from(kind)) {
            Some(&kind) => pointers.push(Lexical { source, kind_and_target: packed(kind, target) }),
            None => return reader.fail(format_args!("pointer of kind {kind}")),
        }
    }
    Ok((sources, pointers))
}

/// Where what belongs to each lemma begins; and the pointers up and aside of its synsets, side by side.
fn rows(senses: &Senses, ups: &Csr, lexical_sources: &[u32]) -> (Vec<Row>, Vec<u32>) {
    let mut rows = Vec::with_capacity(senses.n_senses.len() + 1);
    let mut lemma_ups = Vec::with_capacity(senses.synsets.len() * 2);
    let mut row = Row::default();
    for &n_senses in &senses.n_senses {
        rows.push(row);
        for &synset in &senses.synsets[row.sense as usize..][..usize::from(n_senses)] {
            lemma_ups.extend_from_slice(ups.row(synset as usize));
        }
        row.sense += u32::from(n_senses);
        row.up = lemma_ups.len() as u32;
        let rest = lexical_sources[row.lexical as usize..].iter();
        row.lexical += rest.take_while(|source| **source < row.sense).count() as u32;
    }
    rows.push(row);
    (rows, lemma_ups)
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
