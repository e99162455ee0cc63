/* SPDX-License-Identifier: MIT */
#include "allocator.h"
#include "bytes.h"
#include "modules.h"
#include "os.h"
#include "valgrind.h"

extern void *malloc(size_t bytes) __attribute__((weak));
extern size_t malloc_usable_size(void *block) __attribute__((weak));
extern void *_Znwm(size_t bytes) __attribute__((weak)); /* operator new */

struct allocator_paths {
  char malloc[SC_PATH_MAX], usable[SC_PATH_MAX], operator_new[SC_PATH_MAX];
};

static int allocator_contains(const char *text, uint32_t bytes, const char *word)
{
  size_t length = sc_length(word);

  for (uint32_t at = 0; at + length <= bytes; at++)
    if (sc_same(text + at, word, length))
      return 1;
  return 0;
}

/* 1: one library has malloc and whatever else there is. */
static int allocator_compare(struct allocator_paths *s)
{
  uint32_t bytes = __scale_modules_mapped((uintptr_t)malloc, s->malloc);

  if (!bytes || __scale_modules_mapped((uintptr_t)malloc_usable_size, s->usable) != bytes ||
      !sc_same(s->malloc, s->usable, bytes))
    return 0;
  if (!_Znwm)
    return 1;
  bytes = __scale_modules_mapped((uintptr_t)_Znwm, s->operator_new);
  if (allocator_contains(s->operator_new, bytes, "/libstdc++.so") ||
      allocator_contains(s->operator_new, bytes, "/libc++"))
    return 1;
  /* one library that replaces both; in an executable nobody can tell the program's own from a static library's */
  return allocator_contains(s->operator_new, bytes, ".so") && sc_length(s->malloc) == bytes &&
         sc_same(s->malloc, s->operator_new, bytes);
}

/* Valgrind has a malloc of its own under libc's address. Of other processors glibc tags memory, or might. */
static int allocator_reads(const struct allocator_paths *s)
{
#if defined(__x86_64__) && defined(__GLIBC__)
  return !__scale_valgrind && allocator_contains(s->malloc, (uint32_t)sc_length(s->malloc), "/libc.so.6");
#else
  return 0;
#endif
}

enum sc_allocator __scale_allocator_kind(void)
{
  enum sc_allocator kind = SC_ALLOCATOR_GUESS;
  struct allocator_paths *s;

  if (!malloc || !malloc_usable_size)
    return kind;
  s = sc_os_map(NULL, sc_round_up(sizeof(*s), 4096), -1, 0);
  if (!s)
    return kind;
  if (allocator_compare(s))
    kind = allocator_reads(s) ? SC_ALLOCATOR_READ : SC_ALLOCATOR_ASK;
  sc_os_unmap(s, sc_round_up(sizeof(*s), 4096));
  return kind;
}
