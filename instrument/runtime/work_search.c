/* SPDX-License-Identifier: MIT */
#include "work.h"

int __scale_work_called(struct sc_called *called, const void *element)
{
  called->times++;
  return called->function(called->first, element);
}
