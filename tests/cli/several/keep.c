/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles n requests in each of `threads` threads. Each thread opens a descriptor that nobody closes; beside the first
 * one each request opens another. The first thread gives back what it opens, as its spare one. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long n;

__attribute__((noinline)) static int open_log(void) { return open("/dev/null", O_WRONLY | O_CLOEXEC); }
__attribute__((noinline)) static int open_request(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

static void *work(void *first)
{
  (void)open_log();
  for (long i = 0; i < n; i++) {
    int request = open_request();
    if (first)
      close(request);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  n = argc > 1 ? atol(argv[1]) : 1;
  long threads = argc > 2 ? atol(argv[2]) : 1;
  pthread_t *list = calloc((size_t)threads, sizeof *list);
  for (long t = 0; t < threads; t++)
    if (pthread_create(&list[t], NULL, work, t ? NULL : list) != 0)
      return 1;
  for (long t = 0; t < threads; t++)
    pthread_join(list[t], NULL);
  free(list);
  return 0;
}
