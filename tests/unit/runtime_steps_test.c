/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runtime does takes no more steps when there is more of everything: callees, held locks, threads, contexts.
 */
#include "runtime_drive.h"

/* Steps that one operation may take on average, in whatever it looks something up. */
enum { STEPS_EACH = 64 };

enum { CALLEES = 10000 };

static uint32_t random_below(uint32_t most)
{
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)state * most >> 32);
}

static struct drive_function *many_functions(int count)
{
  struct drive_function *f = calloc((size_t)count, sizeof *f);
  assert_non_null(f);
  for (int i = 0; i < count; i++) {
    drive_make(&f[i], "many");
    f[i].function.code = f[i].function.body = (uintptr_t)&f[i]; /* calls of it may go to its body at once */
  }
  return f;
}

/* One call site, ten thousand functions: each has its own entry, found again, in whatever order they are called. */
static void test_callees_of_a_site(void **state)
{
  (void)state;
  struct drive_function *f = many_functions(CALLEES);
  struct drive_function *caller = drive_function("dispatch");
  struct drive_node *node = (void *)((char *)drive_cells(caller) - offsetof(struct drive_node, cell));
  struct scale_entry **entry = calloc(CALLEES, sizeof *entry);
  uint64_t before = __scale_steps;
  for (int i = 0; i < CALLEES; i++) {
    entry[i] = __scale_enter(&node->slot, &f[i].function);
    entry[i]->count++;
  }
  assert_in_range(__scale_steps - before, 0, (uint64_t)CALLEES * STEPS_EACH);
  before = __scale_steps;
  for (int i = 0; i < 3 * CALLEES; i++) {
    uint32_t which = random_below(CALLEES);
    assert_ptr_equal(__scale_enter(&node->slot, &f[which].function), entry[which]);
  }
  assert_in_range(__scale_steps - before, 0, (uint64_t)3 * CALLEES * STEPS_EACH);
  int listed = 0;
  for (struct scale_entry *e = &node->slot; e; e = (void *)(uintptr_t)e->next)
    listed++;
  assert_int_equal(listed, CALLEES);
  for (int i = 0; i < CALLEES; i++)
    assert_int_equal(entry[i]->key, f[i].function.index);
  free(entry);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_callees_of_a_site),
  };
  (void)argc;
  drive_begin(argv, NULL);
  return drive_end(cmocka_run_group_tests(tests, NULL, NULL));
}
