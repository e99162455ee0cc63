/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Answers and checks at points of several parameters. */

/* Answers `ask --at`, text or JSON on stdout. */
int sc_several_ask(const sc_options *options) SC_CHECK;
/* `verify --at`: runs the points for real, and compares. */
int sc_several_verify(const sc_options *options) SC_CHECK;
