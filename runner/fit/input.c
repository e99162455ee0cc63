/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/infile.h"

enum { BLOCK = 1 << 16 };

int sc_input_open(const char *path, sc_input *input)
{
  bool standard = strcmp(path, "-") == 0;
  *input = (sc_input){.name = standard ? "standard input" : path, .fd = standard ? STDIN_FILENO : -1};
  input->owned = !standard;
  if (standard || sc_infile_open(path, SC_E_IO, path, &input->fd) == 0)
    return 0;
  if (errno == EINVAL)
    return SC_E_IO;
  return sc_err_hint(SC_E_IO, "a file of measurements is wanted; - is standard input");
}

void sc_input_memory(const char *name, const char *text, size_t length, sc_input *input)
{
  *input = (sc_input){.name = name, .fd = -1, .ended = true, .filled = length};
  memcpy(&input->block, &text, sizeof text); /* never written to: everything is there already */
}

void sc_input_close(sc_input *input)
{
  if (input->owned && input->fd >= 0)
    close(input->fd);
  if (input->capacity)
    free(input->block);
  *input = (sc_input){.fd = -1};
}

/* Moves what is not given yet to the front and reads behind it; sets `ended` at the end. */
static int fill_buffer(sc_input *input)
{
  if (input->ended)
    return 0;
  size_t left = input->filled - input->at;
  if (left)
    memmove(input->block, input->block + input->at, left);
  input->at = 0;
  input->filled = left;
  SC_TRY(sc_mem_grow(&input->block, &input->capacity, left + BLOCK, 1));
  ssize_t bytes;
  do
    bytes = read(input->fd, input->block + left, input->capacity - left);
  while (bytes < 0 && errno == EINTR);
  if (bytes < 0)
    return sc_err_hint(sc_err_system(SC_E_IO, errno, "%s cannot be read to its end", input->name),
                       "nothing was printed; try again when it can be read");
  input->filled += (size_t)bytes;
  input->ended = bytes == 0;
  return 0;
}

static int skip_overlong_line(sc_input *input)
{
  for (;;) { /* to the end of the line, so that the next one can be read */
    const char *end = memchr(input->block + input->at, '\n', input->filled - input->at);
    input->at = end ? (size_t)(end + 1 - input->block) : input->filled;
    if (end || input->ended)
      break;
    SC_TRY(fill_buffer(input));
  }
  return sc_err_hint(sc_err_set(SC_E_INPUT, "the line is longer than %d MiB", SC_INPUT_LINE_MAX >> 20),
                     "is it a file of measurements? Those have one point a line");
}

int sc_input_line(sc_input *input, sc_view *line)
{
  size_t seen = 0;
  const char *end = NULL;
  *line = (sc_view){"", 0};
  for (;;) {
    size_t left = input->filled - input->at;
    if (left > seen)
      end = memchr(input->block + input->at + seen, '\n', left - seen);
    seen = left;
    if (end || input->ended)
      break;
    if (seen > SC_INPUT_LINE_MAX)
      break;
    SC_TRY(fill_buffer(input));
  }
  if (!end && seen == 0)
    return 0;
  input->line++;
  const char *start = input->block + input->at;
  size_t length = end ? (size_t)(end - start) : seen;
  if (length > SC_INPUT_LINE_MAX)
    return skip_overlong_line(input);
  input->at += length + (end != NULL);
  *line = (sc_view){start, length - (length && start[length - 1] == '\r')};
  const char *nul = memchr(line->text, '\0', line->length);
  if (nul)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "column %zu is a NUL byte", (size_t)(nul - line->text) + 1),
                       "measurements are text in UTF-8");
  return 1;
}

int sc_input_peek(sc_input *input, sc_view *ahead)
{
  while (!input->ended && input->filled - input->at < BLOCK / 2)
    SC_TRY(fill_buffer(input));
  if (input->line == 0 && input->filled - input->at >= 3 && memcmp(input->block + input->at, "\xef\xbb\xbf", 3) == 0)
    input->at += 3;
  *ahead = (sc_view){input->block ? input->block + input->at : "", input->filled - input->at};
  return 0;
}

int sc_input_rest(sc_input *input, sc_view *text)
{
  while (!input->ended && input->filled - input->at <= SC_INPUT_DOCUMENT_MAX)
    SC_TRY(fill_buffer(input));
  *text = (sc_view){input->block ? input->block + input->at : "", input->filled - input->at};
  input->at = input->filled;
  if (text->length <= SC_INPUT_DOCUMENT_MAX)
    return 0;
  return sc_err_hint(sc_err_set(SC_E_INPUT, "the document is larger than %d MiB", SC_INPUT_DOCUMENT_MAX >> 20),
                     "JSON Lines and CSV may have any size");
}
