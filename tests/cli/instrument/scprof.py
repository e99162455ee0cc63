#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads raw profiles for the runtime's tests, independently of the project's reader.

  scprof.py FILE...     checks each file; prints the header, then a line per
                        context: "path calls loop-iterations" (sorted)
  scprof.py --totals FILE...  prints calls and loop iterations per function over all files
"""
import signal
import struct
import sys
import zlib
from collections import defaultdict

NONE = 0xffffffff


class Profile:
    def __init__(self, path):
        self.path = path
        data = self.data = open(path, 'rb').read()
        (self.magic, self.version, self.endian, self.header_bytes, crc, self.machine, self.pid, self.parent,
         self.forked, self.start, self.used, self.nodes, self.truncated, self.lost_bytes, self.lost_records,
         self.arenas, self.threads, self.exited) = struct.unpack_from('<QIIIIIIIIQQQQQQQQQ', data, 0)
        assert data[:8] == b'SCPROF\r\n', 'magic'
        assert zlib.crc32(data[:20] + b'\0\0\0\0' + data[24:48]) == crc, 'header crc'
        assert self.used <= len(data), 'used beyond the end'
        self.records, self.blocks, self.chunks = {}, {}, []
        at = self.header_bytes
        while at < self.used:
            at += self.chunk(at)
        assert at == self.used, 'chunks do not end at used'

    def chunk(self, at):
        magic, kind, flags, size, address, arena, bitmap, crc, _, used, nxt, _ = struct.unpack_from(
            '<IHHQQIIIIQQQ', self.data, at)
        assert magic == 0x4b4e4353, 'chunk magic at %d' % at
        assert zlib.crc32(self.data[at:at + 32]) == crc, 'chunk crc at %d' % at
        assert size % 4096 == 0 and at + size <= self.used and used <= size, 'chunk size at %d' % at
        self.chunks.append((at, kind, flags, arena, size, used))
        if kind == 1:
            self.read_records(at + 64, at + used)
        else:
            bits = int.from_bytes(self.data[at + 64:at + 64 + bitmap], 'little')
            block = 0
            while bits:
                skip = (bits & -bits).bit_length() - 1
                bits >>= skip + 1
                block += skip + 1
                self.read_block(at + (block - 1) * 16, address + (block - 1) * 16, at + used, arena)
        return size

    def read_records(self, at, end):
        while at < end:
            magic, kind, version, size, crc, module, _ = struct.unpack_from('<IHHIIII', self.data, at)
            assert size and size % 8 == 0 and at + size <= end, 'record size at %d' % at
            if magic:
                assert magic == 0x43524353, 'record magic at %d' % at
                body = self.data[at + 24:at + size]
                assert zlib.crc32(body) == crc, 'record crc at %d' % at
                self.records[at // 8] = (kind, module, body)
            at += size

    def read_block(self, at, address, end, arena):
        parent, creator, function, size, high, low, step = struct.unpack_from('<QQIIQQQ', self.data, at)
        assert size >= 48 and at + size <= end, 'block at %d' % at
        self.blocks[address] = dict(at=at, parent=parent, creator=creator, function=function, bytes=size, high=high,
                                    low=low, step=step, arena=arena)

    def site(self, index):
        kind, module, body = self.records[index]
        assert kind == 3, 'not a function record'
        assert self.records[module][0] == 2, 'no module record'
        node_bytes, locs, slots, refs, strings, events, flags, packed = struct.unpack_from('<8I', body, 0)
        slot = [struct.unpack_from('<IHHIIIIII', body, 32 + 32 * i) for i in range(slots)]
        tables = body[32 + 32 * slots + 44 * events:]
        if packed:
            tables = zlib.decompress(tables[:packed])
            assert len(tables) == 40 * locs + 4 * refs + strings, 'unpacked to %d bytes' % len(tables)
            words = [tables[4 * (column * locs + i):][:4] for i in range(locs) for column in range(10)]
            tables = b''.join(words) + tables[40 * locs:]
        loc = list(struct.iter_unpack('<IHHIIIIIIII', tables[:40 * locs]))
        ref = struct.unpack_from('<%dI' % refs, tables, 40 * locs)
        text = tables[40 * locs + 4 * refs:]
        return loc, slot, ref, lambda n: text[n:text.index(b'\0', n)].decode()

    def entries(self, at):
        """(key, count, child) of an open slot at file offset `at` and all that continue it."""
        while True:
            child, count, key, _, nxt = struct.unpack_from('<QQIIQ', self.data, at)
            yield key, count, child
            if not nxt:
                return
            at = self.blocks[nxt - 48]['at'] + 48

    def contexts(self):
        """{path: [calls, {loop line: iterations}, recursion step]}; calls by the slots that lead in."""
        self.out = defaultdict(lambda: [0, defaultdict(int), 0])
        self.seen = set()
        for address, b in self.blocks.items():
            if not b['function'] and not b['parent']:
                self.walk(b['at'] + 48, ())
                self.walk(b['at'] + 96, ('(truncated)',))
        return self.out

    def name(self, key):
        return self.site(key)[3](self.site(key)[0][0][3]) if key in self.records else '?'

    def walk(self, at, path, kind=2, callee=None):
        for key, count, child in self.entries(at) if kind == 2 else [(0,) + struct.unpack_from('<QQ', self.data, at)[::-1]]:
            if not key and not count and not child:
                continue
            name = self.name(key) if key else callee or self.name(self.blocks[child]['function'])
            inside = path + (name,)
            if name in path:
                inside = path[:path.index(name) + 1]
            elif child in self.blocks and child in self.seen:
                inside = ('(truncated)', name)
            self.out[inside][0] += count
            if child in self.blocks and child not in self.seen:
                self.seen.add(child)
                self.node(child, inside)

    def node(self, address, path):
        b = self.blocks[address]
        loc, slot, ref, text = self.site(b['function'])
        for parent, kind, flags, name, file, line, column, nth, ordinal, first, n in loc[1:]:
            if kind != 2:  # an inlined function: its calls are not told apart here
                continue
            self.out[path][1][line] += sum(struct.unpack_from('<Q', self.data, b['at'] + o)[0]
                                           for o in ref[first:first + n])
        if b['step']:
            self.out[path][2] = (b['high'] - b['low']) // b['step']
        for offset, kind, _, _, callee, *_ in slot:
            self.walk(b['at'] + offset, path, kind, None if callee == NONE else text(callee))


def main(argv):
    totals = argv[:1] == ['--totals']
    sums = defaultdict(lambda: [0, 0])
    for path in argv[1 if totals else 0:]:
        p = Profile(path)
        if not totals:
            print('nodes %d truncated %d lost %d/%d arenas %d threads %d exited %d forked %d' %
                  (p.nodes, p.truncated, p.lost_bytes, p.lost_records, p.arenas, p.threads, p.exited, p.forked))
        for context, (calls, loops, depth) in sorted(p.contexts().items()):
            sums[context[-1]][0] += calls
            sums[context[-1]][1] += sum(loops.values())
            if not totals:
                print('/'.join(context), calls, sum(loops.values()), *(['depth', depth] if depth else []))
    if totals:
        for name, (calls, loops) in sorted(sums.items()):
            print(name, calls, loops)


sys.setrecursionlimit(100000)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
main(sys.argv[1:])
