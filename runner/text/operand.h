/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Names in commands that the reader may copy. */
#include <stdio.h>

#include "base/buf.h"

/* Appends the text as a shell takes it; bytes that may not be printed (sc_utf8_printable) are escaped as in $'\xHH'. */
void sc_operand_quote(const char *text, sc_buf *out);
/* A blank and the study's name, quoted; nothing for the default, scale.db: appended, or printed. */
void sc_operand_study(const char *study, sc_buf *out);
void sc_operand_print_study(const char *study, FILE *out);
