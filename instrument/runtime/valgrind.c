/* SPDX-License-Identifier: MIT */
#include "valgrind.h"

SC_SHARED uint32_t __scale_valgrind; /* so that there is such a section */

/* The linker's: where the section that SC_SHARED names lies. */
extern const char __start_scale_shared[] __attribute__((visibility("hidden")));
extern const char __stop_scale_shared[] __attribute__((visibility("hidden")));

/* Of Valgrind's client requests (valgrind.h, helgrind.h and drd.h, whose numbers never change). Tools answer 0 to
 * others' requests. */
enum {
  VALGRIND_RUNNING = 0x1001,              /* VG_USERREQ__RUNNING_ON_VALGRIND */
  VALGRIND_GET_VBITS = 0x4d430008,        /* VG_USERREQ__GET_VBITS: of memcheck alone */
  VALGRIND_HELGRIND_UNTRACK = 0x48470127, /* _VG_USERREQ__HG_ARANGE_MAKE_UNTRACKED */
  VALGRIND_DRD_SUPPRESS = 0x44520002      /* VG_USERREQ__DRD_START_SUPPRESSION */
};

/* Asks Valgrind in a way that does nothing on a processor: 0 without it. */
static uint64_t valgrind_ask(uint64_t request, uint64_t first, uint64_t second, uint64_t third)
{
  uint64_t answer = 0;
#ifdef __x86_64__
  const uint64_t question[6] = {request, first, second, third};

  __asm__ volatile("rolq $3, %%rdi\nrolq $13, %%rdi\nrolq $61, %%rdi\nrolq $51, %%rdi\nxchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(question)
                   : "cc", "memory");
#endif
  return answer;
}

void __scale_valgrind_exempt(const void *at, size_t bytes)
{
  valgrind_ask(VALGRIND_HELGRIND_UNTRACK, (uintptr_t)at, bytes, 0);
  valgrind_ask(VALGRIND_DRD_SUPPRESS, (uintptr_t)at, bytes, 0);
}

int __scale_valgrind_checks_memory(void)
{
  uint64_t word = 0, bits;

  return valgrind_ask(VALGRIND_GET_VBITS, (uintptr_t)&word, (uintptr_t)&bits, sizeof(word)) == 1;
}

void __scale_valgrind_begin(void)
{
  if (__scale_valgrind || !valgrind_ask(VALGRIND_RUNNING, 0, 0, 0))
    return;
  __scale_valgrind = 1;
  __scale_valgrind_exempt(__start_scale_shared, (size_t)(__stop_scale_shared - __start_scale_shared));
}
