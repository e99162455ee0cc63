/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three libraries that are alike but for what lies at one address: with SECOND, `add` has other functions before it;
 * with LONGER, it is longer, so that what the compiler puts behind it moves and the functions' own addresses do not. */
#define NOINLINE __attribute__((noinline))

#ifdef SECOND
#line 10 "plugin.c"
NOINLINE int other(int x) { return x * 7; }
NOINLINE int other2(int x) { return x * 7 + 2; }
NOINLINE int other3(int x) { return x * 7 + 3; }
NOINLINE int other4(int x) { return x * 1000 + 1; }
#define FIRST_CALLED other
#else
#define FIRST_CALLED add
int other(int x);
#endif

#line 20 "plugin.c"
NOINLINE int add(int x)
{
#ifdef LONGER
  volatile int steps = 0;
  for (int i = 0; i < 3; i++)
    steps += i * x;
#endif
  return x + 1;
}
int (*volatile table[2])(int) = {FIRST_CALLED, add};

#line 30 "plugin.c"
int run(int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += table[i & 1](i);
  return sum;
}
