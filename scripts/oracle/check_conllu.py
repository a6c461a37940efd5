"""Holds `resay annotate` against another reader of CoNLL-U: what the conllu package reads back from its table must be
what its JSON says, word by word, and the forms with their blanks must give the text. Run by conllu.sh."""

import json
import subprocess
import sys

import conllu

TEXT = """Dr. Lee didn't buy the U.S. company for $3.5 million on March 3, 2021; she rented it.
"Why not?" asked Bob (her brother), who's from Oslo.

Prices rose 5% - again!! See http://example.org/a_b?c=d or mail me@example.org :-)
Ärzte und Bücher \U0001f600\U0001f469\u200d\U0001f467 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u4f60\u597d
tab\there | pipe = equals _ # hash
"""


def run(program, *arguments, text=TEXT):
    return subprocess.run([program, "annotate", *arguments], input=text.encode(), capture_output=True, check=True).stdout.decode()


def main(program):
    table = run(program)
    sentences = conllu.parse(table)
    lines = [json.loads(line) for line in run(program, "--json").splitlines()]
    assert len(sentences) == len(lines) > 4, (len(sentences), len(lines))
    n_words = 0
    for sentence, line in zip(sentences, lines):
        assert sentence.metadata["sent_id"] == str(line["id"])
        assert len(sentence) == len(line["words"])
        raw = line["text"].encode()
        rebuilt = ""
        for number, (token, word) in enumerate(zip(sentence, line["words"]), 1):
            assert token["id"] == number
            assert token["form"] == word["form"] == raw[word["start"] : word["end"]].decode()
            for column, key in [("lemma", "lemma"), ("upos", "upos"), ("xpos", "xpos"), ("deprel", "relation")]:
                # The package reads "_" as nothing, save for forms and lemmas of that very word.
                assert token[column] == word[key] or (token[column] is None and word[key] == "_"), (token[column], word)
            assert token["head"] == word["head"]
            misc = token["misc"] or {}
            assert misc["Chunk"] == word["chunk"] and misc["Entity"] == word["entity"]
            rebuilt += token["form"] + ("" if misc.get("SpaceAfter") == "No" else " ")
            n_words += 1
        assert "".join(rebuilt.split()) == "".join(line["text"].split())
        sentence.to_tree()
    assert run(program, "--format", "conllu", text=table) == table, "annotated text is taken as it is"
    bare = "".join(
        "\t".join([str(token["id"]), token["form"]] + ["_"] * 8) + "\n" + ("\n" if last else "")
        for sentence in sentences
        for token, last in [(token, token is sentence[-1]) for token in sentence]
    )
    again = conllu.parse(run(program, "--format", "conllu", text=bare))
    assert [[t["form"] for t in s] for s in again] == [[t["form"] for t in s] for s in sentences], "tokens are taken as they are"
    print(f"conllu {conllu.__version__ if hasattr(conllu, '__version__') else ''} reads {n_words} words in {len(sentences)} sentences as they were written")


main(sys.argv[1])
