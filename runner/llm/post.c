/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/llm/post.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runner/text/tuning.h"

enum { OK = 200, REDIRECTS = 300, REFUSALS = 400, CONNECT_SECONDS = 10, MILLISECONDS = 1000 };

/* ---- where to ------------------------------------------------------------------------------------------------- */

static int post_usage(const char *message, const char *hint)
{
  return sc_err_hint(sc_err_set(SC_E_USAGE, "%s", message), "%s", hint);
}

/* A part of a URL, to be freed by curl_free; NULL where it is missing. */
static char *url_part(CURLU *url, CURLUPart part)
{
  char *text = NULL;
  return curl_url_get(url, part, &text, 0) == CURLUE_OK ? text : NULL;
}

/* This machine. What only begins like its addresses is a name ("127.example.org"), of any machine. */
static bool is_here(CURLU *url)
{
  struct in_addr address;
  char *host = url_part(url, CURLUPART_HOST);
  bool here = host && (strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
                       (strncmp(host, "127.", 4) == 0 && inet_pton(AF_INET, host, &address) == 1));
  curl_free(host);
  return here;
}

static int post_check_parts(CURLU *url, const char *key)
{
  char *scheme = url_part(url, CURLUPART_SCHEME), *host = url_part(url, CURLUPART_HOST);
  char *user = url_part(url, CURLUPART_USER);
  bool plain = scheme && strcmp(scheme, "http") == 0;
  int err = 0;
  if (!host || !scheme || (!plain && strcmp(scheme, "https") != 0))
    err = post_usage("--llm takes a URL of http or https", "--llm http://localhost:8080/v1");
  else if (user)
    err = post_usage("--llm takes a URL without a user and password",
                     "a key goes into the environment: SCALE_LLM_KEY=... scale-run discover --llm URL");
  else if (plain && key && *key && !is_here(url))
    err = post_usage("the key in SCALE_LLM_KEY would travel unencrypted to another machine",
                     "use https, or unset SCALE_LLM_KEY where the service wants no key");
  else if (key && strpbrk(key, "\r\n"))
    err = post_usage("the key in SCALE_LLM_KEY has a line break in it", "export SCALE_LLM_KEY=$(head -n 1 FILE)");
  curl_free(scheme);
  curl_free(host);
  curl_free(user);
  return err;
}

/* Adds what the service calls the place for chats, unless the URL names it. */
static int post_complete(CURLU *url)
{
  static const char end[] = "/chat/completions";
  sc_buf path = {0};
  char *given = url_part(url, CURLUPART_PATH);
  size_t length = given ? strlen(given) : 0;
  while (length && given[length - 1] == '/')
    length--;
  sc_buf_add(&path, given ? given : "", length);
  if (length < strlen(end) || memcmp(given + length - strlen(end), end, strlen(end)) != 0)
    sc_buf_puts(&path, end);
  curl_free(given);
  int err = sc_buf_finish(&path);
  if (err == 0 && curl_url_set(url, CURLUPART_PATH, path.text, 0) != CURLUE_OK)
    err = SC_E_NOMEM;
  sc_buf_free(&path);
  return err;
}

/* *url is to be freed, also after an error. */
static int post_url(const sc_post_to *to, CURLU **url)
{
  if (!(*url = curl_url()))
    return sc_err_set(SC_E_NOMEM, "out of memory");
  if (curl_url_set(*url, CURLUPART_URL, to->url, 0) != CURLUE_OK)
    return post_usage("--llm takes a URL of http or https", "--llm http://localhost:8080/v1");
  SC_TRY(post_check_parts(*url, to->key));
  return post_complete(*url);
}

int sc_post_check(const sc_post_to *to)
{
  CURLU *url;
  int err = post_url(to, &url);
  curl_url_cleanup(url);
  return err;
}

/* ---- the request ---------------------------------------------------------------------------------------------- */

/* Returning less than was given ends the transfer. */
static size_t post_take(char *data, size_t size, size_t count, void *user)
{
  sc_buf *answer = user;
  if (answer->length + count > SC_LLM_ANSWER)
    return 0;
  sc_buf_add(answer, data, count);
  return answer->failed ? 0 : size * count;
}

/* Appends a header; *list stays what it was where there is no memory. */
static int post_header(struct curl_slist **list, const char *header)
{
  struct curl_slist *longer = curl_slist_append(*list, header);
  if (!longer)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  *list = longer;
  return 0;
}

static int post_headers(const sc_post_to *to, struct curl_slist **list)
{
  sc_buf bearer = {0};
  SC_TRY(post_header(list, "Content-Type: application/json"));
  SC_TRY(post_header(list, "Expect:"));
  if (!to->key || !*to->key)
    return 0;
  sc_buf_printf(&bearer, "Authorization: Bearer %s", to->key);
  int err = sc_buf_finish(&bearer);
  if (err == 0)
    err = post_header(list, bearer.text);
  sc_buf_free(&bearer);
  return err;
}

/* What came instead of an answer. */
static int post_judge(CURLcode code, long status, const sc_buf *answer)
{
  if (answer->failed)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  if (code == CURLE_WRITE_ERROR)
    return sc_err_set(SC_E_IO, "its answer has more than %d bytes", SC_LLM_ANSWER);
  if (code == CURLE_OPERATION_TIMEDOUT)
    return sc_err_set(SC_E_IO, "it did not answer in time");
  if (code != CURLE_OK)
    return sc_err_set(SC_E_IO, "%s", curl_easy_strerror(code));
  if (status >= REDIRECTS && status < REFUSALS)
    return sc_err_set(SC_E_IO, "it says that it is elsewhere (status %ld), and nothing is sent where nobody said",
                      status);
  return status == OK ? 0 : sc_err_set(SC_E_IO, "it refuses with status %ld", status);
}

static int post_send(const sc_post_to *to, CURL *curl, CURLU *url, const char *body, size_t length, sc_buf *answer)
{
  struct curl_slist *headers = NULL;
  long status = 0;
  int err = post_headers(to, &headers);
  if (err == 0) {
    curl_easy_setopt(curl, CURLOPT_CURLU, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    if (is_here(url)) /* not to the proxy of the environment, which is another machine */
      curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)ceil(to->timeout * MILLISECONDS)); /* 0 would be for ever */
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, post_take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    err = post_judge(code, status, answer);
  }
  curl_slist_free_all(headers);
  return err;
}

int sc_post(const sc_post_to *to, const char *body, size_t length, sc_buf *answer)
{
  CURLU *url;
  int err = post_url(to, &url);
  CURL *curl = err == 0 ? curl_easy_init() : NULL;
  if (err == 0)
    err = curl ? post_send(to, curl, url, body, length, answer) : sc_err_set(SC_E_NOMEM, "out of memory");
  curl_easy_cleanup(curl);
  curl_url_cleanup(url);
  return err;
}
