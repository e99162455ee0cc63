/* SPDX-License-Identifier: MIT */
#pragma once
/* What stands for the address of a function that gives something back, where a program hands that address to others:
   the same, and the runtime hears of it. */
#include "event.h"
#include <pthread.h>
#include <stdio.h>

/* Each link unit has its own, as those of do.h. */
#define SC_REF __attribute__((visibility("hidden")))
/* Not every program has the C++ library: these come where they are needed, into each link unit. */
#define SC_REF_CXX __attribute__((visibility("hidden")))

SC_REF void __scale_ref_free(void *block);
SC_REF int __scale_ref_fclose(FILE *stream);
SC_REF int __scale_ref_close(int descriptor);
SC_REF int __scale_ref_pthread_mutex_unlock(pthread_mutex_t *mutex);
/* operator delete(void *), operator delete(void *, size_t), operator delete[](void *) */
SC_REF_CXX void __scale_ref__ZdlPv(void *block);
SC_REF_CXX void __scale_ref__ZdlPvm(void *block, size_t bytes);
SC_REF_CXX void __scale_ref__ZdaPv(void *block);
