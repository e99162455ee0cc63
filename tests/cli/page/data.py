# SPDX-License-Identifier: GPL-3.0-or-later
"""The data in a page."""
import base64
import json
import re
import zlib


def read(path):
    with open(path, encoding="utf-8") as page:
        packed = re.search(r'id="data">([^<]*)</script>', page.read()).group(1)
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def combination(data, number=0):
    """One combination, each study with what all combinations have in common."""
    one = dict(data["combinations"][number])
    for side in ("head", "base"):
        if side in one:
            contexts = {**data[side]["contexts"], **one[side]["contexts"]}
            one[side] = {**data[side], **one[side], "contexts": contexts}
    return one
