/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Checks of this machine. */
enum sc_doctor_state {
  SC_DOCTOR_OK,
  SC_DOCTOR_LIMITED, /* works without it, with less */
  SC_DOCTOR_MISSING  /* nothing can be measured without it */
};
typedef struct sc_doctor_check {
  const char *name; /* a literal */
  enum sc_doctor_state state;
  char detail[256]; /* what was found, or what is wrong */
  char hint[256];   /* how to get it; "" if ok */
} sc_doctor_check;

enum { SC_DOCTOR_CHECKS = 16 };
typedef struct sc_doctor {
  sc_doctor_check checks[SC_DOCTOR_CHECKS];
  size_t count;
  char wrapper[4096]; /* scale-cc, "" if not found */
} sc_doctor;

/* Runs every check. Only running out of memory is an error. */
int sc_doctor_examine(sc_doctor *doctor) SC_CHECK;
bool sc_doctor_usable(const sc_doctor *doctor);
const char *sc_doctor_state_name(enum sc_doctor_state state); /* "ok", "limited", "missing" */
