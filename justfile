# What developers run by hand. `just` alone lists it; nothing here is needed to build: cargo alone does.

# Where corpora are.
data := env("RESAY_DATA", "../shared/data")

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

# The long checks
full:
    .ci/full

# Formatting and lints
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Hold fast code to its bounds
bench *ARGS:
    cargo bench --locked --package resay {{ ARGS }}

# Measure speed by one experiment of the lab (align, judge, ratio, ...)
experiment NAME *ARGS:
    cargo bench --locked --package resay-lab --bench {{ NAME }} -- {{ ARGS }}

# Fuzz one target (tsv, jsonl, msrp, rte, tokenize, ...) for some seconds
fuzz TARGET SECONDS="60":
    cargo +nightly fuzz run {{ TARGET }} -- -max_total_time={{ SECONDS }} -dict=fuzz/words.dict

# Make the golden figures anew with LIBLINEAR and LIBSVM
oracle:
    scripts/oracle/run.sh

# Look at pages in a browser and compare them with the kept screenshots
screenshots *ARGS:
    scripts/screenshots/run.sh {{ ARGS }}

# Make the bundled files for which something changed; the same data gives the same bytes
models *ARGS:
    cargo run --quiet --release --locked --package resay-lab -- make --data "{{ data }}" {{ ARGS }}

# Measure the papers' tables anew
reproduce *TABLES:
    cargo run --quiet --release --locked --package resay-lab -- reproduce --data "{{ data }}" {{ TABLES }}
