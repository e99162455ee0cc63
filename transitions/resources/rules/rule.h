/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* A rule about resources: which cells it is asked about, and how they are judged. */
typedef struct sc_resource_rule {
  enum sc_rule rule; /* name, title and help: transitions/findings/rules.def */
  bool whole;        /* about resources as wholes; else about cells of contexts and places, too */
  bool elsewhere;    /* asked at other values of further parameters as well */
  bool (*concerns)(const sc_resources *r, const sc_resource_cell *cell);
  /* Judges one cell and appends what it finds. NULL: cells of one place in the source are judged together, as below. */
  int (*judge)(sc_resources *r, const sc_resource_cell *cell);
  /* Whether a cell is suspected, and its weight: the heaviest one of a place has the question. */
  int (*suspect)(const sc_resources *r, const sc_resource_cell *cell, double *weight, bool *yes);
  int (*ask)(const sc_resources *r, const sc_resource_cell *cell, sc_question *q);
  const sc_draft_form *form;
} sc_resource_rule;

extern const sc_resource_rule sc_rule_contention, sc_rule_pool, sc_rule_policy, sc_rule_allocation, sc_rule_leak,
    sc_rule_growth, sc_rule_state;
