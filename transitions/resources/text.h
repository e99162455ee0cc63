/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/resources/cells.h"

/* Parts of the sentences about findings. */

/* A value of a metric: "300 us", "1,024", "0.83". */
void sc_rtext_value(int metric, double value, sc_buf *out);
/* "order_book::mutex (book.c:41)", "heap". */
void sc_rtext_name(const sc_resources *r, const sc_resource_cell *cell, sc_buf *out);
/* "look_up (hash.c:37)": the function a context stands in, with the line of a call there, or its own if 0. In
 * a header of the C++ library: "open_session (session.cpp:7), by std::vector<...>::resize". */
void sc_rtext_place(const sc_resources *r, uint32_t context, uint32_t line, uint32_t column, sc_buf *out);
/* The first site of a role: as sc_rtext_place. False, with nothing written, if it has none. */
bool sc_rtext_first(const sc_resources *r, const sc_resource_finding *finding, enum sc_resource_role role, sc_buf *out);
/* The same with `lead` in front of it, as in ", above all in look_up (hash.c:37)". */
bool sc_rtext_led(const sc_resources *r, const sc_resource_finding *finding, enum sc_resource_role role,
                  const char *lead, sc_buf *out);
/* "n = 1: 0.02; n = 2: 0.04; ...; n = 8: 0.15": at most six sizes. */
void sc_rtext_points(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_buf *out);
/* ", predicted at n = 64: 0.83 (0.7 to 0.96)": of the finding's number at the largest target; nothing without. */
void sc_rtext_predicted(const sc_resources *r, const sc_resource_finding *finding, enum sc_resource_metric metric,
                        sc_buf *out);
/* "bytes", "descriptors", ...; "byte" of one. */
void sc_rtext_units(const sc_resources *r, const sc_resource_cell *cell, double count, sc_buf *out);
