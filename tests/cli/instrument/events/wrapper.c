/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lock of a program's own make, in a file of its own: who calls it knows the names. */
#include <pthread.h>

struct mutex {
  pthread_mutex_t handle;
};
void mutex_lock(struct mutex *mutex) { pthread_mutex_lock(&mutex->handle); }
void mutex_unlock(struct mutex *mutex) { pthread_mutex_unlock(&mutex->handle); }
