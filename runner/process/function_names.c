/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/function_names.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrument/attach/functions.h"

static bool is_word_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Without what stands in <>, nested too. */
static void add_without_templates(const char *name, size_t length, sc_buf *out)
{
  size_t depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += name[i] == '<';
    if (!depth)
      sc_buf_add(out, name + i, 1);
    depth -= depth && name[i] == '>';
  }
}

static const char *last_step(const char *name)
{
  for (const char *next; (next = strstr(name, " > "));)
    name = next + 3;
  return name + strspn(name, " ");
}

bool sc_function_names_word(const char *name, sc_buf *word)
{
  static const char anonymous[] = "(anonymous namespace)::";
  sc_buf plain = {0};
  bool found = false;
  name = last_step(name);
  for (const char *at; (at = strstr(name, anonymous));)
    name = at + sizeof anonymous - 1;
  add_without_templates(name, strcspn(name, "(["), &plain);
  if (sc_buf_finish(&plain) == 0 && !strstr(plain.text, "operator")) {
    const char *last = plain.text;
    for (const char *next; (next = strstr(last, "::"));)
      last = next + 2;
    last += *last == '~';
    size_t length = strlen(last);
    while (length && last[length - 1] == ' ')
      length--;
    found = length > 0;
    for (size_t i = 0; i < length; i++)
      found = found && is_word_character(last[i]);
    if (found)
      sc_buf_add(word, last, length);
  }
  sc_buf_free(&plain);
  return found && sc_buf_finish(word) == 0;
}

/* By itself, or as linkage names have it: "5parse" in _ZN3app5parseEv. */
static bool stands_alone(const char *begin, const char *at, size_t length, const char *end)
{
  char digits[24];
  size_t count = (size_t)snprintf(digits, sizeof digits, "%zu", length);
  bool before = at == begin || !is_word_character(at[-1]), after = at + length == end || !is_word_character(at[length]);
  return (before && after) || ((size_t)(at - begin) > count && memcmp(at - count, digits, count) == 0 &&
                               !isdigit((unsigned char)at[-(ptrdiff_t)count - 1]));
}

bool sc_function_names_has(const char *file, const char *word)
{
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  struct stat status;
  size_t length = strlen(word);
  bool found = true;
  if (fd < 0)
    return true;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    const char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0), *end = text + size;
    if (text != MAP_FAILED) {
      found = false;
      for (const char *at = text; !found && (at = memmem(at, (size_t)(end - at), word, length)); at++)
        found = stands_alone(text, at, length, end);
      munmap((void *)text, size);
    }
  }
  close(fd);
  return found;
}

int sc_function_names_suggest(const char *file, const char *name, char *best, size_t size, unsigned *distance)
{
  sc_object *object;
  int err = sc_object_open(file, &object);
  if (err < 0)
    return err == SC_E_NOMEM ? err : 0;
  err = sc_functions_suggest(object, name, best, size, distance);
  sc_object_close(object);
  return err;
}
