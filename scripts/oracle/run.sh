#!/usr/bin/env bash
# Makes the golden figures of the tests of resay-learn and resay-text anew: LIBLINEAR and LIBSVM through scikit-learn, WordNet through NLTK.
set -euo pipefail
cd "$(dirname "$0")"
learn=../../crates/resay-learn/tests/golden
text=../../crates/resay-text/tests/golden
data=${RESAY_DATA:-../../../shared/data}
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --requirement requirements.txt
fi
.venv/bin/python make_golden.py "$learn"
if [ -d "$data" ]; then
    .venv/bin/python wordnet.py "$text" "$data"
else
    echo "SKIPPED: wordnet.json, there is no folder $data with the corpora; name it by RESAY_DATA"
fi
