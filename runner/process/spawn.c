/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting a keeper (keeper/protocol.h) with the order to start a program. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/process/inherited.h"
#include "runner/process/internal.h"

/* Of the child's environment, what the options say in a form of their own. */
typedef struct variables {
  char *profile;
  char trace[40];
} variables;

static bool same_variable(const char *a, const char *b)
{
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && !memcmp(a, b, length);
}

static int set_variable(char ***list, size_t *count, size_t *capacity, const char *pair)
{
  for (size_t i = 0; i < *count; i++)
    if (same_variable((*list)[i], pair)) {
      (*list)[i] = (char *)pair;
      return 0;
    }
  SC_TRY(sc_mem_grow(list, capacity, *count + 2, sizeof **list));
  (*list)[(*count)++] = (char *)pair;
  return 0;
}

/* *out and own->profile are to be freed, also after an error. */
static int make_environment(const sc_process_options *options, variables *own, char ***out, size_t *count)
{
  size_t capacity = 0;
  for (char **at = environ; *at; at++)
    if (strncmp(*at, "SCALE_PROFILE_DIR=", 18) != 0)
      SC_TRY(set_variable(out, count, &capacity, *at));
  for (char *const *at = options->environment; at && *at; at++)
    SC_TRY(set_variable(out, count, &capacity, *at));
  if (options->profile_dir) {
    if (asprintf(&own->profile, "SCALE_PROFILE_DIR=%s", options->profile_dir) < 0) {
      own->profile = NULL;
      return sc_err_set(SC_E_NOMEM, "out of memory");
    }
    SC_TRY(set_variable(out, count, &capacity, own->profile));
  }
  if (options->trace) {
    snprintf(own->trace, sizeof own->trace, "SCALE_TRACE=%" PRIu64, options->trace);
    SC_TRY(set_variable(out, count, &capacity, own->trace));
  }
  return 0;
}

static void add_command_line_string(sc_buf *order, const char *text) { sc_buf_add(order, text, strlen(text) + 1); }

static int compose_command_line(const sc_process_options *options, sc_buf *order)
{
  variables own = {0};
  char **environment = NULL;
  size_t arguments = 0, count = 0;
  int err;
  SC_GOTO(make_environment(options, &own, &environment, &count));
  while (options->argv[arguments])
    arguments++;
  const sc_inherited state = sc_inherited_get();
  const sc_keeper_order head = {.magic = SC_KEEPER_MAGIC,
                                .argument_count = (uint32_t)arguments,
                                .variable_count = (uint32_t)count,
                                .background = options->background,
                                .ignored = state.ignored,
                                .blocked = state.blocked,
                                .files = state.files};
  sc_buf_add(order, (const char *)&head, sizeof head);
  add_command_line_string(order, options->directory ? options->directory : "");
  for (size_t i = 0; i < arguments; i++)
    add_command_line_string(order, options->argv[i]);
  for (size_t i = 0; i < count; i++)
    add_command_line_string(order, environment[i]);
  err = sc_buf_finish(order);
out:
  free(own.profile);
  free(environment);
  return err;
}

int sc_process_descriptor_error(int errnum, const char *what)
{
  (void)sc_err_system(SC_E_IO, errnum, "%s", what);
  return sc_err_hint(SC_E_IO, "raise the limit of open files: ulimit -n 1024");
}

/* A file in memory, so that neither the length of a pipe nor that of a command line limits it. */
static int write_command_line_order(const sc_process_options *options, int *fd)
{
  sc_buf order = {0};
  int err;
  SC_GOTO(compose_command_line(options, &order));
  *fd = memfd_create("scale-order", MFD_CLOEXEC);
  for (size_t at = 0; *fd >= 0 && at < order.length;) {
    ssize_t got = write(*fd, order.text + at, order.length - at);
    if (got < 0)
      break;
    at += (size_t)got;
  }
  if (*fd < 0 || lseek(*fd, 0, SEEK_CUR) != (off_t)order.length)
    err = sc_process_descriptor_error(errno, "cannot pass the command on to scale-keeper");
out:
  sc_buf_free(&order);
  return err;
}

bool sc_process_find_part(const char *name, char *path, size_t size)
{
  static const char *const folders[] = {"../libexec/scale", "../" SCALE_LIBEXECDIR "/scale", "../../libexec/scale"};
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(self, '/');
  for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
    int need = snprintf(path, size, "%.*s/%s/%s", (int)(slash - self), self, folders[i], name);
    if (need > 0 && (size_t)need < size && access(path, R_OK) == 0)
      return true;
  }
  return false;
}

int sc_process_find_keeper(char *path, size_t size)
{
  if (sc_process_find_part("scale-keeper", path, size))
    return 0;
  bool known = access("/proc/self/exe", R_OK) == 0;
  (void)sc_err_set(SC_E_UNSUPPORTED, "cannot start programs: %s",
                   known ? "scale-keeper is missing" : "/proc/self/exe cannot be read");
  return sc_err_hint(SC_E_UNSUPPORTED,
                     known ? "it belongs to scale-run, as ../libexec/scale/scale-keeper from its folder: install again"
                           : "mount /proc");
}

static int spawn_command(const char *path, const sc_process_ends *ends, const char *name, int control, int order,
                         pid_t *keeper)
{
  char control_text[16], order_text[16];
  char *argv[] = {"scale-keeper", control_text, order_text, (char *)name, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t all;
  snprintf(control_text, sizeof control_text, "%d", control);
  snprintf(order_text, sizeof order_text, "%d", order);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, ends->in, 0);
  posix_spawn_file_actions_adddup2(&files, ends->out, 1);
  posix_spawn_file_actions_adddup2(&files, ends->error, 2);
  posix_spawn_file_actions_adddup2(&files, control, control); /* no longer close-on-exec */
  posix_spawn_file_actions_adddup2(&files, order, order);
  /* A group of its own: what is sent to scale-run's, by Ctrl-C or by `kill -9 -GROUP`, must not end it. */
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &all);
  int error = posix_spawn(keeper, path, &files, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? 0 : sc_err_system(SC_E_IO, error, "cannot start another process");
}

int sc_process_spawn(const sc_process_options *options, const sc_process_ends *ends, const char *name, pid_t *keeper,
                     int *control)
{
  char path[8192];
  int pair[2] = {-1, -1}, order = -1, err;
  SC_GOTO(sc_process_find_keeper(path, sizeof path));
  SC_GOTO(write_command_line_order(options, &order));
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
    err = sc_process_descriptor_error(errno, "cannot make a socket to scale-keeper");
    goto out;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* of what a keeper leaves that was killed itself */
  err = spawn_command(path, ends, name, pair[1], order, keeper);
  if (err == 0) {
    *control = pair[0];
    pair[0] = -1;
  }
out:
  for (int i = 0; i < 2; i++)
    if (pair[i] >= 0)
      close(pair[i]);
  if (order >= 0)
    close(order);
  return err;
}
