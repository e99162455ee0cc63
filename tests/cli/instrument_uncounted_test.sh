#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions and loops without counters are named, once each, in the report and its JSON, however they are built and linked;
# and nothing else is.
. "$(dirname "$0")/lib.sh"
need_compiler
[ "$(uname -m)" = x86_64 ] || exit 77
. "$here/instrument/named.sh"
{
  echo "not_counted uncounted.c $(line uncounted.c 'naked, noinline') bare naked function"
  echo "not_counted uncounted.c $(line uncounted.c 'void interrupted') interrupted interrupt handler"
  echo "not_counted uncounted.c $(line uncounted.c 'long refused') refused no_profile_instrument_function"
  echo "not_counted uncounted.c $(line uncounted.c '      s += n;') unrolled loop with several entries"
  echo "not_counted uncounted.c $(line uncounted.c 'resolve(void)') resolve ifunc resolver"
  echo "not_counted uncounted_memory.c $(line uncounted_memory.c 'void *memcpy') memcpy replacement of libc's"
  echo "not_counted uncounted_memory.c $(line uncounted_memory.c 'void step') step function called before the start"
  echo "not_counted uncounted_memory.c $(line uncounted_memory.c 'helped(void)') helped no_profile_instrument_function"
} | LC_ALL=C sort >expected

export SCALE_PASS_VERIFY=1
# named_with WHAT [option]...: all are named in a program built so
named_with() {
  local what=$1
  shift
  "$cc" -g "$@" -fno-builtin "$source/uncounted.c" "$source/uncounted_memory.c" -o prog 2>err || { fault "$what: build"; cat err; return; }
  measured "$what"
  diff expected named >differences || { fault "$what: others are named"; cat differences; }
}
named_with O0 -O0
named_with O2 -O2
named_with collected -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
named_with static -O2 -static
if command -v ld.lld-19 >/dev/null || command -v ld.lld >/dev/null; then
  named_with lld -O2 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections
fi

# A program without such code links to two libraries with it, runs, and names theirs. GNU ld is strict about the names of
# sections.
if command -v ld.bfd >/dev/null; then
  for name in one two; do
    echo "long $name(long n) { long s = n; if (n > 2) goto in; for (; s > 0; s--) { n++; in: n += s; } return n; }" >$name.c
    "$cc" -g -O0 -fuse-ld=bfd -fPIC -shared $name.c -o lib$name.so || fault "lib$name.so does not build"
  done
  cat >both.c <<'C'
#include <stdlib.h>
long one(long), two(long);
int main(int argc, char **argv)
{
  long sum = 0;
  for (long i = 0; argc > 1 && i < atol(argv[1]); i++)
    sum += one(2) + two(1);
  return sum % 10 != 0;
}
C
  for option in -O0 '-O2 -ffunction-sections -Wl,--gc-sections'; do
    "$cc" -g $option -fuse-ld=bfd both.c ./libone.so ./libtwo.so -o prog 2>err || { fault "two libraries do not link"; cat err; continue; }
    measured "two libraries"
    printf 'not_counted %s.c 1 %s loop with several entries\n' one one two two | diff - named || fault "two libraries: others are named"
  done
fi

# All of them in a library that is opened, with a counted function; the program has none.
"$cc" -g -O2 -fPIC -shared "$source/uncounted.c" -Dmain=entry "$source/uncounted_memory.c" -fno-builtin -o libuncounted.so &&
  echo 'int entry(int, char **); int main(int argc, char **argv) { return entry(argc, argv); }' >start.c &&
  "$cc" -g -O2 start.c -L. -luncounted -Wl,-rpath,"$work" -o prog || fault "the library does not build"
measured library
diff expected named >differences || { fault "library: others are named"; cat differences; }

columns=100
expect 0 'Not counted: ' "$run" report
grep -q 'and 4 more, with --all' out || { fault "the report names too many"; cat out; }
expect 0 'Not counted: ' "$run" report --all
tr -s '\n ' ' ' <out >said
for name in 'naked function bare (uncounted.c:' 'loop with several entries in unrolled (uncounted.c:' "replacement of libc's memcpy (uncounted_memory.c:"; do
  grep -qF "$name" said || { fault "the report does not name: $name"; cat said; }
done
"$run" report --format html -o page.html && python3 "$here/resources/page_names.py" page.html | grep -qF '"Not counted: ' || fault "the page does not name them"

# What the user left out is no news. Objects without such code have no trace of all this.
SCALE_EXCLUDE='bare;interrupted;refused;unrolled;idle;resolve;memcpy;step;helped' "$cc" -g -O2 -c "$source/uncounted.c" -o left.o || fault "filters: build"
echo 'int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }' >clean.c
"$cc" -g -O2 -c clean.c || fault "clean: build"
"$cc" -g -O2 -c "$source/uncounted.c" -o all.o || fault "build"
for object in left clean; do
  readelf -SW $object.o | grep -q scale_uncounted && fault "$object.o names something"
done
readelf -SW all.o | grep -q scale_uncounted || fault "all.o names nothing"
exit $status
