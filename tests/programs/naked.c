/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle skips: swap_stacks
 * A naked function that changes the stack: the call of it comes back much later, or never. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))

#if defined(__x86_64__)
__attribute__((naked, noinline)) void swap_stacks(void **save, void *to)
{
  __asm__("pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\nmovq %rsp, (%rdi)\n"
          "movq %rsi, %rsp\npopq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret");
}

static void *main_stack, *generator_stack;
static int value;
static long total;

INLINED void after(int i) { total += i * 3; }

static void generate(void)
{
  for (int i = 0;; i++) {
    value = i;
    swap_stacks(&generator_stack, main_stack);
    after(i);
  }
}

int main(void)
{
  static uint64_t stack[8192];
  uint64_t *top = stack + 8184;
  *top = (uint64_t)generate;
  top -= 6;
  memset(top, 0, 6 * sizeof(*top));
  generator_stack = top;
  for (int i = 0; i < 10; i++) {
    swap_stacks(&main_stack, generator_stack);
    printf("%d %ld\n", value, total);
  }
  return 0;
}
#else
int main(void) { return 0; }
#endif
