/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes from an editor: framed messages, and what does not come framed, as one message. The input's first byte says
 * in which pieces it comes. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "runner/lsp/frames.h"
#include "runner/lsp/server.h"

static void take_stream(sc_server *server, const char *bytes, size_t size, size_t piece)
{
  sc_frames frames = {0};
  const char *message;
  size_t length;
  for (size_t at = 0; at < size; at += piece) {
    int got = sc_frames_add(&frames, bytes + at, size - at < piece ? size - at : piece);
    if (got < 0)
      break;
    while ((got = sc_frames_next(&frames, &message, &length)) > 0)
      if (length > size || sc_server_take(server, message, length) != 0)
        break;
    if (got != 0)
      break;
  }
  sc_frames_free(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char initialize[] = "{\"id\":1,\"method\":\"initialize\",\"params\":{\"rootUri\":\"file:///nosuch\"}}";
  sc_options options = {.verb = SC_VERB_LSP};
  sc_server *server;
  if (!size)
    return 0;
  char *text = NULL;
  size_t written = 0;
  FILE *out = open_memstream(&text, &written);
  if (!out || sc_server_new(&options, out, &server) < 0)
    abort();
  const char *bytes = (const char *)data + 1;
  take_stream(server, bytes, size - 1, 1 + data[0]);
  if (sc_server_take(server, initialize, sizeof initialize - 1) < 0 || sc_server_take(server, bytes, size - 1) < 0)
    abort();
  sc_server_free(server);
  fclose(out);
  /* whatever came, what is written is messages */
  sc_frames frames = {0};
  const char *message;
  size_t length;
  if (written && sc_frames_add(&frames, text, written) < 0)
    abort();
  int got;
  while ((got = sc_frames_next(&frames, &message, &length)) > 0)
    ;
  if (got < 0 || frames.at != written)
    abort();
  sc_frames_free(&frames);
  free(text);
  return 0;
}
