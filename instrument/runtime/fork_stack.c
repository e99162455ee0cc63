/* SPDX-License-Identifier: MIT */
#include "fork_stack.h"
#include "modules.h"
#include "valgrind.h"

extern void *__libc_stack_end __attribute__((weak)); /* of glibc's loader */

/* The kernel leaves more than this between the first thread's stack and all other mappings. */
#define SC_FORK_STACK_FIRST (UINT64_C(64) << 20)

int __scale_fork_stack(struct sc_fork_stack *stack)
{
  uint64_t here = (uintptr_t)__builtin_frame_address(0), end = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
  uint64_t thread = (uintptr_t)__builtin_thread_pointer();

  if (__scale_valgrind) /* would tell of each word that nobody has written to */
    return 0;
  if (end > here && end - here < SC_FORK_STACK_FIRST) {
    *stack = (struct sc_fork_stack){end - SC_FORK_STACK_FIRST, end};
    return 1;
  }
  /* What libc keeps for a thread stands at the end of its stack. */
  return __scale_modules_around(here, &stack->low, &stack->top) && thread >= here && thread < stack->top;
}

/* Those that a call keeps. */
#if defined(__x86_64__)
enum { SC_FORK_REGISTERS = 6 };
static inline void fork_registers(uint64_t *to)
{
  __asm__ volatile("movq %%rbx, (%0)\nmovq %%rbp, 8(%0)\nmovq %%r12, 16(%0)\n"
                   "movq %%r13, 24(%0)\nmovq %%r14, 32(%0)\nmovq %%r15, 40(%0)\n" ::"r"(to)
                   : "memory");
}
#elif defined(__aarch64__)
enum { SC_FORK_REGISTERS = 11 };
static inline void fork_registers(uint64_t *to)
{
  __asm__ volatile("stp x19, x20, [%0]\nstp x21, x22, [%0, 16]\nstp x23, x24, [%0, 32]\n"
                   "stp x25, x26, [%0, 48]\nstp x27, x28, [%0, 64]\nstr x29, [%0, 80]\n" ::"r"(to)
                   : "memory");
}
#endif

/* Sanitizers put words between variables that nobody else may read. */
__attribute__((noinline, no_sanitize_address, no_sanitize_thread)) void
__scale_fork_words(const struct sc_fork_stack *stack, sc_fork_word *visit, void *context)
{
  uint64_t registers[SC_FORK_REGISTERS];
  const volatile uint64_t *at = registers;

  fork_registers(registers);
  for (; (uintptr_t)at + sizeof(*at) <= stack->top; at++)
    visit(context, *at);
}
