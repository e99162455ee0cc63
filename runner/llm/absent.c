/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of post.c where this is built without libcurl. */
#include "runner/llm/post.h"

int sc_post_check(const sc_post_to *to)
{
  (void)sc_err_set(SC_E_UNSUPPORTED, "this scale-run was built without language models: --llm cannot ask one");
  return sc_err_hint(SC_E_UNSUPPORTED,
                     "build it where libcurl4-openssl-dev is (cmake -DSCALE_LLM=ON); answers that are "
                     "there already are used without it: --llm-answers FILE alone");
}

int sc_post(const sc_post_to *to, const char *body, size_t length, sc_buf *answer) { return sc_post_check(to); }
