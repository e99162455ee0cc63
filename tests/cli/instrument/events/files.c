/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of a file, taken by 4 threads or processes 20 times each in one of the ways there are. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *way;
static int wrong;

static void rest(long microseconds)
{
  struct timespec time = {0, microseconds * 1000};
  nanosleep(&time, NULL);
}

static int record(int file, int command, short type)
{
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
  return fcntl(file, command, &range);
}

static int take(int file)
{
  if (strcmp(way, "record") == 0)
    return record(file, F_SETLKW, F_WRLCK);
  if (strcmp(way, "description") == 0)
    return record(file, F_OFD_SETLKW, F_WRLCK);
  if (strcmp(way, "lockf") == 0)
    return lockf(file, F_LOCK, 0);
  return flock(file, strcmp(way, "shared") == 0 ? LOCK_SH : LOCK_EX);
}

static int give(int file)
{
  if (strcmp(way, "record") == 0)
    return record(file, F_SETLK, F_UNLCK);
  if (strcmp(way, "description") == 0)
    return record(file, F_OFD_SETLK, F_UNLCK);
  if (strcmp(way, "lockf") == 0)
    return lseek(file, 0, SEEK_SET) == 0 ? lockf(file, F_ULOCK, 0) : -1;
  return flock(file, LOCK_UN);
}

static void *work(void *unused)
{
  int file = open("locked", O_RDWR | O_CREAT, 0600);
  for (int i = 0; i < 20; i++) {
    if (strcmp(way, "close") == 0 && i)
      file = open("locked", O_RDWR);
    wrong += take(file) != 0;
    rest(300);
    wrong += strcmp(way, "close") == 0 ? close(file) != 0 : give(file) != 0;
  }
  if (strcmp(way, "close") != 0)
    close(file);
  return unused;
}

/* What is held by another one is not waited for: EWOULDBLOCK, and the lock stays. Wrong addresses are the kernel's. */
static int try(void)
{
  int mine = open("locked", O_RDWR | O_CREAT, 0600), other = open("locked", O_RDWR);
  errno = 0;
  wrong += flock(mine, LOCK_EX) != 0 || errno != 0;
  wrong += flock(other, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  wrong += flock(other, 0) == 0 || errno != EINVAL;
  wrong += flock(mine, LOCK_UN) != 0 || flock(other, LOCK_SH | LOCK_NB) != 0;
  wrong += fcntl(mine, F_SETFD, FD_CLOEXEC) != 0 || fcntl(mine, F_GETFD) != FD_CLOEXEC;
  wrong += record(mine, F_GETLK, F_WRLCK) != 0;
  wrong += fcntl(mine, F_SETLK, (struct flock *)NULL) == 0 || errno != EFAULT;
  wrong += fcntl(mine, F_SETLKW, (struct flock *)-1) == 0 || errno != EFAULT;
  close(other);
  close(mine);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
  pthread_t threads[4];
  way = arguments[1];
  if (strcmp(way, "try") == 0)
    return try();
  if (count > 2) {
    for (int i = 0; i < 4; i++)
      if (fork() == 0) {
        work(NULL);
        exit(wrong);
      }
    for (int status; wait(&status) > 0;)
      wrong += status != 0;
  } else {
    for (int i = 0; i < 4; i++)
      pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
      pthread_join(threads[i], NULL);
  }
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
