# What developers run by hand. `just` alone lists it; nothing here is needed to build: cargo alone does.

# Where corpora are.
data := env("RESAY_DATA", "../shared/data")
resay := "cargo run --quiet --release --locked --package resay-cli --"

# List what there is
default:
    @just --list

# Build the program: target/release/resay
build:
    cargo build --release --locked

# Run all tests
test:
    cargo test --workspace --locked

# Everything that must hold before a change lands
ci:
    .ci/run

# Formatting, lints, and (where cargo-deny is installed) licences
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    if command -v cargo-deny > /dev/null; then cargo deny check licenses bans sources; else echo "SKIPPED: cargo-deny is not installed"; fi

# Measure speed
bench *ARGS:
    cargo bench --locked --package resay {{ ARGS }}

# Fuzz one target (tsv, jsonl, msrp, rte, tokenize, ...) for some seconds
fuzz TARGET SECONDS="60":
    cargo +nightly fuzz run {{ TARGET }} -- -max_total_time={{ SECONDS }} -dict=fuzz/words.dict

# Make the golden figures anew with LIBLINEAR and LIBSVM
oracle:
    scripts/oracle/run.sh

# Look at pages in a browser and compare them with the kept screenshots
screenshots *ARGS:
    scripts/screenshots/run.sh {{ ARGS }}

# Train the bundled models anew; the same data gives the same bytes
models:
    {{ resay }} train --task paraphrase --kernel "kb(k=1..4)+pr" --max-rules 50000 --no-examples \
        --note "MSR Paraphrase Corpus (train part), Microsoft shared source licence; rules and weights only" \
        "{{ data }}/msrp/msr_paraphrase_train.txt" -o models/paraphrase.resay
    {{ resay }} train --task entailment --kernel "kb(k=1..4)+pr" --max-rules 50000 --no-examples \
        --note "RTE-1 and RTE-2 (dev and test), RTE-3 (dev), for research; rules and weights only" \
        "{{ data }}/rte/rte1_dev.xml" "{{ data }}/rte/rte1_test.xml" "{{ data }}/rte/rte2_dev.xml" \
        "{{ data }}/rte/rte2_test.xml" "{{ data }}/rte/rte3_dev.xml" -o models/entailment.resay
    {{ resay }} train --task paraphrase --learner combined --max-rules 20000 --cost 0.02 --practice contrast/practice.tsv \
        --note "MSR Paraphrase Corpus (train part), Microsoft shared source licence, and our own contrast/practice.tsv; rules and weights only" \
        "{{ data }}/msrp/msr_paraphrase_train.txt" -o models/judge-paraphrase.resay
    awk -F'\t' 'NR==1 || $2!="quantifier" && $2!="tense" && $2!="reworded"' contrast/practice.tsv > target/practice-entailment.tsv
    {{ resay }} train --task entailment --learner combined --max-rules 20000 --practice target/practice-entailment.tsv \
        --note "RTE-1 and RTE-2 (dev and test), RTE-3 (dev), for research, and our own contrast/practice.tsv without quantifier and tense; rules and weights only" \
        "{{ data }}/rte/rte1_dev.xml" "{{ data }}/rte/rte1_test.xml" "{{ data }}/rte/rte2_dev.xml" \
        "{{ data }}/rte/rte2_test.xml" "{{ data }}/rte/rte3_dev.xml" -o models/judge-entailment.resay
    {{ resay }} train --task align \
        --note "MSR06 alignments of RTE-2 (dev, for research) and Edinburgh++ (train); weights only" \
        "{{ data }}/msr06/converted/RTE2_dev_M.align.txt" "{{ data }}/edinburgh/gold.train.sure.json" -o models/align.resay

# Measure the papers' tables anew
reproduce *TABLES:
    {{ resay }} reproduce --data "{{ data }}" {{ TABLES }}
