"""What NLTK's WordNet reader says of the same files, for crates/resay-text/tests/golden.rs.

For every lemma, part of speech and relation the set of related lemmas is taken from NLTK's synsets; the sets themselves
are not kept, but their number and a digest for each initial letter, so that a difference can be found. Similarities
are NLTK's own functions on fixed pseudo-random pairs, base forms its `_morphy`. Departures of ours are made here too,
each where it says "ours". Run by run.sh, with the folder of the golden figures and that of the corpora.

A digest is the sum (mod 2^64) of the 64-bit FNV-1a hashes of lines; order does not matter.
"""

import json
import struct
import sys
import tarfile
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader

POS = "nvar"
MASK = (1 << 64) - 1
PRIME = 0x100000001B3
BASIS = 0xCBF29CE484222325
ENDINGS = ["", "s", "es", "ies", "ses", "ves", "xes", "ches", "ed", "ing", "er", "est", "men"]


def fnv(text, state=BASIS):
    for byte in text.encode():
        state = (state ^ byte) * PRIME & MASK
    return state


class Digests:
    """Number of lines, and a digest for each initial letter of what the line is about."""

    def __init__(self):
        self.n_lines = 0
        self.letters = defaultdict(int)

    def add(self, about, prefix, rest):
        letter = about[0] if about[0].isalpha() else "other"
        state = fnv(prefix)
        for text in rest:
            self.n_lines += 1
            self.letters[letter] = self.letters[letter] + fnv(text, state) & MASK

    def show(self):
        return {"lines": self.n_lines, "letters": {key: f"{self.letters[key]:016x}" for key in sorted(self.letters)}}


class Reader(WordNetCorpusReader):
    """The reader without what it would fetch from elsewhere: a map to other versions, and the version again and again."""

    def map_wn(self, version="wordnet"):
        return None

    def get_version(self):
        return "3.0"


def open_reader(root):
    # Names of lexicographer files and counts are asked for and not used: counts are read from index.sense.
    (root / "lexnames").write_text("".join(f"{number:02}\tfile{number}\t1\n" for number in range(45)))
    (root / "cntlist.rev").write_text("")
    # NLTK opens only what lies below its folders.
    nltk.data.path.insert(0, str(root.parent))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Reader(str(root), None)


def synsets(reader, lemma, pos):
    offsets = reader._lemma_pos_offset_map[lemma].get(pos, [])
    return [reader.synset_from_pos_and_offset(pos, offset) for offset in offsets]


def names(found):
    return {word.lower() for synset in found for word in synset.lemma_names()}


def closure(start, step, depth):
    """Synsets that are met within so many steps; the start only where a circle leads back to it."""
    found, level = set(), [start]
    while level and depth > 0:
        level = {target for synset in level for target in step(synset)} - found
        found |= level
        depth -= 1
    return found


def up(synset):
    return synset.hypernyms() + synset.instance_hypernyms()


def down(synset):
    return synset.hyponyms() + synset.instance_hyponyms()


def inherited(senses, step, depth):
    """Synsets that are met from some sense; one that is met from itself alone, by a circle, is not."""
    found = set()
    for sense in senses:
        found |= closure(sense, step, depth) - {sense}
    return found


def lexical(senses, lemma, step):
    own = (word for synset in senses for word in synset.lemmas() if word.name().lower() == lemma)
    return {target.name().lower() for word in own for target in step(word)}


def spread(senses, *steps):
    return names({target for synset in senses for step in steps for target in step(synset)})


RELATIONS = {
    "synonym": lambda senses, lemma: names(senses),
    "antonym": lambda senses, lemma: lexical(senses, lemma, lambda word: word.antonyms()),
    "hypernym 1": lambda senses, lemma: names(inherited(senses, up, 1)),
    "hypernym 3": lambda senses, lemma: names(inherited(senses, up, 3)),
    "hypernym 255": lambda senses, lemma: names(inherited(senses, up, 255)),
    "hyponym 1": lambda senses, lemma: names(inherited(senses, down, 1)),
    "hyponym 3": lambda senses, lemma: names(inherited(senses, down, 3)),
    "entailment": lambda senses, lemma: spread(senses, lambda synset: synset.entailments()),
    "cause": lambda senses, lemma: spread(senses, lambda synset: synset.causes()),
    "holonym": lambda senses, lemma: spread(
        senses,
        lambda synset: synset.member_holonyms(),
        lambda synset: synset.part_holonyms(),
        lambda synset: synset.substance_holonyms(),
    ),
    "meronym": lambda senses, lemma: spread(
        senses,
        lambda synset: synset.member_meronyms(),
        lambda synset: synset.part_meronyms(),
        lambda synset: synset.substance_meronyms(),
    ),
    "similar": lambda senses, lemma: spread(senses, lambda synset: synset.similar_tos()),
    "derivation": lambda senses, lemma: lexical(senses, lemma, lambda word: word.derivationally_related_forms()),
}

# The other pointers, between synsets and between words.
POINTERS = {
    "pertainym": (None, lambda word: word.pertainyms()),
    "participle": (None, lambda word: word._related("<")),
    "attribute": (lambda synset: synset.attributes(), None),
    "verb group": (lambda synset: synset.verb_groups(), lambda word: word.verb_groups()),
    "also see": (lambda synset: synset.also_sees(), lambda word: word.also_sees()),
    "topic": (lambda synset: synset.topic_domains(), lambda word: word.topic_domains()),
    "region": (lambda synset: synset.region_domains(), lambda word: word.region_domains()),
    "usage": (lambda synset: synset.usage_domains(), lambda word: word.usage_domains()),
    "in topic": (lambda synset: synset.in_topic_domains(), lambda word: word.in_topic_domains()),
    "in region": (lambda synset: synset.in_region_domains(), lambda word: word.in_region_domains()),
    "in usage": (lambda synset: synset.in_usage_domains(), lambda word: word.in_usage_domains()),
}


def pointed(senses, lemma, steps):
    of_synset, of_word = steps
    found = spread(senses, of_synset) if of_synset else set()
    return found | (lexical(senses, lemma, of_word) if of_word else set())


def relations(reader, lemmas):
    kinds = dict(RELATIONS)
    for name, steps in POINTERS.items():
        kinds[name] = lambda senses, lemma, steps=steps: pointed(senses, lemma, steps)
    digests = {pos: {kind: Digests() for kind in kinds} for pos in POS}
    for lemma in lemmas:
        for pos in POS:
            senses = synsets(reader, lemma, pos)
            if senses:
                for kind, related in kinds.items():
                    digests[pos][kind].add(lemma, f"{lemma}\t", related(senses, lemma))
    return {pos: {kind: found.show() for kind, found in of_pos.items()} for pos, of_pos in digests.items()}


def senses(reader, lemmas, counts):
    """Order of senses, words of synsets in their order (ours: spellings that differ in case only once), tag counts."""
    digests = Digests()
    for lemma in lemmas:
        for pos in POS:
            for number, synset in enumerate(synsets(reader, lemma, pos)):
                words = ",".join(dict.fromkeys(word.lower() for word in synset.lemma_names()))
                keys = {word.key() for word in synset.lemmas() if word.name().lower() == lemma}
                count = sum(counts[key] for key in keys)
                digests.add(lemma, f"{lemma}\t{pos}\t{number}\t{words}\t{count}", [""])
    return digests.show()


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        bits = self.state
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
        return ((bits ^ bits >> 31) * limit) >> 64


def information(reader, path):
    """Counts as NLTK reads them, and ours: each synset met once more, and so all above it; kept as 32-bit floats."""
    counts = {"n": defaultdict(float), "v": defaultdict(float)}
    for line in path.read_text().splitlines()[1:]:
        key, value, *root = line.split()
        counts[key[-1]][int(key[:-1])] = float(value)
        if root:
            counts[key[-1]][0] += float(value)
    for pos in "nv":
        for synset in reader.all_synsets(pos):
            for above in {above for level in synset._iter_hypernym_lists() for above in level}:
                counts[pos][above.offset()] += 1
            counts[pos][0] += 1
        for offset in counts[pos]:
            if offset:
                counts[pos][offset] = struct.unpack("f", struct.pack("f", counts[pos][offset]))[0]
    return counts


def similarity(reader, counts, a, b):
    best = {}
    for pos in POS:
        for one in synsets(reader, a, pos):
            for other in synsets(reader, b, pos):
                if one == other:
                    found = (1.0, 1.0, 1.0)  # Ours: a synset is wholly like itself.
                elif pos in "ar":
                    continue  # Ours: there is no hierarchy.
                else:
                    # Ours: the larger of both orders.
                    wu_palmer = max(one.wup_similarity(other), other.wup_similarity(one))
                    found = (one.path_similarity(other), wu_palmer, one.lin_similarity(other, counts))
                for kind, value in enumerate(found):
                    best[kind] = max(value, best.get(kind, 0.0))
    return [round(best[kind], 9) for kind in range(3)] if best else None


def cut_circle(reader):
    """Ours: the circle of hypernyms is cut at its first synset, which counts as a root. NLTK gives up there."""
    for inhibit in synsets(reader, "inhibit", "v"):
        for restrain in inhibit.hypernyms():
            if inhibit in restrain.hypernyms():
                inhibit.min_depth = inhibit.max_depth = lambda _visited=None: 0
                return
    raise ValueError("no circle")


def similarities(reader, lemmas, counts, frequencies):
    random = SplitMix(20_060)
    frequent = [lemma for lemma in lemmas if frequencies[lemma] >= 10]
    pairs = [(lemmas[random.below(len(lemmas))], lemmas[random.below(len(lemmas))]) for _ in range(1000)]
    pairs += [(frequent[random.below(len(frequent))], frequent[random.below(len(frequent))]) for _ in range(600)]
    # Words that are close: somewhere above, and beside.
    while len(pairs) < 2000:
        lemma = lemmas[random.below(len(lemmas))]
        senses = [synset for pos in "nv" for synset in synsets(reader, lemma, pos)]
        above = sorted(names(inherited(senses, up, 2)))
        beside = sorted(names({near for synset in senses for parent in up(synset) for near in down(parent)}))
        if above and beside:
            pairs.append((lemma, above[random.below(len(above))]))
            pairs.append((beside[random.below(len(beside))], lemma))
    circle = ["inhibit", "restrain", "suppress", "keep", "hold_back", "cut", "entity", "thing", "dog", "good", "well"]
    pairs += [(a, b) for a in circle for b in circle]
    return [[a, b, similarity(reader, counts, a, b)] for a, b in pairs]


def morphy(reader, lemmas):
    digests = Digests()
    for lemma in lemmas[::7]:
        for ending in ENDINGS:
            for pos in POS:
                found = ",".join(reader._morphy(lemma + ending, pos))
                digests.add(lemma, f"{lemma}{ending}\t{pos}\t{found}", [""])
    irregular = sorted({form for pos in POS for form in reader._exception_map[pos]})
    forms = [[form, [reader._morphy(form, pos) for pos in POS]] for form in irregular[::2]]
    return {"endings": ENDINGS, "every": 7, "regular": digests.show(), "irregular": forms}


def main():
    folder, data = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        for archive in ["wordnet-3.0.tar.gz", "wordnet-ic.tar.gz"]:
            with tarfile.open(data / archive) as files:
                files.extractall(temporary, filter="data")
        reader = open_reader(Path(temporary) / "wordnet-3.0")
        lemmas = sorted(reader.all_lemma_names())
        tags, frequencies = defaultdict(int), defaultdict(int)
        for line in (Path(temporary) / "wordnet-3.0/index.sense").read_text().splitlines():
            key, _, _, count = line.split()
            tags[key] = int(count)
            frequencies[key.split("%")[0]] += int(count)
        golden = {
            "lemmas": len(lemmas),
            "senses": senses(reader, lemmas, tags),
            "relations": relations(reader, lemmas),
            "morphy": morphy(reader, lemmas),
        }
        cut_circle(reader)
        counts = information(reader, Path(temporary) / "wordnet-ic/resnik-ic3.txt")
        golden["similarities"] = similarities(reader, lemmas, counts, frequencies)
    (folder / "wordnet.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


main()
