/* SPDX-License-Identifier: MIT */
#pragma once
#include "state.h"

/* If somebody starts the program for many inputs (struct scale_control): returns in each child that is to go on to
   main, with these arguments, and never in the process itself. Else returns at once. */
void __scale_serve(char **arguments);
/* The same for a program that somebody wants to be forked here: before it looks at its input (instrument/defer, which
   is why it is called as what all modules share). In processes that it forked itself: returns at once. */
__attribute__((visibility("default"))) void __scale_event_input(void);
