/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/export/proto.h"

enum { WIRE_NUMBER = 0, WIRE_LENGTH = 2, WINDOW_GZIP = 15 + 16, MEMORY = 8 };

void sc_proto_packed(sc_buf *list, uint64_t value)
{
  char bytes[10];
  size_t length = 0;
  do {
    bytes[length++] = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
  } while (value);
  sc_buf_add(list, bytes, length);
}

void sc_proto_number(sc_buf *message, unsigned field, uint64_t value)
{
  if (!value)
    return;
  sc_proto_packed(message, field << 3 | WIRE_NUMBER);
  sc_proto_packed(message, value);
}

void sc_proto_bytes(sc_buf *message, unsigned field, const char *bytes, size_t length)
{
  sc_proto_packed(message, field << 3 | WIRE_LENGTH);
  sc_proto_packed(message, length);
  sc_buf_add(message, bytes, length);
}

void sc_proto_message(sc_buf *message, unsigned field, const sc_buf *inner)
{
  message->failed |= inner->failed;
  sc_proto_bytes(message, field, inner->text ? inner->text : "", inner->length);
}

int sc_proto_begin(sc_proto_stream *stream, FILE *file)
{
  *stream = (sc_proto_stream){.file = file};
  if (deflateInit2(&stream->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  stream->begun = true;
  return 0;
}

static int compress_to(sc_proto_stream *stream, sc_buf *message, int flush)
{
  unsigned char block[16384];
  int state;
  SC_TRY(sc_buf_finish(message));
  stream->z.next_in = (unsigned char *)message->text;
  stream->z.avail_in = (unsigned)message->length;
  do {
    stream->z.next_out = block;
    stream->z.avail_out = sizeof block;
    state = deflate(&stream->z, flush);
    if (state == Z_STREAM_ERROR)
      return sc_err_set(SC_E_INTERNAL, "a profile could not be compressed");
    (void)fwrite(block, 1, sizeof block - stream->z.avail_out, stream->file);
  } while (stream->z.avail_out == 0);
  message->length = 0;
  return 0;
}

int sc_proto_flush(sc_proto_stream *stream, sc_buf *message)
{
  enum { ENOUGH = 1 << 16 };
  return message->length < ENOUGH ? (message->failed ? sc_buf_finish(message) : 0)
                                  : compress_to(stream, message, Z_NO_FLUSH);
}

int sc_proto_end(sc_proto_stream *stream, sc_buf *message)
{
  int err = 0;
  if (stream->begun && message)
    err = compress_to(stream, message, Z_FINISH);
  if (stream->begun)
    (void)deflateEnd(&stream->z);
  stream->begun = false;
  return err;
}
