#!/usr/bin/env bash
# Makes the golden figures of crates/resay/tests/golden anew with LIBLINEAR and LIBSVM through scikit-learn.
set -euo pipefail
cd "$(dirname "$0")"
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --requirement requirements.txt
fi
exec .venv/bin/python make_golden.py ../../crates/resay/tests/golden
