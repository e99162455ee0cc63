/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* --scale-help: the wrapper's own options. */
void sc_help_print(void);
/* --scale-help=man: scale-cc(1). */
void sc_help_print_man(void);
