/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "versions.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SC_VERSIONS_SCRIPT_MAX = 16 << 20 };

static const char *const versions_names =
    " __scale_enter; __scale_node; __scale_slot; "
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

char *sc_versions_add(const char *script)
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

/* The name of a changed copy of the script, for as long as this process and its children live; NULL on failure. */
static char *versions_copy(const char *path)
{
  char *script = versions_read(path);
  char *text = script ? sc_versions_add(script) : NULL;
  char name[64] = "";
  int fd = text ? memfd_create("version-script", 0) : -1;

  if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
  free(text);
  free(script);
  return *name ? sc_args_join(name, "") : NULL;
}

/* Where the script's name begins in a word for the linker, if the option and its value are in one. */
static char *versions_value(char *word)
{
  static const char *const spellings[] = {"--version-script=", "-version-script=", "--version-script,",
                                          "-version-script,", NULL};
  for (const char *const *s = spellings; *s; s++)
    if (sc_args_begins(word, *s))
      return word + strlen(*s);
  return NULL;
}

static void versions_replace(char **text, size_t keep)
{
  char *path = sc_args_join(*text + keep, "");
  char *comma = strchr(path, ',');
  char *rest = sc_args_join(comma ? comma : "", "");
  char *copy, *front, *both;

  if (comma)
    *comma = 0;
  copy = versions_copy(path);
  if (copy) {
    (*text)[keep] = 0;
    front = sc_args_join(*text, copy);
    both = sc_args_join(front, rest);
    free(front);
    free(*text);
    *text = both;
  }
  free(copy);
  free(rest);
  free(path);
}

void sc_versions_open(struct sc_args *command)
{
  int named = 0; /* the word before was the option: this one is its value */

  for (size_t i = 0; i < command->count; i++) {
    char **text = &command->text[i];
    size_t keep = 0;
    if (strcmp(*text, "-Xlinker") == 0 && i + 1 < command->count)
      text = &command->text[++i];
    else if (sc_args_begins(*text, "-Wl,"))
      keep = 4;
    else
      continue;
    char *word = *text + keep;
    char *value = named ? word : versions_value(word);
    named = !named && (strcmp(word, "--version-script") == 0 || strcmp(word, "-version-script") == 0);
    if (value)
      versions_replace(text, (size_t)(value - *text));
  }
}
