/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as what a service answers. What is taken of it is a verdict of the kind that was asked for. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "runner/llm/answer.h"

typedef struct seen {
  bool functions;
  size_t taken;
} seen;

static int visit(void *user, const sc_answer_one *one)
{
  seen *all = user;
  enum sc_answer_verdict again;
  if (!sc_answer_verdict_of(sc_answer_word(one->verdict), all->functions, &again) || again != one->verdict)
    abort();
  bool taken = *one->name && strlen(one->reason) < 1000;
  all->taken += taken;
  return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  for (int functions = 0; functions < 2; functions++) {
    seen all = {.functions = functions};
    sc_answer_sum sum;
    if (sc_answer_read((const char *)data, size, functions, visit, &all, &sum) != 0 || sum.taken != all.taken ||
        (sum.fault && sum.taken) || !(sum.tokens >= 0))
      abort();
  }
  return 0;
}
