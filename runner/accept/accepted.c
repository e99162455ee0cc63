/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/accept/notice.h"

const sc_notice *sc_notices_accepted(const sc_notices *notices, const void *about)
{
  for (size_t i = notices ? notices->count - notices->accepted : 0; notices && i < notices->count; i++)
    if (notices->list[i].about == about)
      return &notices->list[i];
  return NULL;
}
