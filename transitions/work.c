/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/work.h"

#include <stdio.h>
#include <string.h>

#include "profiles/shorten.h"
#include "transitions/analysis_internal.h"
#include "transitions/order.h"

/* By the first name that is contained whole: of C functions without what headers add to them (__strcat_chk,
 * __isoc99_sscanf), of C++ as reports print them (vector::erase). */
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
    {" qsort qsort_r sort stable_sort partial_sort make_heap ",
     "Sort once, when all is there, or keep it sorted as it grows (a heap, a tree)."},
    {" sprintf snprintf vsprintf vsnprintf asprintf vasprintf swprintf ",
     "Write behind what is there, at the end that the last call returned, instead of formatting all of it again."},
    {" read fread pread recv write fwrite pwrite send fputs puts fgets getline getdelim sendfile copy_file_range ",
     "Read or write each part once: keep what was read, and append what is new."},
};
static const char general[] =
    "Remember what the last call found, hand it only what is new, or take the call out of the loop.";

/* "__isoc99_sscanf" is sscanf, "__strcat_chk" strcat. */
static void add_plain(const sc_location *at, sc_buf *out)
{
  static const char *const prefixes[] = {"__isoc99_", "__isoc23_", "__GI_", "__builtin_", "__"};
  const char *name = at->display && *at->display ? at->display : at->name, *end;
  if (strpbrk(name, ":(<")) {
    sc_shorten_name(name, out);
    return;
  }
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
      name += strlen(prefixes[i]);
      break;
    }
  end = name + strlen(name);
  if (end - name > 4 && strcmp(end - 4, "_chk") == 0)
    end -= 4;
  sc_buf_add(out, name, (size_t)(end - name));
}

static const struct family *family_of(const sc_location *at)
{
  const struct family *found = NULL;
  sc_buf name = {0};
  sc_buf_puts(&name, " ");
  add_plain(at, &name);
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

static bool is_plain(const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL && model->term_count && !model->piece_count && !(model->order.base > 0) &&
         model->terms[0].shape == SC_SHAPE_PLAIN && model->terms[0].coefficient > 0;
}

static double to_digits(double value, int digits)
{
  char text[32];
  double rounded;
  snprintf(text, sizeof text, "%.*g", digits, value);
  return sscanf(text, "%lf", &rounded) == 1 ? rounded : value;
}

/* The leading term, or the quotient of two; false if it is no power. */
static bool add_leading(const sc_analysis *a, const sc_model *of, const sc_model *over, sc_buf *out)
{
  char text[160];
  if (!is_plain(of) || (over && !is_plain(over)))
    return false;
  sc_term term = of->terms[0];
  if (over) {
    term.coefficient /= over->terms[0].coefficient;
    term.exponent -= over->terms[0].exponent;
    term.log_exponent -= over->terms[0].log_exponent;
  }
  term.coefficient = to_digits(term.coefficient, 3);
  term.exponent = to_digits(term.exponent, 3);
  sc_model model = {.terms = {term}, .term_count = 1};
  sc_model_format(&model, a->options.variable, text, sizeof text);
  sc_buf_puts(out, text);
  return true;
}

void sc_work_describe(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  uint32_t through, above = sc_analysis_counted_ancestor(a, f->context);
  const sc_model *own = sc_analysis_model(a, f->context), *around = sc_analysis_model(a, above);
  const sc_location *at = sc_graph_at(a->graph, f->context);
  char order[64];
  sc_buf each = {0}, times = {0};
  (void)sc_graph_written(a->graph, f->context, &through);
  bool once = above && around->verdict == SC_VERDICT_MODEL && around->order.exponent == 0 &&
              around->order.log_exponent == 0 && !(around->order.base > 0);
  bool known = above && !once && add_leading(a, own, around, &each) && add_leading(a, around, NULL, &times);
  sc_shorten_name(sc_graph_at(a->graph, through ? through : f->context)->display, out);
  sc_model_format_order(&f->to, a->options.variable, order, sizeof order);
  if (known && sc_buf_finish(&each) == 0 && sc_buf_finish(&times) == 0)
    sc_buf_printf(out, " goes over %s %s each time, %s times. ", each.text, sc_location_unit(at), times.text);
  else
    sc_buf_printf(out, " goes over %s in the order of %s. ", sc_location_unit(at), order);
  sc_buf_free(&each);
  sc_buf_free(&times);
}
