/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a family of inputs: what is read is printed so that it is read as the same, and its bytes are bounded. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "runner/family/family.h"

static void use(const sc_family *family)
{
  unsigned char bytes[4096], others[4096];
  size_t size, other_size;
  sc_family again;
  sc_buf text = {0};
  sc_family_print(family, &text);
  must(sc_buf_finish(&text) == 0 && sc_family_parse(text.text, &again) == 0);
  must(again.part_count == family->part_count);
  for (uint64_t n = 1; n < 100; n *= 3) {
    int err = sc_family_fill(family, n, bytes, sizeof bytes, &size);
    must(sc_family_fill(&again, n, others, sizeof others, &other_size) == err);
    must(size == other_size && memcmp(bytes, others, size) == 0);
    double counted = sc_family_bytes(family, n, sizeof bytes);
    must(err == 0 ? counted == (double)size : isinf(counted));
  }
  while (again.part_count) {
    unsigned before = again.part_count;
    sc_family_remove(&again,
                     before / 2 == before - 1 || again.parts[before / 2].kind == SC_FAMILY_CLOSE ? 0 : before / 2);
    must(again.part_count < before);
  }
  sc_buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_family family;
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  if (sc_family_parse(text, &family) == 0)
    use(&family);
  else
    must(*sc_err_message() != '\0');
  free(text);
  return 0;
}
