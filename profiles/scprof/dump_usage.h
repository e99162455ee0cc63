/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "profiles/graph/usage.h"

/* A run's use of resources, for printing below its contexts. */
typedef struct sc_dump_usages {
  const sc_graph *graph;
  size_t run;
  const sc_usage **rows; /* by context */
  size_t count;
  const sc_occupancy **occupancies; /* by resource; NULL: none is known */
} sc_dump_usages;

/* Sorts a run's rows by context; refers to the graph. SC_E_NOMEM. */
int sc_dump_usage_begin(const sc_graph *graph, size_t run, sc_dump_usages *usages) SC_CHECK;
/* Also after a failed begin. */
void sc_dump_usage_end(sc_dump_usages *usages);
/* The rows of one context, a line each, indented by `level` levels. */
void sc_dump_usage_rows(const sc_dump_usages *usages, uint32_t context, unsigned level, FILE *out);
/* Who waited while who held, and what is known of each resource. */
void sc_dump_usage_pairs(const sc_dump_usages *usages, FILE *out);
/* "mutex order_book::mutex (book.c:41)" */
void sc_dump_usage_resource(const sc_resource *resource, FILE *out);
