/* SPDX-License-Identifier: MIT */
#pragma once
/* In a child of fork, before anything else runs there: gives it a profile of its own. What is kept of the tree stays at
   its addresses (the forking thread's frames point into it), its counts start from 0. */
void __scale_fork_child(void);
