#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a program compares its input with stands in a section of its own: nothing maps it, and the code stays as it is.
. "$(dirname "$0")/instrument/common.sh"
need objcopy

cat >words.c <<'C'
#include <stdio.h>
#include <string.h>
static const char *const words[] = {"true", "\"%\"", "null"};
static const struct { char name[8]; const char *more; } records[] = {{"amp;", "&!"}, {"lt;", "a word that is too long"}};
enum color { RED, GREEN, BLUE, GREY };
int find(const char *s, int c, enum color color)
{
  if (strcmp(s, "GET \\ \x01") == 0 || strstr(s, "://") || c == '%')
    return 1;
  if (*s == '(' || s[1] == '\x80' || s[2] > 'y')
    return 2;
  switch (c) { case '<': case '>': case '\n': return 3; }
  switch (color) { case RED: case GREEN: case BLUE: return 4; default: break; }
  if (strspn(s, "+-") || strchr(s, '#'))
    return 5;
  for (int i = 0; i < 3; i++)
    if (!strcmp(words[i], s) || !strcmp(records[i % 2].name, s) || !strcmp(records[i % 2].more, s))
      return 6;
  puts("](");
  puts("a message, that is");
  return 7;
}
C
echo 'const char *const tables[] = {"if", "else"};' >table.c
echo 'int find(const char *, int, int); int main(int argc, char **argv) { return argv[0][0] == 40 ? 1 : find(argv[0], argc, argc); }' >main.c
# tokens FILE: an entry a line, sorted
tokens() {
  rm -f tokens.bin
  objcopy --dump-section .scale_tokens=tokens.bin "$1" /dev/null 2>/dev/null
  tr '\0' '\n' <tokens.bin | LC_ALL=C sort
}
expected=$(printf '%s\n' 'a#' 'a%' 'a(' 'a+' 'a-' 'a<' 'a>' 'ay' $'a\x80' 'b://' $'bGET \\\\ \x01' 'c&!' 'c](' 'camp;' 'clt;' 'cnull' 'ctrue')
for level in -O0 -O2 "-O2 -g" -Oz; do
  "$cc" $level -c words.c -o words.o || fail "$level: does not build"
  same "$level: tokens" "$expected" "$(tokens words.o | sed '/^a\?$/d')" # a newline is compared with, too
done
# a unit that is a table; equal tokens once in a program, which keeps them without its symbols, in no segment
"$cc" -O2 words.c table.c main.c -o words && strip words || fail "does not link"
same "a table of its own" 2 "$(tokens words | grep -cxE 'cif|celse')"
same "once in a program" 1 "$(tokens words | grep -cxF 'a(')"
has "not mapped" ' 0000000000000000 .* MS ' "$(readelf -SW words | grep scale_tokens)"
"$cc" -O2 -flto words.c main.c -o words && same "with -flto" 1 "$(tokens words | grep -cxF 'bGET \\ '$'\x01')"
# a large table gives some words, and is no more than 20 KB whatever the program
{
  echo 'const char *const many[] = {'
  for i in {0..3000}; do echo "\"k$i\","; done
  echo '};'
  echo '#include <string.h>'
  echo 'int ask(const char *s) { return 0'
  for i in {0..900}; do echo " || !strcmp(s, \"a long keyword, number $i\")"; done
  echo '; }'
} >many.c
"$cc" -O0 -c many.c -o many.o || fail "a large table"
[ "$(tokens many.o | grep -c '^ck')" -le 32 ] || fail "a table gives $(tokens many.o | grep -c '^ck') words"
[ "$(stat -c %s tokens.bin)" -le 20480 ] || fail "tokens take $(stat -c %s tokens.bin) bytes"
finish
