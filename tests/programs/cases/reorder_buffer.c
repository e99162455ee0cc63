/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reorder buffer as logical decoding has one (PostgreSQL's case 12 of gigiprofiler): changes of a transaction are
 * collected until it commits. Those of a transaction that is aborted are cleaned up, but not the tuples that were moved
 * to their own buffers. Tuple buffers are cached, as they are needed again all the time. With -DFIXED they are given back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tuple_buf {
  struct tuple_buf *next;
  unsigned length;
  char data[200];
};

struct change {
  struct change *next;
  int kind;
  struct tuple_buf *new_tuple;
};

struct txn {
  struct txn *next;
  unsigned long xid;
  struct change *first, *last;
  unsigned changes;
};

struct reorder_buffer {
  struct txn *txns;
  struct tuple_buf *cached_tuples;
  unsigned cached;
  unsigned long out;
};

enum { MAX_CACHED = 32 };

static struct tuple_buf *reorder_buffer_get_tuple_buf(struct reorder_buffer *rb)
{
  struct tuple_buf *tuple = rb->cached_tuples;
  if (tuple) {
    rb->cached_tuples = tuple->next;
    rb->cached--;
  } else if (!(tuple = malloc(sizeof *tuple)))
    abort();
  return tuple;
}

static void reorder_buffer_return_tuple_buf(struct reorder_buffer *rb, struct tuple_buf *tuple)
{
  if (rb->cached == MAX_CACHED) {
    free(tuple);
    return;
  }
  tuple->next = rb->cached_tuples;
  rb->cached_tuples = tuple;
  rb->cached++;
}

static struct change *reorder_buffer_get_change(void)
{
  struct change *change = calloc(1, sizeof *change);
  if (!change)
    abort();
  return change;
}

static void reorder_buffer_return_change(struct change *change) { free(change); }

static struct txn *reorder_buffer_txn_by_xid(struct reorder_buffer *rb, unsigned long xid)
{
  for (struct txn *txn = rb->txns; txn; txn = txn->next)
    if (txn->xid == xid)
      return txn;
  struct txn *txn = calloc(1, sizeof *txn);
  if (!txn)
    abort();
  txn->xid = xid;
  txn->next = rb->txns;
  rb->txns = txn;
  return txn;
}

static void reorder_buffer_queue_change(struct reorder_buffer *rb, unsigned long xid, struct change *change)
{
  struct txn *txn = reorder_buffer_txn_by_xid(rb, xid);
  if (txn->last)
    txn->last->next = change;
  else
    txn->first = change;
  txn->last = change;
  txn->changes++;
}

static void reorder_buffer_cleanup_txn(struct reorder_buffer *rb, struct txn *txn, int aborted)
{
  struct txn **at = &rb->txns;
  while (*at != txn)
    at = &(*at)->next;
  *at = txn->next;
  for (struct change *change = txn->first, *next; change; change = next) {
    next = change->next;
#ifdef FIXED
    aborted = 0;
#endif
    if (!aborted)
      reorder_buffer_return_tuple_buf(rb, change->new_tuple);
    reorder_buffer_return_change(change);
  }
  free(txn);
}

static void reorder_buffer_commit(struct reorder_buffer *rb, unsigned long xid)
{
  struct txn *txn = reorder_buffer_txn_by_xid(rb, xid);
  for (struct change *change = txn->first; change; change = change->next)
    rb->out += change->new_tuple->length;
  reorder_buffer_cleanup_txn(rb, txn, 0);
}

static void reorder_buffer_abort(struct reorder_buffer *rb, unsigned long xid)
{
  reorder_buffer_cleanup_txn(rb, reorder_buffer_txn_by_xid(rb, xid), 1);
}

static void decode_insert(struct reorder_buffer *rb, unsigned long xid, const char *text)
{
  struct change *change = reorder_buffer_get_change();
  struct tuple_buf *tuple = reorder_buffer_get_tuple_buf(rb);
  tuple->length = (unsigned)strlen(text);
  memcpy(tuple->data, text, tuple->length + 1);
  change->kind = 'I';
  change->new_tuple = tuple;
  reorder_buffer_queue_change(rb, xid, change);
}

int main(int argc, char **argv)
{
  unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
  struct reorder_buffer rb = {0};
  for (unsigned long xid = 1; xid <= count; xid++) {
    for (int i = 0; i < 5; i++)
      decode_insert(&rb, xid, "a tuple of a table");
    if (xid % 8 == 0)
      reorder_buffer_abort(&rb, xid);
    else
      reorder_buffer_commit(&rb, xid);
  }
  for (struct tuple_buf *tuple; (tuple = rb.cached_tuples); free(tuple))
    rb.cached_tuples = tuple->next;
  printf("%lu\n", rb.out);
  return 0;
}
