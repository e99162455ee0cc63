/* SPDX-License-Identifier: MIT */
#pragma once
#include "state.h"

/* At the end: gives back the file's room behind what its chunks hold. What is counted later goes to new chunks, and
   whatever moment the process is killed at, the file is whole. */
void __scale_trim(struct sc_process *p);
