#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets provenance of a study, with the checksum that belongs to it: study_meta.py STUDY KEY VALUE"""
import sqlite3
import struct
import sys
import zlib

TEXT = 3  # SQLITE_TEXT

study = sqlite3.connect(sys.argv[1])
if study.execute("UPDATE meta SET value = ? WHERE key = ?", (sys.argv[3], sys.argv[2])).rowcount != 1:
    sys.exit(f"{sys.argv[1]} has no {sys.argv[2]}")
crc = 0
for row in study.execute("SELECT key, value FROM meta ORDER BY key"):
    for text in row:
        content = text.encode()
        crc = zlib.crc32(struct.pack("<Bq", TEXT, len(content)) + content, crc)
study.execute("UPDATE checksum SET crc = ? WHERE part = 'provenance'", (crc,))
study.commit()
