/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/text/format.h"
#include "transitions/resources/resources.h"

/* Resources in words. */

/* What a finding says in general: the rule's title, or that of a pool. */
const char *sc_resource_words_title(const sc_resource_finding *finding);
/* "order_lock (book.c:41)". */
void sc_resource_words_name(const sc_resource *resource, sc_buf *out);
/* "order_lock (book.c:41)", "heap of put (cache.c:80)". */
void sc_resource_words_spot(const sc_graph *graph, const sc_resource_spot *spot, sc_buf *out);
/* "1 of 16 instances", that are held most, behind `before`; nothing of what has no such instances. */
void sc_resource_words_hot(const sc_resources *resources, uint32_t resource, const char *before, sc_buf *out);
/* "utilisation", "mean hold time", with the unit where the name needs one: "bytes outstanding at the end". */
void sc_resource_words_metric(enum sc_resource_metric metric, const sc_resource *resource, sc_buf *out);
/* A metric's value and interval in its unit: "85%", "1.2 ms", "1.5 GiB", "12,345". */
sc_text sc_resource_words_value(enum sc_resource_metric metric, const sc_resource *resource, double value);
/* The value of a prediction; "none seen" of waits that no run had, and that are possible. */
sc_text sc_resource_words_predicted(enum sc_resource_metric metric, const sc_resource *resource,
                                    const sc_interval *predicted);
sc_text sc_resource_words_interval(enum sc_resource_metric metric, const sc_resource *resource,
                                   const sc_interval *interval);
/* Times something happened, a mean over runs: "1,234", "1.6". */
sc_text sc_resource_words_times(double count);
/* What somebody does to a resource, with how much of it: "acquires", "1.2 million"; "holds", "3.1 s". */
sc_text sc_resource_words_amount(enum sc_resource_role role, const sc_resource *resource, double amount);
/* "put (cache.c:80), in worker > serve > put"; without the path where that says nothing more. */
void sc_resource_words_place(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column, sc_buf *out);
/* "utilisation at n = 100 was 89%, computed 13%", behind what is in `out` already; false, and nothing, if the number's
 * predictions are not corrected. */
bool sc_resource_words_correction(const sc_resource_number *number, const sc_resource *resource, const char *variable,
                                  sc_buf *out);
