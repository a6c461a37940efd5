#!/usr/bin/env bash
# Reads what `resay annotate` writes with the conllu package from PyPI: scripts/oracle/conllu.sh [PROGRAM]
set -euo pipefail
program="$(realpath "${1:-$(dirname "$0")/../../target/release/resay}")"
cd "$(dirname "$0")"
if [ ! -x .venv-conllu/bin/python ]; then
    python3 -m venv .venv-conllu
    .venv-conllu/bin/pip install --quiet conllu==6.0.0
fi
exec .venv-conllu/bin/python check_conllu.py "$program"
