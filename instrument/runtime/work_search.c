/* SPDX-License-Identifier: MIT */
/* Counts the calls of the comparison that a library function is given (bsearch). */
#include "work.h"

int __scale_work_called(struct sc_called *called, const void *element)
{
  called->times++;
  return called->function(called->first, element);
}
