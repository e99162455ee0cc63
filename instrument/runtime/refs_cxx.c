/* SPDX-License-Identifier: MIT */
/* What stands for the address of operator delete (refs.c), for programs that have one. */
#include "refs.h"

extern void _ZdlPv(void *block);
extern void _ZdlPvm(void *block, size_t bytes);
extern void _ZdaPv(void *block);

void __scale_ref__ZdlPv(void *block)
{
  __scale_event_dropped((uintptr_t)block, SCALE_CLASS_HEAP);
  _ZdlPv(block);
}

void __scale_ref__ZdlPvm(void *block, size_t bytes)
{
  __scale_event_dropped((uintptr_t)block, SCALE_CLASS_HEAP);
  _ZdlPvm(block, bytes);
}

void __scale_ref__ZdaPv(void *block)
{
  __scale_event_dropped((uintptr_t)block, SCALE_CLASS_HEAP);
  _ZdaPv(block);
}
