/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_WRAPPER_HELP_H
#define SC_WRAPPER_HELP_H

/* --scale-help: the wrapper's own options. */
void sc_help_print(void);
/* --scale-help=man: scale-cc(1). */
void sc_help_print_man(void);
#endif
