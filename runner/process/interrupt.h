/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* From here on SIGINT, SIGTERM and SIGHUP set the flag that is returned instead of ending the process, so that the
 * target is stopped and the study closed; the same signal a second time ends it. A closed pipe on stderr does not end
 * it either. Programs under test do not notice: they get the dispositions that scale-run was started with
 * (inherited.h). */
volatile int *sc_interrupt_catch(void);
/* Takes the same signals back to their default, once the long work is over. */
void sc_interrupt_release(void);
