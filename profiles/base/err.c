/* SPDX-License-Identifier: GPL-3.0-or-later */
#define SC_ERR_HERE
#include "base/err.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[2048];
static _Thread_local char last_hint[1024];
static atomic_int kept_error;
/* Written once, by the thread that set kept_error. */
static char kept_message[sizeof last_message], kept_hint[sizeof last_hint];

static const struct {
  const char *sentence;
  int status;
} table[] = {
#define X(code, sentence, status) {sentence, status},
#include "base/err.inc"
#undef X
};

int sc_err_set(int err, const char *format, ...)
{
  char text[sizeof last_message]; /* the arguments may point into the last message */
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  memcpy(last_message, text, sizeof text);
  last_hint[0] = '\0';
  if (err == SC_E_NOMEM)
    (void)sc_err_keep(err);
  return err;
}

int sc_err_system(int err, int errnum, const char *format, ...)
{
  char text[sizeof last_message];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (errnum == ENOMEM)
    (void)sc_err_set(SC_E_NOMEM, "out of memory");
  return sc_err_set(err, "%s: %s", text, strerror(errnum));
}

int sc_err_prefix(int err, const char *format, ...)
{
  char prefix[512], text[sizeof last_message];
  va_list args;
  va_start(args, format);
  vsnprintf(prefix, sizeof prefix, format, args);
  va_end(args);
  int length = snprintf(text, sizeof text, "%s: %s", prefix, last_message);
  if (length < 0)
    return err;
  memcpy(last_message, text, sizeof text);
  return err;
}

int sc_err_hint(int err, const char *format, ...)
{
  char text[sizeof last_hint];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  memcpy(last_hint, text, sizeof text);
  return err;
}

int sc_err_keep(int err)
{
  int none = 0;
  if (atomic_compare_exchange_strong(&kept_error, &none, err) && err != SC_E_NOMEM) {
    memcpy(kept_message, last_message, sizeof kept_message);
    memcpy(kept_hint, last_hint, sizeof kept_hint);
  }
  return err;
}

int sc_err_kept(int err)
{
  int kept = kept_error;
  if (!kept || err == kept)
    return err;
  if (kept == SC_E_NOMEM)
    return sc_err_set(kept, "out of memory");
  (void)sc_err_set(kept, "%s", kept_message);
  return sc_err_hint(kept, "%s", kept_hint);
}

const char *sc_err_message(void) { return last_message; }
const char *sc_err_hint_text(void) { return last_hint; }

static unsigned err_row(int err)
{
  unsigned index = err < 0 ? 0u - (unsigned)err : 0;
  return index < SC_ERR_COUNT ? index : SC_ERRNO_INTERNAL;
}

const char *sc_err_sentence(int err) { return table[err_row(err)].sentence; }
int sc_err_status(int err) { return table[err_row(err)].status; }
