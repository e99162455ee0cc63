/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON-RPC: replies, errors, notifications and requests as messages with their length. */
#include <string.h>

#include "base/utf8.h"
#include "runner/lsp/internal.h"

static int write_message(sc_server *server, cJSON *message)
{
  char *text = message ? cJSON_PrintUnformatted(message) : NULL;
  int err = text ? sc_err_kept(0) : sc_err_set(SC_E_NOMEM, "out of memory");
  cJSON_Delete(message);
  if (err < 0) { /* rather none than one that lacks something: the server ends, and the editor starts it again */
    cJSON_free(text);
    return err;
  }
  fprintf(server->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
  cJSON_free(text);
  if (fflush(server->out) != 0)
    server->broken = true;
  return 0;
}

static cJSON *new_message(void)
{
  cJSON *message = cJSON_CreateObject();
  cJSON_AddStringToObject(message, "jsonrpc", "2.0");
  return message;
}

/* An id is a number or a text. */
static void add_id(cJSON *message, const cJSON *id)
{
  bool usable = id && (cJSON_IsNumber(id) || cJSON_IsString(id));
  cJSON_AddItemToObject(message, "id", usable ? cJSON_Duplicate(id, false) : cJSON_CreateNull());
}

int sc_server_reply(sc_server *server, const cJSON *id, cJSON *result)
{
  cJSON *message = new_message();
  add_id(message, id);
  if (!cJSON_AddItemToObject(message, "result", result ? result : cJSON_CreateNull())) {
    cJSON_Delete(result);
    cJSON_Delete(message);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  return write_message(server, message);
}

int sc_server_fail(sc_server *server, const cJSON *id, int code, const char *text)
{
  cJSON *message = new_message(), *error = cJSON_AddObjectToObject(message, "error");
  sc_buf clean = {0};
  sc_utf8_show(text, &clean);
  add_id(message, id);
  cJSON_AddNumberToObject(error, "code", code);
  cJSON_AddStringToObject(error, "message", sc_buf_finish(&clean) < 0 ? "" : clean.text);
  sc_buf_free(&clean);
  return write_message(server, message);
}

static int send_message(sc_server *server, cJSON *message, const char *method, cJSON *params)
{
  cJSON_AddStringToObject(message, "method", method);
  if (params && !cJSON_AddItemToObject(message, "params", params)) {
    cJSON_Delete(params);
    cJSON_Delete(message);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  return write_message(server, message);
}

int sc_server_notify(sc_server *server, const char *method, cJSON *params)
{
  return send_message(server, new_message(), method, params);
}

int sc_server_request(sc_server *server, const char *method, cJSON *params)
{
  cJSON *message = new_message();
  cJSON_AddNumberToObject(message, "id", ++server->requests);
  return send_message(server, message, method, params);
}

int sc_server_log(sc_server *server, int type, const char *text)
{
  cJSON *params = cJSON_CreateObject();
  sc_buf clean = {0};
  sc_utf8_show(text, &clean);
  cJSON_AddNumberToObject(params, "type", type);
  cJSON_AddStringToObject(params, "message", sc_buf_finish(&clean) < 0 ? "" : clean.text);
  sc_buf_free(&clean);
  return sc_server_notify(server, "window/logMessage", params);
}
