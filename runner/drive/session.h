/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/drive/drive.h"
#include "runner/drive/progress.h"
#include "runner/options/options.h"

/* What run and verify share: the options of a drive with its progress on stderr and its signals caught. */
typedef struct sc_session {
  sc_progress progress;
  sc_drive_options drive; /* refers to the progress: the session must not be moved */
} sc_session;

/* `workload` must outlive the session. */
int sc_session_open(const sc_options *options, const sc_workload *workload, sc_session *session) SC_CHECK;
void sc_session_close(sc_session *session);
/* Runs size n for real; announces what it is predicted to take if `seconds` >= 0. */
int sc_session_verify(sc_session *session, const sc_workload *workload, double n, double seconds) SC_CHECK;
/* The same with the further parameters at others[SC_RUN_OTHERS]. */
int sc_session_verify_varied(sc_session *session, const sc_workload *workload, double n, const double *others,
                             double seconds) SC_CHECK;
/* Turns SC_E_INTERRUPTED into a message that says what is kept; passes other errors on. */
int sc_session_explain(const sc_session *session, int err);
