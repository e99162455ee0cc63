/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/verb.h"

int sc_verb_export(const sc_options *options) { return sc_err_set(SC_E_USAGE, "not in this build"); }
