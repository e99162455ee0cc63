/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/keeper/children.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The parent in /proc/PID/stat; the name before it may contain anything, but a bracket only within. */
static long parent_of(const char *pid)
{
  char path[64], text[512];
  long parent = 0;
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  const char *bracket = strrchr(text, ')');
  if (!bracket || sscanf(bracket + 1, " %*c %ld", &parent) != 1)
    return 0;
  return parent;
}

/* For kernels that have no list of children (CONFIG_PROC_CHILDREN). */
static void signal_by_search(int number)
{
  DIR *processes = opendir("/proc");
  if (!processes)
    return;
  for (const struct dirent *entry; (entry = readdir(processes));)
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == (long)getpid())
      kill((pid_t)atol(entry->d_name), number);
  closedir(processes);
}

void sc_children_signal(int number)
{
  char path[64];
  int pid;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "re");
  if (!file) {
    signal_by_search(number);
    return;
  }
  while (fscanf(file, "%d", &pid) == 1)
    kill((pid_t)pid, number);
  fclose(file);
}
