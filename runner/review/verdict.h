/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/accept/notice.h"

/* Makes the one sentence that everything begins with; again after notices were accepted. */
int sc_notices_set_verdict(sc_notices *notices) SC_CHECK;
/* Marks what the file accepts (SC_E_USAGE with its line where it is wrong); out-of-date and unused lines become
 * warnings on stderr. A missing file that nobody named is not an error. */
int sc_notices_accept(sc_notices *notices, const char *path, bool named) SC_CHECK;
