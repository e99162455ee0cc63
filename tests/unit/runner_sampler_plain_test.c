/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/sampler/match.h"

TEST(names_are_found)
{
  static const struct {
    const char *display, *plain;
  } cases[] = {
      {"main", "main"},
      {"f(int)", "f"},
      {"ns::f(int, char const*)", "f"},
      {"A::sum() const", "sum"},
      {"A::A(int)", "A"},
      {"A::~A()", "~A"},
      {"ns::A<int>::f(char) const", "f"},
      {"long tmpl<int>(int)", "tmpl"},
      {"std::vector<int, std::allocator<int> >::push_back(int&&)", "push_back"},
      {"(anonymous namespace)::anon(int)", "anon"},
      {"void (anonymous namespace)::g<A<(E)1> >(int)", "g"},
      {"main::{lambda(int)#1}::operator()(int) const", "operator()"},
      {"bool __gnu_cxx::operator!=<int*, std::vector<int> >(int const&)", "operator!="},
      {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "operator<<"},
      {"operator<(A const&, A const&)", "operator<"},
      {"A::operator[](unsigned long)", "operator[]"},
      {"A::operator->() const", "operator->"},
      {"operator new(unsigned long)", "operator new"},
      {"A::operator bool() const", "operator bool"},
      {"ns::operator_like(int)", "operator_like"},
      {"", ""},
      /* as DWARF writes them */
      {"__sort<__gnu_cxx::__normal_iterator<int *, std::vector<int> > >", "__sort"},
      {"operator!=<int *, std::vector<int> >", "operator!="},
      /* nothing to be made of it, but no harm either */
      {"f(", "f"},
      {"f<", "f"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char got[100];
    size_t length;
    const char *plain = sc_sampler_match_plain(cases[i].display, &length);
    snprintf(got, sizeof got, "%.*s", (int)length, plain);
    assert_string_equal(got, cases[i].plain);
  }
}

TEST(suffixes_are_cut)
{
  assert_int_equal(sc_sampler_symbol_stem("f.__scale"), 1);
  assert_int_equal(sc_sampler_symbol_stem("fib.cold.2"), 3);
  assert_int_equal(sc_sampler_symbol_stem("fib"), 3);
  assert_int_equal(sc_sampler_symbol_stem(".text"), 5);
  assert_int_equal(sc_sampler_symbol_stem(""), 0);
}
