//! Reads the table's file. All data are numbers in flat lists. What is derived here (senses by
//! lemma, mirrored pointers, ancestors) takes a few milliseconds to compute; storing it would take
//! longer to unpack.
//!
//! Lists follow each other without gaps. A *number* is a varint of seven-bit groups; *planes* are a
//! list of three-byte numbers: first the lowest bytes of all, then the middle, then the highest
//! ones.
//!
//! ```text
//! words          the lemmas, sorted: see `words.rs`
//! synsets        number of synsets of each class: inner nouns, verbs, adjectives, adverbs,
//!                then the leaves likewise
//!                bytes: number of words of each synset
//!                bytes: length of the shortest path to a root for each inner synset; then the
//!                longest for each
//! senses         bytes: number of senses of each lemma
//!                number of senses stored explicitly below (the others are predicted)
//!                bytes, for each sense: the class (0 to 7) if it is the first word of the next
//!                synset of that class, 8 if not
//!                planes: synset, then bytes: position in the synset, for each explicit sense
//!                for each sense its tag count: lower bytes of all, then the upper ones
//! pointers       for each kind two lists: pointers that exist in both directions, and the
//!                others; each a number, then planes: source (distance from its predecessor),
//!                then planes: target
//! word pointers  number, planes: source sense (distance from its predecessor), bytes: kind,
//!                planes: target sense
//! masses         two doubles: noun and verb roots; then one float per synset up to the leaf
//!                verbs, in four planes
//! exceptions     for each part of speech: the forms, as `words`; bytes: number of lemmas of
//!                each; the lemmas as numbers
//! ```

use super::ancestors::{Ancestors, MAX_SYNSETS};
use super::table::Csr;
use super::words::Words;
use super::{LAST_UP, Layout, Lexical, PointerKind, Row, TARGET_MASK, WordNet, packed};
use crate::Result;
use crate::container::{Container, SectionReader};

/// Pointers of one kind: sources and targets of those that exist in both directions, and of the
/// others.
type Pairs = [(Vec<u32>, Vec<u32>); 2];

/// Shortest and longest path to a root of every inner synset.
type Depths = Vec<(u8, u8)>;

/// Reads numbers of three bytes each, all below `limit`.
fn planes(reader: &mut SectionReader<'_>, len: usize, limit: usize, what: &str) -> Result<Vec<u32>> {
    let (low, middle, high) = (reader.bytes(len)?, reader.bytes(len)?, reader.bytes(len)?);
    let bytes = low.iter().zip(middle).zip(high);
    let numbers: Vec<u32> = bytes.map(|((&low, &middle), &high)| u32::from_le_bytes([low, middle, high, 0])).collect();
    match numbers.iter().max() {
        Some(&most) if most as usize >= limit => reader.fail(format_args!("{what} {most}, expected one below {limit}")),
        _ => Ok(numbers),
    }
}

/// Reads non-decreasing numbers below `limit`, stored as differences.
fn ascending(reader: &mut SectionReader<'_>, len: usize, limit: usize, what: &str) -> Result<Vec<u32>> {
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
    /// Opens a table. `name` is used in error messages. Any input is either opened or rejected.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "wordnet")?;
        let section =
            |section| -> Result<_> { Ok(SectionReader::new(name, section, container.section(name, section)?)) };

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

/// Reads the layout, the number of words per synset, and the depths of the inner synsets.
fn synsets<'a>(reader: &mut SectionReader<'a>) -> Result<(Layout, &'a [u8], Depths)> {
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
    /// `n_senses[lemma]` is its number of senses.
    n_senses: Vec<u8>,
    synsets: Vec<u32>,
    counts: Vec<u16>,
    members: Csr,
}

impl Senses {
    fn read(reader: &mut SectionReader<'_>, layout: &Layout, n_lemmas: usize, n_members: &[u8]) -> Result<Self> {
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
        let (low, high) = (reader.bytes(n_all)?, reader.bytes(n_all)?);
        let counts = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect();

        // The next synset of each class. Explicit senses have no class.
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

/// Reads the pointers of every kind.
fn pairs(reader: &mut SectionReader<'_>, limit: usize) -> Result<Vec<Pairs>> {
    let mut kinds = Vec::with_capacity(PointerKind::ALL.len());
    for _ in PointerKind::ALL {
        let mut lists = Pairs::default();
        for list in &mut lists {
            let n_pairs = reader.count(6)?;
            let sources = ascending(reader, n_pairs, limit, "pointer from")?;
            let targets = planes(reader, n_pairs, limit, "pointer to")?;
            *list = (sources, targets);
        }
        kinds.push(lists);
    }
    Ok(kinds)
}

/// Returns every pointer of a kind, including the mirrors of another kind's.
fn both_ways<'a>(kinds: &'a [Pairs], kind: PointerKind) -> impl Iterator<Item = (PointerKind, u32, u32)> + 'a {
    let of = |(sources, targets): &'a (Vec<u32>, Vec<u32>)| sources.iter().zip(targets);
    let [mirrored, single] = &kinds[kind as usize];
    let back = kind.mirror().map(|mirror| of(&kinds[mirror as usize][0]));
    let back = back.into_iter().flatten().map(|(source, target)| (target, source));
    of(mirrored).chain(of(single)).chain(back).map(move |(&source, &target)| (kind, source, target))
}

/// Reads the pointers between words: the sources, and the full pointers.
fn lexical(reader: &mut SectionReader<'_>, n_senses: usize) -> Result<(Vec<u32>, Vec<Lexical>)> {
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

/// Returns where the data of each lemma begin, and the concatenated upward and sideways pointers of
/// its synsets.
fn rows(senses: &Senses, ups: &Csr, lexical_sources: &[u32]) -> (Vec<Row>, Vec<u32>) {
    let mut rows = Vec::with_capacity(senses.n_senses.len() + 1);
    let mut lemma_ups = Vec::with_capacity(senses.synsets.len() * 2);
    let mut row = Row::default();
    for &n_senses in &senses.n_senses {
        rows.push(row);
        for &synset in &senses.synsets[row.sense as usize..][..usize::from(n_senses)] {
            // Nearly always one or two pointers, for which copying the slice would be slower.
            for &pointer in ups.row(synset as usize) {
                lemma_ups.push(pointer);
            }
        }
        row.sense += u32::from(n_senses);
        row.up = lemma_ups.len() as u32;
        let rest = lexical_sources[row.lexical as usize..].iter();
        row.lexical += rest.take_while(|source| **source < row.sense).count() as u32;
    }
    rows.push(row);
    (rows, lemma_ups)
}

fn masses(reader: &mut SectionReader<'_>, n_synsets: usize) -> Result<([f64; 2], Vec<f32>)> {
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

#[cfg(test)]
mod tests {
    use super::super::{LemmaId, Pos, SenseId, SynsetId, toy};
    use super::*;
    use crate::container::Origin;
    use crate::container::{MAX_SIZE, put};
    use proptest::prelude::*;

    const SECTIONS: [&str; 7] = ["words", "synsets", "senses", "pointers", "word pointers", "masses", "exceptions"];

    #[test]
    fn what_was_written_is_read() {
        let (source, wordnet) = (toy::source(), toy::wordnet());
        assert_eq!((wordnet.n_lemmas(), wordnet.n_synsets(), wordnet.n_senses()), (17, 16, 20));
        assert_eq!(wordnet.origin(), &toy::origin());
        for (number, word) in (0..).zip(&source.lemmas) {
            assert_eq!((wordnet.lemma(word), wordnet.word(LemmaId(number))), (Some(LemmaId(number)), word.as_str()));
        }
        let mut pointers = Vec::new();
        for (number, synset) in (0..).zip(&source.synsets) {
            let id = SynsetId(number);
            assert_eq!(wordnet.pos(id), Some(synset.pos));
            assert!(wordnet.members(id).eq(synset.words.iter().map(|word| LemmaId(word.lemma))));
            for word in &synset.words {
                let sense = wordnet.senses(LemmaId(word.lemma), Some(synset.pos)).nth(usize::from(word.sense)).unwrap();
                assert_eq!(wordnet.synset_of(sense), Some(id));
                assert_eq!(wordnet.lemma_of(sense), Some(LemmaId(word.lemma)));
                assert_eq!(wordnet.tag_count(sense), u32::from(word.count));
            }
            pointers.extend(wordnet.pointers(id).map(|(kind, target)| (kind, number, target.0)));
        }
        pointers.sort_unstable();
        assert!(source.pointers.iter().eq(&pointers));
        let mut pointers = Vec::new();
        for lemma in 0..17 {
            for (from, kind, to) in wordnet.word_pointers(LemmaId(lemma)) {
                let place = |sense| (wordnet.lemma_of(sense).unwrap().0, wordnet.synset_of(sense).unwrap().0);
                pointers.push((kind, place(from), place(to)));
            }
        }
        pointers.sort_unstable();
        assert!(source.word_pointers.iter().eq(&pointers));
    }

    /// Runs every query for every id in range, and for some beyond.
    fn ask(wordnet: &WordNet) {
        let parts = [None, Some(Pos::Noun), Some(Pos::Verb), Some(Pos::Adverb)];
        let lemmas: Vec<LemmaId> = (0..wordnet.n_lemmas() as u32 + 2).chain([u32::MAX]).map(LemmaId).collect();
        for &a in &lemmas {
            let _ = wordnet.lemma(wordnet.word(a));
            let _ = wordnet.morphy(&format!("{}s", wordnet.word(a)), Pos::Noun);
            let _ = wordnet.word_pointers(a).count();
            for &b in &lemmas {
                for pos in parts {
                    let _ = wordnet.relations(a, pos, b, None, 3);
                    let _ = wordnet.relations(a, None, b, pos, u8::MAX);
                }
                let _ = wordnet.path_similarity(a, None, b, None);
                let _ = wordnet.wu_palmer_similarity(a, None, b, Some(Pos::Noun));
                let _ = wordnet.lin_similarity(a, Some(Pos::Verb), b, None);
            }
        }
        for synset in (0..wordnet.n_synsets() as u32 + 2).chain([u32::MAX]).map(SynsetId) {
            let _ = (wordnet.pos(synset), wordnet.information(synset), wordnet.pointers(synset).count());
            wordnet.members(synset).for_each(|member| assert!((member.0 as usize) < wordnet.n_lemmas()));
        }
        for sense in (0..wordnet.n_senses() as u32 + 2).chain([u32::MAX]).map(SenseId) {
            let _ = (wordnet.tag_count(sense), wordnet.synset_of(sense), wordnet.lemma_of(sense));
        }
    }

    /// Returns the toy's file with one section changed, and checksums and lengths fixed.
    fn with(section: &str, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        let file = toy::source().pack(toy::origin()).unwrap();
        let whole: Container<Origin> = Container::unpack("toy.resay", &file).unwrap();
        let mut container = Container::new(toy::origin());
        for name in SECTIONS {
            let mut bytes = whole.section("toy.resay", name).unwrap().to_vec();
            if name == section {
                change(&mut bytes);
            }
            container.push(name, bytes);
        }
        container.pack().unwrap()
    }

    proptest! {
        #[test]
        fn any_bytes_are_opened_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(WordNet::open("w.resay", &bytes).is_err());
        }

        #[test]
        fn damaged_sections_are_refused_or_safe(
            section in 0..SECTIONS.len(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let file = with(SECTIONS[section], |bytes| {
                let len = bytes.len();
                changes.iter().for_each(|(place, byte)| bytes[place.index(len)] = *byte);
                if let Some(place) = cut {
                    bytes.truncate(place.index(bytes.len()));
                }
            });
            if let Ok(wordnet) = WordNet::open("w.resay", &file) {
                ask(&wordnet);
            }
        }
    }

    #[test]
    fn the_whole_toy_can_be_asked() {
        ask(&toy::wordnet());
    }

    #[test]
    fn faults_are_named() {
        let check = |section: &str, change: &dyn Fn(&mut Vec<u8>), expected: &str| {
            let error = WordNet::open("w.resay", &with(section, change)).unwrap_err().to_string();
            assert_eq!(error, format!("w.resay: section '{section}': {expected}: the model is damaged"));
        };
        check("words", &|bytes| bytes.push(0), "1 bytes too many");
        check("synsets", &|bytes| bytes[7] = 9, "it ends too early");
        check("senses", &|bytes| bytes[0] = 9, "28 senses of lemmas, 20 words in synsets");
        check("senses", &|bytes| bytes[18] = 7, "synset 16 has no place 0, or has it twice");
        check("masses", &|bytes| bytes[16..].fill(0), "a mass is not a number above zero");
        check("pointers", &|bytes| *bytes = [9; 9].to_vec(), "a list of 9 entries in 8 bytes");
        check("word pointers", &|bytes| *bytes = vec![1, 0, 0, 0, 26, 0, 0, 0], "pointer of kind 26");
        check(
            "word pointers",
            &|bytes| *bytes = vec![1, 20, 0, 0, 0, 0, 0, 0],
            "pointer from 20, expected one below 20",
        );
        let mut huge = Vec::new();
        put(&mut huge, MAX_SIZE as u64);
        check("synsets", &|bytes| *bytes = huge.clone(), "number of synsets 1073741824, expected one below 2097152");
    }

    #[test]
    fn another_resource_is_refused() {
        let origin = Origin { resource: "tagger".to_owned(), ..toy::origin() };
        let error = WordNet::open("w.resay", &toy::source().pack(origin).unwrap()).unwrap_err();
        let expected = "w.resay: this is 'tagger', expected 'wordnet': give the right file";
        assert_eq!(error.to_string(), expected);
    }
}
