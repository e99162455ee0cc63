#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Further quadratics that end in the library, at -O0 and -O2: each is the one finding, at the line of the call, and what it
# will go over is known to the last digit; a twin that does the same in linear time raises none.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >prog.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <regex.h>
#include <search.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>
#define CASE extern "C" __attribute__((noinline)) long
template <class T> static T *zeros(long n) { return static_cast<T *>(std::calloc(static_cast<size_t>(n) + 8, sizeof(T))); }
static int by_value(const void *a, const void *b) { return *static_cast<const int *>(a) - *static_cast<const int *>(b); }
CASE unique(long n)
{
  int *all = zeros<int>(n);
  size_t count = 0;
  for (int i = 0; i < n; i++)
    if (!lfind(&i, all, &count, sizeof *all, by_value)) // unique 0.5 n^2 - 0.5 n
      all[count++] = i;
  return static_cast<long>(count);
}
CASE unique_twin(long n)
{
  int *all = zeros<int>(n);
  size_t one = 1;
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += lfind(&i, all, &one, sizeof *all, by_value) != nullptr;
  return sum;
}
CASE wide(long n)
{
  wchar_t *text = zeros<wchar_t>(2 * n);
  for (long i = 0; i < n; i++)
    wcscat(text, L"xy"); // wide n^2 + n
  return text[n];
}
CASE wide_twin(long n)
{
  wchar_t *text = zeros<wchar_t>(2 * n), *end = text;
  for (long i = 0; i < n; i++)
    end = wcpcpy(end, L"xy");
  return text[n];
}
CASE patterns(long n)
{
  regex_t regex;
  regmatch_t match;
  char *text = zeros<char>(2 * n), *rest = text;
  for (long i = 0; i < n; i++)
    std::memcpy(text + 2 * i, "a,", 2);
  regcomp(&regex, "^a,", 0);
  while (regexec(&regex, rest, 1, &match, 0) == 0) // patterns n^2 + n
    rest += match.rm_eo;
  regfree(&regex);
  return rest - text;
}
CASE patterns_twin(long n)
{
  regex_t regex;
  regmatch_t match;
  char *text = zeros<char>(3 * n);
  long sum = 0;
  for (long i = 0; i < n; i++)
    std::memcpy(text + 3 * i, "a,", 3);
  regcomp(&regex, "^a,", 0);
  for (long i = 0; i < n; i++)
    sum += regexec(&regex, text + 3 * i, 1, &match, 0) == 0;
  regfree(&regex);
  return sum;
}
CASE journal(long n)
{
  char name[] = "journal.XXXXXX", *all = zeros<char>(8 * n);
  int file = mkstemp(name);
  long sum = unlink(name);
  for (long i = 0; i < n; i++) {
    sum += write(file, "12345678", 8);
    sum += pread(file, all, static_cast<size_t>(8 * n), 0); // journal 4 n^2 + 4 n
  }
  return sum + close(file);
}
CASE journal_twin(long n)
{
  char name[] = "journal.XXXXXX", last[8];
  int file = mkstemp(name);
  long sum = unlink(name);
  for (long i = 0; i < n; i++) {
    sum += write(file, "12345678", 8);
    sum += pread(file, last, 8, 8 * i);
  }
  return sum + close(file);
}
CASE report(long n)
{
  std::ostringstream out;
  long sum = 0;
  for (long i = 0; i < n; i++) {
    out << "abc";
    sum += static_cast<long>(out.str().size()); // report 1.5 n^2 + 1.5 n
  }
  return sum;
}
CASE report_twin(long n)
{
  std::ostringstream out;
  for (long i = 0; i < n; i++)
    out << "abc";
  return static_cast<long>(out.str().size());
}
CASE middle(std::vector<long> all) { return all[all.size() / 2]; }
CASE by_copy(long n)
{
  std::vector<long> all(static_cast<size_t>(n), 3);
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += middle(all); // by_copy 8 n^2
  return sum;
}
CASE by_copy_twin(long n)
{
  std::vector<long> all(static_cast<size_t>(n), 3), few(3, 4);
  long sum = all[1];
  for (long i = 0; i < n; i++)
    sum += middle(few);
  return sum;
}
CASE variables(long n)
{
  char name[32];
  clearenv();
  for (long i = 0; i < n; i++) {
    std::snprintf(name, sizeof name, "K%ld", i);
    setenv(name, "v", 1); // variables 0.5 n^2 - 0.5 n
  }
  return 0;
}
CASE variables_twin(long n)
{
  clearenv();
  for (long i = 0; i < n; i++)
    setenv("K", "v", 1);
  return 0;
}
#define BOTH(name) {#name, name}, {#name "_twin", name##_twin}
static const struct { const char *name; long (*function)(long); } cases[] = {
    BOTH(unique), BOTH(wide), BOTH(patterns), BOTH(journal), BOTH(report), BOTH(by_copy), BOTH(variables)};
int main(int, char **argv)
{
  for (auto &one : cases)
    if (!std::strcmp(one.name, argv[1]))
      std::printf("%ld\n", one.function(std::strtol(argv[2], nullptr, 10)));
}
C
study() { # case: report.json
  "$run" run -P n=50,100,200,400,800 --at 10000 --event none --max-iterations 1 --restart -q --no-report -- ./prog "$1" '{n}' >log 2>&1 ||
    { fault "$1: run"; cat log; }
  "$run" report --json >report.json
}
for level in -O0 -O2; do
  "${cc%cc}c++" $level -std=c++17 -o prog prog.cpp || exit 1
  while IFS=: read -r line name formula; do
    study "$name"
    python3 - "$level $name" "$line" "$formula" <<'PYTHON' || status=1
import json, sys
found = [(f["rule"], f["subject"]["line"], f["model"]["formula"], f["model"]["exact"])
         for f in json.load(open("report.json"))["findings"] if f["superlinear"]]
if found != [("library-work", int(sys.argv[2]), sys.argv[3], True)]:
    print(f"FAULT: {sys.argv[1]}: expected {sys.argv[3]} at line {sys.argv[2]} alone, got {found}")
    sys.exit(1)
PYTHON
    study "${name}_twin"
    json report.json 'not any(f["superlinear"] for f in d["findings"]) and d["verdict"]["undecided"] == 0' # times may say what they like
  done < <(sed -n 's|.*// \([a-z_]*\) \(.*n.*\)|\1:\2|; t print; d; :print; =; p' prog.cpp | paste -d: - -)
done
exit $status
