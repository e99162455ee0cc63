/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/shorten.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

enum { LONG_NAME = 40 };

/* Length of a demangled name without its parameters: file and line tell overloads apart. */
static size_t without_parameters(const char *name)
{
  size_t length = strlen(name), end = length;
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
    if (depth == 0 && name[i] == ' ' && i + 1 < length)
      start = i + 1;
  }
  return start;
}

void sc_shorten_name(const char *name, sc_buf *out)
{
  size_t length = without_parameters(name), start = behind_type(name, length);
  int depth = 0;
  sc_buf plain = {0};
  name += start;
  length -= start;
  for (size_t i = 0; i < length; i++) {
    bool operator_name = i >= 8 && strncmp(name + i - 8, "operator", 8) == 0;
    if (length <= LONG_NAME || operator_name || (name[i] != '<' && name[i] != '>')) {
      if (depth == 0)
        sc_buf_add(&plain, name + i, 1);
      continue;
    }
    if (name[i] == '<' && depth++ == 0)
      sc_buf_puts(&plain, "<...>");
    else if (name[i] == '>' && depth > 0 && name[i - 1] != '-')
      depth--;
  }
  if (sc_buf_finish(&plain) == 0)
    sc_utf8_show(plain.text, out);
  else
    out->failed = true;
  sc_buf_free(&plain);
}
