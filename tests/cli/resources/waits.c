/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that wait (each in a function that begins with "wait", and there only once), and loops that look like it and work.
 * One thread: each wait ends at once. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))

#if defined(__x86_64__)
static inline void relax(void) { __asm__ volatile("pause" ::: "memory"); }
#else
static inline void relax(void) { __asm__ volatile("yield" ::: "memory"); }
#endif

struct ticket_lock {
  atomic_uint next, serving;
};
static struct ticket_lock tickets;
static volatile int ready = 1;
static atomic_int readies[8], lock;
static long sink;

NOINLINE static void wait_ticket(struct ticket_lock *l)
{
  unsigned mine = atomic_fetch_add(&l->next, 1);
  while (atomic_load_explicit(&l->serving, memory_order_acquire) != mine)
    relax();
}
NOINLINE static void give_back(struct ticket_lock *l) { atomic_fetch_add(&l->serving, 1); }

NOINLINE static void wait_volatile(void)
{
  for (int spins = 0; !ready; spins++)
    if (spins > 100)
      sched_yield();
}

static int is_ready(void) { return ready; }
NOINLINE static void wait_helper(void)
{
  while (!is_ready())
    ;
}

NOINLINE static int wait_value(atomic_int *of)
{
  int value;
  while ((value = atomic_load(of)) < 0)
    relax();
  return value;
}

#if defined(__x86_64__)
static int swap(int *at, int value)
{
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at)::"memory");
  return value;
}
static int assembly_lock, cycle_lock = 1;
NOINLINE static void wait_assembly(void)
{
  while (swap(&assembly_lock, 1))
    relax();
}
NOINLINE static void wait_in_assembly(void)
{
  __asm__ volatile("1: lock; decl %0\njns 3f\n2: pause\ncmpl $0, %0\njle 2b\njmp 1b\n3:" : "+m"(cycle_lock)::"memory");
}
/* Neither waits for a thread: it swaps bytes in registers, it exchanges without waiting. */
NOINLINE static unsigned swap_bytes(unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned value = i;
    __asm__("xchgb %b0, %h0" : "+Q"(value));
    sum += value;
  }
  return sum;
}
NOINLINE static long swap_all(int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += swap(&assembly_lock, i & 1);
  return sum;
}
#endif

/* A lock that is understood: reading before trying is part of it. */
NOINLINE static void take(void)
{
  while (atomic_exchange(&lock, 1))
    while (atomic_load(&lock))
      relax();
}
NOINLINE static void release(void) { atomic_store(&lock, 0); }

/* Work, until told to stop; over all elements; with a result; on memory. */
NOINLINE static void work_until(atomic_int *stop)
{
  while (!atomic_load(stop)) {
    sink++;
    atomic_store(stop, 1);
  }
}
NOINLINE static long add_up(int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += atomic_load(&readies[i & 7]);
  return sum;
}
NOINLINE static long count_rounds(int most)
{
  long rounds = 0;
  while (ready) {
    if (rounds >= most)
      break;
    rounds++;
  }
  return rounds;
}
NOINLINE static int find_first(int n)
{
  int i = 0;
  while (i < n && !atomic_load(&readies[i & 7]))
    i++;
  return i;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 5;
  atomic_int stop = 0, value = 3;
  long sum = 0;
  wait_ticket(&tickets);
  give_back(&tickets);
  wait_volatile();
  wait_helper();
  sum += wait_value(&value);
  take();
  release();
#if defined(__x86_64__)
  sum += swap_all(n) + swap_bytes((unsigned)n);
  assembly_lock = 0;
  wait_assembly();
  wait_in_assembly();
#endif
  work_until(&stop);
  sum += add_up(n) + count_rounds(n) + find_first(n);
  printf("%ld %ld\n", sum, sink);
  return 0;
}
