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


def signed(number):
    return -(number + 1) // 2 if number & 1 else number // 2


class Unit:
    """functions: of each its locs, its slots' callees, its refs and the unit's strings. Strings are numbers."""

    def __init__(self, record):
        kind, _, body, _ = record
        assert kind == 4, 'not a unit record'
        functions, strings, _, rows, *_, size, packed = struct.unpack_from('<10I', body, 0)
        data = zlib.decompress(body[40:40 + packed]) if packed else body[40:40 + size]
        assert len(data) == size, 'unpacked to %d bytes' % len(data)
        columns, at = [], 4 * 37
        for length in struct.unpack_from('<37I', data, 0):
            columns.append(data[at:at + length])
            at += length
        assert at == size, 'columns end at %d of %d' % (at, size)
        self.columns = [self.numbers(c) for c in columns]
        self.strings = [None]
        text = columns[1].split(b'\0')
        for i in range(strings):
            shared = next(self.columns[0])
            self.strings.append((self.strings[-1].encode()[:shared] if shared else b'').decode() + text[i].decode())
        self.rows, self.name = [], 0
        self.functions = [self.function() for _ in range(functions)]
        assert len(self.rows) == rows, 'rows'
        assert not any(list(c) for i, c in enumerate(self.columns) if i != 1 and i < 26), 'numbers left'

    @staticmethod
    def numbers(column):
        number = shift = 0
        for byte in column:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield number
                number = shift = 0

    def take(self, column):
        return next(self.columns[column])

    def row(self):
        number = self.take(12)
        if number:
            return self.rows[number - 1]
        kind = self.take(2)
        self.name += signed(self.take(3))
        self.rows.append((kind & 3, kind >> 2, self.name, *(self.take(c) for c in range(4, 9))))
        return self.rows[-1]

    def function(self):
        locs, refs, total = [], [], 0
        count, slots, _ = (self.take(c) for c in range(9, 12))
        for i in range(count):
            kind, flags, name, file, line, column, nth, ordinal = self.row()
            up, more, n = (self.take(c) for c in range(13, 16))
            if i and kind != 2:
                call, at = locs[i - up][5] + signed(self.take(16)), self.take(17)
                line, column, nth, ordinal = (line, 0, call, at) if kind == 1 else (call, at, nth, 0)
            locs.append((i - up, kind, flags | more * 2, name, file, line, column, nth, ordinal, total, n))
            total += n
        for _ in range(total):
            refs.append(signed(self.take(18)) * 8 + (refs[-1] if refs else 0))
        callees = []
        for _ in range(slots):
            fields = [self.take(c) for c in range(19, 26)]
            callees.append(fields[2] or NONE)
        return locs, callees, refs, self.strings


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
        self.records, self.blocks, self.chunks, self.units, self.aliases = {}, {}, [], {}, []
        at = self.header_bytes
        while at < self.used:
            at += self.chunk(at)
        assert at == self.used, 'chunks do not end at used'
        for reference, record in self.aliases:
            self.records[reference] = self.records[record]

    def chunk(self, at):
        magic, kind, flags, size, address, arena, bitmap, crc, base, used, nxt, _ = struct.unpack_from(
            '<IHHQQIIIIQQQ', self.data, at)
        assert magic == 0x4b4e4353, 'chunk magic at %d' % at
        assert zlib.crc32(self.data[at:at + 32]) == crc, 'chunk crc at %d' % at
        assert size % 4096 == 0 and at + size <= self.used and used <= size, 'chunk size at %d' % at
        self.chunks.append((at, kind, flags, arena, size, used))
        if kind == 1:
            self.read_records(at + 64, at + used, base)
        else:
            bits = int.from_bytes(self.data[at + 64:at + 64 + bitmap], 'little')
            block = 0
            while bits:
                skip = (bits & -bits).bit_length() - 1
                bits >>= skip + 1
                block += skip + 1
                self.read_block(at + (block - 1) * 16, address + (block - 1) * 16, at + used, arena)
        return size

    def read_records(self, at, end, base):
        while at < end:
            magic, kind, version, size, crc, module, unit = struct.unpack_from('<IHHIIII', self.data, at)
            assert size and size % 8 == 0 and at + size <= end, 'record size at %d' % at
            if magic:
                assert magic == 0x43524353, 'record magic at %d' % at
                body = self.data[at + 24:at + size]
                assert zlib.crc32(body) == crc, 'record crc at %d' % at
                self.records[base + at // 8] = (kind, module, body, unit)
                if kind == 6:
                    self.aliases.append(struct.unpack_from('<II', body))
            at += size

    def read_block(self, at, address, end, arena):
        parent, creator, function, size, high, low, step = struct.unpack_from('<QQIIQQQ', self.data, at)
        assert size >= 48 and at + size <= end, 'block at %d' % at
        self.blocks[address] = dict(at=at, parent=parent, creator=creator, function=function, bytes=size, high=high,
                                    low=low, step=step, arena=arena)

    def site(self, index):
        kind, module, body, unit = self.records[index]
        assert kind in (3, 5), 'not a function record'
        assert self.records[module][0] == 2, 'no module record'
        if kind == 5:
            return self.member(body, unit)
        node_bytes, locs, slots, refs, strings, events, flags = struct.unpack_from('<7I', body, 0)
        slot = [struct.unpack_from('<IHHIIIIII', body, 28 + 32 * i) for i in range(slots)]
        tables = body[28 + 32 * slots + 44 * events:]
        loc = list(struct.iter_unpack('<IHHIIIIIIII', tables[:40 * locs]))
        ref = struct.unpack_from('<%dI' % refs, tables, 40 * locs)
        text = tables[40 * locs + 4 * refs:]
        return loc, slot, ref, lambda n: text[n:text.index(b'\0', n)].decode()

    def member(self, body, unit):
        node_bytes, number, slots, events, flags = struct.unpack_from('<5I', body, 0)
        places = struct.unpack_from('<%dI' % slots, body, 20)
        if unit not in self.units:
            self.units[unit] = Unit(self.records[unit])
        loc, callees, ref, strings = self.units[unit].functions[number]
        assert len(callees) == slots, 'slots of function %d' % number
        slot = [(place & ~1, 2 if place & 1 else 1, 0, 0, callee) for place, callee in zip(places, callees)]
        return loc, slot, ref, lambda n: strings[n]

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
