// SPDX-License-Identifier: GPL-3.0-or-later
// zstd_driver FILE LEVEL...: compresses FILE at each level, decompresses it again and compares; prints the sizes.
#include "zstd.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *name, size_t *size)
{
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END))
    return NULL;
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*size + 1);
  if (data && fread(data, 1, *size, file) != *size) {
    free(data);
    data = NULL;
  }
  fclose(file);
  return data;
}

int main(int argc, char **argv)
{
  size_t size = 0;
  char *data = argc > 2 ? read_file(argv[1], &size) : NULL;
  if (!data)
    return 2;
  size_t room = ZSTD_compressBound(size);
  char *packed = malloc(room), *again = malloc(size);
  if (!packed || !again)
    return 2;
  for (int i = 2; i < argc; i++) {
    size_t length = ZSTD_compress(packed, room, data, size, atoi(argv[i]));
    if (ZSTD_isError(length))
      return 1;
    if (ZSTD_decompress(again, size, packed, length) != size || memcmp(data, again, size))
      return 1;
    printf("level %s: %zu bytes from %zu\n", argv[i], length, size);
  }
  free(again);
  free(packed);
  free(data);
  return 0;
}
