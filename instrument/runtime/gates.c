/* SPDX-License-Identifier: MIT */
/* The way from compiled code's registers to the runtime's functions and back (enter.h). */
#include "arena.h"
#include "enter.h"
#include "gates_cache.h"
#include "owner.h"

const char __scale_gates = 1;

#ifdef __x86_64__
enum {
  SC_GATES_ABOVE = 8 /* between the stack pointer at a gate's entry and that of the code before */
};

/* This copy's own: a call by the name above could go through a library's procedure linkage table, whose lazy resolver
   destroys r10 and r11. */
__attribute__((visibility("hidden"), alias("__scale_enter_gate"))) void __scale_enter_gate_here(void);

/* What __scale_node_at and __scale_enter_at keep is not saved here: they are preserve_most. */
#define SC_GATES_BEGIN                                                     \
  "pushq %%rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %%rbp, -16\n"          \
  "movq %%rsp, %%rbp\n.cfi_def_cfa_register %%rbp\n"                       \
  "pushq %%rax\npushq %%rdi\npushq %%rsi\npushq %%rdx\nandq $-16, %%rsp\n" \
  "movq %%r10, %%rdi\nmovq %%r11, %%rsi\n"
#define SC_GATES_END                                                                                \
  "movq -8(%%rbp), %%rax\nmovq -16(%%rbp), %%rdi\nmovq -24(%%rbp), %%rsi\nmovq -32(%%rbp), %%rdx\n" \
  "leave\n.cfi_def_cfa %%rsp, 8\nret\n"

SC_WEAK __attribute__((naked)) void __scale_node_gate(void)
{
  __asm__(SC_GATES_BEGIN "leaq %c0(%%rbp), %%rdx\n"
                         "call __scale_node_at\n"
                         "movq %%rax, %%r11\n" SC_GATES_END ::"i"(SC_GATES_ABOVE + 8));
}

SC_WEAK __attribute__((naked)) void __scale_enter_gate(void)
{
  __asm__(SC_GATES_BEGIN "movq %%rax, %%rdx\n"
                         "call __scale_enter_at\n"
                         "movl %%eax, %%r11d\nandl %0, %%r11d\n"
                         "movq %%rax, %%r10\nandq %1, %%r10\n" SC_GATES_END ::"i"(SC_GATES_JUMPED),
          "i"(~(long)SC_GATES_JUMPED));
}

#define SC_GATES_VECTORS(move) move("0") move("1") move("2") move("3") move("4") move("5") move("6") move("7")
#define SC_GATES_SAVE(n)       "movups %%xmm" n ", 16*" n "(%%rsp)\n"
#define SC_GATES_RESTORE(n)    "movups 16*" n "(%%rsp), %%xmm" n "\n"

/*
 * What a wrapper does: takes the thread's slot, finds the entry, calls the body, and leaves the slot as it was, for a
 * foreign caller's next call. Parameters on the stack would not be where the body looks for them: such functions have
 * wrappers of their own. If the wrapper was jumped to, the slot is nobody's, and this jumps on.
 */
// clang-format off
SC_WEAK __attribute__((naked)) void __scale_wrap_gate(void)
{
  __asm__("movq __scale_slot@GOTTPOFF(%%rip), %%rax\n"
          "movq %%fs:(%%rax), %%r10\n"
          "movl %c0(%%r11), %%eax\n"
          "cmpl %%eax, %c1(%%r10)\n"
          "jne 2f\n"
          "pushq %%r10\n.cfi_adjust_cfa_offset 8\n"
          "1:\n" /* r10: the entry; on the stack: the slot as it was */
          "call *%c2(%%r11)\n"
          "movq __scale_slot@GOTTPOFF(%%rip), %%r10\n"
          "popq %%r11\n.cfi_adjust_cfa_offset -8\n"
          "movq %%r11, %%fs:(%%r10)\n"
          "ret\n"
          "2:\n" /* another function's slot */
          "pushq %%r11\n.cfi_adjust_cfa_offset 8\n"
          "pushq %%r10\n.cfi_adjust_cfa_offset 8\n"
          "subq $128, %%rsp\n.cfi_adjust_cfa_offset 128\n"
          SC_GATES_VECTORS(SC_GATES_SAVE)
          "leaq 144(%%rsp), %%rax\n"
          "call __scale_enter_gate_here\n"
          SC_GATES_VECTORS(SC_GATES_RESTORE)
          "movq %%r11, %%rax\n"
          "addq $128, %%rsp\n.cfi_adjust_cfa_offset -128\n"
          "testq %%rax, %%rax\n"
          "popq %%rax\n.cfi_adjust_cfa_offset -8\n"
          "popq %%r11\n.cfi_adjust_cfa_offset -8\n"
          "jne 3f\n"
          "pushq %%rax\n.cfi_adjust_cfa_offset 8\n"
          "jmp 1b\n.cfi_adjust_cfa_offset -8\n"
          "3:\n" /* jumped to */
          "jmpq *%c2(%%r11)\n"
          ::"i"(offsetof(struct scale_function, index)), "i"(offsetof(struct scale_entry, key)),
          "i"(offsetof(struct scale_function, body)));
}
// clang-format on

#define SC_GATES_NEXT                                   \
  "movq %c0(%%r11), %%r11\ntestq %%r11, %%r11\nje 3f\n" \
  "cmpq %%rax, %c1(%%r11)\nje 1f\n"

/* The first entries are walked. One that a place with more callees leads to is found in the thread's cache, if it was
   lately; all others by the callee's wrapper. */
SC_WEAK __attribute__((naked)) void __scale_call_gate(void)
{
  __asm__("movq %%r10, %%r11\n" SC_GATES_NEXT SC_GATES_NEXT SC_GATES_NEXT SC_GATES_NEXT
          "pushq %%rcx\n.cfi_adjust_cfa_offset 8\n"
          "leaq (%%r10,%%rax), %%r11\n" /* sc_gates_hash */
          "imulq %3, %%r11, %%r11\n"
          "shrq %4, %%r11\n"
          "andl %5, %%r11d\n"
          "movq __scale_thread_own@GOTTPOFF(%%rip), %%rcx\n"
          "movq %%fs:(%%rcx), %%rcx\n"
          "testq %%rcx, %%rcx\n"
          "je 2f\n"
          "movq %c6(%%rcx,%%r11,8), %%r11\n"
          "testq %%r11, %%r11\n"
          "je 2f\n"
          "cmpq %%rax, %c1(%%r11)\n"
          "jne 2f\n"
          "cmpq %%r10, %c7(%%r11)\n"
          "jne 2f\n"
          "popq %%rcx\n.cfi_adjust_cfa_offset -8\n"
          "1:\nmovq %c2(%%r11), %%rax\nmovq %%r11, %%r10\nret\n"
          "2:\n.cfi_adjust_cfa_offset 8\npopq %%rcx\n.cfi_adjust_cfa_offset -8\n"
          "3:\nmovq __scale_slot@GOTTPOFF(%%rip), %%r11\nmovq %%r10, %%fs:(%%r11)\nret\n" ::"i"(
              offsetof(struct scale_entry, next)),
          "i"(offsetof(struct scale_entry, code)), "i"(offsetof(struct scale_entry, body)), "i"(SC_GATES_FACTOR),
          "i"(SC_GATES_SHIFT), "i"(SC_GATES_CACHE - 1), "i"(offsetof(struct sc_arena, cache)),
          "i"((long)offsetof(struct sc_continuation, node.creator) - (long)offsetof(struct sc_continuation, entry)));
}
#endif
