/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scan of n pages reads ahead: every page is pinned in the buffer pool, every eighth is looked at, all stay pinned
 * until the end of the scan. Twin: sixteen pages ahead are pinned; each is looked at, and unpinned then.
 */
#include "program.h"
#include <scale/annotate.h>

enum { AHEAD = 16, PAGE_READ = 20, SCANS = 5 };

struct page {
  long pins, sum;
};
static struct page *pages;

static void pin(long number)
{
  pages[number].pins++;
  SCALE_ACQUIRE("buffer pool", &pages[number], 1); /* culprit */
}

static void unpin(long number)
{
  SCALE_RELEASE("buffer pool", &pages[number], 1);
  pages[number].pins--;
}

static void look_at(long number)
{
  SCALE_READ("buffer pool", &pages[number]);
  pages[number].sum += number;
}

#ifdef TWIN
static void scan(long count)
{
  for (long pinned = 0, looked = 0; looked < count; looked++) {
    if (pinned == looked) {
      for (; pinned < count && pinned < looked + AHEAD; pinned++)
        pin(pinned);
      program_pause(AHEAD * PAGE_READ);
    }
    look_at(looked);
    unpin(looked);
  }
}
#else
static void scan(long count)
{
  for (long number = 0; number < count; number++) {
    pin(number); /* culprit */
    if (number % AHEAD == 0)
      program_pause(AHEAD * PAGE_READ);
    if (number % 8 == 0)
      look_at(number);
  }
  for (long number = 0; number < count; number++)
    unpin(number);
}
#endif

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  pages = calloc((size_t)n, sizeof *pages);
  if (!pages)
    return 1;
  for (int i = 0; i < SCANS; i++)
    scan(n);
  for (long i = 0; i < n; i++)
    sum += pages[i].sum;
  printf("%ld\n", sum);
  free(pages);
  return 0;
}
