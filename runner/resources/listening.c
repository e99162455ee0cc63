/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/listening.h"

#include "runner/resources/words.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/resources/listeners.h"

void sc_listening_text(const sc_judge *judge, sc_buf *text)
{
  sc_listeners found[SC_CONDITIONS_SHOWN];
  const char *variable = judge->loaded.workload->parameter;
  double smallest, largest;
  size_t count = judge->resources ? sc_resources_listeners(judge->resources, found, SC_CONDITIONS_SHOWN) : 0;
  if (!count)
    return;
  sc_analysis_range(judge->loaded.analysis, &smallest, &largest);
  sc_buf_puts(text, "Threads that wait for requests from outside are not judged. ");
  for (size_t i = 0; i < count; i++) {
    const sc_listeners *l = &found[i];
    sc_buf_puts(text, i ? "; " : "");
    sc_buf_printf(text, "%s in %s, ", sc_format_plural((size_t)l->threads, "thread").s, l->via);
    sc_resource_words_place(judge->loaded.graph, l->context, l->line, l->column, text);
    sc_buf_printf(text, ", did something else for %.0f%% of the time at %s = %s", 100 * l->busy_small, variable,
                  sc_format_number(smallest).s);
    sc_buf_printf(text, " and for %.0f%% at %s = %s", 100 * l->busy_large, variable, sc_format_number(largest).s);
    if (l->full > 0)
      sc_buf_printf(text, " (in proportion, all of it at %s = %s)", variable, sc_format_number(l->full).s);
  }
  sc_buf_puts(text, ". Where that comes near 100%, they are too few.");
}
