/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/json_write.h"

#include "base/utf8.h"

typedef struct writing {
  FILE *out;
  sc_json_member_fn member;
  void *user;
} writing;

static int write_item(const writing *w, const cJSON *item, int depth);

static int write_scalar(const writing *w, const cJSON *item)
{
  char *text = cJSON_PrintUnformatted(item);
  if (!text)
    return sc_err_set(SC_E_NOMEM, "out of memory while printing JSON");
  sc_utf8_print_json(text, w->out);
  cJSON_free(text);
  return 0;
}

static void indent_json(const writing *w, int depth)
{
  while (depth-- > 0)
    putc('\t', w->out);
}

static int write_object(const writing *w, const cJSON *object, int depth)
{
  fputs("{\n", w->out);
  for (const cJSON *item = object->child; item; item = item->next) {
    const cJSON key = {.type = cJSON_String, .valuestring = item->string};
    indent_json(w, depth + 1);
    SC_TRY(write_scalar(w, &key));
    fputs(":\t", w->out);
    SC_TRY(write_item(w, item, depth + 1));
    fputs(item->next ? ",\n" : "\n", w->out);
  }
  indent_json(w, depth);
  putc('}', w->out);
  return 0;
}

static int write_members(const writing *w, int list, int depth)
{
  cJSON *made;
  for (size_t index = 0;; index++) {
    int more = w->member(w->user, list, index, &made);
    if (more <= 0)
      return more;
    fputs(index ? ", " : "", w->out);
    int err = write_item(w, made, depth);
    cJSON_Delete(made);
    SC_TRY(err);
  }
}

static int write_array(const writing *w, const cJSON *array, int depth)
{
  putc('[', w->out);
  if (cJSON_IsRaw(array))
    SC_TRY(write_members(w, array->valueint, depth + 1));
  for (const cJSON *item = array->child; item; item = item->next) {
    SC_TRY(write_item(w, item, depth + 1));
    fputs(item->next ? ", " : "", w->out);
  }
  putc(']', w->out);
  return 0;
}

static int write_item(const writing *w, const cJSON *item, int depth)
{
  if (cJSON_IsObject(item))
    return write_object(w, item, depth);
  if (cJSON_IsArray(item) || cJSON_IsRaw(item))
    return write_array(w, item, depth);
  return write_scalar(w, item);
}

/* Nothing is written of a document that lacks a part for want of memory. */
int sc_json_write_members(FILE *out, cJSON *document, const sc_json *json, int err, sc_json_member_fn member,
                          void *user)
{
  if (err == 0)
    err = document && !json->failed ? sc_err_kept(0) : sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
  if (err == 0)
    err = write_item(&(writing){out, member, user}, document, 0);
  if (err == 0)
    putc('\n', out);
  cJSON_Delete(document);
  return err;
}

int sc_json_write(FILE *out, cJSON *document, const sc_json *json, int err)
{
  return sc_json_write_members(out, document, json, err, NULL, NULL);
}
