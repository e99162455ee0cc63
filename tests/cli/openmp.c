/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of n threads enters a critical section 20 times, and takes a lock of OpenMP's. The section is slow; the lock is held
 * for a moment only. With TWIN the section is short as well. They sleep rather than compute, so that they need no
 * processors. */
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static omp_lock_t count_lock;
static long total, count;

static void visit(void)
{
#ifndef TWIN
#pragma omp critical(table)
  {
    usleep(1000);
    total++;
  }
#else
  usleep(1000);
#pragma omp critical(table)
  total++;
#endif
  usleep(8000);
  omp_set_lock(&count_lock);
  count++;
  omp_unset_lock(&count_lock);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1;
  omp_init_lock(&count_lock);
#pragma omp parallel num_threads(n)
  for (int i = 0; i < 20; i++)
    visit();
  omp_destroy_lock(&count_lock);
  return total == 20 * n && count == total ? 0 : 1;
}
