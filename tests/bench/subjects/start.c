// SPDX-License-Identifier: GPL-3.0-or-later
// Does nothing: what remains is what starting and ending a program costs.
int main(void) { return 0; }
