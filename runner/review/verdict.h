/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_REVIEW_VERDICT_H
#define SC_RUNNER_REVIEW_VERDICT_H
#include "runner/accept/notice.h"

/* Makes the one sentence that everything begins with; again after notices were accepted. */
int sc_notices_set_verdict(sc_notices *notices) SC_CHECK;
#endif
