/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of this very program, by what its symbols and debug information say. */
#include "unit.h"

#include "instrument/attach/inlined.h"

#define NOINLINE      __attribute__((noinline, used))
#define NAMED(symbol) __asm__(symbol)

enum { LINE_OF_ALONE = __LINE__ + 1 };
NOINLINE static int alone(int x) { return x + 1; }
/* Names that gcc gives to what it makes of a function. */
void cloned(void);
NOINLINE void cloned(void) { __asm__ volatile("nop"); }
void cloned_again(void) NAMED("cloned.constprop.0.isra.1");
NOINLINE void cloned_again(void) { __asm__ volatile("nop; nop"); }
void cloned_cold(void) NAMED("cloned.cold");
NOINLINE void cloned_cold(void) { __asm__ volatile("nop; nop; nop"); }
void copies_alone(void) NAMED("copied.constprop.0");
NOINLINE void copies_alone(void) { __asm__ volatile("nop; nop; nop; nop"); }
void parted(void);
NOINLINE void parted(void) { __asm__ volatile("nop; nop; nop; nop; nop"); }
void parted_rest(void) NAMED("parted.part.0");
NOINLINE void parted_rest(void) { __asm__ volatile("nop; nop; nop; nop; nop; nop"); }
void dotted(void) NAMED("name.of.its.own");
NOINLINE void dotted(void) { __asm__ volatile("nop; nop; nop; nop; nop; nop; nop"); }
void over_int(int x) NAMED("_ZN4test4overEi");
NOINLINE void over_int(int x) { __asm__ volatile("" : : "r"(x)); }
void over_double(double x) NAMED("_ZN4test4overEd");
NOINLINE void over_double(double x) { __asm__ volatile("" : : "x"(x)); }
void same_code(void) __attribute__((alias("cloned")));
void __cloned(void) __attribute__((alias("cloned")));

static volatile int sink;
static inline __attribute__((always_inline)) void put_in(int x) { sink = x; }
NOINLINE static void put_once(void) { put_in(1); }
NOINLINE static void put_twice(void)
{
  put_in(2);
  put_in(3);
}

static sc_object *myself(void)
{
  sc_object *object;
  assert_int_equal(sc_object_open("/proc/self/exe", &object), 0);
  assert_true(sc_object_has_symbols(object));
  return object;
}

static sc_functions find(const char *name, size_t count)
{
  sc_object *object = myself();
  sc_functions found = {0};
  assert_int_equal(sc_functions_find(object, name, &found), 0);
  assert_int_equal(found.count, count);
  assert_int_equal(sc_inlined_look(object, &found), 0);
  sc_object_close(object);
  return found;
}

TEST(finds_a_function)
{
  sc_functions found = find("alone", 1);
  assert_int_equal(alone(1), 2);
  assert_int_equal(found.list[0].entry_count, 1);
  assert_true(found.list[0].local);
  assert_true(found.list[0].entries[0].offset > 0);
  assert_false(found.list[0].indirect);
  assert_false(found.list[0].split);
  assert_null(found.list[0].alias);
  sc_functions_free(&found);
}

TEST(finds_no_other)
{
  sc_functions found = find("alon", 0);
  sc_functions_free(&found);
  found = find("over", 0);
  sc_functions_free(&found);
}

TEST(copies_are_entries_of_their_function)
{
  sc_functions found = find("cloned", 1);
  assert_int_equal(found.list[0].entry_count, 2);
  assert_false(found.list[0].split);
  assert_string_equal(found.list[0].alias, "same_code");
  sc_functions_free(&found);
  found = find("copied", 1);
  assert_string_equal(found.list[0].name, "copied");
  assert_int_equal(found.list[0].entry_count, 1);
  sc_functions_free(&found);
}

TEST(a_part_is_no_entry)
{
  sc_functions found = find("parted", 1);
  assert_int_equal(found.list[0].entry_count, 1);
  assert_true(found.list[0].split);
  sc_functions_free(&found);
}

TEST(other_names_may_have_dots)
{
  sc_functions found = find("name.of.its.own", 1);
  sc_functions_free(&found);
  found = find("name", 0);
  sc_functions_free(&found);
}

TEST(overloaded_functions_share_a_name)
{
  sc_functions found = find("test::over", 2);
  sc_functions_free(&found);
  found = find("test::over(int)", 1);
  assert_string_equal(found.list[0].name, "_ZN4test4overEi");
  assert_string_equal(found.list[0].display, "test::over(int)");
  sc_functions_free(&found);
  found = find("_ZN4test4overEd", 1);
  sc_functions_free(&found);
}

TEST(what_is_there_is_not_added_again)
{
  sc_object *object = myself();
  sc_functions found = {0};
  assert_int_equal(sc_functions_find(object, "test::over", &found), 0);
  assert_int_equal(sc_functions_find(object, "test::over(int)", &found), 0);
  assert_int_equal(sc_functions_find(object, "alone", &found), 0);
  assert_int_equal(found.count, 3);
  assert_int_equal(found.list[0].entry_count, 1);
  sc_functions_free(&found);
  sc_object_close(object);
}

TEST(debug_information_tells_of_inlined_calls)
{
  sc_object *object = myself();
  put_once();
  put_twice();
  if (!sc_object_dwarf(object))
    skip();
  assert_int_equal(sc_inlined_count(object, "put_in"), 3);
  assert_int_equal(sc_inlined_count(object, "alone"), 0);
  sc_functions found = find("alone", 1);
  assert_true(found.list[0].described);
  assert_int_equal(found.list[0].inlined, 0);
  assert_int_equal(found.list[0].line, LINE_OF_ALONE);
  assert_non_null(strstr(found.list[0].source, "attach_functions_test.c"));
  sc_functions_free(&found);
  sc_object_close(object);
}

TEST(suggests_the_nearest_name)
{
  sc_object *object = myself();
  char best[64] = "";
  unsigned distance = 100;
  assert_int_equal(sc_functions_suggest(object, "allone", best, sizeof best, &distance), 0);
  assert_string_equal(best, "alone");
  assert_int_equal(distance, 1);
  distance = 100;
  assert_int_equal(sc_functions_suggest(object, "ovre", best, sizeof best, &distance), 0);
  assert_string_equal(best, "test::over");
  sc_object_close(object);
}

TEST(other_files_are_no_objects)
{
  sc_object *object;
  assert_int_equal(sc_object_open("/proc/self/status", &object), SC_E_INPUT);
  assert_int_equal(sc_object_open("/", &object), SC_E_INPUT);
  assert_int_equal(sc_object_open("/nowhere/at/all", &object), SC_E_IO);
}
