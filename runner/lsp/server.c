/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the client asks and tells: JSON-RPC 2.0 and the methods of the Language Server Protocol 3.17 that are served. */
#include "runner/lsp/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/lsp/internal.h"
#include "runner/lsp/place.h"

enum { DOCUMENTS_MAX = 10000 };

static const char *text_of_member(const cJSON *object, const char *key)
{
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static const cJSON *server_item(const cJSON *object, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool is_true(const cJSON *object, const char *key) { return cJSON_IsTrue(server_item(object, key)); }

static sc_document *find_document(sc_server *server, const char *uri)
{
  for (size_t i = 0; uri && i < server->document_count; i++)
    if (strcmp(server->documents[i].uri, uri) == 0)
      return &server->documents[i];
  return NULL;
}

static void free_document(sc_document *document)
{
  free(document->uri);
  free(document->path);
  sc_lines_free(&document->opened);
  sc_lines_free(&document->now);
}

/* Studies are loaded when they are first needed, and told about when they change. */
static int refresh_views(sc_server *server)
{
  bool changed;
  SC_TRY(sc_server_load(server, &changed));
  return changed ? sc_server_publish_all(server) : 0;
}

int sc_server_look(sc_server *server) { return server->initialized && !server->shut_down ? refresh_views(server) : 0; }

static void set_root(sc_server *server, const cJSON *params)
{
  const cJSON *folder = cJSON_GetArrayItem(server_item(params, "workspaceFolders"), 0);
  const char *uri = text_of_member(folder, "uri"), *path = text_of_member(params, "rootPath");
  if (!uri)
    uri = text_of_member(params, "rootUri");
  server->root = uri ? sc_place_path(uri) : path ? sc_mem_copy_string(path) : NULL;
  size_t length = server->root ? strlen(server->root) : 0;
  while (length > 1 && server->root[length - 1] == '/')
    server->root[--length] = '\0';
}

static void set_capabilities(sc_server *server, const cJSON *capabilities)
{
  const cJSON *workspace = server_item(capabilities, "workspace"),
              *documents = server_item(capabilities, "textDocument");
  server->related = is_true(server_item(documents, "publishDiagnostics"), "relatedInformation");
  server->refreshes = is_true(server_item(workspace, "codeLens"), "refreshSupport");
  server->registers = is_true(server_item(workspace, "didChangeWatchedFiles"), "dynamicRegistration");
}

static int answer_initialize(sc_server *server, const cJSON *id, const cJSON *params)
{
  cJSON *result = cJSON_CreateObject(), *capabilities = cJSON_AddObjectToObject(result, "capabilities");
  cJSON *sync = cJSON_AddObjectToObject(capabilities, "textDocumentSync");
  cJSON *lens = cJSON_AddObjectToObject(capabilities, "codeLensProvider");
  cJSON *info = cJSON_AddObjectToObject(result, "serverInfo");
  set_root(server, params);
  set_capabilities(server, server_item(params, "capabilities"));
  server->initialized = true;
  cJSON_AddBoolToObject(sync, "openClose", true);
  cJSON_AddNumberToObject(sync, "change", 1); /* the whole text */
  cJSON_AddBoolToObject(sync, "save", true);
  cJSON_AddBoolToObject(capabilities, "hoverProvider", true);
  cJSON_AddBoolToObject(lens, "resolveProvider", false);
  cJSON_AddStringToObject(capabilities, "positionEncoding", "utf-16");
  cJSON_AddStringToObject(info, "name", "scale-run");
  cJSON_AddStringToObject(info, "version", SCALE_VERSION);
  return sc_server_reply(server, id, result);
}

/* Clients that can are asked to watch the study; for others its file is looked at now and then. */
static int take_initialized(sc_server *server, const cJSON *id, const cJSON *params)
{
  if (server->registers) {
    cJSON *asked = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(asked, "registrations");
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "id", "study");
    cJSON_AddStringToObject(one, "method", "workspace/didChangeWatchedFiles");
    cJSON *watchers = cJSON_AddArrayToObject(cJSON_AddObjectToObject(one, "registerOptions"), "watchers");
    cJSON *watcher = cJSON_CreateObject();
    cJSON_AddStringToObject(watcher, "globPattern", "**/*.db");
    cJSON_AddItemToArray(watchers, watcher);
    cJSON_AddItemToArray(list, one);
    SC_TRY(sc_server_request(server, "client/registerCapability", asked));
  }
  return refresh_views(server);
}

static int shut_down(sc_server *server, const cJSON *id, const cJSON *params)
{
  server->shut_down = true;
  return sc_server_reply(server, id, NULL);
}

static int set_text(sc_document *document, const char *text, bool opened)
{
  SC_TRY(sc_lines_set(&document->now, text));
  if (opened)
    SC_TRY(sc_lines_set(&document->opened, text));
  document->shift = sc_lines_compare(&document->opened, &document->now);
  return 0;
}

static int add_document(sc_server *server, const char *uri, sc_document **document)
{
  SC_TRY(sc_mem_grow(&server->documents, &server->document_capacity, server->document_count + 1,
                     sizeof *server->documents));
  *document = &server->documents[server->document_count];
  **document = (sc_document){.uri = sc_mem_copy_string(uri), .path = sc_place_path(uri)};
  if (!(*document)->uri) {
    free_document(*document);
    return SC_E_NOMEM;
  }
  server->document_count++;
  return 0;
}

static int did_open(sc_server *server, const cJSON *id, const cJSON *params)
{
  const cJSON *given = server_item(params, "textDocument");
  const char *uri = text_of_member(given, "uri"), *text = text_of_member(given, "text");
  sc_document *document = find_document(server, uri);
  if (!uri || !text)
    return 0;
  if (!document && server->document_count >= DOCUMENTS_MAX)
    return sc_server_log(server, 2, "more than 10,000 documents are open; this one is left out");
  if (!document)
    SC_TRY(add_document(server, uri, &document));
  SC_TRY(set_text(document, text, true));
  bool changed;
  SC_TRY(sc_server_load(server, &changed));
  return changed ? sc_server_publish_all(server) : sc_server_publish(server, document);
}

static int did_change(sc_server *server, const cJSON *id, const cJSON *params)
{
  const cJSON *changes = server_item(params, "contentChanges");
  sc_document *document = find_document(server, text_of_member(server_item(params, "textDocument"), "uri"));
  int count = cJSON_GetArraySize(changes);
  const char *text = count > 0 ? text_of_member(cJSON_GetArrayItem(changes, count - 1), "text") : NULL;
  return document && text ? set_text(document, text, false) : 0;
}

static int did_save(sc_server *server, const cJSON *id, const cJSON *params)
{
  sc_document *document = find_document(server, text_of_member(server_item(params, "textDocument"), "uri"));
  SC_TRY(refresh_views(server));
  return document ? sc_server_publish(server, document) : 0;
}

static int did_close(sc_server *server, const cJSON *id, const cJSON *params)
{
  sc_document *document = find_document(server, text_of_member(server_item(params, "textDocument"), "uri"));
  if (!document)
    return 0;
  int err = sc_server_take_back(server, document);
  free_document(document);
  *document = server->documents[--server->document_count];
  return err;
}

static int did_change_files(sc_server *server, const cJSON *id, const cJSON *params) { return refresh_views(server); }

static int code_lens(sc_server *server, const cJSON *id, const cJSON *params)
{
  const char *uri = text_of_member(server_item(params, "textDocument"), "uri");
  if (!uri)
    return sc_server_fail(server, id, SC_RPC_PARAMS, "textDocument.uri is missing");
  SC_TRY(refresh_views(server));
  const sc_document *document = find_document(server, uri);
  return sc_server_reply(server, id, document ? sc_server_lenses(server, document) : NULL);
}

static int answer_hover(sc_server *server, const cJSON *id, const cJSON *params)
{
  const cJSON *position = server_item(params, "position");
  const char *uri = text_of_member(server_item(params, "textDocument"), "uri");
  const cJSON *line = server_item(position, "line"), *character = server_item(position, "character");
  if (!uri || !cJSON_IsNumber(line) || !cJSON_IsNumber(character))
    return sc_server_fail(server, id, SC_RPC_PARAMS, "textDocument.uri or position is missing");
  SC_TRY(refresh_views(server));
  const sc_document *document = find_document(server, uri);
  return sc_server_reply(
      server, id, document ? sc_server_hover(server, document, line->valuedouble, character->valuedouble) : NULL);
}

typedef struct method {
  const char *name;
  bool request; /* expects an answer */
  int (*handle)(sc_server *server, const cJSON *id, const cJSON *params);
} method;

static const method methods[] = {
    {"initialize", true, answer_initialize},
    {"initialized", false, take_initialized},
    {"shutdown", true, shut_down},
    {"textDocument/didOpen", false, did_open},
    {"textDocument/didChange", false, did_change},
    {"textDocument/didSave", false, did_save},
    {"textDocument/didClose", false, did_close},
    {"workspace/didChangeWatchedFiles", false, did_change_files},
    {"textDocument/codeLens", true, code_lens},
    {"textDocument/hover", true, answer_hover},
};

static const method *find_method(const char *name)
{
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i].name, name) == 0)
      return &methods[i];
  return NULL;
}

/* What may not come now, or at all. 0: it may. */
static int find_refusal(const sc_server *server, const method *found, const char *name, const char **why)
{
  bool initialize = strcmp(name, "initialize") == 0;
  *why = "the server is shut down";
  if (server->shut_down)
    return SC_RPC_REQUEST;
  *why = "the server is not initialized";
  if (!server->initialized && !initialize)
    return SC_RPC_NOT_INITIALIZED;
  *why = "the server is initialized already";
  if (server->initialized && initialize)
    return SC_RPC_REQUEST;
  *why = "there is no such method here";
  return found ? 0 : SC_RPC_METHOD;
}

/* 1: exit. */
static int dispatch_message(sc_server *server, const cJSON *message)
{
  const cJSON *id = server_item(message, "id");
  const char *name = text_of_member(message, "method"), *why;
  if (!cJSON_IsObject(message) || (!name && !server_item(message, "result") && !server_item(message, "error")))
    return sc_server_fail(server, id, SC_RPC_REQUEST, "this is neither a request nor an answer");
  if (!name) /* an answer to a request of ours: none is waited for */
    return 0;
  if (strcmp(name, "exit") == 0)
    return 1;
  const method *found = find_method(name);
  int code = find_refusal(server, found, name, &why);
  if (code || found->request != (id != NULL)) {
    if (!id) /* notifications have no answer */
      return 0;
    return sc_server_fail(server, id, code ? code : SC_RPC_REQUEST, code ? why : "this is a notification");
  }
  return found->handle(server, id, server_item(message, "params"));
}

static bool all_utf8(const char *text, size_t length)
{
  for (size_t at = 0, bytes; at < length; at += bytes) {
    bytes = sc_utf8_length(text + at, length - at);
    if (!bytes)
      return false;
  }
  return true;
}

int sc_server_take(sc_server *server, const char *message, size_t length)
{
  const char *end = NULL;
  cJSON *parsed = all_utf8(message, length) ? cJSON_ParseWithLengthOpts(message, length, &end, false) : NULL;
  while (parsed && end < message + length && strchr(" \t\r\n", *end))
    end++;
  bool whole = parsed && end == message + length;
  int status =
      whole ? dispatch_message(server, parsed) : sc_server_fail(server, NULL, SC_RPC_PARSE, "this is no JSON in UTF-8");
  cJSON_Delete(parsed);
  return server->broken && status == 0 ? 1 : status;
}

void sc_server_refuse(sc_server *server, const char *why) { (void)!sc_server_fail(server, NULL, SC_RPC_PARSE, why); }

int sc_server_status(const sc_server *server) { return server->shut_down ? 0 : 1; }

int sc_server_new(const sc_options *options, FILE *out, sc_server **server)
{
  SC_TRY(SC_NEW(*server, 1));
  (*server)->options = options;
  (*server)->out = out;
  (*server)->state.size = -2; /* nothing was looked at yet */
  return 0;
}

void sc_server_free(sc_server *server)
{
  if (!server)
    return;
  sc_server_unload(server);
  for (size_t i = 0; i < server->document_count; i++)
    free_document(&server->documents[i]);
  free(server->documents);
  free(server->root);
  free(server->study);
  free(server->complaint);
  free(server->summary);
  free(server);
}
