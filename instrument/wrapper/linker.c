/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linker.h"
#include "scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void linker_word(struct sc_args *to, const char *word)
{
  struct sc_args inside = {0};

  if (*word == '@' && sc_args_add_file(&inside, word + 1, 0) == 0) {
    for (size_t i = 0; i < inside.count; i++)
      linker_word(to, inside.text[i]);
    return;
  }
  sc_args_add(to, "-Xlinker");
  sc_args_add(to, word);
}

static void linker_words(struct sc_args *to, const char *list)
{
  for (const char *comma; *list; list = comma + 1) {
    char *word = sc_args_join(list, "");
    comma = strchr(list, ',');
    if (comma)
      word[comma - list] = 0;
    linker_word(to, word);
    free(word);
    if (!comma)
      return;
  }
}

void sc_linker_split(struct sc_args *to, const struct sc_args *from)
{
  int only_files = 0;

  for (size_t i = 0; i < from->count; i++) {
    const char *text = from->text[i];
    const char *next = i + 1 < from->count ? from->text[i + 1] : NULL;
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): texts of a list are not NULL */
    only_files |= strcmp(text, "--") == 0;
    if (only_files) {
      sc_args_add(to, text);
    } else if (sc_args_begins(text, "-Wl,")) {
      linker_words(to, text + strlen("-Wl,"));
    } else if (strcmp(text, "-Xlinker") == 0 && next) {
      linker_word(to, from->text[++i]);
    } else {
      sc_args_add(to, text);
      if (next && sc_scan_takes_next(text))
        sc_args_add(to, from->text[++i]);
    }
  }
}

/* Behind the name of the option in `word`: at its end, or at a '='; else NULL. */
static const char *linker_option(const char *word, const char *name)
{
  size_t bytes = strlen(name);

  if (*word != '-')
    return NULL;
  word += word[1] == '-' ? 2 : 1;
  return strncmp(word, name, bytes) == 0 && (word[bytes] == 0 || word[bytes] == '=') ? word + bytes : NULL;
}

const char *sc_linker_value(const struct sc_args *args, const char *name, size_t *at)
{
  int named = 0; /* the word before was the option: this one is its value */

  for (size_t i = *at ? *at + 1 : 0; i + 1 < args->count; i++) {
    const char *behind;
    if (strcmp(args->text[i], "-Xlinker") != 0)
      continue;
    *at = ++i;
    if (named)
      return args->text[i];
    behind = linker_option(args->text[i], name);
    if (behind && *behind)
      return behind + 1;
    named = behind != NULL;
  }
  return NULL;
}

char *sc_linker_file(const char *name, const char *text, size_t bytes)
{
  int fd = memfd_create(name, 0);
  char path[64];

  for (size_t done = 0; fd >= 0 && done < bytes;) {
    ssize_t wrote = write(fd, text + done, bytes - done);
    if (wrote <= 0) {
      close(fd);
      return NULL;
    }
    done += (size_t)wrote;
  }
  snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  return fd < 0 ? NULL : sc_args_join(path, "");
}
