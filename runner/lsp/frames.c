/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/lsp/frames.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

int sc_frames_add(sc_frames *frames, const char *bytes, size_t length)
{
  if (frames->at) { /* what was given is not needed any more */
    memmove(frames->in.text, frames->in.text + frames->at, frames->in.length - frames->at);
    frames->in.length -= frames->at;
    frames->at = 0;
  }
  sc_buf_add(&frames->in, bytes, length);
  return sc_buf_finish(&frames->in);
}

static int frame_fault(const char *what)
{
  (void)sc_err_set(SC_E_INPUT, "the editor's message %s", what);
  return sc_err_hint(SC_E_INPUT, "editors start `scale-run lsp`; docs/editors.md says how");
}

/* Digits and nothing else. */
static int read_length(const char *text, size_t left, size_t *length)
{
  size_t value = 0, digits = 0;
  while (left && (*text == ' ' || *text == '\t'))
    text++, left--;
  while (left && (text[left - 1] == ' ' || text[left - 1] == '\t'))
    left--;
  for (; digits < left; digits++) {
    if (!isdigit((unsigned char)text[digits]))
      return frame_fault("has a Content-Length that is not a number");
    value = value * 10 + (size_t)(text[digits] - '0');
    if (value > SC_FRAMES_MESSAGE_MAX)
      return frame_fault("is longer than 64 MiB");
  }
  if (!digits)
    return frame_fault("has a Content-Length that is not a number");
  *length = value;
  return 0;
}

/* Other headers (Content-Type is the only one known) change nothing: UTF-8 is all there is. */
static int read_header(const char *line, size_t length, bool *found, size_t *value)
{
  static const char name[] = "Content-Length";
  const char *colon = memchr(line, ':', length);
  size_t before = colon ? (size_t)(colon - line) : 0;
  if (!before)
    return frame_fault("has a header line without a colon");
  if (before != sizeof name - 1 || strncasecmp(line, name, before) != 0)
    return 0;
  if (*found)
    return frame_fault("has two Content-Lengths");
  *found = true;
  return read_length(colon + 1, length - before - 1, value);
}

int sc_frames_next(sc_frames *frames, const char **message, size_t *length)
{
  if (frames->at == frames->in.length)
    return 0;
  const char *start = frames->in.text + frames->at;
  size_t left = frames->in.length - frames->at, looked = left < SC_FRAMES_HEADER_MAX ? left : SC_FRAMES_HEADER_MAX;
  const char *end = memmem(start, looked, "\r\n\r\n", 4);
  bool found = false;
  size_t size = 0;
  if (!end)
    return left >= SC_FRAMES_HEADER_MAX ? frame_fault("has no end of its header") : 0;
  for (const char *line = start; line < end + 2;) {
    const char *stop = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
    SC_TRY(read_header(line, (size_t)(stop - line), &found, &size));
    line = stop + 2;
  }
  if (!found)
    return frame_fault("has no Content-Length");
  if (left - (size_t)(end + 4 - start) < size)
    return 0;
  *message = end + 4;
  *length = size;
  frames->at += (size_t)(end + 4 - start) + size;
  return 1;
}

void sc_frames_free(sc_frames *frames)
{
  sc_buf_free(&frames->in);
  *frames = (sc_frames){0};
}
