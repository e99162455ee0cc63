// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose body ends in a `continue` that leaves a scope: the front end then notes the statement nowhere, or on a
// branch that nothing leads to. Destructors make it so at every level, lifetimes of plain variables from -O1 on.
#include <cstdio>
#include <initializer_list>
#define NOINLINE __attribute__((noinline))

static volatile int sink;

namespace
{

struct Scope {
  int V;
  explicit Scope(int X) : V(X) {}
  ~Scope() { sink = sink + V; }
};

NOINLINE int plainVariable(const char *S, const char *T)
{
  int I = 0, Sum = 0;
  for (int K = 0; K < 10; K++) {
    I = 0;
    while (I < 8 && S[I] == T[I]) {
      int C = S[I];
      Sum += C;
      I++;
      continue;
    }
  }
  return Sum;
}

NOINLINE int whileOne(int N)
{
  int I = 0;
  while (I < N) {
    Scope S(I);
    I++;
    continue;
  }
  return I;
}

NOINLINE int whileEither(int N, bool Twice)
{
  int I = 0;
  while (Twice ? I < 2 * N : I < N) {
    Scope S(I);
    I++;
    if (I & 1)
      continue;
    Scope T(I);
    continue;
  }
  return I;
}

NOINLINE int whileVariable(int N)
{
  while (int M = N) {
    Scope S(M);
    N = M - 1;
    continue;
  }
  return N;
}

NOINLINE int whileStatement(int N)
{
  int I = 0;
  while (({
    Scope T(I);
    T.V < N;
  })) {
    Scope S(I);
    I++;
    continue;
  }
  return I;
}

NOINLINE int forWithoutStep(int N)
{
  int I = 0;
  for (; I < N;) {
    Scope S(I);
    I++;
    continue;
  }
  return I;
}

NOINLINE int forWithStart(int N)
{
  int Sum = 0;
  for (int I = 0, J = N; I < J;) {
    Scope S(I);
    I++;
    Sum += I;
    continue;
  }
  return Sum;
}

NOINLINE int forWithAll(int N)
{
  int Sum = 0;
  for (int I = 0; I < N; I++) {
    Scope S(I);
    Sum += I;
    continue;
  }
  return Sum;
}

NOINLINE int forRange(int N)
{
  int Sum = 0;
  for (int X : {1, 2, 3, 4, 5}) {
    Scope S(X);
    Sum += N;
    continue;
  }
  return Sum;
}

NOINLINE int doWhile(int N)
{
  int I = 0;
  do {
    Scope S(I);
    I++;
    continue;
  } while (I < N);
  return I;
}

NOINLINE int whileTrue(int N)
{
  int I = 0;
  while (true) {
    if (I == N)
      return I;
    {
      Scope S(I);
      I++;
      continue;
    }
  }
}

NOINLINE int forEver(int N)
{
  int I = 0;
  for (;;) {
    if (I == N)
      return I;
    Scope S(I);
    I++;
    continue;
  }
}

NOINLINE int nested(int N)
{
  int I = 0, Sum = 0;
  while (I < N) {
    Scope S(I);
    I++;
    int J = 0;
    while (J < I) {
      Scope T(J);
      J++;
      Sum++;
      continue;
    }
    continue;
  }
  return Sum;
}

NOINLINE void fails(int N)
{
  if (N % 4)
    throw N;
}

NOINLINE int retry(int N)
{
  for (;;) {
    try {
      fails(N);
      return N;
    } catch (int) {
      N++;
      continue;
    }
  }
}

NOINLINE int retryWhile(int N)
{
  while (N < 100) {
    try {
      fails(N);
      return N;
    } catch (int) {
      N++;
      continue;
    }
  }
  return 0;
}

NOINLINE int backwardGoto(int N)
{
  int I = 0;
again:
  if (I < N) {
    Scope S(I);
    I++;
    goto again;
  }
  return I;
}

NOINLINE int leave(int X) { return X + 1; }

NOINLINE int leaves(int N)
{
  int I = 0;
  while (I < 100) {
    if (I == N)
      return leave(I);
    Scope S(I);
    I++;
    continue;
  }
  return I;
}

} // namespace

int main()
{
  int R =
      plainVariable("abcdefgh", "abcdeXgh") + whileOne(7) + whileEither(7, true) + whileVariable(7) + whileStatement(7);
  R += forWithoutStep(7) + forWithStart(7) + forWithAll(7) + forRange(7) + doWhile(7) + whileTrue(7) + forEver(7) +
       nested(7);
  R += retry(1) + retryWhile(1) + backwardGoto(7) + leaves(7);
  std::printf("%d %d\n", R, sink);
  return 0;
}
