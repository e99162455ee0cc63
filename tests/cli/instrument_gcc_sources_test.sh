#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sources that gcc 12 takes, with a warning at most, and that clang 19 rejects by default.
. "$(dirname "$0")/instrument/common.sh"

# taken NAME SUFFIX <SOURCE: the wrapper makes a program of it, which exits with 0; not where errors are asked for
taken() {
  local compiler=$cc
  [ "$2" = c ] || compiler=$cxx
  cat >"$1.$2"
  "$compiler" -O1 "$1.$2" -o "$1" 2>err || { fail "$1: $(grep -m1 error: err)"; return; }
  "./$1" || fail "$1: exit status $?"
  has "$1: a warning" "warning: .*\[-W${1//+/.}\]" "$(cat err)"
  "$compiler" -Werror -c "$1.$2" -o error.o 2>/dev/null && fail "$1: taken with -Werror"
  "$compiler" -pedantic-errors -c "$1.$2" -o error.o 2>/dev/null && fail "$1: taken with -pedantic-errors"
  "$compiler" "-Werror=$1" -c "$1.$2" -o error.o 2>/dev/null && fail "$1: taken with -Werror=$1"
  "$compiler" -Werror -Wno-error -c "$1.$2" -o error.o 2>/dev/null || fail "$1: not taken with -Werror -Wno-error"
  "$compiler" "-Wno-$1" -Werror -c "$1.$2" -o error.o || fail "$1: not taken with -Wno-$1"
}

taken implicit-function-declaration c <<'C'
int main(void) { return twice(3) - 6; }
int twice(int n) { return 2 * n; }
C
taken implicit-int c <<'C'
static three = 3;
twice(int n) { return 2 * n; }
int main(void) { return twice(three) - 6; }
C
taken int-conversion c <<'C'
static int *p;
int main(void) { long zero = 0; p = zero; int number = p; return number; }
C
taken incompatible-function-pointer-types c <<'C'
#include <stdlib.h>
static int compare(int *a, int *b) { return *a - *b; }
int main(void) { int numbers[2] = {2, 0}; qsort(numbers, 2, sizeof(int), compare); return numbers[0]; }
C
taken return-mismatch c <<'C'
static int seen;
static int look(int n) { if (n > 5) return; seen = n; return 0; }
static void store(int n) { return look(n); }
int main(void) { store(3); return seen - 3; }
C
taken register cpp <<'C'
int main() { register int zero = 0; return zero; }
C
taken c++11-narrowing cpp <<'C'
int main(int count, char **) { char numbers[] = {count}; return numbers[0] - 1; }
C
taken c++11-narrowing-const-reference cpp <<'C'
struct letter { const char &of; };
int main(int count, char **) { letter one{count}; return one.of - 1; }
C
taken reserved-user-defined-literal cpp <<'C'
#define NAME "b"
int main() { const char *text = "a"NAME"c"; return text[3]; }
C
taken missing-template-arg-list-after-template-kw cpp <<'C'
struct number { template<class T> T zero(T n) { return n - n; } };
template<class T> int zero_of() { return T().template zero(1); }
int main() { return zero_of<number>(); }
C
taken enum-constexpr-conversion cpp <<'C'
enum few { none, one };
constexpr few many = static_cast<few>(99);
int main() { return many - 99; }
C
taken elaborated-enum-class cpp <<'C'
enum class few { none };
enum class few none = few::none;
int main() { return static_cast<int>(none); }
C
taken gnu-array-member-paren-init cpp <<'C'
struct pair { int of[2]; pair() : of({0, 1}) {} };
int main() { return pair().of[0]; }
C
taken dtor-typedef cpp <<'C'
static int ended;
struct thing { ~thing(); };
typedef thing other;
other::~other() { ended++; }
int main() { { thing one; } return ended - 1; }
C
finish
