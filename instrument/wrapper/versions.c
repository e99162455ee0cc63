/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "versions.h"
#include "linker.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  SC_VERSIONS_SCRIPT_MAX = 16 << 20,
  SC_VERSIONS_LOOK = 64 << 10 /* bytes of a script before its versions */
};

static const char versions_names[] =
    " __scale_enter; __scale_node; __scale_slot; __scale_thread_own; "
    "__scale_enter_gate; __scale_node_gate; __scale_call_gate; __scale_wrap_gate; __scale_event_*; ";

/* Behind blanks and comments. */
static const char *versions_skip(const char *at)
{
  for (;;) {
    while (isspace((unsigned char)*at))
      at++;
    if (*at == '#')
      at += strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*' && strstr(at, "*/"))
      at = strstr(at, "*/") + 2;
    else
      return at;
  }
}

/* Behind `word` and a colon, if that is what comes next; else NULL. */
static const char *versions_label(const char *at, const char *word)
{
  if (!sc_args_begins(at, word))
    return NULL;
  at = versions_skip(at + strlen(word));
  return *at == ':' ? at + 1 : NULL;
}

/* The script's text with the runtime's symbols among the first node's global ones; NULL if it has no node. To be
   freed. */
static char *add_runtime_symbols(const char *script)
{
  const char *at = versions_skip(script);
  const char *behind;
  size_t bytes = strlen(script) + strlen(versions_names) + sizeof("global:");
  char *text;

  while (*at && *at != '{')
    at = versions_skip(at + 1);
  if (!*at)
    return NULL;
  at = versions_skip(at + 1);
  behind = versions_label(at, "global"); /* the linker takes only one such section in a node */
  text = malloc(bytes);
  if (text)
    snprintf(text, bytes, "%.*s%s%s%s", (int)((behind ? behind : at) - script), script,
             versions_label(at, "local") ? "global:" : "", versions_names, behind ? behind : at);
  return text;
}

static char *versions_read(const char *path)
{
  FILE *file = fopen(path, "r");
  char *text = file ? malloc(SC_VERSIONS_SCRIPT_MAX + 1) : NULL;
  size_t bytes = text ? fread(text, 1, SC_VERSIONS_SCRIPT_MAX + 1, file) : 0;

  if (file)
    fclose(file);
  if (!text || bytes > SC_VERSIONS_SCRIPT_MAX) {
    free(text);
    return NULL;
  }
  text[bytes] = 0;
  return text;
}

/* The name of a changed copy of the script (linker.h); NULL on failure. */
static char *versions_copy(const char *path)
{
  char *script = versions_read(path);
  char *text = script ? add_runtime_symbols(script) : NULL;
  char *name = text ? sc_linker_file("version-script", text, strlen(text)) : NULL;

  free(text);
  free(script);
  return name;
}

void sc_versions_open(struct sc_args *command)
{
  const char *path;

  for (size_t at = 0; (path = sc_linker_value(command, "version-script", &at));) {
    size_t keep = (size_t)(path - command->text[at]); /* the option, if both are in one word */
    char *copy = versions_copy(path);
    if (!copy)
      continue;
    command->text[at][keep] = 0;
    char *both = sc_args_join(command->text[at], copy);
    free(command->text[at]);
    free(copy);
    command->text[at] = both;
  }
}

/* Whether the text before the file's first NUL, which objects and archives have soon, has a block of versions. A pipe
   is left to the linker: it can be read once. */
static int versions_in(const char *path)
{
  static char text[SC_VERSIONS_LOOK + 1];
  struct stat about;
  FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "r") : NULL;
  const char *at = text;

  if (!file)
    return 0;
  text[fread(text, 1, SC_VERSIONS_LOOK, file)] = 0;
  fclose(file);
  while ((at = strstr(at, "VERSION")) && *versions_skip(at + strlen("VERSION")) != '{')
    at += strlen("VERSION");
  return at != NULL;
}

int sc_versions_scripted(const struct sc_args *words)
{
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->text[i], *value = strstr(word, "script=");
    if (*word == '-')
      word = sc_args_begins(word, "-T") ? word + 2 : value ? strchr(value, '=') + 1 : "";
    if (versions_in(word))
      return 1;
  }
  return 0;
}

char *sc_versions_hide(void)
{
  static const char script[] = "{local: __start_scale_*; __stop_scale_*;};";

  return sc_linker_file("version-script", script, sizeof(script) - 1);
}

/* The linker would write into the library that its own symbols come first, for any reference. A list of symbols that
   are not bound to the library says the rest of what the option means. */
void sc_versions_symbolic(struct sc_args *command)
{
  char list[sizeof(versions_names) + sizeof("{};")];

  snprintf(list, sizeof(list), "{%s};", versions_names);
  for (size_t i = 0; i + 1 < command->count; i++) {
    const char *word = command->text[i + 1];
    if (strcmp(command->text[i], "-Xlinker") != 0)
      continue;
    i++;
    if (strcmp(word, "-Bsymbolic") != 0 && strcmp(word, "--Bsymbolic") != 0)
      continue;
    char *file = sc_linker_file("dynamic-list", list, strlen(list));
    if (file)
      command->text[i] = sc_args_join("--dynamic-list=", file);
    free(file);
  }
}
