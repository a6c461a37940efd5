#!/usr/bin/env python3
"""Seeds for the fuzz target `model`: every kept model file as it is, and as the plain parts that the target packs.

usage: model_seeds.py MODELS OUT
"""

import json
import pathlib
import struct
import sys
import zlib

models, out = map(pathlib.Path, sys.argv[1:])
out.mkdir(parents=True, exist_ok=True)
for path in sorted(models.glob("*.resay")):
    data = path.read_bytes()
    (out / path.name).write_bytes(data)
    end = 20 + struct.unpack("<I", data[12:16])[0]
    header = json.loads(data[20:end])
    plain = header["about"]["kernel"].encode() + b"\n"
    for entry in header["sections"]:
        content = zlib.decompress(data[end : end + entry["packed"]])
        end += entry["packed"]
        plain += f"{entry['name']} {len(content)}\n".encode() + content
    (out / f"{path.stem}.plain").write_bytes(plain)
