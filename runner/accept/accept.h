/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/accept/notice.h"

/* "RULE WHERE until YYYY-MM-DD: reason", the line of a file, or the same without WHERE, of a comment in a source. */
typedef struct sc_acceptance {
  enum sc_rule rule;
  char *where;    /* "" in a comment: the line it stands at */
  char until[11]; /* YYYY-MM-DD, that day included */
  char *reason;
  uint32_t line;
  bool used;
} sc_acceptance;

/* SC_E_USAGE with a hint, without the line's number, if the text is not an acceptance. To be released with
 * sc_acceptance_free, also after an error. */
int sc_acceptance_parse(const char *text, size_t length, bool comment, sc_acceptance *acceptance) SC_CHECK;
void sc_acceptance_free(sc_acceptance *acceptance);
/* Whether its day is over; `today` as YYYY-MM-DD. */
bool sc_acceptance_expired(const sc_acceptance *acceptance, const char *today);
/* Whether WHERE means the notice: its subject, "subject@file", or 8 and more digits of its fingerprint. */
bool sc_acceptance_means(const sc_acceptance *acceptance, const sc_notice *notice);
void sc_acceptance_today(char today[11]);
