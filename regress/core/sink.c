/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/sink.h"

#include <stdio.h>
#include <string.h>

sc_sink sc_sink_open(char *text, size_t size, bool programs, bool exact)
{
  if (size)
    text[0] = '\0';
  return (sc_sink){.text = text, .size = size, .programs = programs, .exact = exact};
}

void sc_sink_put(sc_sink *sink, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  size_t left = sink->length < sink->size ? sink->size - sink->length : 0;
  int length = vsnprintf(left ? sink->text + sink->length : NULL, left, format, args);
  va_end(args);
  if (length > 0)
    sink->length += (size_t)length;
}

void sc_sink_write(sc_sink *sink, const char *text)
{
  size_t length = strlen(text);
  if (sink->length + length >= sink->size) { /* as much as there is room for */
    sc_sink_put(sink, "%s", text);
    return;
  }
  memcpy(sink->text + sink->length, text, length + 1);
  sink->length += length;
}

const char *sc_sink_times(const sc_sink *sink) { return sink->programs ? " * " : " "; }
