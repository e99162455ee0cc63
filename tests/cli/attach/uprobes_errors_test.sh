#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What uprobes cannot count is refused with what to do instead, or said beside the counts: names that are not there, stripped
# programs, inlined calls, functions that are chosen at the start, two names of one function, and users without the rights.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >parts.c <<'X'
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
extern void plug_run(void);
static volatile int sink;
NOINLINE void leaf(void) { __asm__ volatile(""); }
extern void twin(void) __attribute__((alias("leaf")));
int often(int x) { return x * x + 1; } /* inlined where its name is used, called through the pointer */
int (*volatile through)(int) = often;
static inline __attribute__((always_inline)) int gone(int x) { return x + sink; }
static int chosen_code(int x) { return x; }
static int (*choose(void))(int) { return chosen_code; }
int chosen(int) __attribute__((ifunc("choose")));
int main(int argc, char **argv)
{
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    leaf();
    twin();
    sink = often(i);
    sink = through(i);
    sink = gone(i);
    sink = chosen(i);
    plug_run();
  }
  return gone(n) == -1;
}
X
echo 'void plug_run(void) { __asm__ volatile(""); }' >plug.c
"$plain_cc" -O2 -shared -fPIC -o libplug.so plug.c || exit 1
"$plain_cc" -O2 -g -o parts parts.c -L. -lplug -Wl,-rpath,"$work" || exit 1
strip -o stripped parts || exit 1
"$plain_cc" -O2 -o bare parts.c -L. -lplug -Wl,-rpath,"$work" || exit 1
sizes=n=10,20,40
try() { "$run" run -q -P $sizes -o "${study:-try.db}" --no-report --uprobes "$1" -- "${2:-./parts}" '{n}'; }

told 2 'uprobes lef: no such function in parts or the libraries it is linked with' 'did you mean leaf\?' try lef
told 2 'uprobes no_such_name_at_all: no such function in parts' 'FILE:no_such_name_at_all' try no_such_name_at_all
told 2 'uprobes leaf: no such function in stripped.*it is stripped' 'dbgsym' try leaf ./stripped
told 2 'uprobes leav: no such function in libplug.so$' 'nm -C .*libplug.so' try ./libplug.so:leav
told 2 'is not linked with a library of this name' 'ldd' try libother.so:run
expect 2 'cannot open .*/missing.so' try ./missing.so:run
expect 2 'parts.c is neither a program nor a library' try ./parts.c:run
told 2 'every call of it in parts was inlined \(at 2 places\)' 'calls it' try gone
told 2 'chosen when a program starts' 'the function that calls it' try chosen
told 2 'leaf and twin are the same code' 'choose one' try leaf,twin
told 2 'names no function' 'parse,lookup' try ,
printf '#!/bin/sh\nexec ./parts "$1"\n' >script && chmod +x script
told 2 'script is not a program file' '/PATH/OF/PROGRAM:leaf' try leaf ./script
told 2 'uprobes and --trace exclude' 'scale-cc' "$run" run -P $sizes --trace 100 --uprobes leaf -- ./parts '{n}'
told 2 'uprobes and --event exclude' 'scale-cc' "$run" run -P $sizes --event cycles --uprobes leaf -- ./parts '{n}'
told 2 'uprobes and --discover exclude' 'scale-cc' "$run" run -P $sizes --discover p.json --uprobes leaf -- ./parts '{n}'
[ -e try.db ] && fault 'a study of nothing was left behind'
if [ -x "$cc" ]; then
  compile -O1 -o instrumented need.c
  told 2 'instrumented is instrumented' 'leave out --uprobes' try step ./instrumented
fi

# Through a script, by the file's name; by another name of the same code, which is said; a stripped program's library.
study=script.db try ./parts:leaf ./script 2>err || fault script
for n in 10 20 40; do echo "$n /parts/leaf $((2 * n))"; done | of script.db
grep -q 'leaf is the same code as twin' err || { fault 'an alias is not named'; cat err; }
study=stripped.db try plug_run ./stripped || fault 'a library of a stripped program'
for n in 10 20 40; do echo "$n /stripped/plug_run $n"; done | of stripped.db
study=named.db try libplug.so:plug_run || fault 'a library by its name'
for n in 10 20 40; do echo "$n /parts/plug_run $n"; done | of named.db

# A count that is too low, or may be, is never shown as whole.
study=often.db try often || fault often
for n in 10 20 40; do echo "$n /parts/often $n"; done | of often.db
expect 0 'Counted too low: often of parts, inlined at 1 place\.' "$run" report often.db
"$run" report often.db --format json >often.json
json often.json '[(x["function"], x["inlined"]) for x in d["inlined"]] == [("often", "at 1 place")] and d["undescribed"] == []'
study=bare.db try leaf ./bare || fault bare
expect 0 'Perhaps counted too low: leaf of bare\. Without debug information' "$run" report bare.db
"$run" report bare.db --format json >bare.json
json bare.json 'd["inlined"] == [] and [x["function"] for x in d["undescribed"]] == ["leaf"]'
study=leaf.db try leaf || fault leaf
"$run" report leaf.db | grep -q 'ounted too low' && fault 'a whole count is doubted'

# Debug information with blocks in blocks: as deep as the walk goes, deeper, and so deep that a stack would not do.
nest() { # blocks within the unit; a function leaf is described beside them
  cat >nest.c <<X
__asm__(".section .debug_abbrev,\"\",%progbits\n.uleb128 1,0x11\n.byte 1,0,0\n.uleb128 2,0x0b\n.byte 1,0,0\n"
        ".uleb128 3,0x2e\n.byte 0,0x03,0x08,0x11,0x01,0x12,0x07,0,0\n.byte 0\n"
        ".section .debug_info,\"\",%progbits\n.4byte 2f-1f\n1: .2byte 4\n.4byte .debug_abbrev\n.byte 8\n.uleb128 1\n"
        ".uleb128 3\n.asciz \"leaf\"\n.8byte leaf,1\n"
        ".rept $1\n.uleb128 2\n.endr\n.rept $1 + 1\n.byte 0\n.endr\n2:\n.text\n");
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(void) { leaf(); return 0; }
X
  "$plain_cc" -O1 -o nest nest.c || exit 1
  study=nest.db try leaf ./nest || fault "blocks, $1 deep"
  "$run" report nest.db >nest.txt
  mv nest.db "nest$1.db"
}
nest 250
grep 'ounted too low' nest.txt && fault 'what debug information says is doubted'
nest 251
grep -q 'Perhaps counted too low: leaf of nest' nest.txt || fault 'what was not looked at is believed'
nest 200000

# As many as can be detached in a reasonable time.
{
  for ((i = 0; i < 129; i++)); do echo "__attribute__((noinline)) void f$i(void) { __asm__ volatile(\"\" : : \"i\"($i)); }"; done
  echo 'int main(void) {'
  for ((i = 0; i < 129; i++)); do echo "f$i();"; done
  echo 'return 0; }'
} >many.c
"$plain_cc" -O1 -fno-ipa-icf -o many many.c || exit 1
names() { seq -s, -f f%g 0 "$1"; }
study=many.db try "$(names 126)" ./many || fault '127 functions'
study=most.db try "$(names 127)" ./many || fault '128 functions'
[ "$(counts most.db | grep -c ' 1$')" = 384 ] || fault '128 functions: other counts'
told 2 'means 129 functions; at most 128' 'choose fewer' try "$(names 128)" ./many

# Without the rights: what gives them. Two capabilities are enough.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && getent passwd nobody >/dev/null; then
  chmod 755 "$work"
  mkdir users && chmod 777 users
  export TMPDIR=$work/users
  as_nobody() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }
  cd users || exit 1
  as_nobody "$run" doctor --json >doctor.json
  json doctor.json '[(x["state"], "setcap cap_bpf,cap_perfmon+ep" in x["hint"]) for x in d["checks"] if x["name"] == "uprobes"] == [("limited", True)]'
  "$run" doctor --json >doctor.json
  json doctor.json '[x["state"] for x in d["checks"] if x["name"] == "uprobes"] == ["ok"]'
  told 2 'CAP_BPF and CAP_PERFMON' 'setcap cap_bpf,cap_perfmon\+ep /.*scale-run' \
    as_nobody "$run" run -q -P $sizes -o nobody.db --uprobes leaf -- ../parts '{n}'
  [ -e nobody.db ] && fault 'a study of nothing was left behind'
  told 2 'CAP_BPF and CAP_PERFMON' 'cap-add BPF' \
    setpriv --bounding-set -bpf,-perfmon,-sys_admin "$run" run -q -P $sizes -o root.db --uprobes leaf -- ../parts '{n}'
  as_nobody --inh-caps +bpf,+perfmon --ambient-caps +bpf,+perfmon "$run" run -q --no-report -P $sizes -o two.db --uprobes leaf -- ../parts '{n}' ||
    fault 'two capabilities are not enough'
  for n in 10 20 40; do echo "$n /parts/leaf $((2 * n))"; done | of two.db
fi
exit $status
