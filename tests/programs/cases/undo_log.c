/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An undo log as a storage engine with multiple versions keeps it (MySQL's bug 75540): each update leaves an undo record,
 * which purge gives back once no read view can need it. A reporting session opens a view and forgets it, so nothing can
 * be purged. With -DFIXED the session takes a new view for each of its queries.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long trx_id_t;

struct undo_rec {
  struct undo_rec *next; /* in the history list, oldest first */
  struct undo_rec *prev_version;
  trx_id_t trx_no;
  unsigned row;
  char before[40];
};

struct read_view {
  struct read_view *next;
  trx_id_t low_limit;
};

struct row {
  struct undo_rec *version;
  char data[40];
};

struct trx_sys {
  struct undo_rec *history_head, *history_tail;
  unsigned long history_len;
  struct read_view *views;
  trx_id_t next_no;
};

enum { ROWS = 64 };
static struct trx_sys trx_sys;
static struct row table[ROWS];

static struct undo_rec *trx_undo_rec_create(unsigned row, trx_id_t no)
{
  struct undo_rec *rec = malloc(sizeof *rec);
  if (!rec)
    abort();
  rec->next = NULL;
  rec->trx_no = no;
  rec->row = row;
  memcpy(rec->before, table[row].data, sizeof rec->before);
  rec->prev_version = table[row].version;
  table[row].version = rec;
  return rec;
}

static void trx_undo_add_to_history(struct undo_rec *rec)
{
  if (trx_sys.history_tail)
    trx_sys.history_tail->next = rec;
  else
    trx_sys.history_head = rec;
  trx_sys.history_tail = rec;
  trx_sys.history_len++;
}

static struct undo_rec *trx_purge_fetch_next(trx_id_t limit)
{
  struct undo_rec *rec = trx_sys.history_head;
  if (!rec || rec->trx_no >= limit)
    return NULL;
  trx_sys.history_head = rec->next;
  if (!trx_sys.history_head)
    trx_sys.history_tail = NULL;
  trx_sys.history_len--;
  return rec;
}

static void trx_undo_rec_free(struct undo_rec *rec)
{
  if (table[rec->row].version == rec)
    table[rec->row].version = NULL;
  free(rec);
}

static struct read_view *view_open(void)
{
  struct read_view *view = malloc(sizeof *view);
  if (!view)
    abort();
  view->low_limit = trx_sys.next_no;
  view->next = trx_sys.views;
  trx_sys.views = view;
  return view;
}

static void view_close(struct read_view *view)
{
  struct read_view **at = &trx_sys.views;
  while (*at != view)
    at = &(*at)->next;
  *at = view->next;
  free(view);
}

static trx_id_t oldest_view(void)
{
  trx_id_t oldest = trx_sys.next_no;
  for (struct read_view *view = trx_sys.views; view; view = view->next)
    if (view->low_limit < oldest)
      oldest = view->low_limit;
  return oldest;
}

static void trx_purge(void)
{
  trx_id_t limit = oldest_view();
  struct undo_rec *rec;
  while ((rec = trx_purge_fetch_next(limit)))
    trx_undo_rec_free(rec);
}

static void row_update(unsigned row, unsigned long value)
{
  struct read_view *view = view_open();
  struct undo_rec *rec = trx_undo_rec_create(row, trx_sys.next_no++);
  snprintf(table[row].data, sizeof table[row].data, "%lu", value);
  trx_undo_add_to_history(rec);
  view_close(view);
}

static unsigned long report_query(const struct read_view *view)
{
  unsigned long sum = 0;
  for (unsigned i = 0; i < ROWS; i++) {
    const char *seen = table[i].data;
    for (struct undo_rec *rec = table[i].version; rec && rec->trx_no >= view->low_limit; rec = rec->prev_version)
      seen = rec->before;
    sum += strtoul(seen, NULL, 10);
  }
  return sum;
}

int main(int argc, char **argv)
{
  unsigned long updates = argc > 1 ? strtoul(argv[1], NULL, 10) : 100, sum = 0;
  struct read_view *report = view_open();
  for (unsigned long i = 1; i <= updates; i++) {
    row_update((unsigned)(i * 7 % ROWS), i);
    if (i % 10 == 0)
      trx_purge();
    if (i % 50 == 0) {
#ifdef FIXED
      view_close(report);
      report = view_open();
#endif
      sum += report_query(report);
    }
  }
  view_close(report);
  printf("%lu\n", sum);
  return 0;
}
