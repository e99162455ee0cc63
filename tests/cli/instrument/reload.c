/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reload A B: the library is A, then B under the same name; each is opened, called by pointer and closed. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    void *library;
    int (*run)(int);
    if (rename(argv[i], "./plugin.so") != 0 || !(library = dlopen("./plugin.so", RTLD_NOW)))
      return 2;
    run = (int (*)(int))dlsym(library, "run");
    printf("%d %d\n", run(3), run(4));
    dlclose(library);
  }
  return 0;
}
