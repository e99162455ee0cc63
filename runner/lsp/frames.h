/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* Messages as they come in a stream: header lines, one of them Content-Length, an empty line, and that many bytes. */
enum {
  SC_FRAMES_HEADER_MAX = 8 << 10,  /* bytes of all header lines of a message */
  SC_FRAMES_MESSAGE_MAX = 64 << 20 /* bytes of a message */
};

typedef struct sc_frames { /* zero-initialise */
  sc_buf in;               /* what came and is not given yet begins at `at` */
  size_t at;
} sc_frames;

/* Copies `length` bytes of the stream. SC_E_NOMEM. */
int sc_frames_add(sc_frames *frames, const char *bytes, size_t length) SC_CHECK;
/* 1: *message, *length bytes, valid until more is added; 0: more must come first; SC_E_INPUT: this is no message, and
 * where the next one begins is unknown. */
int sc_frames_next(sc_frames *frames, const char **message, size_t *length) SC_CHECK;
void sc_frames_free(sc_frames *frames);
