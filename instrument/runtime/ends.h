/* SPDX-License-Identifier: MIT */
#pragma once
/* The calling thread, whose arena it is, ends. */
void __scale_ends_thread(void *arena);
