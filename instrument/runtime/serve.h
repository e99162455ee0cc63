/* SPDX-License-Identifier: MIT */
#pragma once
#include "process.h"

/* If somebody starts the program for many inputs (struct scale_control): returns in each child that is to go on to
   main, with these arguments, and never in the process itself. Else returns at once. */
void __scale_serve(char **arguments);
