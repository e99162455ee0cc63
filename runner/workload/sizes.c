/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes as --at has them: with a name or without, absolute or "10x" of what was measured. What is relative becomes a
 * number here, so that only plain lists reach sc_workload_parse_sizes. */
#include "runner/workload/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "runner/workload/workload.h"

double sc_sizes_multiple(const char *text, size_t length)
{
  double factor;
  return length && text[length - 1] == 'x' && sc_number_all(text, length - 1, &factor) && factor > 0 ? factor : 0;
}

/* Asked before anything is read: what "10x" is a multiple of takes reading a study first. */
bool sc_sizes_relative(const char *list)
{
  for (size_t length; *list; list += length + (list[length] != '\0')) {
    length = strcspn(list, "=,;");
    if (sc_sizes_multiple(list, length) > 0)
      return true;
  }
  return false;
}

/* One size without its name; a multiple of `largest` becomes a number. Whole where it is larger than what was
 * measured: sizes are counts of something, mostly. */
static int add_size_list_size(const char *text, size_t length, double largest, sc_buf *sizes)
{
  double factor = sc_sizes_multiple(text, length);
  if (factor == 0) {
    sc_buf_add(sizes, text, length);
    return 0;
  }
  if (largest <= 0) {
    (void)sc_err_set(SC_E_USAGE, "--at %.*s: nothing is measured yet that it could be a multiple of", (int)length,
                     text);
    return sc_err_hint(SC_E_USAGE, "give a size, such as --at 1e6");
  }
  double size = factor * largest;
  sc_buf_printf(sizes, "%.17g", size == floor(size) || factor < 1 ? size : floor(size));
  return 0;
}

/* Copies a list without the "NAME=" in front of its sizes; `parameter`: the only name they may have, or NULL. */
static int plain_sizes(const char *list, const char *parameter, double largest, sc_buf *sizes)
{
  while (*list) {
    size_t length = strcspn(list, ",;"), name = strcspn(list, "=,;");
    if (name < length) {
      if (parameter && (strlen(parameter) != name || strncmp(parameter, list, name) != 0)) {
        (void)sc_err_set(SC_E_USAGE, "the parameter is %s, not %.*s", parameter, (int)name, list);
        return sc_err_hint(SC_E_USAGE, "--at %s=%.*s; to vary %.*s too: scale-run run -P %s=LOW..HIGH -P %.*s=1,2,4,8",
                           parameter, (int)(length - name - 1), list + name + 1, (int)name, list, parameter, (int)name,
                           list);
      }
      list += name + 1;
      length -= name + 1;
    }
    SC_TRY(add_size_list_size(list, length, largest, sizes));
    if (list[length])
      sc_buf_add(sizes, list + length++, 1);
    list += length;
  }
  return sc_buf_finish(sizes);
}

int sc_sizes_parse(const char *list, const char *parameter, double largest, double **sizes, size_t *count)
{
  sc_buf plain = {0};
  *sizes = NULL;
  *count = 0;
  int err = plain_sizes(list, parameter, largest, &plain);
  if (err == 0 && sc_workload_parse_sizes(plain.text, sizes, count) < 0)
    err = sc_err_prefix(SC_E_USAGE, "--at");
  sc_buf_free(&plain);
  return err;
}
