/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/err.h"

/* What is printed to it is kept as a text. */
typedef struct sc_text_stream {
  FILE *stream; /* to write to */
  char *text;   /* [length] and a NUL, once it is closed; to be freed by the caller, also after an error */
  size_t length;
} sc_text_stream;

/* SC_E_NOMEM. */
int sc_text_stream_open(sc_text_stream *out) SC_CHECK;
/* Returns err, or SC_E_NOMEM where not all of the text could be kept. */
int sc_text_stream_close(sc_text_stream *out, int err) SC_CHECK;
