/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_ENDS_H
#define SCALE_RUNTIME_ENDS_H
/* The calling thread, whose arena it is, ends. */
void __scale_ends_thread(void *arena);
#endif
