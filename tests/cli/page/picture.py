#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""picture.py PAGE.html PICTURE.png: what a page shows when it opens, as README has it."""
import os
import sys

from browser import Browser

with Browser(1200, 720) as browser:
    browser.open(os.path.abspath(sys.argv[1]))
    browser.shot(sys.argv[2])
