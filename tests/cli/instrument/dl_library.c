/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mimic.h"
MIMIC_FUNCTION(plugin)
__attribute__((visibility("default"))) void plugin(void);
void plugin(void)
{
  MIMIC_ENTER(plugin);
  node->loop += 7;
  MIMIC_LEAVE();
}
