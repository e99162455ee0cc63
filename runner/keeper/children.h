/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_KEEPER_CHILDREN_H
#define SC_RUNNER_KEEPER_CHILDREN_H

/* Sends a signal to every child of this process. A child that was not waited for keeps its number, so that no stranger
 * is hit; of a process that is ended the children become ours, as this is their reaper, and are hit the next time. */
void sc_children_signal(int number);
#endif
