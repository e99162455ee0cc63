#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What std::string, streams and a compression library do counts the same whether the optimiser takes their functions apart
# or calls them: below each function here, the same bytes at -O0 and -O2.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
cat >strings.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#define OP __attribute__((noinline)) static void
static std::size_t number(std::size_t value)
{
  __asm__ volatile("" : "+r"(value));
  return value;
}
template <class T> static T *hide(T *pointer)
{
  __asm__ volatile("" : "+r"(pointer));
  return pointer;
}
static long sum;
static std::string *a, *b;
static std::string copy() { return std::string(*hide(a)); } // 120
OP fill_100() { std::string s(number(100), 'a'); sum += s[5]; }
OP view_120() { std::string s{std::string_view(hide(a)->data(), number(120))}; sum += s[5]; }
OP range_120() { std::string s(hide(a)->begin(), hide(a)->end()); sum += s[5]; }
OP part_50() { std::string s(*hide(a), number(10), number(50)); sum += s[5]; }
OP assign_20() { std::string s; s = hide("0123456789"); sum += s[5]; }
OP append_60() { std::string s; s.reserve(500); s.append(number(60), 'c'); sum += s[5]; }
OP chars_20() { std::string s; s.reserve(500); s += hide("0123456789"); sum += s[5]; }
OP resize_100() { std::string s; s.resize(number(100)); sum += s[5]; }
OP insert_460() { std::string s = copy(); s.reserve(1000); s.insert(number(20), *hide(b)); sum += s[5]; }
OP insert_part_390() { std::string s = copy(); s.reserve(1000); s.insert(number(20), *hide(b), number(10), number(50)); sum += s[5]; }
OP front_361() { std::string s = copy(); s.reserve(1000); s.insert(s.begin(), 'z'); sum += s[5]; }
OP erase_239() { std::string s = copy(); s.erase(number(0), number(1)); sum += s[5]; }
OP erase_first_239() { std::string s = copy(); s.erase(s.begin()); sum += s[5]; }
OP erase_some_235() { std::string s = copy(); s.erase(s.begin(), s.begin() + static_cast<long>(number(5))); sum += s[5]; }
OP cut_120() { std::string s = copy(); s.erase(number(60)); sum += s[5]; }
OP replace_242() { std::string s = copy(); s.replace(number(1), number(2), "hello"); sum += s[5]; }
OP replace_part_287() { std::string s = copy(); s.replace(number(1), number(2), *hide(b), number(10), number(50)); sum += s[5]; }
OP find_119() { sum += static_cast<long>(hide(b)->find('w')); }
OP find_last_1() { sum += static_cast<long>(hide(b)->rfind("x")); }
OP find_last_120() { sum += static_cast<long>(hide(b)->find_last_of("yz")); }
OP find_none_120() { sum += static_cast<long>(hide(b)->find_first_of("yz")); }
OP compare_119() { sum += hide(a)->compare(*hide(b)); }
OP part_compare_49() { sum += hide(a)->compare(number(20), number(50), *hide(b), number(70), number(50)); }
OP part_end_99() { sum += hide(a)->compare(number(20), number(500), *hide(b), number(20), number(500)); }
OP part_chars_14() { sum += hide(a)->compare(number(20), number(4), hide("xxxx012345")); }
OP part_string_100() { sum += hide(a)->compare(number(20), number(500), *hide(a)); }
OP part_throws_0() { try { sum += hide(a)->compare(number(121), number(1), *hide(b)); } catch (const std::out_of_range &) { sum++; } }
OP chars_throw_0() { try { sum += hide(a)->compare(number(121), number(1), hide(static_cast<const char *>(nullptr))); } catch (const std::out_of_range &) { sum++; } }
OP less_119() { sum += *hide(a) < *hide(b); }
OP equal_8() { sum += *hide(a) == hide("xxxx"); }
OP line_240() { std::istringstream in(*hide(a)); std::string s; std::getline(in, s); sum += s[5]; }
OP word_240() { std::istringstream in(*hide(a)); std::string s; in >> s; sum += s[5]; }
OP read_220() { std::istringstream in(*hide(a)); char s[100]; in.read(s, static_cast<long>(number(100))); sum += s[5]; }
OP print_240() { std::ostringstream out; out << *hide(a); sum += out.str()[5]; }
OP print_chars_30() { std::ostringstream out; out << hide("0123456789"); sum += out.str()[5]; }
OP buffer_360() { std::stringbuf s(*hide(a)); s.str(*hide(b)); sum += s.str()[5]; }
OP number_4() { sum += static_cast<long>(std::atof(hide("3.25 and more"))); }
int main()
{
  std::string first(120, 'x'), second(119, 'x');
  second += 'w';
  a = &first, b = &second;
  fill_100(), view_120(), range_120(), part_50(), assign_20(), append_60(), chars_20(), resize_100(), insert_460();
  front_361(), erase_239(), erase_first_239(), erase_some_235(), cut_120(), replace_242(), find_119(), find_last_1();
  find_last_120(), find_none_120(), compare_119(), less_119(), equal_8(), line_240(), word_240(), read_220();
  part_compare_49(), part_end_99(), part_chars_14(), part_string_100(), part_throws_0(), chars_throw_0();
  print_240(), print_chars_30(), insert_part_390(), replace_part_287(), buffer_360(), number_4();
  std::printf("%ld\n", sum);
}
C
cat >packs.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
static unsigned char text[5000], packed[6000], back[5000];
/* A little at a time: what is left over was not worked on. */
__attribute__((noinline)) static unsigned long pack_5000(void)
{
  z_stream s;
  memset(&s, 0, sizeof s);
  if (deflateInit(&s, 6) != Z_OK)
    exit(1);
  s.next_in = text, s.avail_in = sizeof text, s.next_out = packed;
  do
    s.avail_out = 16;
  while (deflate(&s, Z_FINISH) == Z_OK);
  deflateEnd(&s);
  return s.total_out;
}
__attribute__((noinline)) static int unpack_5000(unsigned long bytes)
{
  z_stream s;
  memset(&s, 0, sizeof s);
  if (inflateInit(&s) != Z_OK)
    exit(1);
  s.next_in = packed, s.avail_in = (unsigned)bytes, s.next_out = back;
  do
    s.avail_out = 100;
  while (inflate(&s, Z_NO_FLUSH) == Z_OK);
  inflateEnd(&s);
  return memcmp(text, back, sizeof text);
}
int main(void)
{
  for (unsigned i = 0; i < sizeof text; i++)
    text[i] = (unsigned char)(i * i >> 7);
  printf("%d %d\n", unpack_5000(pack_5000()), deflate(NULL, Z_FINISH) == Z_STREAM_ERROR);
  return 0;
}
C
# Compares the sums below the functions that are named after them.
cat >sums.py <<'P'
import collections, re, sys
sums, place = collections.Counter(), None
for line in sys.stdin:
    m = re.match(r"( *)(\w+) (\S+?)(?:\(.*?\))? ", line)
    if not m:
        continue
    depth = len(m[1])
    if place and depth <= place[1]:
        place = None
    if not place and m[2] == "function" and re.fullmatch(r"[a-z_]+_\d+", m[3]):
        place = m[3], depth
        sums[m[3]] += 0
    elif place and m[2] == "work" and not (m[3] in ("memset", "memcmp") and "pack" in place[0]):
        sums[place[0]] += int(re.search(r"=(\d+)", line)[1])
for name, bytes in sorted(sums.items()):
    if bytes != int(name.rsplit("_", 1)[1]):
        print(f"FAULT: {sys.argv[1]}: {bytes} bytes below {name}")
        sys.exit(1)
print(len(sums))
P
try() { # WHAT FUNCTIONS COMPILER PLAIN FLAGS...
  local what=$1 functions=$2 compiler=$3 plain=$4
  shift 4
  "$compiler" "$@" -o program && "$plain" -w "$@" -o plain || { echo "$what does not build"; exit 1; }
  rm -rf profiles
  SCALE_PROFILE_DIR=$PWD/profiles ./program >got 2>&1 || fault "$what: exit status $?"
  ./plain >wanted && cmp got wanted || fault "$what: another output"
  "$run" dump profiles/*.scprof | python3 sums.py "$what" >out || { cat out; status=1; }
  [ "$(cat out)" = "$functions" ] || fault "$what: $(cat out) functions, expected $functions"
}
functions=$(grep -c '^OP' strings.cpp)
for level in -O0 -O2; do
  try "strings $level" "$functions" "${cc%cc}c++" clang++-19 -std=c++17 $level strings.cpp
  printf '#include <zlib.h>\n' | "$cc" -E - >/dev/null 2>&1 && try "packs $level" 2 "$cc" clang-19 $level packs.c -lz
done
exit $status
