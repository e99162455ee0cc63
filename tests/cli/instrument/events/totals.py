# SPDX-License-Identifier: GPL-3.0-or-later
"""totals.py [places]: what `scale-run dump` prints about resources, summed over contexts: lines
CLASS NAME FUNCTION WHAT NUMBER; a resource without a name is "-". With "places" for each place: FUNCTION:LINE:COLUMN."""
import re
import sys

CLASSES = 'mutex rwlock spinlock semaphore condition barrier thread heap mapping descriptor stream resource'
PLURALS = {'threads': 'thread', 'mappings': 'mapping', 'descriptors': 'descriptor', 'streams': 'stream'}
COUNTS = r'acquires|failures|waits|releases|reads|writes|returned|unseen'
totals = {}
for line in sys.stdin:
    parts = re.split(r' {2,}', line.strip())
    if len(parts) != 3 or line.startswith('#'):
        continue
    word, _, name = parts[0].partition(' ')
    word = PLURALS.get(word, word)
    if word not in CLASSES.split():
        continue
    name = re.sub(r' \([^()]*:\d+\)$', '', name) or '-'
    via = parts[1].partition(' ')[0] if 'places' in sys.argv else re.sub(r'(:\d+)+( .*)?$', '', parts[1])
    for what, number in re.findall(r'(?<!units )\b(' + COUNTS + r') (\d+)', parts[2]):
        key = f'{word} {name} {via} {what}'
        totals[key] = totals.get(key, 0) + int(number)
for key in sorted(totals):
    print(key, totals[key])
