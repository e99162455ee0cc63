/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdint.h>

/* 1: nobody will ever read what this executable or library counts, so code that counts nothing may run instead
   (instrument/pass/plain_copies.h). 0 until the start of the runtime's copy in it. */
__attribute__((visibility("hidden"))) extern uint32_t __scale_idle;
