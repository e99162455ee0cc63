#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the runtime records, under everything that a process may do. The programs imitate compiled code by hand, so
# that these tests need no pass.
. "$(dirname "$0")/instrument/common.sh"
need python3

mimic basic
profiled ./basic 10
same "basic: status" 0 $status
same "basic" "nodes 5 truncated 0 lost 0/0 arenas 1 threads 1 exited 1 forked 0
main 1 10
main/cmp 1 0
main/fact 25 0 depth 9
main/leaf 5 15" "$(contexts)"
(ulimit -s unlimited && profiled ./basic 1000000 && contexts >deep) || fail "a million levels of recursion"
has "a million levels" "^main/fact 1000015 0 depth (99999[0-9]|100000[0-9])$" "$(cat deep)"

rm -rf prof
# nothing is written, and nothing visible changes, without SCALE_PROFILE_DIR
./basic 10 >out 2>err
same "no folder: status" 0 $?
same "no folder: output" "" "$(cat out err)"
same "no folder: files" "" "$(find . -name '*.scprof')"

# however it ends, the counts are there
mimic tree
for end in exit:5:1 _exit:3:0 abort:134:0 kill:137:0 exec:0:0; do
  IFS=: read -r how expected exited <<<"$end"
  (ulimit -c 0; profiled ./tree 4 3 "$how"; echo "$status" >status) 2>/dev/null
  same "$how: status" "$expected" "$(cat status)"
  same "$how: output" "level4 81" "$(cat out)"
  same "$how: errors" "" "$(cat err)"
  same "$how" "nodes 40 truncated 0 lost 0/0 arenas 1 threads 1 exited $exited forked 0
level1 3 9
level1/level2 9 27
level1/level2/level3 27 81
level1/level2/level3/level4 81 0" "$(contexts)"
done

# a budget cuts places, never counts
expected=$(for i in 1 2 3 4 5 6 7 8 9 10; do echo "level$i $((2 * 3 ** (i - 1)))"; done | sort)
for max in 0 200K 1M; do
  SCALE_PROFILE_MAX=$max profiled ./tree 10 2
  same "budget $max: status" 5 $status
  same "budget $max: totals" "$expected" "$(totals | sort)"
  has "budget $max: says so" "truncated [1-9]" "$(contexts | head -1)"
done
profiled ./tree 10 2
has "no budget" "nodes 29524 truncated 0 lost 0/0" "$(contexts | head -1)"

# a file that cannot grow: the program goes on, what is lost is said
(ulimit -f 300; profiled ./tree 10 2; echo "$status" >status)
same "file limit: status" 5 "$(cat status)"
has "file limit" "lost [1-9]" "$(contexts | head -1)"
SCALE_PROFILE_DIR=/proc/nowhere ./tree 4 3 >out 2>err
same "no such folder: status" 5 $?
same "no such folder: output" "level4 81" "$(cat out err)"

# too little memory for the tree
cat >limit.c <<'C'
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int c, char **v)
{
  struct rlimit r = {(rlim_t)atol(v[1]) << 10, (rlim_t)atol(v[1]) << 10};
  return c < 3 || setrlimit(RLIMIT_AS, &r) || execv(v[2], v + 2);
}
C
"$clang" limit.c -o limit
for kib in 3600 4000 5000 8000; do
  profiled ./limit $kib ./tree 10 2
  same "address space of $kib KiB: status" 5 $status
  same "address space of $kib KiB: output" "level10 39366" "$(cat out err)"
  contexts >/dev/null || fail "address space of $kib KiB: profile"
  ./limit $kib ./tree 10 2 >out 2>err
  same "address space of $kib KiB, no folder" "level10 39366" "$(cat out err)"
done

# ten thousand threads one after another take the room of a few; destructors of keys are counted to the last
mimic threads -pthread
profiled ./threads 10000 1
same "threads: totals" "late 30000
leaf 1030000
start 10000" "$(totals)"
has "threads: reuse" "arenas [1-5] threads 10000" "$(contexts | head -1)"
profiled ./threads 512 128
same "threads at once: totals" "late 1536
leaf 52736
start 512" "$(totals)"

# signals in the middle of everything
mimic signals
profiled ./signals 100000
same "signals: status" 0 $status
same "signals" "$(sort out)" "$(totals | sort)"

# each process of a fork has a profile of its own, counted from 0 in the child
mimic forks -pthread
for how in libc raw; do
  profiled ./forks $how
  same "fork ($how): status" 0 $status
  for f in prof/*; do python3 "$files/scprof.py" "$f"; done | grep -v busy >both
  has "fork ($how): parent" "^outer/leaf 1010 3030$" "$(cat both)"
  has "fork ($how): parent" "^outer/fresh 10 50$" "$(cat both)"
  has "fork ($how): child" "^outer/leaf 7 21$" "$(cat both)"
  has "fork ($how): child" "^outer/fresh 7 35$" "$(cat both)"
  has "fork ($how): child says so" "forked 1" "$(cat both)"
done

# libraries opened and closed, all descriptors closed on the way
"$clang" -O1 -fPIC -shared -I"$source" -I"$files" "$files/dl_library.c" -o plugin.so -Wl,-u,__scale_runtime "$runtime"
mimic dl -DMIMIC -D_GNU_SOURCE
profiled ./dl ./plugin.so 200
same "dlopen: status" 0 $status
same "dlopen" "nodes 2 truncated 0 lost 0/0 arenas 1 threads 1 exited 1 forked 0
main 1 0
main/plugin 200 1400" "$(contexts)"
"$clang" -D_GNU_SOURCE "$files/dl.c" -o plain
profiled ./plain ./plugin.so 1
same "library in a foreign program: status" 0 $status
has "library in a foreign program" "^plugin 1 7$" "$(contexts)"

# privileged programs take no orders from the environment
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir -m 777 open && cp tree setuid && chmod 4755 setuid . && chmod 4755 setuid
  SCALE_PROFILE_DIR=$work/open setpriv --reuid 65534 --clear-groups ./setuid 4 3 >out 2>err
  same "set-user-id: output" "level4 81" "$(cat out err)"
  same "set-user-id: files" "" "$(ls open)"
fi
if command -v valgrind >/dev/null; then
  for program in "tree 5 2" "threads 20 4" forks; do
    profiled valgrind -q --error-exitcode=42 ./$program
    [ $status -ne 42 ] && [ -s "$(ls prof/*.scprof | head -1)" ] || fail "valgrind $program: status $status"
    same "valgrind $program" "" "$(cat err)"
  done
fi

# nothing but libc's own, none of it on the slow path but what starts and ends threads; the wrappers of functions that
# wait, of those whose addresses are handed around, and of those whose work they tell are objects of their own and need
# these functions too
foreign() { nm -u -A "$runtime" | grep "$@" ':\(do_\|refs\|work\)[a-z_]*\.o:' | awk '$2 ~ /^[Uwv]$/{ print $3 }' |
  grep -v '^__scale_\|^_GLOBAL' | LC_ALL=C sort -u | tr '\n' ' ' | sed 's/  */ /g'; }
same "the runtime needs" "_Znwm __dso_handle __ehdr_start __errno_location __libc_stack_end __register_atfork __start_scale_shared __start_scale_uncounted __stop_scale_shared __stop_scale_uncounted environ fork malloc malloc_usable_size \
pthread_clockjoin_np pthread_key_create pthread_key_delete pthread_self pthread_setcancelstate pthread_setspecific \
secure_getenv " "$(foreign -v)"
others=$(foreign | tr ' ' '\n' | grep -v '^\(pthread\|sem\|mtx\|cnd\|thrd\)_\|^_Z\|^\(free\|close\|fclose\|__errno_location\)$' | tr '\n' ' ' | sed 's/ *$//')
same "the wrappers need" "__asan_init __kmpc_critical __kmpc_critical_with_hint __libc_single_threaded __stpcpy_chk __strcat_chk __strcpy_chk \
__wcpcpy_chk __wcscat_chk __wcscpy_chk argz_delete argz_insert argz_next environ envz_add envz_entry envz_remove fcntl flock fstat getenv glob iconv lockf malloc memccpy memcmp memcpy \
memrchr omp_set_lock omp_test_lock putenv regexec secure_getenv setenv stpcpy strcasecmp strcasecmp_l strcasestr strchr strchrnul \
strcmp strcspn strlen strncasecmp strncasecmp_l strncmp strnlen strsep strstr strtok strtok_r strtol strverscmp unsetenv wcpcpy \
wcscasecmp wcschr wcscmp wcscspn wcslen wcsncasecmp wcsncmp wcsnlen wcsrchr wcsstr wcstok wcswidth wcwidth wmemchr \
wmemcmp wmemcpy" "$others"

# What it adds to every program: code (45.75 KiB at most; 45.57 were measured: 0.3 of them decide whether a call was delayed, and
# fork where a program looks at its input), and the whole file, which holds unwind tables and symbols, too (83 KiB; 82.5 were
# measured). With debug information it would be 330.
echo 'int main(void) { return 0; }' >empty.c
"$clang" -O2 empty.c -o plain && "$cc" -O2 -g0 empty.c -o empty || fail "empty.c does not build"
text() { readelf -SW "$1" | sed -n 's/.* \.text  *PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\).*/\1/p'; }
code=$((0x$(text empty) - 0x$(text plain)))
file=$(($(stat -c %s empty) - $(stat -c %s plain)))
[ "$code" -le 46848 ] || fail "the runtime adds $code bytes of code"
[ "$code" -ge 8192 ] || fail "the runtime's code was not found: $code"
[ "$file" -le 84992 ] || fail "the runtime adds $file bytes to a program's file"
finish
