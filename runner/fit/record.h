/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/fit/input.h"

/* Records of CSV (RFC 4180): fields in quotes may hold separators, line ends and doubled quotes. Blanks around a field
 * without quotes do not count. Zero-initialise. */
enum { SC_RECORD_FIELDS = 4096 };
typedef struct sc_record {
  sc_view *fields; /* [count], until the next record */
  size_t count, capacity;
  size_t line;    /* where it began */
  char separator; /* 0: told from the first record: a comma, semicolon or tab */
  sc_buf text;    /* the record, if it has several lines */
  char *plain;    /* fields without their quotes */
  size_t plain_length, plain_capacity;
} sc_record;

/* 1, 0 at the end; empty lines are passed over. SC_E_INPUT: a quote without its end, too many fields; the next call
 * goes on behind it. */
int sc_record_read(sc_input *input, sc_record *record) SC_CHECK;
void sc_record_free(sc_record *record);
