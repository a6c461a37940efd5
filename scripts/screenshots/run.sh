#!/usr/bin/env bash
# Renders pages of `resay compare --html` in a real browser and compares them with the kept pictures.
#
#   scripts/screenshots/run.sh            compares; fails where a page looks otherwise
#   scripts/screenshots/run.sh --update   makes the kept pictures anew: look at them before they are committed
#
# Nothing is installed: it takes the Chromium or Chrome on the path, and the program that was built (or $RESAY).
set -euo pipefail
cd "$(dirname "$0")/../.."

browser=""
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" > /dev/null; then browser="$name"; break; fi
done
if [ -z "$browser" ]; then
    echo "SKIPPED: no chromium or google-chrome on the path, so no page was looked at"
    exit 0
fi

resay="${RESAY:-}"
for program in "${CARGO_TARGET_DIR:-target}/release/resay" "${CARGO_TARGET_DIR:-target}/debug/resay"; do
    if [ -z "$resay" ] && [ -x "$program" ]; then resay="$program"; fi
done
if [ -z "$resay" ]; then
    echo "no program: run cargo build first, or set RESAY" >&2
    exit 2
fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# A blank page's worth of options: the same size and scale everywhere, no sandbox where there is no user, no errands.
browse() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking \
        --disable-component-update --disable-default-apps --disable-sync --no-first-run --hide-scrollbars \
        --force-device-scale-factor=1 --blink-settings=preferredColorScheme=1 --user-data-dir="$folder/profile" \
        --window-size=900,700 "$@" 2> /dev/null
}

page() {
    local name="$1"
    "$resay" compare --quiet "$2" "$3" --html "$folder/$name.html"
    browse --screenshot="$folder/$name.png" "file://$folder/$name.html" > /dev/null
    browse --dump-dom "file://$folder/$name.html" > "$folder/$name.dom"
}

page moved "On Monday the city council gave up its plan to close the old library." \
    "The council abandoned its plan to shut the old library on Monday."
page number "A ticket to Leeds costs 60 euros." "A ticket to Leeds costs 80 euros."
page roles "The nurse thanked the young doctor after the storm." "The young doctor thanked the nurse after the storm."

python3 scripts/screenshots/compare.py "$folder" scripts/screenshots/expected "$@"
