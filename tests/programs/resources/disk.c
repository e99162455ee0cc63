/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients send commands to a disk that has room for six, a plain semaphore; one thread notes which are through and
 * makes room again. TWIN 1: room for 200. TWIN 2: commands are through at once. */
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

#if TWIN == 1
enum { ROOM = 200, TAKES = 5000 };
#elif TWIN == 2
enum { ROOM = 6, TAKES = 0 };
#else
enum { ROOM = 6, TAKES = 5000 };
#endif
enum { COMMANDS = 16, MOST = 1024 };

static sem_t room, sent; /* culprit */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec through[MOST * COMMANDS]; /* of commands, in their order */
static size_t first, last;

static void send_command(void)
{
  sem_wait(&room); /* culprit */
  pthread_mutex_lock(&lock);
  clock_gettime(CLOCK_MONOTONIC, &through[last]);
  through[last].tv_nsec += TAKES * 1000L;
  if (through[last].tv_nsec >= 1000000000) {
    through[last].tv_nsec -= 1000000000;
    through[last].tv_sec++;
  }
  last++;
  pthread_mutex_unlock(&lock);
  sem_post(&sent);
}

static void *note(void *commands)
{
  for (size_t left = (size_t)commands; left; left--) {
    sem_wait(&sent);
    pthread_mutex_lock(&lock);
    struct timespec until = through[first++];
    pthread_mutex_unlock(&lock);
    if (TAKES)
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    sem_post(&room);
  }
  return NULL;
}

static void *client(void *unused)
{
  for (int i = 0; i < COMMANDS; i++) {
    program_pause(15000);
    send_command();
  }
  return unused;
}

int main(int argc, char **argv)
{
  size_t n = (size_t)program_size(argc, argv);
  pthread_t disk, clients[MOST];
  if (n > MOST)
    return 1;
  sem_init(&room, 0, ROOM);
  sem_init(&sent, 0, 0);
  pthread_create(&disk, NULL, note, (void *)(n * COMMANDS));
  for (size_t i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (size_t i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  pthread_join(disk, NULL);
  return 0;
}
