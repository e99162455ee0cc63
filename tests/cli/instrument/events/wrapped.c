/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>

struct mutex {
  pthread_mutex_t handle;
};
extern void mutex_lock(struct mutex *mutex);
extern void mutex_unlock(struct mutex *mutex);

struct table {
  int entries;
  struct mutex lock;
};
static struct table table;
static struct mutex alone;

__attribute__((noinline)) static void enter(struct table *in, int n)
{
  for (int i = 0; i < n; i++) {
    mutex_lock(&in->lock);
    in->entries++;
    mutex_unlock(&in->lock);
  }
}

int main(void)
{
  enter(&table, 3);
  for (int i = 0; i < 5; i++) {
    mutex_lock(&alone);
    mutex_unlock(&alone);
  }
  return table.entries != 3;
}
