/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For people. */
#include <string.h>

#include "base/utf8.h"
#include "runner/discover/explain.h"
#include "runner/discover/score.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

enum { INDENT = 4, ROLE_COLUMN = 12, REASON_COLUMN = 14, REJECTED = 10 };

typedef struct page {
  FILE *out;
  const sc_discovery *d;
  const sc_discover_view *view;
  sc_style style;
  int width;
} page;

/* Wraps what was composed and empties it. */
static void put(const page *p, sc_buf *text, int at, int indent)
{
  sc_buf shown = {0};
  if (sc_buf_finish(text) == 0)
    sc_utf8_show(text->text, &shown);
  if (sc_buf_finish(&shown) == 0)
    sc_format_wrap(p->out, shown.text, at, indent, p->width);
  sc_buf_free(&shown);
  sc_buf_free(text);
}

static void put_event(const page *p, const sc_event *event)
{
  const sc_facts_function *function = &p->d->facts.functions[event->function];
  sc_buf text = {0}, against = {0};
  fprintf(p->out, "%*s%-*s", INDENT, "", ROLE_COLUMN - INDENT, sc_explain_role(event->role));
  sc_buf_printf(&text, "%s (", function->shown);
  sc_explain_place(function, &text);
  sc_buf_puts(&text, ")");
  if (event->unit != SC_UNIT_NONE) {
    sc_buf_puts(&text, ", ");
    sc_explain_unit(event->unit, &text);
  }
  if (!event->chosen)
    sc_buf_puts(&text, event->layer ? ", further out" : ", left out");
  put(p, &text, ROLE_COLUMN, REASON_COLUMN);
  fprintf(p->out, "%*s", REASON_COLUMN, "");
  sc_explain_event(p->d, event, &text);
  put(p, &text, REASON_COLUMN, REASON_COLUMN);
  sc_explain_against(p->d, event, &against);
  if (against.length) {
    fprintf(p->out, "%*sbut: ", REASON_COLUMN, "");
    put(p, &against, REASON_COLUMN + 5, REASON_COLUMN);
  }
  sc_buf_free(&against);
}

static void put_resource(const page *p, size_t number)
{
  const sc_resource *resource = &p->d->resources[number];
  sc_buf text = {0};
  fprintf(p->out, "\n%s%2zu. ", p->style.bold, number + 1);
  sc_explain_resource(p->d, resource, &text);
  sc_buf_printf(&text, " - %s", resource->complete ? sc_score_word(resource->score) : "one side only");
  put(p, &text, INDENT, INDENT);
  fputs(p->style.off, p->out);
  for (enum sc_role role = SC_ROLE_ACQUIRE; role < SC_ROLE_COUNT; role++)
    SC_FACTS_EACH (event, p->d->events, resource->events)
      if (event->role == role && (event->chosen || p->view->all))
        put_event(p, event);
  sc_explain_doubts(p->d, resource, &text);
  if (text.length) {
    fprintf(p->out, "%*sdoubtful: ", INDENT, "");
    put(p, &text, INDENT + 10, ROLE_COLUMN);
  }
  sc_buf_free(&text);
}

static void put_rejected(const page *p)
{
  size_t count = p->view->all || p->d->rejected_count <= REJECTED ? p->d->rejected_count : 0;
  if (p->d->rejected_count)
    fprintf(p->out, "\n%s rejected%s\n", sc_format_plural(p->d->rejected_count, "candidate").s,
            count ? ":" : ": --all lists them, each with its reason");
  for (size_t i = 0; i < count; i++) {
    const sc_rejected *one = &p->d->rejected[i];
    const sc_facts_function *function = &p->d->facts.functions[one->function];
    sc_buf text = {0};
    sc_buf_printf(&text, "%s (%s:%u), %s: ", function->shown, function->file, one->line, sc_explain_role(one->role));
    sc_explain_rejected(p->d, one, &text);
    fprintf(p->out, "%*s", INDENT, "");
    put(p, &text, INDENT, ROLE_COLUMN);
  }
}

void sc_discover_print_text(FILE *out, const sc_discovery *d, const sc_discover_view *view)
{
  page p = {out, d, view, sc_terminal_style(out), sc_terminal_width(out)};
  size_t count = sc_explain_shown(d, view), complete = 0;
  for (size_t i = 0; i < d->resources_count; i++)
    complete += d->resources[i].complete && d->resources[i].score >= SC_DISCOVER_PERHAPS;
  fprintf(out, "%s of %s: ", sc_format_plural(d->facts.functions_count, "function").s,
          sc_format_plural(d->facts.units_count, "source file").s);
  fprintf(out,
          complete > count ? "%zu resources, the first %zu:\n"
          : complete == 1  ? "1 resource\n"
                           : "%zu resources\n",
          complete, count);
  for (size_t i = 0; i < count; i++)
    put_resource(&p, i);
  put_rejected(&p);
}
