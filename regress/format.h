/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_FORMAT_H
#define SC_REGRESS_FORMAT_H
#include "regress/model.h"
#include "regress/sink.h"

/* A model in the style of another formula, a part of which it is. Returns the length as snprintf does. */
int sc_format_like(const sc_sink *other, const sc_model *model, const char *variable, char *text, size_t size);
#endif
