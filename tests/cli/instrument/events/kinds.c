/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every class of resources, what succeeds and what fails, a known number of times. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <threads.h>
#include <unistd.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t slots;
static mtx_t modern;
static pthread_barrier_t meeting;

static void *work(void *argument)
{
  pthread_barrier_wait(&meeting);
  return argument;
}

static int work_too(void *argument) { return argument != NULL; }

static void locks(void)
{
  for (int i = 0; i < 3; i++) {
    pthread_rwlock_rdlock(&table);
    if (pthread_rwlock_trywrlock(&table) == 0)
      abort();
    pthread_rwlock_unlock(&table);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    if (pthread_mutex_trylock(&plain) || !pthread_mutex_trylock(&plain))
      abort();
    pthread_mutex_unlock(&plain);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    sem_wait(&slots);
    if (sem_trywait(&slots) == 0)
      abort();
    sem_post(&slots);
    mtx_lock(&modern);
    mtx_unlock(&modern);
  }
}

static void memory(void)
{
  void *aligned = NULL, *mapped;
  char *text = NULL;
  void *volatile block = malloc(100);

  block = realloc(block, 5000);
  block = realloc(block, 50000);
  free(block);
  if (posix_memalign(&aligned, 64, 1000) == 0)
    free(aligned);
  if (asprintf(&text, "%d", 12345) > 0)
    free(text);
  text = strdup("text");
  free(text);
  block = malloc(SIZE_MAX / 2 - 4096);
  free(block);
  mapped = mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(mapped, 1 << 16);
  mapped = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void files(void)
{
  int ends[2], one;
  FILE *stream;
  DIR *folder = opendir("/");

  closedir(folder);
  if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends + 0 * errno))
    abort();
  close(ends[0]);
  close(ends[1]);
  one = open("/proc/self/exe/file", O_RDONLY);
  one = open("/dev/null", O_RDONLY);
  one = dup2(one, 99);
  stream = fdopen(one, "r");
  fclose(stream);
  stream = fopen("/proc/self/exe/file", "r");
  stream = fopen("/dev/null", "r");
  fclose(stream);
}

static void start(void)
{
  pthread_t thread, other;
  thrd_t third;

  pthread_create(&thread, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_detach(other);
  thrd_create(&third, work_too, NULL);
  thrd_join(third, NULL);
}

int main(void)
{
  pthread_spin_init(&spin, 0);
  sem_init(&slots, 0, 1);
  mtx_init(&modern, mtx_plain);
  pthread_barrier_init(&meeting, NULL, 2);
  locks();
  memory();
  files();
  start();
  return 0;
}
