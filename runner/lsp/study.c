/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study behind the server: found, loaded, and loaded again when it changes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/lsp/internal.h"
#include "runner/lsp/place.h"
#include "runner/review/review.h"
#include "runner/several/open.h"
#include "runner/several/several.h"
#include "runner/text/tuning.h"

static double seconds_since(const struct timespec *then)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* The one that the command line names, here or in the workspace; else the workspace's scale.db. */
static int find_study(sc_server *server)
{
  const char *named = server->options->operand;
  sc_buf path = {0};
  free(server->study);
  server->study = NULL;
  if (server->root && (!named || (*named != '/' && access(named, R_OK) != 0)))
    sc_buf_printf(&path, "%s/", server->root);
  sc_buf_puts(&path, named ? named : "scale.db");
  server->study = sc_buf_take(&path);
  return server->study ? 0 : SC_E_NOMEM;
}

static sc_study_state look_at_study_file(const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0)
    return (sc_study_state){.size = -1};
  return (sc_study_state){status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

static bool same_state(const sc_study_state *a, const sc_study_state *b)
{
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->time.tv_sec == b->time.tv_sec &&
         a->time.tv_nsec == b->time.tv_nsec;
}

/* Logs a text that is not the one logged last of its kind. Takes what `text` holds. */
static int log_news(sc_server *server, int level, sc_buf *text, char **last)
{
  char *news = sc_buf_take(text);
  if (!news)
    return SC_E_NOMEM;
  bool known = *last && strcmp(*last, news) == 0;
  free(*last);
  *last = news;
  return known ? 0 : sc_server_log(server, level, news);
}

static int complain_view(sc_server *server)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s%s%s", sc_err_message(), *sc_err_hint_text() ? "; hint: " : "", sc_err_hint_text());
  return log_news(server, 2, &text, &server->complaint);
}

static void drop_view(sc_studied *studied)
{
  if (!studied)
    return;
  sc_notices_free(&studied->notices);
  sc_view_free(&studied->view);
  sc_judge_close(&studied->judge);
  free(studied);
}

static int open_view_study(const sc_server *server, sc_studied *studied)
{
  sc_options options = *server->options;
  char *at;
  options.operand = server->study;
  SC_TRY(sc_several_at_targets(&options, true, &at));
  options.at = at ? at : options.at;
  int err = sc_judge_open(&options, &studied->judge);
  free(at);
  options.at = server->options->at;
  SC_TRY(err);
  SC_TRY(sc_view_make(&studied->judge, &studied->view));
  SC_TRY(sc_notices_of_study(&studied->judge, &studied->notices));
  return sc_notices_accept_default(&studied->notices, &options);
}

void sc_server_unload(sc_server *server)
{
  drop_view(server->loaded);
  server->loaded = NULL;
}

/* What was there goes when the new one is there. */
static int replace_view(sc_server *server)
{
  sc_studied *studied = sc_mem_new(1, sizeof *studied);
  int err = studied ? open_view_study(server, studied) : SC_E_NOMEM;
  if (err < 0) {
    drop_view(studied);
    return err;
  }
  sc_server_unload(server);
  server->loaded = studied;
  return 0;
}

/* What is said of the whole study, which no line of a source has a place for. */
static int announce_view(sc_server *server)
{
  const sc_notices *notices = &server->loaded->notices;
  sc_buf text = {0};
  sc_buf_printf(&text, "%s: %s", server->study, notices->verdict);
  if (*notices->coverage)
    sc_buf_printf(&text, " %s", notices->coverage);
  if (*notices->times)
    sc_buf_printf(&text, " %s", notices->times);
  return log_news(server, 3, &text, &server->summary);
}

int sc_server_load(sc_server *server, bool *changed)
{
  *changed = false;
  if (!server->study)
    SC_TRY(find_study(server));
  sc_study_state state = look_at_study_file(server->study);
  if (same_state(&state, &server->state) || seconds_since(&server->load_time) < SC_LSP_REST * server->load_seconds)
    return 0;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  server->state = state;
  int err = replace_view(server);
  server->load_seconds = seconds_since(&start);
  clock_gettime(CLOCK_MONOTONIC, &server->load_time);
  *changed = err >= 0;
  if (err == SC_E_NOMEM)
    return err;
  if (err < 0)
    return complain_view(server);
  free(server->complaint);
  server->complaint = NULL;
  return announce_view(server);
}

const sc_view_file *sc_server_file(const sc_server *server, const sc_document *document)
{
  if (!server->loaded || !document->path)
    return NULL;
  uint32_t found =
      sc_place_match(document->path, server->root, server->loaded->view.paths, server->loaded->view.file_count);
  return found == UINT32_MAX ? NULL : &server->loaded->view.files[found];
}

uint32_t sc_server_line(const sc_document *document, uint32_t line)
{
  uint32_t at = line ? line - 1 : 0;
  (void)sc_lines_move(&document->shift, &at);
  return at < document->now.count ? at : document->now.count - 1;
}

const char *sc_server_stale(const sc_server *server, const sc_document *document)
{
  struct stat status;
  bool changed = document->shift.before < document->shift.earlier || document->shift.earlier != document->shift.later;
  if (document->path && stat(document->path, &status) == 0 &&
      (status.st_mtim.tv_sec > server->state.time.tv_sec ||
       (status.st_mtim.tv_sec == server->state.time.tv_sec && status.st_mtim.tv_nsec > server->state.time.tv_nsec)))
    return "This file was changed after it was measured: lines may have moved.";
  return changed ? "This file is being changed: what is shown was measured before." : NULL;
}
