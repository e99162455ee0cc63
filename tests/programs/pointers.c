/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters and results of every kind through pointers; values live in vector registers across first calls. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef double d8 __attribute__((vector_size(64)));
typedef struct {
  int a, b, c;
} s12;
typedef struct {
  double a;
  long b;
} sdl;
typedef struct {
  long a[5];
} big;
typedef struct {
  float a, b, c;
} f3;
typedef struct {
  long double x;
} sld;
typedef struct {
  char c[3];
} c3;
typedef struct {
  double a, b;
} dd;
typedef struct {
  __int128 v;
} si;
#define N __attribute__((noinline))
N static double fd(double a, double b, double c, double d, double e, double f, double g, double h)
{
  return a - b * c + d / e - f * g + h;
}
N static double fd9(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
  return a - b * c + d / e - f * g + h * i;
}
N long double fl(long double a, int b, double c) { return a * b + c; }
N __int128 fi(__int128 a, long b) { return a * b; }
N double _Complex fc(double _Complex a, float b) { return a * b; }
N float _Complex fcf(float _Complex a, float b) { return a * b; }
N long double _Complex fcl(long double _Complex a, int b) { return a * b; }
N v4 fv(v4 a, v4 b) { return a * b + a; }
N d4 fv4(d4 a, d4 b) { return a * b - a; }
N d8 fv8(d8 a, d8 b) { return a * b - a; }
N s12 f12(s12 a, int k)
{
  a.a += k;
  a.b *= k;
  a.c -= k;
  return a;
}
N sdl fsdl(sdl a)
{
  a.a *= 2;
  a.b += 7;
  return a;
}
N big fbig(big a, int k)
{
  for (int i = 0; i < 5; i++)
    a.a[i] += k * i;
  return a;
}
N f3 ff3(f3 a)
{
  a.a += 1;
  a.b += 2;
  a.c *= 3;
  return a;
}
N sld fsld(sld a)
{
  a.x *= 3;
  return a;
}
N c3 fc3(c3 a)
{
  a.c[0]++;
  a.c[2] += 2;
  return a;
}
N dd fdd(dd a, dd b)
{
  a.a += b.b;
  a.b -= b.a;
  return a;
}
N si fsi(si a, int k)
{
  a.v += k;
  return a;
}
N long f7(long a, long b, long c, long d, long e, long f, long g)
{
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
N long f6(long a, int b, short c, char d, unsigned char e, _Bool f)
{
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}
N int fva(int n, ...)
{
  va_list a;
  va_start(a, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += va_arg(a, double);
  va_end(a);
  return (int)s;
}
N _Float16 fh(_Float16 a, float b) { return a * (_Float16)b; }
N void fvoid(double *r, double x) { *r = x * 3; }
N float flt(float a, int b, float c) { return a * b - c; }
#define P(T, f) T(*volatile p_##f) = f
double (*volatile pfd)(double, double, double, double, double, double, double, double) = fd;
double (*volatile pfd9)(double, double, double, double, double, double, double, double, double) = fd9;
long double (*volatile pfl)(long double, int, double) = fl;
__int128 (*volatile pfi)(__int128, long) = fi;
double _Complex (*volatile pfc)(double _Complex, float) = fc;
float _Complex (*volatile pfcf)(float _Complex, float) = fcf;
long double _Complex (*volatile pfcl)(long double _Complex, int) = fcl;
v4 (*volatile pfv)(v4, v4) = fv;
d4 (*volatile pfv4)(d4, d4) = fv4;
d8 (*volatile pfv8)(d8, d8) = fv8;
s12 (*volatile p12)(s12, int) = f12;
sdl (*volatile psdl)(sdl) = fsdl;
big (*volatile pbig)(big, int) = fbig;
f3 (*volatile pf3)(f3) = ff3;
sld (*volatile psld)(sld) = fsld;
c3 (*volatile pc3)(c3) = fc3;
dd (*volatile pdd)(dd, dd) = fdd;
si (*volatile psi)(si, int) = fsi;
long (*volatile p7)(long, long, long, long, long, long, long) = f7;
long (*volatile p6)(long, int, short, char, unsigned char, _Bool) = f6;
int (*volatile pva)(int, ...) = fva;
float (*volatile pflt)(float, int, float) = flt;
void (*volatile pvoid)(double *, double) = fvoid;
/* values live in vector registers across the first call */
N static double live(int n, double a, double b, double c)
{
  long double L = a * 1.25L + n;
  v4 v = {(float)a, (float)b, (float)c, 1};
  d4 w = {a, b, c, n};
  double x = a * b, y = b * c, z = c * a, q = x / y;
  if (n & 1) {
    x += pfd(a, b, c, x, y + 1, z, q, 1);
    L = pfl(L, n, q);
  }
  w = w * pfv4(w, w);
  v = v + pfv(v, v);
  y += pflt(b, n, c);
  if (n % 3 == 0)
    L += pfl(L, 2, x) * y;
  return x + y * z - q + (double)L + v[0] + v[1] * v[2] + v[3] + w[0] + w[1] + w[2] - w[3];
}
int cmpd(const void *a, const void *b)
{
  double x = *(double *)a, y = *(double *)b;
  return x < y ? -1 : x > y;
}
int main(void)
{
  for (int i = 1; i < 6; i++) {
    double k = i * 1.5;
    printf("%g %g %Lg\n", pfd(k, 2, 3, 4, 5, 6, 7, k), pfd9(k, 2, 3, 4, 5, 6, 7, k, i), pfl(k, i, .5));
    __int128 r = pfi(((__int128)i << 65) + 3, 7);
    printf("%lx %lx\n", (long)(r >> 64), (long)r);
    double _Complex c = pfc(k + 2 * I, 3);
    float _Complex cf = pfcf(k + I, 2);
    long double _Complex cl = pfcl(k - I * 3, i);
    printf("%g %g %g %g %Lg %Lg\n", creal(c), cimag(c), crealf(cf), cimagf(cf), creall(cl), cimagl(cl));
    v4 v = pfv((v4){i, 2, 3, 4}, (v4){5, 6, 7, i});
    d4 w = pfv4((d4){i, 2, 3, 4}, (d4){5, 6, 7, i});
    d8 u = pfv8((d8){i, 2, 3, 4, 5, 6, 7, 8}, (d8){5, 6, 7, i, 1, 2, 3, 4});
    printf("%g %g %g %g|%g %g %g %g|%g %g\n", v[0], v[1], v[2], v[3], w[0], w[1], w[2], w[3], u[0], u[7]);
    s12 s = p12((s12){i, 2, 3}, i);
    sdl t = psdl((sdl){k, i});
    big b = pbig((big){{1, 2, 3, 4, i}}, i);
    f3 f = pf3((f3){k, 2, 3});
    sld l = psld((sld){k});
    c3 e = pc3((c3){{i, 2, 3}});
    dd D = pdd((dd){k, 2}, (dd){3, i});
    si S = psi((si){(__int128)i << 70}, i);
    printf("%d %d %d|%g %ld|%ld %ld|%g %g %g|%Lg|%d %d %d|%g %g|%lx %lx\n", s.a, s.b, s.c, t.a, t.b, b.a[1], b.a[4],
           f.a, f.b, f.c, l.x, e.c[0], e.c[1], e.c[2], D.a, D.b, (long)(S.v >> 64), (long)S.v);
    double o;
    pvoid(&o, k);
    printf("%ld %ld %d %g %g\n", p7(i, 2, 3, 4, 5, 6, 7), p6(i, -2, 3, -4, 5, 1), pva(4, 1.5, 2.5, k, 9.0),
           pflt(k, i, 2), o);
    printf("%.6g\n", live(i, k, k + 1, k + 2));
  }
  double a[50];
  for (int i = 0; i < 50; i++)
    a[i] = (i * 37) % 50;
  qsort(a, 50, sizeof *a, cmpd);
  printf("%g %g\n", a[0], a[49]);
}
