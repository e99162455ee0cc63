/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/text_stream.h"

#include <stdbool.h>

int sc_text_stream_open(sc_text_stream *out)
{
  *out = (sc_text_stream){.text = NULL};
  out->stream = open_memstream(&out->text, &out->length);
  return out->stream ? 0 : sc_err_set(SC_E_NOMEM, "out of memory");
}

int sc_text_stream_close(sc_text_stream *out, int err)
{
  bool kept = fclose(out->stream) == 0 && out->text; /* without memory it has no text, and no error */
  return err < 0 || kept ? err : sc_err_set(SC_E_NOMEM, "out of memory");
}
