/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets a child of fork go on only when its parent says so: before anything that the program itself registered. */
#include <pthread.h>
#include <unistd.h>

static int gate[2];

void wait_for_parent(void)
{
  char letter;
  (void)!read(gate[0], &letter, 1);
}

void parent_is_done(void) { (void)!write(gate[1], "", 1); }

static __attribute__((constructor)) void begin(void)
{
  if (pipe(gate) == 0)
    pthread_atfork(NULL, NULL, wait_for_parent);
}
