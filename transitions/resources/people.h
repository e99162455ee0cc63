/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Ranked sites, tasks and pairs of a finding: who takes part in it. */
int sc_people_fill(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *finding) SC_CHECK;
