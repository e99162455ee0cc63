/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_RESOURCES_LISTENING_H
#define SC_RUNNER_RESOURCES_LISTENING_H
#include "base/buf.h"
#include "runner/judge/judge.h"

/* A sentence on threads that wait for requests from outside, which are not judged: how busy they were. Stays empty
 * where there are none. */
void sc_listening_text(const sc_judge *judge, sc_buf *text);
#endif
