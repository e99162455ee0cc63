/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangled names as people call them. */
#include "profiles/graph/shorten.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "profiles/graph/tuning.h"

/* Length of a demangled name without what compilers call its parts: "pairs(int) [clone .resume]" of a coroutine. */
static size_t without_clones(const char *name)
{
  size_t length = strlen(name);
  for (const char *at = name; (at = strstr(at, " [clone ")); at++)
    if (at > name && at[8] == '.')
      return (size_t)(at - name);
  return length;
}

/* Length of a demangled name without its parameters: file and line tell overloads apart. */
static size_t without_parameters(const char *name)
{
  size_t length = without_clones(name), end = length;
  for (bool again = true; again;) { /* " const", "&" and the like behind the parameters */
    static const char *const tails[] = {" const", " volatile", " &", " &&", "&", " noexcept"};
    again = false;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
      size_t size = strlen(tails[i]);
      if (end > size && strncmp(name + end - size, tails[i], size) == 0) {
        end -= size;
        again = true;
      }
    }
  }
  if (!end || name[end - 1] != ')')
    return length;
  int depth = 0;
  for (size_t i = end; i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0) /* "operator()" without parameters ends so too */
      return i == 0 || (i >= 8 && strncmp(name + i - 8, "operator", 8) == 0) ? length : i;
  }
  return length;
}

/* Where the name begins behind a return type, which templates' names have: behind the last blank outside brackets. */
static size_t behind_type(const char *name, size_t length)
{
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    if (depth == 0 && strncmp(name + i, "operator", 8) == 0 && (i == 0 || strchr(" :", name[i - 1])) &&
        (i + 8 >= length || strchr(" <>()[]+-*/%^&|~!=,\"", name[i + 8])))
      return start; /* "operator new", "operator<", "operator bool" */
    depth += strchr("<({[", name[i]) != NULL;
    depth -= strchr(">)}]", name[i]) != NULL;
    if (depth == 0 && name[i] == ' ' && i + 1 < length && strncmp(name + i, " const::", 8) != 0)
      start = i + 1; /* a lambda in a const member function stands behind " const::" */
  }
  return start;
}

/* ---- what C++ writes at length --------------------------------------------------- */

/* Letters, digits, `_` and `::`, so that "my_std::" or "a::std::" is not taken for the library's namespace. */
static bool in_word(char c)
{
  return c == '_' || c == ':' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static void cut_bytes(char *text, size_t from, size_t bytes)
{
  memmove(text + from, text + from + bytes, strlen(text + from + bytes) + 1);
}

/* The length of the bracketed text that begins here, brackets included; 0: they don't close. */
static size_t bracketed_length(const char *text, char open, char close)
{
  size_t depth = 0;
  for (size_t i = 0; text[i]; i++) {
    depth += text[i] == open;
    if (text[i] == close && !(close == '>' && i && text[i - 1] == '-') && --depth == 0)
      return i + 1;
  }
  return 0;
}

static void replace_all(char *text, const char *from, const char *to) /* by nothing longer */
{
  size_t length = strlen(from), kept = strlen(to);
  for (char *at = text; (at = strstr(at, from)); at += kept) {
    memcpy(at, to, kept);
    cut_bytes(at, kept, length - kept);
  }
}

/* Default arguments of the standard library's templates: nobody writes them. */
static void drop_defaults(char *text)
{
  static const char *const defaults[] = {"std::allocator<", "std::char_traits<", "std::less<",
                                         "std::hash<",      "std::equal_to<",    "std::default_delete<"};
  for (size_t d = 0; d < sizeof defaults / sizeof *defaults; d++)
    for (char *at = text; (at = strstr(at, defaults[d]));) {
      size_t name = strlen(defaults[d]) - 1, arguments = bracketed_length(at + name, '<', '>');
      if (!arguments || at < text + 2 || at[-1] != ' ' || at[-2] != ',') {
        at += name;
        continue;
      }
      at -= 2;
      cut_bytes(at, 0, 2 + name + arguments);
      if (at[0] == ' ' && at[1] == '>')
        cut_bytes(at, 0, 1);
    }
}

/* Nobody needs it to recognise vector or sort, and names stand in columns of limited width. */
static void drop_std(char *text)
{
  for (char *at = text; (at = strstr(at, "std::"));)
    if (at == text || !in_word(at[-1]))
      cut_bytes(at, 0, 5);
    else
      at += 5;
}

/* "f(int)::{lambda(int)#1}::operator()" is a lambda in f: file and line say which. */
static void name_lambdas(char *text)
{
  for (char *at = text; (at = strpbrk(at, "{("));) {
    size_t group = *at == '(' ? bracketed_length(at, '(', ')') : bracketed_length(at, '{', '}');
    if (strncmp(at, "{lambda", 7) == 0 && group) {
      memcpy(at, "lambda", 6);
      cut_bytes(at, 6, group - 6);
      at += 6;
      if (strncmp(at, "::operator()", 12) == 0)
        cut_bytes(at, 0, 12);
    } else if (*at == '(' && group && strncmp(at + group, "::", 2) == 0 && strncmp(at, "(anonymous", 10) != 0 &&
               !(at - text >= 8 && strncmp(at - 8, "operator", 8) == 0)) {
      cut_bytes(at, 0, group); /* parameters of the function that the lambda or class stands in */
    } else {
      at++;
    }
  }
}

/* What the library calls its iterators is nothing that a user writes. */
static void name_iterators(char *text)
{
  static const char *const internals[] = {"__normal_iterator",    "_Rb_tree_const_iterator", "_Rb_tree_iterator",
                                          "_List_const_iterator", "_List_iterator",          "_Deque_iterator",
                                          "_Node_const_iterator", "_Node_iterator",          "_Fwd_list_iterator"};
  for (size_t i = 0; i < sizeof internals / sizeof *internals; i++)
    replace_all(text, internals[i], "iterator");
}

/* Of the library's own names: vector::erase is vector<int>::erase for everybody but the library's authors. */
static void drop_arguments(char *text)
{
  for (char *at = text; (at = strchr(at, '<'));) {
    size_t arguments = bracketed_length(at, '<', '>');
    if (!arguments || (at - text >= 8 && strncmp(at - 8, "operator", 8) == 0))
      return;
    cut_bytes(at, 0, arguments);
  }
}

/* The order matters: what is cut first makes later patterns match. Inline namespaces go before default arguments,
 * these before the aliases of strings, whose arguments they are, and "std::" after all that is recognised by it. */
static void simplify_name(char *text)
{
  bool library = strncmp(text, "std::", 5) == 0 || strncmp(text, "__gnu_cxx::", 11) == 0;
  replace_all(text, " const::", "::");
  replace_all(text, "std::__cxx11::", "std::");
  replace_all(text, "std::__1::", "std::");
  replace_all(text, "std::__n4861::", "std::");
  replace_all(text, "__gnu_cxx::", "");
  replace_all(text, "[abi:cxx11]", "");
  drop_defaults(text);
  replace_all(text, "basic_string<char>", "string");
  replace_all(text, "string::basic_string", "string::string");
  replace_all(text, "string::~basic_string", "string::~string");
  replace_all(text, "basic_string_view<char>", "string_view");
  replace_all(text, "basic_string<wchar_t>", "wstring");
  drop_std(text);
  replace_all(text, " >", ">");
  name_lambdas(text);
  name_iterators(text);
  if (library)
    drop_arguments(text);
}

/* A long name without what stands in the outermost angle brackets. */
static void elide_arguments(const char *name, sc_buf *out)
{
  size_t length = strlen(name);
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    bool operator_name = i >= 8 && strncmp(name + i - 8, "operator", 8) == 0;
    if (length <= SC_SHORTEN_LONG || operator_name || (name[i] != '<' && name[i] != '>')) {
      if (depth == 0)
        sc_buf_add(out, name + i, 1);
      continue;
    }
    if (name[i] == '<' && depth++ == 0)
      sc_buf_puts(out, "<...>");
    else if (name[i] == '>' && depth > 0 && name[i - 1] != '-')
      depth--;
  }
}

/* "$_0", a lambda among template arguments, is shorter than the word for it: make room. */
static void add_with_lambdas(const char *name, size_t length, sc_buf *out)
{
  for (size_t i = 0; i < length;) {
    size_t digits = name[i] == '$' && i + 1 < length && name[i + 1] == '_' ? strspn(name + i + 2, "0123456789") : 0;
    if (digits) {
      sc_buf_puts(out, "{lambda}");
      i += 2 + digits;
    } else {
      sc_buf_add(out, name + i++, 1);
    }
  }
}

void sc_shorten_name(const char *name, sc_buf *out)
{
  sc_buf whole = {0}, plain = {0};
  size_t length = without_parameters(name), start = behind_type(name, length);
  add_with_lambdas(name + start, length - start, &whole);
  if (sc_buf_finish(&whole) == 0) {
    simplify_name(whole.text);
    if (strlen(whole.text) > SC_SHORTEN_LONG)
      replace_all(whole.text, "(anonymous namespace)::", "");
    elide_arguments(whole.text, &plain);
  }
  if (whole.failed || sc_buf_finish(&plain) < 0)
    out->failed = true;
  else
    sc_utf8_show(plain.text, out);
  sc_buf_free(&whole);
  sc_buf_free(&plain);
}
