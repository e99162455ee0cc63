/* SPDX-License-Identifier: MIT */
/* What goes over the environment, and over the names in a folder. */
#include "work.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library's own, of 2.32 on: whether no other thread may be changing the environment, which only it can lock. */
extern char __libc_single_threaded __attribute__((weak));

static inline int work_alone(void) { return &__libc_single_threaded && __libc_single_threaded; }

/* The entries in front of `entry`, without a look at what they say; as many as there are if it is not among them. */
static size_t work_entries_before(const char *entry)
{
  size_t count = 0;

  while (environ && environ[count] && environ[count] != entry)
    count++;
  return count;
}

/* The entries in front of the one of that name. */
static size_t work_entries_of_others(const char *name)
{
  size_t length = strlen(name), count = 0;

  for (; environ && environ[count]; count++)
    if (*environ[count] == *name && strncmp(environ[count], name, length) == 0 && environ[count][length] == '=')
      break;
  return count;
}

static struct sc_worked work_found(const char *name, char *value)
{
  return SC_WORKED(value, work_entries_before(value && name ? value - strlen(name) - 1 : NULL));
}

SC_WORK(getenv)(const char *name) { return work_found(name, getenv(name)); }

SC_WORK(secure_getenv)(const char *name) { return work_found(name, secure_getenv(name)); }

/* Names are compared again only where the entry was there before. A setenv of the program's own may do anything to the
   environment. */
SC_WORK(setenv)(const char *name, const char *value, int replace)
{
  int alone = work_alone();
  size_t all = alone ? work_entries_before(NULL) : 0;
  int failed = setenv(name, value, replace);

  if (failed || !alone)
    return SC_COMPARED(failed, 0);
  return SC_COMPARED(failed, work_entries_before(NULL) > all ? all : work_entries_of_others(name));
}

/* It goes on behind what it removes. */
SC_WORK(unsetenv)(const char *name)
{
  size_t all = work_alone() ? work_entries_before(NULL) : 0;
  int failed = unsetenv(name);

  return SC_COMPARED(failed, failed ? 0 : all);
}

SC_WORK(putenv)(char *entry)
{
  int removes = entry && !strchr(entry, '=');
  size_t all = removes && work_alone() ? work_entries_before(NULL) : 0;
  int failed = putenv(entry);

  if (!failed && !removes && work_alone())
    all = work_entries_before(entry);
  return SC_COMPARED(failed, failed ? 0 : all);
}

/* The names that fit; those that don't only the library sees. */
SC_WORK(glob)(const char *pattern, int flags, int (*error)(const char *, int), glob_t *found)
{
  size_t before = flags & GLOB_APPEND ? found->gl_pathc : 0;
  int failed = glob(pattern, flags, error, found);

  return SC_COMPARED(failed, failed ? 0 : found->gl_pathc - before);
}
