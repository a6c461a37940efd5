# Sourced by run and full: keeps count of the checks that are skipped, for their last line.

# Tests append a line for each check that cannot run here (crates/resay-testing).
RESAY_SKIPS="$(mktemp)"
export RESAY_SKIPS
trap 'rm -f "$RESAY_SKIPS"' EXIT

# skip CHECK REASON
skip() {
    echo "SKIPPED: $1 ($2)"
    echo "$1 ($2)" >> "$RESAY_SKIPS"
}

# The last line: that all passed, and every check that was skipped, once each with its first reason.
passed() {
    LC_ALL=C sort "$RESAY_SKIPS" | awk -v what="$1" '
        { name = $0; sub(/ \(.*/, "", name) }
        !(name in seen) { seen[name] = 1; list = list (n++ ? ", " : "") $0 }
        END {
            if (n) printf "%s passed; %d check%s skipped: %s\n", what, n, n == 1 ? "" : "s", list
            else printf "%s passed; no check skipped\n", what
        }'
}
