#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Of what a program obtains through its own functions the caller is named, not the function: an allocator in another file,
# a copy of a string, a guard of a lock.
. "$(dirname "$0")/named.sh"
need_compiler
source_file=owners.cpp
cp "$here/$source_file" .
cat >alloc.c <<'C'
#include <stdlib.h>
void *my_alloc(size_t bytes)
{
  void *block = malloc(bytes);
  if (!block)
    abort();
  return block;
}
void my_free(void *block) { free(block); }
C

for level in -O0 -O2; do
  for program in owners twin; do
    twin=
    [ $program = twin ] && twin=-DTWIN
    "$cc" $level -g -c alloc.c && "${cc%cc}c++" $level -g $twin -pthread -o $program owners.cpp alloc.o ||
      { echo "scale-cc failed"; exit 1; }
    study $program -P n=10,20,40,80 --kind work --at 10000 -- ./$program serve '{n}'
    if [ $program = twin ]; then
      [ ! -s findings ] || { fault "$level: the twin has findings"; cat findings; }
    else
      named "$level" "leak heap keeps $(lines culprit memory) True"
      for well in $(lines well memory); do
        grep -q " heap .* $well " findings && fault "$level: the healthy call in line $well is blamed"
      done
      [ "$(wc -l <findings)" = 1 ] || { fault "$level: one pathology is one finding"; cat findings; }
    fi
    study $program.lock -P n=1200,2400,4800,9600 --at 100000 -- ./$program share '{n}'
    if [ $program = twin ]; then
      [ ! -s findings ] || { fault "$level: the twin's lock has findings"; cat findings; }
    else
      named "$level" "contention mutex holds $(lines culprit lock) True"
      expect 0 "Holds +(9[0-9](\\.[0-9])?|100)% .*: client \\(owners\\.cpp:$(lines culprit lock)\\)" "$run" report $program.lock.db
    fi
  done
done
expect 0 "heap of serve \\(owners\\.cpp:$(lines culprit memory)\\): leak" "$run" report owners.db
exit $status
