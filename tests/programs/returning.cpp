/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that do not come back, far below functions that otherwise would: what stands behind is not counted. */
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#define N __attribute__((noinline))
#define I static inline __attribute__((always_inline))
static long t;
static jmp_buf jb;
I void after1(int i) { t += i; }
I void after2(int i) { t += i; }
I void after3(int i) { t += i; }
I void after4(int i) { t += i; }
I void after5(int i) { t += i; }
I void after6(int i) { t += i; }
I void after7(int i) { t += i; }
N static void lj(int i)
{
  if (i == 6)
    longjmp(jb, 1);
  t += i;
}
N static void lj2(int i)
{
  lj(i);
  after1(i);
}
N static void l1(int n)
{
  for (int i = 0; i < n; i++) {
    lj2(i);
    after1(i);
  }
}
N static void th(int i)
{
  if (i == 7)
    throw i;
  t++;
}
struct G {
  ~G() { t += 2; }
};
N static void th2(int i)
{
  G g;
  th(i);
  after2(i);
}
N static void l2(int n)
{
  for (int i = 0; i < n; i++) {
    th2(i);
    after2(i);
  }
}
/* mutual recursion of sure functions with one leaving deep */
N static void ma(int n);
N static void mb(int n)
{
  if (n > 20)
    throw n;
  after3(n);
  ma(n + 1);
  after3(n);
}
N static void ma(int n)
{
  after3(n);
  mb(n + 1);
  after3(n);
}
static void *thr(void *)
{
  for (int i = 0;; i++) {
    after4(i);
    t += 0;
    if (i == 9)
      pthread_exit(0);
  }
}
N static void px(int i)
{
  if (i == 5)
    pthread_exit(nullptr);
  t += 0;
}
static void *thr2(void *)
{
  for (int i = 0;; i++) {
    px(i);
    after4(i);
  }
  return 0;
}
static void cbx(int i);
void (*volatile cbp)(int) = cbx;
static void cbx(int i)
{
  if (i == 8)
    throw i;
}
N static void pc(int i)
{
  cbp(i);
  after5(i);
}
N static void l5(int n)
{
  for (int i = 0; i < n; i++) {
    pc(i);
    after5(i);
  }
}
N static void nr(int i)
{
  if (i == 3)
    std::terminate();
}
N static int sw(int k, int i)
{
  switch (k) {
  case 0:
    return i;
  case 1:
    throw i;
  default:
    return k;
  }
}
N static int l6(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) {
    try {
      s += sw(i % 3, i);
      after6(i);
    } catch (int z) {
      s += z;
      continue;
    }
    after6(i);
  }
  return s;
}
struct V {
  virtual ~V() {}
  virtual void f(int i) { t += i; }
};
struct W : V {
  void f(int i) override
  {
    if (i == 4)
      throw i;
  }
};
N static void l7(V *v, int n)
{
  for (int i = 0; i < n; i++) {
    v->f(i);
    after7(i);
  }
}
N static void ex(int i)
{
  if (i == 5) {
    fflush(stdout);
    exit(9);
  }
}
int main()
{
  if (!setjmp(jb))
    l1(10);
  try {
    l2(10);
  } catch (int) {
    t++;
  }
  try {
    ma(0);
  } catch (int) {
    t++;
  }
  pthread_t p;
  pthread_create(&p, 0, thr, 0);
  pthread_join(p, 0);
  pthread_create(&p, 0, thr2, 0);
  pthread_join(p, 0);
  try {
    l5(10);
  } catch (int) {
  }
  t += l6(20);
  V v;
  W w;
  l7(&v, 10);
  try {
    l7(&w, 10);
  } catch (int) {
  }
  printf("%ld\n", t);
  for (int i = 0; i < 10; i++) {
    ex(i);
    after1(i);
  }
}
