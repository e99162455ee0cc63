/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "profiles/graph/shorten.h"
#include "profiles/graph/tuning.h"

static void becomes(const char *display, const char *wanted)
{
  sc_buf text = {0};
  sc_shorten_name(display, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, wanted);
  sc_buf_free(&text);
}

TEST(plain_names_stay)
{
  becomes("main", "main");
  becomes("", "");
  becomes("A::f", "A::f");
  becomes("(anonymous namespace)::helper(int)", "(anonymous namespace)::helper");
  becomes("gr\xc3\xb6\xc3\x9f"
          "e",
          "gr\xc3\xb6\xc3\x9f"
          "e");
}

TEST(parameters_and_return_types_go)
{
  becomes("A::f(int, char*) const", "A::f");
  becomes("void std::sort<int*>(int*, int*)", "sort");
  becomes("int scan<int*>(int*)", "scan<int*>");
  becomes("pairs(int) [clone .resume]", "pairs");
  becomes("A::f(int) const [clone .constprop.0] [clone .__scale]", "A::f");
  becomes("std::__n4861::coroutine_handle<Gen::promise_type>::resume() const", "coroutine_handle::resume");
  becomes("main::{lambda(int, char)#1}::operator()(int, char) const", "main::lambda");
  becomes("void f<int>(int)::{lambda(auto:1)#2}::operator()<long>(long) const", "f<int>::lambda<long>");
  becomes("main::$_0::operator()(int, int) const", "main::lambda");
  becomes("operator()", "operator()"); /* these brackets are its name, from its first byte on */
  becomes("void A::f(int) const::{lambda(int)#1}::operator()<int>(int) const", "A::f::lambda<int>");
  becomes("void repeat<main::$_12>(long, main::$_12)", "repeat<main::lambda>");
  becomes("main::$_7::operator()(int) const::$_1::operator()(int) const", "main::lambda::lambda");
}

TEST(long_names_lose_template_arguments)
{
  becomes("std::vector<std::__cxx11::basic_string<char>, std::allocator<char> >::erase(char const*)", "vector::erase");
  becomes("std::__cxx11::basic_string<char>* std::__copy_move<true, false, std::random_access_iterator_tag>::__copy_m<"
          "char*, char*>(char*)",
          "__copy_move::__copy_m");
  becomes("pugi::impl::(anonymous namespace)::xpath_ast_node::step_fill()", "pugi::impl::xpath_ast_node::step_fill");
  becomes("void Table<a_name_of_more_than_forty_columns_in_all, int>::find(int)", "Table<...>::find");
}

TEST(the_library_is_written_as_people_write_it)
{
  becomes(
      "Index<std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, "
      "std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > > >::find()",
      "Index<vector<string>>::find");
  becomes("std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int, std::less<"
          "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >, std::allocator<std::pair<"
          "int const, int> > >::operator[](int const&)",
          "map::operator[]");
  becomes(
      "Ring<std::pair<long, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > >::pop()",
      "Ring<pair<long, string>>::pop");
  becomes("__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >::operator++()",
          "iterator::operator++");
  becomes("std::_Rb_tree_const_iterator<int>::operator--()", "iterator::operator--");
  becomes("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::~basic_string()",
          "string::~string");
  becomes("my::std::f(int)", "my::std::f");
  becomes("Queue::pop[abi:cxx11]()", "Queue::pop");
  becomes("A<std::allocator<int> >::f()", "A<allocator<int>>::f");
  becomes("std::basic_string<char", "basic_string<char");
}

TEST(operators_stay_whole)
{
  becomes("less::operator()", "less::operator()");
  becomes("operator new(unsigned long)", "operator new");
  becomes("A::operator bool() const", "A::operator bool");
  becomes("bool operator< <int>(A<int> const&, A<int> const&)", "operator< <int>");
  becomes("bool operator==(A const&, A const&)", "operator==");
  becomes("my_operator f(int)", "f");
}

TEST(what_is_not_printable_does_not_pass)
{
  becomes("f\033[2J", "f?[2J");
  becomes("f\xc2\x9b"
          "2J\xff()",
          "f\\u009b2J?");
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
