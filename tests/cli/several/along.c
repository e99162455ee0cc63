/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that is linear in n and grows in one way or another with m, by the first argument. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile unsigned long sink;
static long n, m;

/* m^2 for each of n requests. */
static void compare_columns(void)
{
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++)
      sink += (unsigned long)(i ^ j);
}

/* m^2, whatever n is, beside n. */
static void start_tables(void)
{
  for (long i = 0; i < m; i++)
    for (long j = 0; j < 2000 * m; j++)
      sink += (unsigned long)(i ^ j);
}

/* strcat walks what is there already: m (m - 1) / 2 fields of 8 bytes. */
static void join_fields(char *line)
{
  *line = '\0';
  for (long i = 0; i < m; i++)
    strcat(line, "field 12");
}

__attribute__((noinline)) static void visit(long field)
{
  for (long j = 0; j <= field; j++)
    sink += (unsigned long)j;
}

/* One loop here, the other one in the callee: m (m + 1) / 2. */
static void visit_fields(void)
{
  for (long i = 0; i < m; i++)
    visit(i);
}

/* Small tables are gone over in 30 steps, larger ones pair by pair. */
static void pick(void)
{
  for (long i = 0, steps = m < 20 ? 30 : m * m; i < steps; i++)
    sink += (unsigned long)i;
}

/* A pause for each pair, next to nothing for the processor. */
static void ask_all(void)
{
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++)
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* n m: linear in both. */
static void read_columns(void)
{
  for (long i = 0; i < m; i++)
    sink += (unsigned long)i;
}

/* A table that doubles at half full: what its probes count lies in stairs around m. */
static void fill_table(void)
{
  static unsigned long random = 1;
  size_t places = 8, used = 0;
  unsigned *table = calloc(places, sizeof *table);
  for (long i = 0; table && i < m; i++) {
    if (2 * used >= places) {
      unsigned *old = table;
      table = calloc(2 * places, sizeof *table);
      for (size_t k = 0; table && k < places; k++) {
        size_t at = old[k] % (2 * places);
        while (old[k] && table[at])
          at = (at + 1) % (2 * places);
        table[at] = old[k] ? old[k] : table[at];
      }
      free(old);
      places *= 2;
    }
    random = random * 6364136223846793005u + 1442695040888963407u;
    unsigned key = (unsigned)(random >> 33) | 1;
    size_t at = key % places;
    for (; table && table[at]; sink++)
      at = (at + 1) % places;
    if (table)
      table[at] = key;
    used++;
  }
  free(table);
}

static void *share(void *unused)
{
  for (long i = 0; i < n / m; i++)
    sink += (unsigned long)i;
  return unused;
}

/* n divided among m threads. */
static int divide(void)
{
  pthread_t *list = calloc((size_t)m, sizeof *list);
  for (long t = 0; t < m; t++)
    if (!list || pthread_create(&list[t], NULL, share, NULL) != 0)
      return 1;
  for (long t = 0; t < m; t++)
    pthread_join(list[t], NULL);
  free(list);
  return 0;
}

int main(int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "loop";
  n = argc > 2 ? atol(argv[2]) : 1;
  m = argc > 3 ? atol(argv[3]) : 1;
  char *line = malloc(8 * (size_t)m + 9);
  if (!line)
    return 1;
  if (!strcmp(mode, "threads"))
    return divide();
  if (!strcmp(mode, "tables"))
    start_tables();
  if (!strcmp(mode, "wait"))
    ask_all();
  for (long i = 0; i < n; i++)
    if (!strcmp(mode, "loop"))
      compare_columns();
    else if (!strcmp(mode, "strcat"))
      join_fields(line);
    else if (!strcmp(mode, "callee"))
      visit_fields();
    else if (!strcmp(mode, "late"))
      pick();
    else if (!strcmp(mode, "table"))
      fill_table();
    else
      read_columns();
  free(line);
  return 0;
}
