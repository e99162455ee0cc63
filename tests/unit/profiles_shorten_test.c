/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "profiles/graph/shorten.h"

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
