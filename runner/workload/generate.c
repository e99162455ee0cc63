/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input files that workloads describe instead of having a script. They may be large (gigabytes are repeated lines)
 * or take long, so writing looks at interrupts after each repetition and at the clock now and then. */
#include "runner/workload/generate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "runner/family/family.h"
#include "runner/text/tuning.h"
#include "runner/workload/expression.h"

/* A full disk is no fault of the workload, and has a code of its own. */
static int write_failed(const char *path, int code)
{
  if (code == ENOSPC || code == EDQUOT) {
    (void)sc_err_system(SC_E_NOSPACE, code, "cannot write the input file %s", path);
    return sc_err_hint(SC_E_NOSPACE, "free some space, or set TMPDIR to a place with more");
  }
  return sc_err_system(SC_E_WORKLOAD, code, "cannot write the input file %s", path);
}

/* Whether writing has to end, after `done` repetitions. */
static int check_end(const char *path, volatile int *interrupted, double deadline, uint64_t done)
{
  enum { CLOCK_EVERY = 1024 }; /* repetitions between two looks at the clock; a power of 2 */
  if (interrupted && *interrupted)
    return sc_err_set(SC_E_INTERRUPTED, "interrupted while writing %s", path);
  if (deadline > 0 && done % CLOCK_EVERY == 0 && sc_clock_now() >= deadline)
    return sc_err_set(SC_E_TIMEOUT, "no time is left to write %s", path);
  return 0;
}

/* A text without {i} is the same each time, and expanded once. */
static int write_part(FILE *file, const char *path, const sc_generator_part *part, sc_expand_vars *vars,
                      volatile int *interrupted, double deadline)
{
  uint64_t times;
  sc_buf text = {0};
  SC_TRY(sc_expression_repeat(part->repeat, vars, &times));
  bool same = !strstr(part->text, "{i}");
  int err = 0;
  for (uint64_t i = 1; i <= times; i++) {
    vars->i = (double)i;
    if (i == 1 || !same) {
      text.length = 0;
      SC_GOTO(sc_expand_into(part->text, vars, &text));
      SC_GOTO(sc_buf_finish(&text));
    }
    if (fwrite(text.text, 1, text.length, file) != text.length) {
      err = write_failed(path, errno);
      goto out;
    }
    SC_GOTO(check_end(path, interrupted, deadline, i));
  }
out:
  sc_buf_free(&text);
  return err;
}

typedef struct family_file {
  FILE *file;
  const char *path;
  volatile int *interrupted;
  double deadline;
  uint64_t pieces;
} family_file;

static int put_generated_piece(void *user, const void *bytes, size_t size)
{
  family_file *to = user;
  if (fwrite(bytes, 1, size, to->file) != size)
    return write_failed(to->path, errno);
  return check_end(to->path, to->interrupted, to->deadline, ++to->pieces);
}

/* A family says where each byte is from the size alone, so it has no {i} and no lines. */
static int write_family(const char *text, double n, family_file *to)
{
  sc_family family;
  SC_TRY(sc_family_parse(text, &family));
  return sc_family_write(&family, (uint64_t)n, (uint64_t)SC_EXPRESSION_REPEATS, put_generated_piece, to);
}

/* Does not wait for somebody to read a named pipe. */
static FILE *open_file(const char *path)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  struct stat info;
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode)) { /* its reader need not read on */
    close(fd);
    errno = ENXIO;
    return NULL;
  }
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!file && fd >= 0)
    close(fd);
  return file;
}

/* A disk that is full may say so only when the file is closed. */
int sc_generate_file(const sc_generator *generator, const sc_expand_vars *vars, volatile int *interrupted,
                     double deadline)
{
  sc_expand_vars own = *vars;
  char *path = NULL;
  SC_TRY(sc_expand_text(generator->file, vars, &path));
  int err = 0;
  FILE *file = open_file(path);
  if (!file) {
    int number = errno;
    err = write_failed(path, number);
    (void)sc_err_hint(err, number == ENXIO ? "a named pipe has to be written by a program; <generate> writes files"
                                           : "write it into the run's directory: file=\"{dir}/input\"");
  }
  own.generator = true;
  if (err == 0 && generator->family)
    err = write_family(generator->family, vars->n, &(family_file){file, path, interrupted, deadline, 0});
  for (size_t i = 0; err == 0 && i < generator->part_count; i++)
    err = write_part(file, path, &generator->parts[i], &own, interrupted, deadline);
  if (file && fclose(file) != 0 && err == 0)
    err = write_failed(path, errno);
  free(path);
  return err;
}
