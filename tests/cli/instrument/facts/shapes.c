/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes that facts tell of, one a function. */
#include <pthread.h>
#include <stdlib.h>

typedef struct _item {
  struct _item *next, *prev, *chain;
  unsigned short refcount;
  unsigned linked : 1, uses : 7;
  int id;
} item;

typedef struct {
  item *slots;
  unsigned count;
} slab;

struct queue {
  item *head, *tail, **end;
  pthread_mutex_t lock;
  pthread_cond_t filled;
};

struct stack {
  void **entries;
  int count, first, capacity;
  char *free;
};

struct elsewhere {
  struct {
    int used;
  } memory;
  union {
    item *single;
    long number;
  };
};

static slab slabs[64];
static item *heads[8], *tails[8], **table;
int live;
extern struct elsewhere elsewhere;

/* a free list: last in, first out */
item *list_pop(int id)
{
  slab *s = &slabs[id];
  item *it = s->slots;
  if (!it)
    return NULL;
  s->slots = it->next;
  s->count--;
  return it;
}
void list_push(item *it, int id)
{
  slab *s = &slabs[id];
  it->next = s->slots;
  s->slots = it;
  s->count++;
}

/* queues: first in, first out */
void queue_put(struct queue *q, item *it)
{
  it->next = NULL;
  if (!q->tail)
    q->head = it;
  else
    q->tail->next = it;
  q->tail = it;
}
void queue_put_at_end(struct queue *q, item *it)
{
  it->next = NULL;
  *q->end = it;
  q->end = &it->next;
}
item *queue_take(struct queue *q)
{
  pthread_mutex_lock(&q->lock);
  while (!q->head)
    pthread_cond_wait(&q->filled, &q->lock);
  item *it = q->head;
  q->head = it->next;
  if (!q->head)
    q->tail = NULL;
  pthread_mutex_unlock(&q->lock);
  return it;
}

/* references, and what counts all units */
void item_release(item *it)
{
  if (--it->refcount == 0) {
    live -= 1;
    free(it);
  }
}
item *item_new(void)
{
  item *it = malloc(sizeof *it);
  if (it)
    live += 1;
  return it;
}
item *item_new_wrapper(void) { return item_new(); }
int item_new_out(item **out)
{
  item *it = item_new();
  if (!it)
    return -1;
  *out = it;
  return 0;
}
int item_use_out(void)
{
  item *it;
  if (item_new_out(&it))
    return -1;
  item_release(it);
  return 0;
}

/* arrays with a cursor */
void stack_push(struct stack *s, void *v)
{
  if (s->count == s->capacity)
    s->entries = realloc(s->entries, (s->capacity *= 2) * sizeof(void *));
  s->entries[s->count++] = v;
}
void *stack_pop(struct stack *s) { return s->count ? s->entries[--s->count] : NULL; }
void *ring_take(struct stack *s)
{
  void *v = s->entries[s->first];
  s->first = (s->first + 1) % s->capacity;
  return v;
}
char *arena_take(struct stack *s, int bytes)
{
  char *start = s->free;
  s->free += bytes;
  return start;
}

/* arrays of records, and of lists */
struct holds {
  struct {
    item *unit;
    int count;
  } entries[16];
  int count;
  item **buckets;
};
void holds_add(struct holds *h, item *it)
{
  h->entries[h->count].count = 1;
  h->entries[h->count].unit = it;
  h->count++;
}
void bucket_push(struct holds *h, item *it, int hash)
{
  it->chain = h->buckets[hash];
  h->buckets[hash] = it;
}

/* out of the middle */
void list_unlink(item *it)
{
  if (heads[it->id] == it)
    heads[it->id] = it->next;
  if (tails[it->id] == it)
    tails[it->id] = it->prev;
  if (it->next)
    it->next->prev = it->prev;
  if (it->prev)
    it->prev->next = it->next;
}
void chain_unlink(int id)
{
  item **at = &table[id];
  while (*at && (*at)->id != id)
    at = &(*at)->chain;
  if (*at)
    *at = (*at)->chain;
}

/* cursors: none of these is a pop */
item *chain_find(int id)
{
  item *it = table[id];
  while (it && it->id != id)
    it = it->chain;
  return it;
}
item **chain_place(int id)
{
  item **at = &table[id];
  while (*at && (*at)->id != id)
    at = &(*at)->chain;
  return at;
}

/* a scanner that counts up and down again, and one that does so on one way only */
int scan(void)
{
  int sum = 0;
  for (item *it = heads[0]; it; it = it->next) {
    if (++it->refcount != 2) {
      it->refcount--;
      continue;
    }
    sum += it->id;
    it->refcount--;
  }
  return sum;
}
item *find_referenced(int id)
{
  item *it = chain_find(id);
  if (!it)
    return NULL;
  it->refcount++;
  if (it->linked)
    return it;
  it->refcount--;
  return NULL;
}

/* bit fields, parts of records without names, variables defined elsewhere, atomic counters */
void bits(item *it)
{
  it->linked = 0;
  it->uses++;
}
void parts(int *atomic)
{
  elsewhere.memory.used++;
  elsewhere.single = NULL;
  __atomic_fetch_add(&live, 1, __ATOMIC_SEQ_CST);
}

/* in a loop, each time the last use */
void drain(struct queue *q, void (*done)(item *))
{
  for (int i = 0; i < 10; i++) {
    item *it = queue_take(q);
    if (it->id)
      done(it);
    item_release(it);
  }
}

/* a wait for two counters */
struct gate {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int readers, writers;
};
void gate_write(struct gate *gate)
{
  pthread_mutex_lock(&gate->lock);
  while (gate->writers || gate->readers)
    pthread_cond_wait(&gate->changed, &gate->lock);
  gate->writers++;
  pthread_mutex_unlock(&gate->lock);
}
