/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"

/* The verbs, one file each. They print their product to stdout and return 0, 1 (what --fail-on names is there), or a
 * negative error, which main prints. */
int sc_verb_run(const sc_options *options) SC_CHECK;
int sc_verb_attach(const sc_options *options) SC_CHECK;
int sc_verb_report(const sc_options *options) SC_CHECK;
int sc_verb_ask(const sc_options *options) SC_CHECK;
int sc_verb_blame(const sc_options *options) SC_CHECK;
int sc_verb_verify(const sc_options *options) SC_CHECK;
int sc_verb_fit(const sc_options *options) SC_CHECK;
int sc_verb_diff(const sc_options *options) SC_CHECK;
int sc_verb_baseline(const sc_options *options) SC_CHECK;
int sc_verb_study(const sc_options *options) SC_CHECK;
int sc_verb_export(const sc_options *options) SC_CHECK;
int sc_verb_discover(const sc_options *options) SC_CHECK;
int sc_verb_fuzz(const sc_options *options) SC_CHECK;
int sc_verb_lsp(const sc_options *options) SC_CHECK;
int sc_verb_doctor(const sc_options *options) SC_CHECK;
int sc_verb_dump(const sc_options *options) SC_CHECK;
