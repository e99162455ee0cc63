/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files of this folder share about a server; nobody else includes it. */
#include <cjson/cJSON.h>
#include <sys/stat.h>

#include "runner/lsp/server.h"
#include "runner/lsp/text.h"
#include "runner/lsp/view.h"
#include "runner/review/review.h"

enum { /* JSON-RPC's and LSP's */
       SC_RPC_PARSE = -32700,
       SC_RPC_REQUEST = -32600,
       SC_RPC_METHOD = -32601,
       SC_RPC_PARAMS = -32602,
       SC_RPC_INTERNAL = -32603,
       SC_RPC_NOT_INITIALIZED = -32002
};

typedef struct sc_document { /* open in the editor */
  char *uri, *path;          /* path NULL: no file */
  sc_lines opened, now;      /* the text as it was opened, and as it is */
  sc_lines_shift shift;      /* from the one to the other */
  bool told;                 /* diagnostics were published that must be taken back */
} sc_document;

typedef struct sc_study_state { /* of the study's file: whether it is another one than before */
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec time;
} sc_study_state;

typedef struct sc_studied { /* a study that was loaded; its parts refer to each other */
  sc_judge judge;
  sc_view view;
  sc_notices notices;
} sc_studied;

struct sc_server {
  const sc_options *options;
  FILE *out;
  bool initialized, shut_down, broken; /* broken: the client cannot be written to */
  bool related, refreshes, registers;  /* what the client can do */
  double requests;                     /* ids of own requests */
  char *root;                          /* path of the workspace; NULL: none */
  sc_document *documents;
  size_t document_count, document_capacity;
  /* the study */
  char *study;          /* path; NULL: not known */
  sc_studied *loaded;   /* NULL: none yet */
  sc_study_state state; /* of what was loaded or tried last */
  double load_seconds;  /* how long that took */
  struct timespec load_time;
  char *complaint; /* about the study, logged last */
  char *summary;   /* of the study, logged last */
};

/* The study (study.c). Loads it if it is another one than before; *changed: there is something else to show now. An
 * error is sent to the client, not returned, and what was there stays. */
int sc_server_load(sc_server *server, bool *changed) SC_CHECK;
void sc_server_unload(sc_server *server);

/* A document's file in the view; NULL: the study knows nothing of it. */
const sc_view_file *sc_server_file(const sc_server *server, const sc_document *document);
/* Whether a notice's file is the document. */
bool sc_server_is_of(const sc_server *server, const sc_document *document, const char *file);
/* Where a line of the study's (from 1) stands in the document now (from 0). */
uint32_t sc_server_line(const sc_document *document, uint32_t line);
/* A sentence if the document is not what was measured, else NULL. */
const char *sc_server_stale(const sc_server *server, const sc_document *document);

/* Results and notifications (publish.c, answer.c). NULL: out of memory. */
int sc_server_publish(sc_server *server, sc_document *document) SC_CHECK;
int sc_server_publish_all(sc_server *server) SC_CHECK;
int sc_server_take_back(sc_server *server, const sc_document *document) SC_CHECK;
cJSON *sc_server_lenses(const sc_server *server, const sc_document *document);
cJSON *sc_server_hover(const sc_server *server, const sc_document *document, double line, double character);
/* {"start": {...}, "end": {...}} of a place in a document: to the end of the word, or of the line with column 0. With
 * line 0 the document's first line. */
cJSON *sc_server_range(const sc_document *document, uint32_t line, uint32_t column, uint32_t end_line,
                       uint32_t end_column);

/* Messages (rpc.c); they take over result, parameters and id. */
int sc_server_reply(sc_server *server, const cJSON *id, cJSON *result) SC_CHECK;
int sc_server_fail(sc_server *server, const cJSON *id, int code, const char *message) SC_CHECK; /* id NULL: null */
int sc_server_notify(sc_server *server, const char *method, cJSON *params) SC_CHECK;
int sc_server_request(sc_server *server, const char *method, cJSON *params) SC_CHECK; /* params may be NULL */
/* window/logMessage; type: 1 error, 2 warning, 3 info. */
int sc_server_log(sc_server *server, int type, const char *text) SC_CHECK;
