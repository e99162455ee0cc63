/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/running.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

int sc_running_check(pid_t process)
{
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
  if (process <= 0 || (kill(process, 0) < 0 && errno == ESRCH)) {
    (void)sc_err_set(SC_E_INPUT, "there is no process %d", (int)process);
    return sc_err_hint(SC_E_INPUT,
                       "`pgrep -a NAME` lists those of a program; of a server the oldest is the one to name");
  }
  if (readlink(link, path, sizeof path) > 0)
    return 0;
  if (errno == ENOENT) {
    (void)sc_err_set(SC_E_INPUT, "process %d runs no program: it is one of the kernel's, or has ended", (int)process);
    return sc_err_hint(SC_E_INPUT, "`pgrep -a NAME` lists those of a program");
  }
  (void)sc_err_system(SC_E_UNSUPPORTED, errno, "cannot see which program process %d runs", (int)process);
  return sc_err_hint(SC_E_UNSUPPORTED, "run it as root (sudo): attaching to others' processes takes that");
}

/* ---- the tree ---- */

static double processor_time(pid_t process, double otherwise)
{
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) < 0)
    return otherwise;
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool sc_running_read(pid_t process, long thread, const char *name, char *text, size_t size)
{
  char path[96];
  if (thread)
    snprintf(path, sizeof path, "/proc/%d/task/%ld/%s", (int)process, thread, name);
  else
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, size - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  return length > 0;
}

/* "PID (NAME) STATE PARENT ...": NAME may have anything in it. */
const char *sc_running_stat(pid_t process, long thread, char *text, size_t size)
{
  const char *bracket = sc_running_read(process, thread, "stat", text, size) ? strrchr(text, ')') : NULL;
  return bracket ? bracket + 1 : NULL;
}

/* `own` only to a tick of the kernel: it is measured of those that are taken. */
static bool read_stat(pid_t process, sc_running *one)
{
  char text[1024];
  unsigned long own[2], children[2];
  int parent;
  long threads;
  const char *rest = sc_running_stat(process, 0, text, sizeof text);
  if (!rest || sscanf(rest, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu %*d %*d %ld", &parent, &own[0],
                      &own[1], &children[0], &children[1], &threads) != 6)
    return false;
  double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
  *one = (sc_running){.process = process, .parent = parent, .threads = threads > 0 ? (unsigned)threads : 1};
  one->own = (double)(own[0] + own[1]) * tick;
  one->children = (double)(children[0] + children[1]) * tick;
  return true;
}

static void read_image(sc_running *one)
{
  char path[PATH_MAX];
  if (sc_running_program(one->process, path, sizeof path) < 0)
    snprintf(path, sizeof path, "?");
  snprintf(one->image, sizeof one->image, "%.*s", (int)sizeof one->image - 1, sc_path_last(path));
}

static int list_all(sc_running_tree *all)
{
  DIR *folder = opendir("/proc");
  int err = folder ? 0 : sc_err_system(SC_E_UNSUPPORTED, errno, "cannot read /proc");
  for (const struct dirent *at; err == 0 && (at = readdir(folder));) {
    sc_running one;
    if (!isdigit((unsigned char)at->d_name[0]) || !read_stat((pid_t)atol(at->d_name), &one))
      continue;
    err = sc_mem_grow(&all->list, &all->room, all->count + 1, sizeof *all->list);
    if (err == 0)
      all->list[all->count++] = one;
  }
  if (folder)
    closedir(folder);
  return err;
}

static int take_process(sc_running_tree *tree, const sc_running *one)
{
  SC_TRY(sc_mem_grow(&tree->list, &tree->room, tree->count + 1, sizeof *tree->list));
  sc_running *to = &tree->list[tree->count++];
  *to = *one;
  to->own = processor_time(to->process, to->own);
  read_image(to);
  return 0;
}

int sc_running_list(pid_t process, sc_running_tree *tree)
{
  sc_running_tree all = {0};
  *tree = (sc_running_tree){0};
  int err = list_all(&all);
  for (size_t i = 0; err == 0 && i < all.count; i++)
    if (all.list[i].process == process)
      err = take_process(tree, &all.list[i]);
  for (size_t from = 0; err == 0 && from < tree->count; from++)
    for (size_t i = 0; err == 0 && i < all.count; i++)
      if (all.list[i].parent == tree->list[from].process)
        err = take_process(tree, &all.list[i]);
  sc_running_free(&all);
  if (err < 0)
    sc_running_free(tree);
  return err;
}

void sc_running_free(sc_running_tree *tree)
{
  free(tree->list);
  *tree = (sc_running_tree){0};
}

void sc_running_refresh(sc_running_tree *tree)
{
  for (size_t i = 0; i < tree->count; i++)
    tree->list[i].own = fmax(tree->list[i].own, processor_time(tree->list[i].process, tree->list[i].own));
}

double sc_running_processor(const sc_running_tree *tree)
{
  double sum = 0;
  for (size_t i = 0; i < tree->count; i++)
    sum += tree->list[i].own + tree->list[i].children;
  return sum;
}

/* ---- files ---- */

/* Converts a path of the process to one that this process can open; false: unreachable. */
static bool reach_path(pid_t process, const char *path, const char *itself, char *reached, size_t size)
{
  snprintf(reached, size, "%s", path);
  if (itself ? sc_path_same_file(path, itself) : access(path, R_OK) == 0)
    return true;
  snprintf(reached, size, "/proc/%d/root%s", (int)process, path);
  return itself ? sc_path_same_file(reached, itself) : access(reached, R_OK) == 0;
}

int sc_running_program(pid_t process, char *path, size_t size)
{
  char link[64], target[PATH_MAX];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length <= 0)
    return sc_err_system(SC_E_INPUT, errno, "process %d has no program", (int)process);
  target[length] = '\0';
  if (!reach_path(process, target, link, path, size))
    snprintf(path, size, "%s", link); /* it was replaced */
  return 0;
}

typedef struct mapped {
  char **paths;
  size_t count, room;
} mapped;

static int note_mapped(mapped *all, const char *path)
{
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->paths[i], path) == 0)
      return 0;
  SC_TRY(sc_mem_grow(&all->paths, &all->room, all->count + 1, sizeof *all->paths));
  all->paths[all->count] = sc_mem_copy_string(path);
  return all->paths[all->count++] ? 0 : SC_E_NOMEM;
}

/* "BEGIN-END r-xp OFFSET DEVICE INODE   PATH" */
static int read_maps(pid_t process, mapped *all)
{
  char name[64], *line = NULL;
  size_t room = 0;
  int err = 0;
  snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
  FILE *file = fopen(name, "re");
  if (!file)
    return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot read %s", name);
  while (err == 0 && getline(&line, &room, file) > 0) {
    char access[5], *path = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    if (path && sscanf(line, "%*s %4s", access) == 1 && access[2] == 'x')
      err = note_mapped(all, path);
  }
  free(line);
  fclose(file);
  return err;
}

int sc_running_libraries(pid_t process, int (*visit)(void *user, const char *path), void *user)
{
  char link[64], path[PATH_MAX];
  mapped all = {0};
  snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
  int err = read_maps(process, &all);
  for (size_t i = 0; err == 0 && i < all.count; i++)
    if (!sc_path_same_file(all.paths[i], link) && reach_path(process, all.paths[i], NULL, path, sizeof path))
      err = visit(user, path);
  for (size_t i = 0; i < all.count; i++)
    free(all.paths[i]);
  free(all.paths);
  return err;
}
