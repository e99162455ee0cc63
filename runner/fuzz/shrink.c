/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves out parts and bytes of a family as long as somebody says that it does as before. */
#include <string.h>

#include "runner/fuzz/internal.h"

int sc_fuzz_drop_parts(sc_family *family, sc_fuzz_try_fn try, void *user)
{
  for (unsigned i = 0; i < family->part_count;) {
    sc_family less = *family;
    bool grows = false;
    if (family->parts[i].kind != SC_FAMILY_CLOSE) {
      sc_family_remove(&less, i);
      SC_TRY(try(user, &less, &grows));
    }
    if (grows)
      *family = less;
    else
      i++;
  }
  return 0;
}

/* Without `size` bytes of a string from `start` on. The text keeps what nobody refers to. */
static void cut_string(sc_family *family, unsigned part, unsigned start, unsigned size)
{
  sc_family_part *p = &family->parts[part];
  unsigned char *text = family->text + p->start;
  memmove(text + start, text + start + size, p->bytes - start - size);
  p->bytes = (uint16_t)(p->bytes - size);
}

int sc_fuzz_drop_bytes(sc_family *family, sc_fuzz_try_fn try, void *user)
{
  for (unsigned i = 0; i < family->part_count; i++) {
    for (unsigned at = 0;
         family->parts[i].kind == SC_FAMILY_STRING && family->parts[i].bytes > 1 && at < family->parts[i].bytes;) {
      sc_family less = *family;
      bool grows;
      cut_string(&less, i, at, 1);
      SC_TRY(try(user, &less, &grows));
      if (grows)
        *family = less;
      else
        at++;
    }
  }
  return 0;
}
