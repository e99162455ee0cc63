/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that the run-time library does not know. */
#include "unit.h"

#include <stdlib.h>

#include "profiles/graph/demangle.h"

static void demangles(const char *name, const char *wanted)
{
  char *display = sc_demangle_name(name);
  if (wanted ? !display || strcmp(display, wanted) != 0 : display != NULL)
    fail_msg("%s: %s", name, display ? display : "nothing");
  free(display);
}

TEST(scopes_and_names_stand_in_front)
{
  demangles("_ZN1A1fEi", "A::f(int)");
  demangles("main", NULL);
  demangles("_Z", NULL);
  /* of constraints and what else is newer the library knows nothing */
  demangles("_ZN4pool3addITk8IntegralIiEEvT_", "pool::add<...>");
  demangles("_ZN1p1aITk8IntegralIiEEvT_", "p::a<...>");
  demangles("_Z3addITk8IntegralIiEEvT_", "add<...>");
  demangles("_ZNK4pool3addITk8IntegralIiEEvT_", "pool::add<...>");
  demangles("_ZNVKR4pool3addITk8IntegralIiEEvT_", "pool::add<...>");
  demangles("_ZL3addITk8IntegralIiEEvT_", "add<...>");
  demangles("_ZSt4sortITk8IntegralIiEEvT_", "std::sort<...>");
  demangles("_ZNSt6vector3addITk8IntegralIiEEvT_", "std::vector::add<...>");
  demangles("_ZN12_GLOBAL__N_14pool3addITk8IntegralIiEEvT_", "(anonymous namespace)::pool::add<...>");
  demangles("_ZN9_GLOBAL__3addITk8IntegralIiEEvT_", "_GLOBAL__::add<...>");
  demangles("_Z3add4moreITk8IntegralIiEEvT_", "add"); /* parameters are not scopes */
  demangles("_ZN4pool99addITk8IntegralIiEEvT_", "pool");
  demangles("_ZStITk8IntegralIiEEvT_", NULL);
  demangles("_ZN4pool", NULL); /* nothing behind it */
}

/* A name may unfold to more than anybody reads. */
TEST(names_that_are_too_long_stay)
{
  char *name = calloc(1, 9000);
  assert_non_null(name);
  strcpy(name, "_Z8188");
  memset(name + 6, 'a', 8188);
  name[6 + 8188 - 2] = 'v'; /* as long as a name may be: one byte more with its parameter */
  char *display = sc_demangle_name(name);
  assert_null(display);
  free(display);
  strcpy(name, "_Z100");
  memset(name + 5, 'a', 100);
  strcpy(name + 105, "v");
  display = sc_demangle_name(name);
  assert_non_null(display);
  assert_int_equal(strlen(display), 102);
  free(display);
  free(name);
}
