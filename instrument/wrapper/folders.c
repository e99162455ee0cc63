/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folders.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folders_variable[] = "SCALE_SYSTEM_FOLDERS";

/* Absolute: debug information names files so. */
static char *folders_add(char *list, const char *folder, size_t length)
{
  char here[4096] = "", *text = strndup(folder, length), *all = list;

  if (text && *text && (*text == '/' || getcwd(here, sizeof here))) {
    char *start = *text == '/' ? sc_args_join(list, "") : sc_args_join(sc_args_join(list, here), "/");
    while (strncmp(text, "./", 2) == 0)
      memmove(text, text + 2, strlen(text + 2) + 1);
    all = sc_args_join(sc_args_join(start, text), "\n");
  }
  free(text);
  return all;
}

static char *folders_of_variable(char *list, const char *name)
{
  const char *text = getenv(name);

  for (size_t length; text && *text; text += length + (text[length] == ':')) {
    length = strcspn(text, ":");
    list = folders_add(list, text, length);
  }
  return list;
}

void sc_folders_tell(const struct sc_args *args)
{
  static const char *const options[] = {"-isystem-after", "-isystem", "-cxx-isystem", "-idirafter"};
  char *list = "";

  for (size_t i = 0; i < args->count; i++)
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
      if (!sc_args_begins(args->text[i], options[o]))
        continue;
      const char *folder = args->text[i] + strlen(options[o]);
      if (!*folder && i + 1 < args->count)
        folder = args->text[i + 1];
      list = folders_add(list, folder, strlen(folder));
      break;
    }
  list = folders_of_variable(list, "C_INCLUDE_PATH");
  list = folders_of_variable(list, "CPLUS_INCLUDE_PATH");
  if (*list)
    setenv(folders_variable, list, 1);
  else
    unsetenv(folders_variable);
}
