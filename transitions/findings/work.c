/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work of library functions. Advice goes by the function's family, since what to do about strlen in a loop is not
 * what to do about erase. */
#include "transitions/findings/work.h"

#include <stdio.h>
#include <string.h>

#include "profiles/graph/shorten.h"
#include "transitions/model/data.h"

/* By names as reports print them. */
static const struct family {
  const char *names, *advice;
} families[] = {
    {" strlen strnlen wcslen wcsnlen ",
     "Remember the length, or take the call out of the loop: it stays the same until the string changes."},
    {" strcat strncat wcscat wcsncat strlcat ",
     "It looks for the end of the string in each call: keep a pointer to the end and write there (stpcpy returns it)."},
    {" sscanf vsscanf swscanf fmemopen ",
     "It measures the whole rest of the string before it reads a field: read with strtol or strtod, which stop behind "
     "the number, or take the string apart by lines first."},
    {" memmove wmemmove vector::erase vector::insert vector::emplace string::erase string::insert wstring::erase "
     "wstring::insert basic_string::erase basic_string::insert string::_M_erase vector::_M_erase bcopy ",
     "All that stands behind the place is moved each time: take from the end, keep an index of the front, swap with "
     "the "
     "last element, remove many at once, or use a container that gives up its front (std::deque)."},
    {" deque::erase deque::insert deque::emplace ",
     "What stands between the place and the nearer end is moved each time: take from the ends, remove many at once, or "
     "use a list (std::list) where the middle changes."},
    {" realloc reallocarray vector::reserve string::reserve vector::_M_realloc_insert vector::_M_realloc_append ",
     "What is there is copied whenever it grows by a step: let the capacity grow by a factor (double it), or reserve "
     "what is needed at once."},
    {" memcpy mempcpy wmemcpy strcpy stpcpy strncpy stpncpy wcscpy strdup strndup memccpy strlcpy operator+ "
     "string::string "
     "string::_M_construct string::_M_assign string::operator= string::_M_append string::append string::_M_replace "
     "string::operator+= vector::vector vector::operator= copy copy_n ",
     "What was copied before is copied again: append to what is there (s += x, not s = s + x), pass a reference, or "
     "let "
     "buffers grow by a factor."},
    {" memset wmemset bzero explicit_bzero calloc fill fill_n ",
     "Clear or fill only what was used since the last time."},
    {" strchr strrchr strchrnul memchr memrchr rawmemchr strstr strcasestr memmem strspn strcspn strpbrk strtok "
     "strtok_r "
     "strsep wcschr wcsstr wmemchr find string::find string::rfind string::find_first_of ",
     "Go on from where the last search ended, or look things up in an index."},
    {" strcmp strncmp memcmp bcmp strcasecmp strncasecmp wcscmp wmemcmp strcoll string::compare operator== equal ",
     "Compare less: look the key up in a hash or a sorted index, or compare lengths or hashes first."},
    {" lfind lsearch bsearch ",
     "Look things up in an index: an array that is kept sorted (bsearch), a tree (tsearch) or a hash (hsearch_r)."},
    {" qsort qsort_r sort stable_sort partial_sort make_heap ",
     "Sort once, when all is there, or keep it sorted as it grows (a heap, a tree)."},
    {" sprintf snprintf vsprintf vsnprintf asprintf vasprintf swprintf ",
     "Write behind what is there, at the end that the last call returned, instead of formatting all of it again."},
    {" read fread pread recv write fwrite pwrite send fputs puts fgets getline getdelim sendfile copy_file_range ",
     "Read or write each part once: keep what was read, and append what is new."},
};
static const char general[] =
    "Remember what the last call found, hand it only what is new, or take the call out of the loop.";

/* Names are matched as whole words between blanks, and without template arguments, which users did not write. */
static const struct family *family_of(const sc_location *at)
{
  const struct family *found = NULL;
  sc_buf name = {0};
  sc_buf_puts(&name, " ");
  sc_shorten_name(at->display, &name);
  if (sc_buf_finish(&name) == 0)
    name.text[strcspn(name.text, "<(")] = '\0';
  sc_buf_puts(&name, " ");
  for (size_t i = 0; !found && sc_buf_finish(&name) == 0 && i < sizeof families / sizeof *families; i++)
    if (strstr(families[i].names, name.text))
      found = &families[i];
  sc_buf_free(&name);
  return found;
}

const char *sc_work_advice(const sc_graph *graph, uint32_t context)
{
  uint32_t through;
  (void)sc_graph_written(graph, context, &through);
  const struct family *family = through ? family_of(sc_graph_at(graph, through)) : NULL;
  if (!family)
    family = family_of(sc_graph_at(graph, context));
  return family ? family->advice : general;
}

/* What the leading term grows like, without steps; false if it is no power. */
static bool take_leading(const sc_model *model, sc_term *out)
{
  if (model->verdict != SC_VERDICT_MODEL || !model->term_count || model->piece_count || model->order.base > 0)
    return false;
  *out = model->terms[0];
  switch (out->shape) {
  case SC_SHAPE_BLOCK_SQUARE:
  case SC_SHAPE_FLOOR_SQUARE:
    out->coefficient /= out->scale; /* and once more */
    /* fallthrough */
  case SC_SHAPE_CEIL_BLOCK:
  case SC_SHAPE_FLOOR_BLOCK:
    out->coefficient /= out->scale;
    break;
  case SC_SHAPE_PLAIN:
  case SC_SHAPE_FLOOR_ROOT:
    break;
  default:
    return false;
  }
  out->shape = SC_SHAPE_PLAIN;
  return out->coefficient > 0;
}

static void format_term(const sc_analysis *a, sc_term term, char *text, size_t size)
{
  sc_model model = {.terms = {term}, .term_count = 1};
  sc_model_format_brief(&model, a->options.variable, 0, text, size);
}

/* "iterations" of the loop right around, or "calls of parse". */
static void add_around(const sc_analysis *a, uint32_t above, sc_buf *out)
{
  const sc_location *at = sc_graph_at(a->graph, above);
  sc_buf_puts(out, sc_location_unit(at));
  if (at->kind == SC_LOCATION_LOOP)
    return;
  sc_buf_puts(out, " of ");
  sc_shorten_name(at->display, out);
}

/* Whose executions the work is divided by: the user's loop or function if it runs as often as what is right around. */
static uint32_t around_of(const sc_analysis *a, uint32_t context)
{
  uint32_t above = sc_analysis_counted_ancestor(a, context), written = sc_graph_written(a->graph, context, NULL);
  bool same = written != above && written != context && sc_analysis_known(a, written) && sc_analysis_known(a, above) &&
              sc_model_compare_order(&sc_analysis_model(a, written)->order, &sc_analysis_model(a, above)->order) == 0;
  return same ? written : above;
}

void sc_work_describe(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  uint32_t through, above = around_of(a, f->context);
  const char *unit = sc_location_unit(sc_graph_at(a->graph, f->context));
  sc_term own, around;
  char text[160];
  (void)sc_graph_written(a->graph, f->context, &through);
  const char *name = sc_graph_at(a->graph, through ? through : f->context)->display;
  bool known = above && take_leading(sc_analysis_model(a, f->context), &own) &&
               take_leading(sc_analysis_model(a, above), &around) && (around.exponent > 0 || around.log_exponent > 0);
  if (!known) {
    sc_model_format_order(&f->to, a->options.variable, text, sizeof text);
    sc_shorten_name(name, out);
    sc_buf_printf(out, " goes over about %s %s.", text, unit);
    return;
  }
  format_term(a, around, text, sizeof text);
  sc_buf_printf(out, "For each of the %s ", text);
  add_around(a, above, out);
  own.coefficient /= around.coefficient;
  own.exponent -= around.exponent;
  own.log_exponent -= around.log_exponent;
  format_term(a, own, text, sizeof text);
  sc_buf_puts(out, ", ");
  sc_shorten_name(name, out);
  sc_buf_printf(out, " goes over %s %s on average.", text, unit);
}
