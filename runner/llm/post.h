/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* Requests to a language model, by HTTP: nothing else in scale-run talks to a network. */

typedef struct sc_post_to {
  const char *url; /* http or https: of the service ("http://localhost:8080/v1") or of its chat/completions */
  const char *key; /* sent as a bearer token, and nowhere else; NULL or "": none */
  double timeout;  /* seconds that an answer may take */
} sc_post_to;

/* Whether requests can be made to it: SC_E_UNSUPPORTED where this was built without libcurl, SC_E_USAGE for another
 * kind of URL, for one with a password in it, and for a key that would travel unencrypted to another machine. */
int sc_post_check(const sc_post_to *to) SC_CHECK;
/* Posts a JSON document and appends the body of the answer, at most SC_LLM_ANSWER bytes, to `answer`. SC_E_IO with the
 * reason where no answer of status 200 came: redirects are not followed, so that nothing goes where nobody said. */
int sc_post(const sc_post_to *to, const char *body, size_t length, sc_buf *answer) SC_CHECK;
