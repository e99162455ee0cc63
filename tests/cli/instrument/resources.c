/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs do to resources, with numbers that are known: resources HOW. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static sem_t tickets, calls;
static int is_open;
static void *volatile block;

static void nap(long us)
{
  struct timespec t = {0, us * 1000};
  nanosleep(&t, NULL);
}

static void *visitor(void *nothing)
{
  pthread_mutex_lock(&door);
  while (!is_open)
    pthread_cond_wait(&opened, &door);
  pthread_mutex_unlock(&door);
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&table);
    if (i % 250 == 0)
      nap(300);
    pthread_mutex_unlock(&table);
    sem_wait(&tickets);
    sem_post(&tickets);
  }
  return nothing;
}

/* 4 x 1000 times the table, 4 times the door */
static void visit(void)
{
  pthread_t thread[4];
  sem_init(&tickets, 0, 2);
  for (int i = 0; i < 4; i++)
    pthread_create(&thread[i], NULL, visitor, NULL);
  nap(5000);
  pthread_mutex_lock(&door);
  is_open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&door);
  for (int i = 0; i < 4; i++)
    pthread_join(thread[i], NULL);
}

/* 1000 blocks: 250 stay, 250 are freed through a pointer to free, the others by its name */
static void allocate(void)
{
  void (*volatile give)(void *) = free;
  for (int i = 0; i < 1000; i++) {
    block = malloc(1000);
    if (i % 4 == 1)
      give(block);
    else if (i % 4)
      free(block);
  }
  for (size_t bytes = 64; bytes <= 64 << 6; bytes *= 2)
    block = realloc(bytes == 64 ? NULL : block, bytes);
  free(block);
}

static void rings(int signal)
{
  (void)signal;
  sem_post(&calls);
  block = malloc(8); /* not allowed, but done where nothing else allocates */
  free(block);
}

/* Signals in the middle of everything that a thread does to its locks. */
static void answer(void)
{
  struct itimerval fast = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
  sem_init(&calls, 0, 0);
  signal(SIGALRM, rings);
  setitimer(ITIMER_REAL, &fast, NULL);
  for (int i = 0; i < 300000; i++) {
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&door);
    pthread_mutex_unlock(&door);
    pthread_mutex_unlock(&table);
  }
  setitimer(ITIMER_REAL, &off, NULL);
}

/* A child, which closes and frees what its parent got, and as much of its own. */
static void divide(void)
{
  int fd = open("/dev/null", O_RDONLY);
  block = malloc(100);
  pthread_mutex_lock(&table);
  pid_t child = fork();
  for (int i = 0; i < (child ? 0 : 2); i++) {
    pthread_mutex_unlock(&table);
    close(fd);
    free(block);
    if (i)
      _exit(0);
    pthread_mutex_lock(&table);
    fd = open("/dev/null", O_RDONLY);
    block = malloc(100);
  }
  waitpid(child, NULL, 0);
  pthread_mutex_unlock(&table);
  close(fd);
  free(block);
}

#ifdef WITH_LIBRARY
void library_work(pthread_mutex_t *mutex, int times);
#endif

int main(int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "visit"))
    visit();
  if (!strcmp(how, "kill")) {
    visit();
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(how, "exec")) {
    visit();
    execl("/bin/true", "true", NULL);
  }
  if (!strcmp(how, "allocate"))
    allocate();
  if (!strcmp(how, "answer"))
    answer();
  if (!strcmp(how, "divide"))
    divide();
#ifdef WITH_LIBRARY
  if (!strcmp(how, "library")) {
    library_work(&table, 100);
    pthread_mutex_lock(&table);
    pthread_mutex_unlock(&table);
  }
#endif
  return 0;
}
