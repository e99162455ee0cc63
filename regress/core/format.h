/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_CORE_FORMAT_H
#define SC_REGRESS_CORE_FORMAT_H
#include "regress/core/model.h"
#include "regress/core/sink.h"

/* A model as a part of another formula, in its style. Returns the length as snprintf does. */
int sc_format_like(const sc_sink *other, const sc_model *model, const char *variable, char *text, size_t size);
#endif
