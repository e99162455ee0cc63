/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdarg.h>

/*
 * Errors. A function that can fail returns 0 or a negative enum sc_err; the
 * message and a hint live in a thread-local "last error" until the next
 * failure. Only main prints and exits.
 */
enum sc_err {
#define X(code, sentence, status) SC_ERRNO_##code,
#include "base/err.inc"
#undef X
  SC_ERR_COUNT
};
enum {
#define X(code, sentence, status) SC_E_##code = -SC_ERRNO_##code,
#include "base/err.inc"
#undef X
};

#define SC_CHECK        __attribute__((warn_unused_result))
#define SC_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Sets the last error's message (replacing message and hint) and returns err. */
int sc_err_set(int err, const char *format, ...) SC_PRINTF(2, 3);
/* As sc_err_set, with ": <strerror(errnum)>" behind the message. */
int sc_err_system(int err, int errnum, const char *format, ...) SC_PRINTF(3, 4);
/* Puts "context: " in front of the last message; returns err, so that it can be chained. */
int sc_err_prefix(int err, const char *format, ...) SC_PRINTF(2, 3);
/* Sets the last error's hint: what the user can do next. Returns err. */
int sc_err_hint(int err, const char *format, ...) SC_PRINTF(2, 3);

/* Analyzers do not look into err.c, and would take what it returns for anything, 0 among it. */
#if defined __clang_analyzer__ && !defined SC_ERR_HERE
#define sc_err_set(err, ...)    ((void)sc_err_set(err, __VA_ARGS__), (err))
#define sc_err_system(err, ...) ((void)sc_err_system(err, __VA_ARGS__), (err))
#define sc_err_prefix(err, ...) ((void)sc_err_prefix(err, __VA_ARGS__), (err))
#define sc_err_hint(err, ...)   ((void)sc_err_hint(err, __VA_ARGS__), (err))
#endif

/* Keeps the last error for sc_err_kept, where what is composed now is incomplete but the function cannot fail. The
 * first in the process stays. Every SC_E_NOMEM that is set is kept, and every ENOMEM. Returns err. */
int sc_err_keep(int err);
/* Before a result is delivered: err, or the error that was kept, with its message. */
int sc_err_kept(int err) SC_CHECK;

const char *sc_err_message(void);   /* last message; never NULL */
const char *sc_err_hint_text(void); /* last hint; "" if none */
const char *sc_err_sentence(int err);
int sc_err_status(int err); /* exit status of scale-run for it */

/* Forwards a failure to the caller, for functions with nothing to release. */
#define SC_TRY(call)          \
  do {                        \
    int sc_try_err_ = (call); \
    if (sc_try_err_ < 0)      \
      return sc_try_err_;     \
  } while (0)
/* Forwards a failure to the label `out`, with the code in `err`. */
#define SC_GOTO(call) \
  do {                \
    err = (call);     \
    if (err < 0)      \
      goto out;       \
  } while (0)
