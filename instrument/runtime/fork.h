/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_FORK_H
#define SCALE_RUNTIME_FORK_H

/* In a child of fork, before anything else runs there: gives it a profile of its own. The tree stays at its
   addresses (the forking thread's frames point into it), its counts start from 0. */
void __scale_fork_child(void);
#endif
