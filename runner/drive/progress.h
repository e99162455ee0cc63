/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/drive/drive.h"
#include "runner/text/progress.h"

/* Shows the events of a study: off a terminal a line an event, on a terminal a status line with the time left. A
 * sc_drive_fn; `user` is the sc_progress. */
void sc_progress_report(void *user, const sc_drive_event *event);
