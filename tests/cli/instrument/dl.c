/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and closes the library argv[1] argv[2] times, calling into it each time; closes every descriptor on the
   way and looks whether the next free one is what it should be. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef MIMIC
#include "mimic.h"
MIMIC_FUNCTION(main)
#endif

int main(int argc, char **argv)
{
#ifdef MIMIC
  MIMIC_ENTER(main);
#endif
  for (int i = atoi(argv[2]); i > 0; i--) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void (*call)(void) = library ? (void (*)(void))dlsym(library, "plugin") : NULL;
    if (!call)
      return 9;
#ifdef MIMIC
    MIMIC_CALL(0);
#endif
    call();
    closefrom(3);
    dlclose(library);
  }
  int next = open("/dev/null", O_RDONLY);
  return next == 3 ? 0 : 8;
}
