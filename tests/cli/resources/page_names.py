# SPDX-License-Identifier: GPL-3.0-or-later
"""page_names.py PAGE: the data of a page, as JSON."""
import base64
import re
import sys
import zlib

packed = re.search(r'id="data">([^<]*)</script>', open(sys.argv[1], encoding='utf-8').read()).group(1)
print(zlib.decompress(base64.b64decode(packed)).decode())
