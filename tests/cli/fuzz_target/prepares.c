/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares for long before it looks at its input: at the file that its argument names, or standard input. A macro says
 * how it reads, and what keeps it from being forked there. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __cplusplus
#include <fstream>
#include <iostream>
#endif

static char text[4096];
static size_t size;
static volatile int sink;

static void prepare(void)
{
  for (int i = 0; i < 20000; i++)
    sink++;
}
static void nest(void)
{
  for (size_t i = 0; i < size; i++)
    for (size_t k = 0; k < size && text[i] == '('; k++)
      sink++;
}

#ifdef BY_LIBRARY /* with a library that counts before the executable begins */
extern int early(void);
#define BY_OPEN
#endif

#ifdef BY_OPEN
static void look(const char *path)
{
  int fd = open(path, O_RDONLY);
  size = (size_t)read(fd, text, sizeof text);
}
#elif defined(BY_FOPEN)
static void look(const char *path)
{
  FILE *file = fopen(path, "r");
  size = fread(text, 1, sizeof text, file);
}
#elif defined(BY_STAT) /* and as many bytes as it said */
static void look(const char *path)
{
  struct stat status;
  stat(path, &status);
  prepare();
  int fd = open(path, O_RDONLY);
  size = (size_t)read(fd, text, (size_t)status.st_size);
}
#elif defined(BY_MAP)
static void look(const char *path)
{
  struct stat status;
  (void)path;
  fstat(0, &status);
  size = (size_t)status.st_size;
  char *all = size ? (char *)mmap(NULL, size, PROT_READ, MAP_PRIVATE, 0, 0) : text;
  for (size_t i = 0; i < size; i++)
    text[i] = all[i];
}
#elif defined(BY_SCANF)
static void look(const char *path)
{
  (void)path;
  if (scanf("%4095s", text) == 1)
    while (text[size])
      size++;
}
#elif defined(BY_GETCHAR)
static void look(const char *path)
{
  int c;
  (void)path;
  while ((c = getchar()) != EOF)
    text[size++] = (char)c;
}
#elif defined(BY_FSTREAM)
static void look(const char *path)
{
  std::ifstream file(path);
  while (file.get(text[size]))
    size++;
}
#elif defined(BY_CIN)
static void look(const char *)
{
  while (std::cin.get(text[size]))
    size++;
}
#elif defined(BY_CALL) /* which nobody sees */
static void look(const char *path)
{
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  size = (size_t)syscall(SYS_read, fd, text, sizeof text);
}
#elif defined(BY_STALE_SIZE) /* which it had from such a call before */
static void look(const char *path)
{
  struct stat status;
  syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0);
  int fd = open(path, O_RDONLY);
  size = (size_t)read(fd, text, (size_t)status.st_size);
}
#elif defined(BY_REST) /* and of a file that is open already, and read on there */
static int settings;
static void look(const char *path)
{
  char line[16];
  int fd = open(path, O_RDONLY);
  size = (size_t)read(fd, text, sizeof text);
  while (read(settings, line, sizeof line) > 0)
    sink++;
}
#elif defined(BY_THREADS)
static void *stay(void *unused)
{
  pause();
  return unused;
}
static void look(const char *path)
{
  pthread_t thread;
  pthread_create(&thread, NULL, stay, NULL);
  int fd = open(path, O_RDONLY);
  size = (size_t)read(fd, text, sizeof text);
}
#endif

int main(int argc, char **argv)
{
#ifdef BY_REST
  settings = open("settings", O_RDONLY);
#endif
#ifdef BY_LIBRARY
  sink = early();
#endif
  prepare();
  if (getenv("LD_PRELOAD") || getenv("SCALE_FUZZ_INPUT"))
    return 9;
  look(argc > 1 ? argv[1] : "");
  nest();
  return 0;
}
