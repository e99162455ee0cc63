/* SPDX-License-Identifier: MIT */
#pragma once
#include "do.h"

/*
 * A condition wait: while it lasts the thread does not hold the mutex. If the thread is cancelled there, the mutex is
 * its own again when cleanup handlers run, and stays `away` in the list of what it holds: their unlock finds it.
 */
#define SC_DO_CONDITION(identity, mutex, call)                            \
  uint64_t token = __scale_event_waits(cell, (uintptr_t)(identity), how); \
  __scale_event_parts((uintptr_t)(mutex));                                \
  call;                                                                   \
  __scale_event_waited(cell, (uintptr_t)(identity), token, how);          \
  __scale_event_rejoins((uintptr_t)(mutex))
