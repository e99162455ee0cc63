/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/err.h"

/* Keeps the last error over work that may fail too (cleaning up), so that the first one is what the user reads. */
typedef struct sc_saved_error {
  char message[2048], hint[1024];
} sc_saved_error;

/* Copies the thread's last error. */
static inline void sc_saved_error_take(sc_saved_error *saved)
{
  snprintf(saved->message, sizeof saved->message, "%s", sc_err_message());
  snprintf(saved->hint, sizeof saved->hint, "%s", sc_err_hint_text());
}

/* Puts it back and returns err. */
static inline int sc_saved_error_restore(const sc_saved_error *saved, int err)
{
  (void)sc_err_set(err, "%s", saved->message);
  return sc_err_hint(err, "%s", saved->hint);
}
