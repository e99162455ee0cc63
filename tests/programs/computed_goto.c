/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An interpreter that jumps through a table of labels, in a static table and in a local one. */
#include <stdio.h>
#define NOINLINE __attribute__((noinline))

enum { PUSH, ADD, LOOP, END };

static inline int plus(int a, int b) { return a + b; }

NOINLINE static int run(const unsigned char *code, int times)
{
  static const void *const labels[] = {&&push, &&add, &&loop, &&end};
  const unsigned char *at = code;
  int stack[8], top = 0, sum = 0;
  goto *labels[*at];
push:
  stack[top++] = at[1];
  at += 2;
  goto *labels[*at];
add:
  top--;
  stack[top - 1] = plus(stack[top - 1], stack[top]);
  at++;
  goto *labels[*at];
loop:
  sum += stack[--top];
  at = --times > 0 ? code : at + 1;
  goto *labels[*at];
end:
  for (int i = 0; i < 3; i++)
    sum += i;
  return sum;
}

NOINLINE static int choose(int n)
{
  void *labels[2] = {&&even, &&odd};
  int s = 0;
  for (int i = 0; i < n; i++) {
    goto *labels[i & 1];
  even:
    s += 2;
    continue;
  odd:
    s--;
  }
  return s;
}

int main(void)
{
  static const unsigned char code[] = {PUSH, 2, PUSH, 3, ADD, LOOP, END};
  printf("%d %d\n", run(code, 1000), choose(100));
  return 0;
}
