/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of readers and writers that are made of a mutex, conditions and numbers: a flag and a count in one structure,
 * as variables, and one number for both. Each of four threads reads 90 times and writes 10 times. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

struct table {
  long rows;
  struct lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int writing, readers;
  } lock;
};
static struct table table = {0, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0}};

static void table_read(struct table *t)
{
  pthread_mutex_lock(&t->lock.mutex);
  while (t->lock.writing)
    pthread_cond_wait(&t->lock.changed, &t->lock.mutex);
  t->lock.readers++;
  pthread_mutex_unlock(&t->lock.mutex);
}
static void table_read_end(struct table *t)
{
  pthread_mutex_lock(&t->lock.mutex);
  if (--t->lock.readers == 0)
    pthread_cond_broadcast(&t->lock.changed);
  pthread_mutex_unlock(&t->lock.mutex);
}
static void table_write(struct table *t)
{
  pthread_mutex_lock(&t->lock.mutex);
  while (t->lock.readers > 0 || t->lock.writing)
    pthread_cond_wait(&t->lock.changed, &t->lock.mutex);
  t->lock.writing = 1;
  pthread_mutex_unlock(&t->lock.mutex);
}
static void table_write_end(struct table *t)
{
  pthread_mutex_lock(&t->lock.mutex);
  t->lock.writing = 0;
  pthread_cond_broadcast(&t->lock.changed);
  pthread_mutex_unlock(&t->lock.mutex);
}

static int looking, storing;
static void look(void)
{
  pthread_mutex_lock(&mutex);
  while (storing)
    pthread_cond_wait(&changed, &mutex);
  looking++;
  pthread_mutex_unlock(&mutex);
}
static void look_end(void)
{
  pthread_mutex_lock(&mutex);
  looking--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void store(void)
{
  pthread_mutex_lock(&mutex);
  while (looking || storing)
    pthread_cond_wait(&changed, &mutex);
  storing = 1;
  pthread_mutex_unlock(&mutex);
}
static void store_end(void)
{
  pthread_mutex_lock(&mutex);
  storing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* -1: one writes. */
static int state, waiting;
static void enter(void)
{
  pthread_mutex_lock(&mutex);
  while (state < 0 || waiting > 0)
    pthread_cond_wait(&changed, &mutex);
  state++;
  pthread_mutex_unlock(&mutex);
}
static void leave(void)
{
  pthread_mutex_lock(&mutex);
  state--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void change(void)
{
  pthread_mutex_lock(&mutex);
  waiting++;
  while (state != 0)
    pthread_cond_wait(&changed, &mutex);
  waiting--;
  state = -1;
  pthread_mutex_unlock(&mutex);
}
static void change_end(void)
{
  pthread_mutex_lock(&mutex);
  state = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* All in one function, and from reading to writing. */
static int viewing, editing;
static void view(long *rows)
{
  pthread_mutex_lock(&mutex);
  while (editing)
    pthread_cond_wait(&changed, &mutex);
  viewing++;
  pthread_mutex_unlock(&mutex);
  *rows += table.rows < 0;
  pthread_mutex_lock(&mutex);
  viewing--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void edit(void)
{
  pthread_mutex_lock(&mutex);
  while (editing)
    pthread_cond_wait(&changed, &mutex);
  viewing++;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  viewing--;
  while (viewing || editing)
    pthread_cond_wait(&changed, &mutex);
  editing = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  editing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* Called as in the table's lock, elsewhere in the structure. */
struct list {
  long rows[5];
  int writing;
  long more[9];
  int readers;
} list;
static void list_read(struct list *l)
{
  pthread_mutex_lock(&mutex);
  while (l->writing)
    pthread_cond_wait(&changed, &mutex);
  l->readers++;
  pthread_mutex_unlock(&mutex);
}
static void list_read_end(struct list *l)
{
  pthread_mutex_lock(&mutex);
  l->readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void list_write(struct list *l)
{
  pthread_mutex_lock(&mutex);
  while (l->readers > 0 || l->writing)
    pthread_cond_wait(&changed, &mutex);
  l->writing = 1;
  pthread_mutex_unlock(&mutex);
}
static void list_write_end(struct list *l)
{
  pthread_mutex_lock(&mutex);
  l->writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* A variable that begins with how many read. */
static struct {
  int readers, writing;
} first;
static void first_read(void)
{
  pthread_mutex_lock(&mutex);
  while (first.writing)
    pthread_cond_wait(&changed, &mutex);
  first.readers++;
  pthread_mutex_unlock(&mutex);
}
static void first_read_end(void)
{
  pthread_mutex_lock(&mutex);
  first.readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void first_write(void)
{
  pthread_mutex_lock(&mutex);
  while (first.readers > 0 || first.writing)
    pthread_cond_wait(&changed, &mutex);
  first.writing = 1;
  pthread_mutex_unlock(&mutex);
}
static void first_write_end(void)
{
  pthread_mutex_lock(&mutex);
  first.writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* Variables that are called as fields of the others are. */
static int readers, writing;
static void plain_read(void)
{
  pthread_mutex_lock(&mutex);
  while (writing)
    pthread_cond_wait(&changed, &mutex);
  readers++;
  pthread_mutex_unlock(&mutex);
}
static void plain_read_end(void)
{
  pthread_mutex_lock(&mutex);
  readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void plain_write(void)
{
  pthread_mutex_lock(&mutex);
  while (readers > 0 || writing)
    pthread_cond_wait(&changed, &mutex);
  writing = 1;
  pthread_mutex_unlock(&mutex);
}
static void plain_write_end(void)
{
  pthread_mutex_lock(&mutex);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* Entered by who waits, and by who tries; and from writing to reading. */
static struct {
  int reading, writing;
} tried;
static void tried_read(void)
{
  pthread_mutex_lock(&mutex);
  while (tried.writing)
    pthread_cond_wait(&changed, &mutex);
  tried.reading++;
  pthread_mutex_unlock(&mutex);
}
static int tried_try_read(void)
{
  int got = 0;
  pthread_mutex_lock(&mutex);
  if (!tried.writing) {
    tried.reading++;
    got = 1;
  }
  pthread_mutex_unlock(&mutex);
  return got;
}
static void tried_read_end(void)
{
  pthread_mutex_lock(&mutex);
  tried.reading--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
static void tried_write(void)
{
  pthread_mutex_lock(&mutex);
  while (tried.reading > 0 || tried.writing)
    pthread_cond_wait(&changed, &mutex);
  tried.writing = 1;
  pthread_mutex_unlock(&mutex);
}
static int tried_try_write(void)
{
  int got = 0;
  pthread_mutex_lock(&mutex);
  if (!tried.reading && !tried.writing) {
    tried.writing = 1;
    got = 1;
  }
  pthread_mutex_unlock(&mutex);
  return got;
}
static void tried_downgrade(void)
{
  pthread_mutex_lock(&mutex);
  tried.writing = 0;
  tried.reading++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *nothing)
{
  long rows = 0;
  for (int i = 0; i < 100; i++) {
    if (i % 10) {
      view(&rows);
      list_read(&list);
      list_read_end(&list);
      first_read();
      first_read_end();
      plain_read();
      plain_read_end();
      table_read(&table);
      table_read_end(&table);
      look();
      look_end();
      enter();
      leave();
      while (i % 2 && !tried_try_read())
        sched_yield();
      if (i % 2 == 0)
        tried_read();
      tried_read_end();
    } else {
      edit();
      list_write(&list);
      list_write_end(&list);
      first_write();
      first_write_end();
      plain_write();
      plain_write_end();
      table_write(&table);
      table.rows++;
      table_write_end(&table);
      store();
      store_end();
      change();
      change_end();
      while (i % 20 && !tried_try_write())
        sched_yield();
      if (i % 20 == 0)
        tried_write();
      tried_downgrade();
      tried_read_end();
    }
  }
  return rows ? nothing : NULL;
}

int main(void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return table.rows == 40 ? 0 : 1;
}
