/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of catch.c where this is built without libbpf. */
#include "instrument/attach/catch.h"

int sc_catch_open(const sc_catch_place *places, size_t count, size_t functions, const struct scale_capture *captures,
                  unsigned how, sc_catch **out)
{
  *out = NULL;
  (void)sc_err_set(SC_E_UNSUPPORTED, "this scale-run was built without uprobes");
  return sc_err_hint(SC_E_UNSUPPORTED,
                     "build it where libbpf-dev and clang are (cmake -DSCALE_ATTACH=ON), or build the "
                     "program with scale-cc");
}

int sc_catch_begin(sc_catch *self, pid_t process, sc_catch_happened_fn happened, void *user)
{
  return sc_catch_open(NULL, 0, 0, NULL, 0, &self);
}

int sc_catch_take(sc_catch *self, sc_catch_totals *totals, sc_catch_fn visit, void *user)
{
  *totals = (sc_catch_totals){0};
  return sc_catch_open(NULL, 0, 0, NULL, 0, &self);
}

int sc_catch_images(sc_catch *self, sc_catch_image_fn visit, void *user)
{
  return sc_catch_open(NULL, 0, 0, NULL, 0, &self);
}

int sc_catch_ended(sc_catch *self, sc_catch_ended_fn visit, void *user)
{
  return sc_catch_open(NULL, 0, 0, NULL, 0, &self);
}

int sc_catch_join(sc_catch *self, const sc_catch_running *processes, size_t count)
{
  return sc_catch_open(NULL, 0, 0, NULL, 0, &self);
}

int sc_catch_calls(const sc_catch *self, uint64_t *calls)
{
  return sc_catch_open(NULL, 0, 0, NULL, 0, &(sc_catch *){0});
}

void sc_catch_drop(sc_catch *self, const bool *functions) {}

void sc_catch_end(sc_catch *self) {}

void sc_catch_close(sc_catch *self) {}
