/* SPDX-License-Identifier: MIT */
#include "state.h"
#include "valgrind.h"

SC_SHARED struct sc_process *__scale_process_state;
SC_SHARED uint32_t __scale_event_on;
