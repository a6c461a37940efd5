"""Compares screenshots with kept ones, as far as fonts and machines allow, and pages with what must be on them.

Given: a folder with NAME.png (900 x 700) and NAME.dom (the page as the browser has it), and the folder of kept pictures.
A kept picture is the screenshot at half its size. Both are averaged over squares of 20 pixels, in which another font
changes little and another layout much; a page fails if more than a share of the squares differ by more than a level.
Only the standard library is needed.
"""

import re
import struct
import sys
import zlib
from pathlib import Path

SQUARE = 20
LEVEL = 28
SHARE = 0.08
# What a browser must have on each page: patterns, and how often each is there at least.
FACTS = {
    "moved": {r'class="moved box"': 2, r'class="moved link"': 1, r'class="reworded link"': 2, r'class="only box"': 1},
    "number": {r'class="differs box"': 2, r'class="differs link"': 1, r">different number</text>": 1, r">60</text>": 1},
    "roles": {r'class="differs box"': 4, r'class="differs link"': 2, r'class="pill"': 1},
}
EVERYWHERE = {r'<ul class="verdicts">': 1, r'<table class="waterfall">': 3, r"<h1>": 1, r'class="probability"': 3}


def read_png(path):
    """Width, height and rows of RGB of a PNG of 8 bits a channel, as browsers and this file write them."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"IDAT":
            packed += chunk
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = head
    assert depth == 8 and colour in (2, 6) and interlaced == 0, f"{path}: a PNG of a kind that is not read here"
    n = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * n)
    for y in range(height):
        start = y * (width * n + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + width * n])
        for x in range(width * n):
            left = row[x - n] if x >= n else 0
            up, corner = before[x], before[x - n] if x >= n else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                p = left + up - corner
                nearest = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))
                guess = nearest[2]
            else:
                break
            row[x] = (row[x] + guess) & 255
        before = row
        rows.append(bytes(value for x in range(width) for value in row[x * n : x * n + 3]))
    return width, height, rows


def write_png(path, width, height, rows):
    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    raw = b"".join(b"\0" + row for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")
    )


def shrunk(width, height, rows, by):
    """Means of squares of `by` pixels."""
    out = []
    for top in range(0, height - by + 1, by):
        line = bytearray()
        for left in range(0, width - by + 1, by):
            for channel in range(3):
                values = [rows[top + y][(left + x) * 3 + channel] for y in range(by) for x in range(by)]
                line.append(sum(values) // len(values))
        out.append(bytes(line))
    return width // by, height // by, out


def main():
    folder, kept, update = Path(sys.argv[1]), Path(sys.argv[2]), "--update" in sys.argv[3:]
    faults = []
    for name, facts in FACTS.items():
        half = shrunk(*read_png(folder / f"{name}.png"), 2)
        if update:
            write_png(kept / f"{name}.png", *half)
        squares = shrunk(*half, SQUARE // 2)
        expected = shrunk(*read_png(kept / f"{name}.png"), SQUARE // 2)
        if squares[:2] != expected[:2]:
            faults.append(f"{name}: {squares[:2]} squares, expected {expected[:2]}")
            continue
        n, n_other, n_blank = squares[0] * squares[1], 0, 0
        ground = squares[2][0][:3]
        for row, other in zip(squares[2], expected[2]):
            for x in range(0, len(row), 3):
                n_other += max(abs(a - b) for a, b in zip(row[x : x + 3], other[x : x + 3])) > LEVEL
                n_blank += row[x : x + 3] == ground
        print(f"{name}: {n_other / n:.1%} of the squares differ, {n_blank / n:.0%} are blank")
        if n_other > SHARE * n:
            faults.append(f"{name}: {n_other / n:.1%} of the squares differ, {SHARE:.0%} may")
        if n_blank > 0.9 * n:
            faults.append(f"{name}: nearly nothing is on the page")
        dom = (folder / f"{name}.dom").read_text(encoding="utf-8")
        for pattern, least in {**EVERYWHERE, **facts}.items():
            found = len(re.findall(pattern, dom))
            if found < least:
                faults.append(f"{name}: {found} of {pattern}, expected {least} at least")
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print("If pages were meant to change: scripts/screenshots/run.sh --update, and look.", file=sys.stderr)
        sys.exit(1)


main()
