/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "base/buf.h"

/* Protocol Buffers' wire format, as far as a message of numbers, texts and messages needs it: a field is a key (its
 * number and how it is written) and a value. Zeros are left out, which readers take for zero. */
void sc_proto_number(sc_buf *message, unsigned field, uint64_t value);
void sc_proto_bytes(sc_buf *message, unsigned field, const char *bytes, size_t length); /* a text, also an empty one */
void sc_proto_message(sc_buf *message, unsigned field, const sc_buf *inner);
/* An element of a packed list: the list is a buf, added by sc_proto_message. */
void sc_proto_packed(sc_buf *list, uint64_t value);

/* A message that is compressed to a stream as it grows. Zero-initialise, then sc_proto_begin. */
typedef struct sc_proto_stream {
  FILE *file;
  z_stream z;
  bool begun;
} sc_proto_stream;
/* The file stays the caller's. SC_E_NOMEM; sc_proto_end also after an error. */
int sc_proto_begin(sc_proto_stream *stream, FILE *file) SC_CHECK;
/* Writes what the message has so far, and empties it. */
int sc_proto_flush(sc_proto_stream *stream, sc_buf *message) SC_CHECK;
/* The last part; without a message (NULL), just releases. */
int sc_proto_end(sc_proto_stream *stream, sc_buf *message) SC_CHECK;
