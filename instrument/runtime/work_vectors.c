/* SPDX-License-Identifier: MIT */
/* Of vectors of strings, which stand one behind the other in a block. */
#include "work.h"
#include <envz.h>
#include <string.h>

SC_WORK(argz_next)(const char *vector, size_t bytes, const char *entry)
{
  size_t length = entry && entry < vector + bytes ? strlen(entry) : 0;

  return SC_WORKED(argz_next(vector, bytes, entry), length);
}

/* What stands behind the place is moved. */
SC_WORK(argz_insert)(char **vector, size_t *bytes, char *before, const char *entry)
{
  size_t old = *bytes, rest = before ? (size_t)(*vector + old - before) : 0;
  error_t error = argz_insert(vector, bytes, before, entry);

  return SC_COMPARED(error, error ? 0 : *bytes - old + rest);
}

SC_WORK(argz_delete)(char **vector, size_t *bytes, char *entry)
{
  size_t before = entry ? (size_t)(entry - *vector) : *bytes;

  argz_delete(vector, bytes, entry);
  return SC_WORKED(0, *bytes > before ? *bytes - before : 0);
}

/* How far a search for the name goes, and to *entry what it finds. */
static size_t work_search(const char *vector, size_t bytes, const char *name, char **entry)
{
  *entry = envz_entry(vector, bytes, name);
  return *entry ? (size_t)(*entry - vector) : bytes;
}

SC_WORK(envz_get)(const char *vector, size_t bytes, const char *name)
{
  char *entry, *value = NULL;
  size_t passed = work_search(vector, bytes, name, &entry);

  if (entry) {
    size_t length = strcspn(entry, "=");

    value = entry[length] ? entry + length + 1 : NULL;
    passed += length;
  }
  return SC_WORKED(value, passed);
}

/* What is searched, and what is moved when an entry goes. */
static size_t work_removal(const char *vector, size_t bytes, const char *name)
{
  char *entry;
  size_t passed = work_search(vector, bytes, name, &entry);

  return entry ? bytes - strlen(entry) - 1 : passed;
}

SC_WORK(envz_remove)(char **vector, size_t *bytes, const char *name)
{
  size_t work = work_removal(*vector, *bytes, name);

  envz_remove(vector, bytes, name);
  return SC_WORKED(0, work);
}

/* One of that name goes, and the new one comes behind all others. */
SC_WORK(envz_add)(char **vector, size_t *bytes, const char *name, const char *value)
{
  size_t work = work_removal(*vector, *bytes, name);
  error_t error = envz_add(vector, bytes, name, value);

  return SC_COMPARED(error, error ? 0 : work + strlen(name) + 1 + (value ? strlen(value) + 1 : 0));
}
