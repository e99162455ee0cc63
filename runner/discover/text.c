/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For people. */
#include <string.h>

#include "base/utf8.h"
#include "runner/discover/explain.h"
#include "runner/discover/score.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

enum { INDENT = 4, ROLE_COLUMN = 12, REASON_COLUMN = 14, REJECTED = 10, DISPROVED = 50 };

typedef struct page {
  FILE *out;
  const sc_discovery *d;
  const sc_discover_view *view;
  sc_style style;
  int width;
} page;

/* Wraps what was composed and empties it. */
static void put_page(const page *p, sc_buf *text, int at, int indent)
{
  sc_buf shown = {0};
  if (sc_buf_finish(text) == 0)
    sc_utf8_show(text->text, &shown);
  if (sc_buf_finish(&shown) == 0)
    sc_format_wrap(p->out, shown.text, at, indent, p->width);
  sc_buf_free(&shown);
  sc_buf_free(text);
}

static void put_page_event(const page *p, const sc_event *event)
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
  if (sc_discovery_is_shared(p->d, event))
    sc_buf_puts(&text, ", with other readers");
  if (!event->chosen)
    sc_buf_puts(&text, event->layer ? ", further out" : ", left out");
  put_page(p, &text, ROLE_COLUMN, REASON_COLUMN);
  fprintf(p->out, "%*s", REASON_COLUMN, "");
  sc_explain_event(p->d, event, &text);
  put_page(p, &text, REASON_COLUMN, REASON_COLUMN);
  sc_explain_ran(p->d, event, &text);
  if (text.length) {
    fprintf(p->out, "%*s", REASON_COLUMN, "");
    put_page(p, &text, REASON_COLUMN, REASON_COLUMN);
  }
  sc_explain_against(p->d, event, &against);
  if (against.length) {
    fprintf(p->out, "%*sbut: ", REASON_COLUMN, "");
    put_page(p, &against, REASON_COLUMN + 5, REASON_COLUMN);
  }
  sc_buf_free(&against);
}

/* What is said of a resource below its events, if anything. */
static void put_noted(const page *p, const char *what, const sc_resource *resource,
                      void (*explain)(const sc_discovery *d, const sc_resource *resource, sc_buf *out))
{
  sc_buf text = {0};
  explain(p->d, resource, &text);
  if (text.length) {
    fprintf(p->out, "%*s%s", INDENT, "", what);
    put_page(p, &text, INDENT + sc_format_columns(what), ROLE_COLUMN);
  }
  sc_buf_free(&text);
}

static void put_page_resource(const page *p, size_t number)
{
  const sc_resource *resource = &p->d->resources[number];
  sc_buf text = {0};
  fprintf(p->out, "\n%s%2zu. ", p->style.bold, number + 1);
  sc_explain_resource(p->d, resource, &text);
  sc_buf_printf(&text, " - %s", resource->complete ? sc_score_word(resource->score) : "one side only");
  put_page(p, &text, INDENT, INDENT);
  fputs(p->style.off, p->out);
  for (enum sc_role role = SC_ROLE_ACQUIRE; role < SC_ROLE_COUNT; role++)
    SC_FACTS_EACH (event, p->d->events, resource->events)
      if (event->role == role && (event->chosen || p->view->all))
        put_page_event(p, event);
  put_noted(p, "measured: ", resource, sc_explain_balance);
  put_noted(p, "doubtful: ", resource, sc_explain_doubts);
}

static void put_page_rejected_one(const page *p, const sc_rejected *one)
{
  const sc_facts_function *function = &p->d->facts.functions[one->function];
  sc_buf text = {0};
  sc_buf_printf(&text, "%s (%s:%u), %s", function->shown, function->file, one->line, sc_explain_role(one->role));
  if (sc_rejected_by_run(one)) {
    sc_buf_puts(&text, " of ");
    sc_explain_resource(p->d, &p->d->resources[p->d->events[one->other].resource], &text);
  }
  sc_buf_puts(&text, ": ");
  sc_explain_rejected(p->d, one, &text);
  fprintf(p->out, "%*s", INDENT, "");
  put_page(p, &text, INDENT, ROLE_COLUMN);
}

/* By runs, or by the code; `most`: beyond that only their number is shown. */
static void put_page_rejected(const page *p, bool by_run, size_t most)
{
  size_t count = 0;
  for (size_t i = 0; i < p->d->rejected_count; i++)
    count += sc_rejected_by_run(&p->d->rejected[i]) == by_run;
  bool shown = p->view->all || count <= most;
  if (count)
    fprintf(p->out, "\n%s rejected%s%s\n", sc_format_plural(count, by_run ? "event" : "candidate").s,
            by_run ? " by the runs" : "", shown ? ":" : ": --all lists them, each with its reason");
  for (size_t i = 0; shown && i < p->d->rejected_count; i++)
    if (sc_rejected_by_run(&p->d->rejected[i]) == by_run)
      put_page_rejected_one(p, &p->d->rejected[i]);
}

void sc_discover_print_text(FILE *out, const sc_discovery *d, const sc_discover_view *view)
{
  page p = {out, d, view, sc_terminal_style(out), sc_terminal_width(out)};
  size_t count = sc_explain_shown(d, view), complete = 0;
  for (size_t i = 0; i < d->resources_count; i++)
    complete += sc_resource_is_shown(&d->resources[i]);
  fprintf(out, "%s of %s: ", sc_format_plural(d->facts.functions_count, "function").s,
          sc_format_plural(d->facts.units_count, "source file").s);
  fprintf(out,
          complete > count ? "%zu resources, the first %zu:\n"
          : complete == 1  ? "1 resource\n"
                           : "%zu resources\n",
          complete, count);
  if (d->ran) {
    sc_buf text = {0};
    sc_explain_verdict(d, &text);
    put_page(&p, &text, 0, 0);
  }
  if (d->llm) {
    sc_buf text = {0};
    sc_explain_llm(d, &text);
    put_page(&p, &text, 0, 0);
  }
  for (size_t i = 0; i < count; i++)
    put_page_resource(&p, i);
  put_page_rejected(&p, true, DISPROVED);
  put_page_rejected(&p, false, REJECTED);
}
