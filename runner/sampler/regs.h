/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The user registers of a sample: the kernel gives them in the order of its own numbering (the mask's bits), libdw
 * wants DWARF's. SC_SAMPLER_REGS_DWARF: for each DWARF register its index among those sampled. */
#if defined(__x86_64__)
/* ax bx cx dx si di bp sp ip, r8..r15 (without flags and segments) */
#define SC_SAMPLER_REGS_MASK  0xff01ffULL
#define SC_SAMPLER_REGS_COUNT 17
#define SC_SAMPLER_REGS_PC    8
#define SC_SAMPLER_REGS_SP    7
#define SC_SAMPLER_REGS_DWARF                                \
  {                                                          \
    0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8 \
  }
#define SC_SAMPLER_REGS_DWARF_COUNT 17
#elif defined(__aarch64__)
/* x0..x30, sp, pc */
#define SC_SAMPLER_REGS_MASK  0x1ffffffffULL
#define SC_SAMPLER_REGS_COUNT 33
#define SC_SAMPLER_REGS_PC    32
#define SC_SAMPLER_REGS_SP    31
#define SC_SAMPLER_REGS_DWARF                                                                                         \
  {                                                                                                                   \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, \
        31                                                                                                            \
  }
#define SC_SAMPLER_REGS_DWARF_COUNT 32
#else
#error "the sampler knows the registers of x86-64 and AArch64"
#endif
