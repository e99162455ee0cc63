/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question to the study judged at other values of further parameters. */
#include "runner/points/internal.h"

int sc_several_visit(const sc_several *s, const double *others, bool resources, const sc_ask_request *request,
                     sc_several_visitor *visitor, void *user)
{
  sc_judge moved;
  sc_ask ask = {0};
  int err;
  bool findings = request->suppose || request->all; /* the worst afterwards; places of negligible growth */
  SC_TRY((findings ? sc_several_move : sc_several_place)(s, others, &moved));
  if (resources)
    SC_GOTO(sc_several_move_resources(s, &moved));
  SC_GOTO(sc_ask_answer(&moved, request, &ask));
  err = visitor(user, &ask);
out:
  sc_ask_free(&ask);
  sc_several_leave(&moved);
  return err;
}
