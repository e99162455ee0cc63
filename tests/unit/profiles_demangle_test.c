/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that the run-time library does not know, and how long names are cut. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "profiles/graph/demangle.h"
#include "profiles/graph/shorten.h"
#include "profiles/graph/tuning.h"

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

static void becomes(const char *display, const char *wanted)
{
  sc_buf text = {0};
  sc_shorten_name(display, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, wanted);
  sc_buf_free(&text);
}

/* At the length from which on arguments go, and one more. */
TEST(long_names_begin_at_their_length)
{
  char name[200], wanted[200];
  for (int more = 0; more < 2; more++) {
    memset(name, 0, sizeof name);
    strcpy(name, "T<");
    memset(name + 2, 'a', (size_t)SC_SHORTEN_LONG + (size_t)more - 6);
    strcat(name, ">::f");
    assert_int_equal(strlen(name), SC_SHORTEN_LONG + more);
    becomes(name, more ? "T<...>::f" : name);
    memset(name, 0, sizeof name);
    strcpy(name, "(anonymous namespace)::");
    memset(name + strlen(name), 'b', (size_t)SC_SHORTEN_LONG + (size_t)more - strlen(name));
    strcpy(wanted, more ? strstr(name, "b") : name);
    becomes(name, wanted);
  }
}

TEST(parts_of_words_are_no_parts_of_names)
{
  becomes("A<xstd::f>::g", "A<xstd::f>::g");
  becomes("A<9std::f>::g", "A<9std::f>::g");
  becomes("A<_std::f>::g", "A<_std::f>::g");
  becomes("A<zstd::f>::g", "A<zstd::f>::g");
  becomes("A<Zstd::f>::g", "A<Zstd::f>::g");
  becomes("A<astd::f>::g", "A<astd::f>::g");
  becomes("A<0std::f>::g", "A<0std::f>::g");
  becomes("A<std::f>::g", "A<f>::g");
  becomes("A<&std::f>::g", "A<&f>::g");
  becomes("std::vector<int>::operator<", "vector::operator<");
  becomes("std::pair<int, A<int> >::operator<=>(int) const", "pair::operator<=>");
  becomes("Operator<int>::f", "Operator<int>::f");
  becomes("f(int) [clone .part.0]", "f");
  becomes("f(int)[clone .part.0]", "f(int)[clone .part.0]");
  becomes("A::operator()(int) volatile &&", "A::operator()");
  becomes("A::f(int) const noexcept", "A::f");
  becomes("g(int (*)(int), A::B (*)(char))", "g");
  becomes("unbalanced)", "unbalanced)");
  becomes("std::set<int, std::less<int>, std::allocator<int> >", "set");
  becomes("B<std::set<int, std::less<int>, std::allocator<int> > >::f", "B<set<int>>::f");
  becomes("B<std::unique_ptr<int, std::default_delete<int> > >::f", "B<unique_ptr<int>>::f");
  becomes("B<std::unordered_set<int, std::hash<int>, std::equal_to<int>, std::allocator<int> > >::f",
          "B<unordered_set<int>>::f");
  becomes("B<std::less<int> >::f", "B<less<int>>::f");
  becomes("std::__1::vector<int>::push_back(int&&)", "vector::push_back");
  becomes("C<std::basic_string_view<char, std::char_traits<char> > >::f", "C<string_view>::f");
  becomes("C<std::__cxx11::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> > >::f",
          "C<wstring>::f");
}
