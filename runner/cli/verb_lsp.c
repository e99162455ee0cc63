/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run lsp: the language server, on standard input and output. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "runner/cli/verb.h"
#include "runner/lsp/frames.h"
#include "runner/lsp/server.h"

enum { LOOK_MS = 2000 }; /* how often the study is looked at while the editor says nothing */

/* Every whole message that came: 0, 1: the editor told to exit. */
static int handle_messages(sc_server *server, sc_frames *frames)
{
  const char *message;
  size_t length;
  for (;;) {
    int err = sc_frames_next(frames, &message, &length);
    if (err < 0)
      sc_server_refuse(server, sc_err_message());
    if (err <= 0)
      return err;
    err = sc_server_take(server, message, length);
    if (err != 0)
      return err;
  }
}

static int serve_lsp(sc_server *server, sc_frames *frames)
{
  char block[65536];
  for (;;) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&input, 1, LOOK_MS), err = 0;
    if (ready == 0)
      SC_TRY(sc_server_look(server));
    if (ready <= 0)
      continue;
    ssize_t got = read(STDIN_FILENO, block, sizeof block);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return sc_err_system(SC_E_IO, errno, "the editor's messages cannot be read");
    if (got == 0)
      return 0;
    SC_TRY(sc_frames_add(frames, block, (size_t)got));
    err = handle_messages(server, frames);
    if (err != 0)
      return err < 0 ? err : 0;
  }
}

/* Messages go where standard output went; whatever else is printed goes to standard error, so that it cannot get
 * between them. */
static FILE *take_stdout(void)
{
  fflush(stdout);
  int fd = dup(STDOUT_FILENO);
  FILE *out = fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? NULL : fdopen(fd, "w");
  if (!out && fd >= 0)
    close(fd);
  return out;
}

int sc_verb_lsp(const sc_options *options)
{
  sc_frames frames = {0};
  sc_server *server = NULL;
  int err;
  if (isatty(STDIN_FILENO))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a language server talks to an editor, not to a terminal"),
                       "docs/editors.md says how to have your editor start it");
  FILE *out = take_stdout();
  if (!out)
    return sc_err_system(SC_E_IO, errno, "standard output cannot be used");
  signal(SIGPIPE, SIG_IGN); /* the next write fails if the editor is gone */
  SC_GOTO(sc_server_new(options, out, &server));
  SC_GOTO(serve_lsp(server, &frames));
  err = sc_server_status(server);
out:
  sc_server_free(server);
  sc_frames_free(&frames);
  fclose(out);
  return err;
}
