// SPDX-License-Identifier: GPL-3.0-or-later
// XRay's profiling mode leaves it to the program to begin; the profile is written at exit.
// Declared here because XRay's headers are for C++ alone.
#include <stdlib.h>

int __xray_log_select_mode(const char *mode);
int __xray_log_init_mode(const char *mode, const char *options);
int __xray_patch(void);

enum { registered = 0, initialized = 2, patched = 1 };

__attribute__((constructor)) static void begin(void)
{
  if (__xray_log_select_mode("xray-profiling") != registered ||
      __xray_log_init_mode("xray-profiling", "") != initialized || __xray_patch() != patched)
    abort();
}
