// SPDX-License-Identifier: GPL-3.0-or-later
// expat_driver FILE REPEATS: parses FILE in pieces of 16 KiB, counting what the handlers are told.
#include "expat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
  unsigned long elements, attributes, deepest, depth, text;
};

static void XMLCALL begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
  struct counts *counts = data;
  counts->elements++;
  counts->text += strlen(name);
  for (; *attributes; attributes += 2)
    counts->attributes++;
  if (++counts->depth > counts->deepest)
    counts->deepest = counts->depth;
}

static void XMLCALL end(void *data, const XML_Char *name)
{
  (void)name;
  ((struct counts *)data)->depth--;
}

static void XMLCALL text(void *data, const XML_Char *characters, int length)
{
  (void)characters;
  ((struct counts *)data)->text += (unsigned long)length;
}

static int parse(FILE *file, struct counts *counts)
{
  XML_Parser parser = XML_ParserCreateNS(NULL, ' ');
  if (!parser)
    return -1;
  XML_SetHashSalt(parser, 0x5ca1e); // the same hashing in every run
  XML_SetUserData(parser, counts);
  XML_SetElementHandler(parser, begin, end);
  XML_SetCharacterDataHandler(parser, text);
  static char piece[16384];
  enum XML_Status status = XML_STATUS_OK;
  size_t length = 1;
  while (status == XML_STATUS_OK && length) {
    length = fread(piece, 1, sizeof piece, file);
    status = XML_Parse(parser, piece, (int)length, length == 0);
  }
  XML_ParserFree(parser);
  return status == XML_STATUS_OK ? 0 : -1;
}

int main(int argc, char **argv)
{
  FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  struct counts counts = {0};
  for (int i = 0; i < atoi(argv[2]); i++) {
    rewind(file);
    if (parse(file, &counts))
      return 1;
  }
  printf("%lu elements, %lu attributes, depth %lu, %lu characters\n", counts.elements, counts.attributes,
         counts.deepest, counts.text);
  fclose(file);
  return 0;
}
