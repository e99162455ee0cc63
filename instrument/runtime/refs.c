/* SPDX-License-Identifier: MIT */
#include "refs.h"
#include <stdlib.h>
#include <unistd.h>

/* Brings this object into every link unit (start.c). */
extern const char __scale_refs_here __attribute__((visibility("hidden")));
const char __scale_refs_here = 1;

void __scale_ref_free(void *block)
{
  __scale_event_dropped((uintptr_t)block, SCALE_CLASS_HEAP);
  free(block);
}

int __scale_ref_fclose(FILE *stream)
{
  __scale_event_dropped((uintptr_t)stream, SCALE_CLASS_STREAM);
  return fclose(stream);
}

int __scale_ref_close(int descriptor)
{
  __scale_event_dropped((uint32_t)descriptor, SCALE_CLASS_DESCRIPTOR);
  return close(descriptor);
}

int __scale_ref_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
  __scale_event_dropped((uintptr_t)mutex, SCALE_CLASS_MUTEX);
  return pthread_mutex_unlock(mutex);
}
