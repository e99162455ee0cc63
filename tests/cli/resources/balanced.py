# SPDX-License-Identifier: GPL-3.0-or-later
"""balanced.py TOTALS: of spin.c in four threads, 2,000 rounds each: every acquire was counted and given back."""
import collections
import sys

sums = collections.Counter()
for line in open(sys.argv[1]):
    if line.startswith('spinlock'):
        words = line.split()
        sums[words[1], words[-2]] += int(words[-1])
for name, count in (('flag', 8000), ('tas', 16000), ('table::guard', 24000), ('futex', 40000)):
    for what in ('acquires', 'releases', 'returned'):
        assert sums[name, what] == count, (name, what, sums[name, what])
assert sums['tried', 'acquires'] == sums['tried', 'releases'] >= 32000
