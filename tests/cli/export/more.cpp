// SPDX-License-Identifier: GPL-3.0-or-later
static volatile long sink;
__attribute__((noinline)) static void help(int n) { sink += n; }
void more(int n) { help(n); }
