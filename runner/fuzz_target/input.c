/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fuzz_target/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static int several_places(void)
{
  int err = sc_err_set(SC_E_USAGE, "the command names several places for the input");
  return sc_err_hint(err, "name one of {file}, {stdin} and {arg}, once");
}

static int copy_text(const char *from, size_t size, char **to)
{
  *to = sc_mem_new(size + 1, 1);
  if (!*to)
    return SC_E_NOMEM;
  memcpy(*to, from, size);
  return 0;
}

/* Whether `text` names the place `name`; *at is where. */
static int find_place(const char *text, const char *name, const char **at, bool *found)
{
  *at = strstr(text, name);
  *found = *at != NULL;
  return *at && strstr(*at + 1, name) ? several_places() : 0;
}

static int take_fed_argument(sc_fuzz_input *input, const char *text, size_t *count)
{
  const char *file, *argument;
  bool has_file, has_argument;
  sc_buf with_path = {0};
  SC_TRY(find_place(text, "{file}", &file, &has_file));
  SC_TRY(find_place(text, "{arg}", &argument, &has_argument));
  bool has_stdin = strcmp(text, "{stdin}") == 0;
  if ((has_file || has_argument || has_stdin) && (input->way != SC_FUZZ_BY_NOWHERE || (has_file && has_argument)))
    return several_places();
  if (has_stdin) {
    input->way = SC_FUZZ_BY_STDIN;
    return 0;
  }
  if (has_argument) {
    input->way = SC_FUZZ_BY_ARGUMENT;
    input->argument = *count;
    SC_TRY(copy_text(text, (size_t)(argument - text), &input->before));
    SC_TRY(copy_text(argument + strlen("{arg}"), strlen(argument + strlen("{arg}")), &input->after));
  }
  if (has_file) {
    input->way = SC_FUZZ_BY_FILE;
    sc_buf_add(&with_path, text, (size_t)(file - text));
    sc_buf_puts(&with_path, input->path);
    sc_buf_puts(&with_path, file + strlen("{file}"));
    SC_TRY(sc_buf_finish(&with_path));
  }
  input->argv[*count] = has_file ? sc_buf_take(&with_path) : sc_mem_copy_string(text);
  return input->argv[(*count)++] ? 0 : SC_E_NOMEM;
}

static int compose_command(const struct sc_fuzz_spec *spec, sc_fuzz_input *input)
{
  size_t count = 0, given = 0;
  while (spec->argv[given])
    given++;
  SC_TRY(SC_NEW(input->argv, given + 1));
  for (size_t i = 0; i < given; i++)
    SC_TRY(take_fed_argument(input, spec->argv[i], &count));
  if (count == 0 || (input->way == SC_FUZZ_BY_ARGUMENT && input->argument == 0))
    return sc_err_set(SC_E_USAGE, "the command names no program");
  if (spec->harness && input->way != SC_FUZZ_BY_NOWHERE)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a harness gets its input in memory"),
                       "leave {file}, {stdin} and {arg} out");
  if (spec->harness)
    input->way = SC_FUZZ_BY_MEMORY;
  if (input->way != SC_FUZZ_BY_NOWHERE)
    return 0;
  int err = sc_err_set(SC_E_USAGE, "the command names no place for the input");
  return sc_err_hint(err, "put {file}, {stdin} or {arg} into the command: -- ./prog {file}");
}

static int make_file(sc_fuzz_input *input)
{
  if (input->file >= 0)
    close(input->file);
  input->size = 0;
  input->file = open(input->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  return input->file < 0 ? sc_err_system(SC_E_IO, errno, "cannot make the input file %s", input->path) : 0;
}

int sc_fuzz_input_open(const struct sc_fuzz_spec *spec, const char *path, sc_fuzz_input *input)
{
  *input = (sc_fuzz_input){.file = -1, .path = sc_mem_copy_string(path)};
  if (!input->path)
    return SC_E_NOMEM;
  SC_TRY(compose_command(spec, input));
  return input->way == SC_FUZZ_BY_FILE || input->way == SC_FUZZ_BY_STDIN ? make_file(input) : 0;
}

static int write_all(const sc_fuzz_input *input, const void *bytes, size_t size)
{
  for (size_t done = 0; done < size;) {
    ssize_t wrote = pwrite(input->file, (const char *)bytes + done, size - done, (off_t)done);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote <= 0)
      return sc_err_system(errno == ENOSPC ? SC_E_NOSPACE : SC_E_IO, errno, "cannot write the input file %s",
                           input->path);
    done += (size_t)wrote;
  }
  return 0;
}

int sc_fuzz_input_write(sc_fuzz_input *input, const void *bytes, size_t size)
{
  struct stat named, open;
  if (lstat(input->path, &named) < 0 || fstat(input->file, &open) < 0 || named.st_ino != open.st_ino ||
      named.st_dev != open.st_dev || !S_ISREG(named.st_mode)) {
    (void)unlink(input->path);
    SC_TRY(make_file(input));
  } else {
    input->size = (size_t)open.st_size;
  }
  SC_TRY(write_all(input, bytes, size));
  if (input->size != size && ftruncate(input->file, (off_t)size) < 0)
    return sc_err_system(SC_E_IO, errno, "cannot cut the input file %s", input->path);
  return 0;
}

void sc_fuzz_input_close(sc_fuzz_input *input)
{
  if (input->file >= 0)
    close(input->file);
  sc_mem_free_list(input->argv);
  free(input->before);
  free(input->after);
  free(input->path);
  *input = (sc_fuzz_input){.file = -1};
}
