/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that waits where its program does not: its wrappers are its own, the state they use is the program's. */
#include <pthread.h>

static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;

void library_work(pthread_mutex_t *mutex, int times);
void library_work(pthread_mutex_t *mutex, int times)
{
  for (int i = 0; i < times; i++) {
    pthread_mutex_lock(mutex);
    pthread_rwlock_rdlock(&shelf);
    pthread_rwlock_unlock(&shelf);
    pthread_mutex_unlock(mutex);
  }
}
