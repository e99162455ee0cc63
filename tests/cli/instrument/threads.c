/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argv[1] threads, argv[2] at a time; each calls a leaf 100 times, directly and (under a deeper stack) in a
   thread-specific destructor, after the runtime's own destructor may have run. */
#include "mimic.h"
#include <pthread.h>
#include <stdlib.h>

MIMIC_FUNCTION(start)
MIMIC_FUNCTION(leaf)
MIMIC_FUNCTION(late)
static pthread_key_t key;

__attribute__((noinline)) static void leaf(void)
{
  MIMIC_ENTER(leaf);
  node->loop += 2;
  MIMIC_LEAVE();
}
static void late(void *value)
{
  MIMIC_ENTER(late);
  MIMIC_CALL(0);
  leaf();
  MIMIC_LEAVE();
  if (value != (void *)3) /* as often as the C library goes round */
    pthread_setspecific(key, (char *)value + 1);
}
static void *start(void *unused)
{
  MIMIC_ENTER(start);
  pthread_setspecific(key, (void *)1);
  for (int i = 0; i < 100; i++) {
    MIMIC_CALL(0);
    leaf();
  }
  MIMIC_LEAVE();
  return unused;
}
int main(int argc, char **argv)
{
  int count = atoi(argv[1]), at_once = atoi(argv[2]);
  pthread_t *thread = calloc((size_t)at_once, sizeof(*thread));
  pthread_key_create(&key, late);
  for (int done = 0; done < count; done += at_once) {
    for (int i = 0; i < at_once; i++)
      if (pthread_create(&thread[i], NULL, start, NULL) != 0)
        return 9;
    for (int i = 0; i < at_once; i++)
      pthread_join(thread[i], NULL);
  }
  free(thread);
  return 0;
}
