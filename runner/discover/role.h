/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_DISCOVER_ROLE_H
#define SC_RUNNER_DISCOVER_ROLE_H
/* What a function does to a resource. */
enum sc_role { SC_ROLE_ACQUIRE, SC_ROLE_RELEASE, SC_ROLE_WAIT, SC_ROLE_COUNT };
#endif
