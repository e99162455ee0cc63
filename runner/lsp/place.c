/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/lsp/place.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

static int place_hex(char c)
{
  if (isdigit((unsigned char)c))
    return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *sc_place_path(const char *uri)
{
  sc_buf path = {0};
  if (strncasecmp(uri, "file://", 7) != 0)
    return NULL;
  const char *at = strchr(uri + 7, '/'); /* behind the host, which is this one */
  for (; at && *at && *at != '?' && *at != '#'; at++) {
    int high = *at == '%' ? place_hex(at[1]) : -1, low = high >= 0 ? place_hex(at[2]) : -1;
    char byte = low >= 0 ? (char)(high << 4 | low) : *at;
    if (!byte)
      break;
    sc_buf_add(&path, &byte, 1);
    at += low >= 0 ? 2 : 0;
  }
  if (!path.length) {
    sc_buf_free(&path);
    return NULL;
  }
  return sc_buf_take(&path);
}

char *sc_place_uri(const char *path)
{
  sc_buf uri = {0};
  sc_buf_puts(&uri, "file://");
  for (; *path; path++)
    if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
      sc_buf_add(&uri, path, 1);
    else
      sc_buf_printf(&uri, "%%%02X", (unsigned char)*path);
  return sc_buf_take(&uri);
}

/* Components that both end with; "./" and "../" at a path's beginning are none. */
static unsigned common_end(const char *a, const char *b)
{
  const char *x = a + strlen(a), *y = b + strlen(b);
  unsigned components = 0;
  while (x > a && y > b && x[-1] == y[-1]) {
    x--;
    y--;
    components += *x == '/';
  }
  bool whole = (x == a || x[-1] == '/') && (y == b || y[-1] == '/');
  return components + (whole && *x != '/');
}

static unsigned depth_below(const char *path, const char *root)
{
  size_t length = root ? strlen(root) : 0;
  unsigned depth = 0;
  if (!length || strncmp(path, root, length) != 0 || path[length] != '/')
    return 0;
  for (const char *at = path + length; *at; at++)
    depth += *at == '/';
  return depth;
}

uint32_t sc_place_match(const char *path, const char *root, const char *const *paths, uint32_t count)
{
  unsigned most = 0, below = depth_below(path, root);
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    unsigned common = common_end(path, paths[i]);
    if (common && sc_path_same_file(path, paths[i]))
      return i;
    if (common < most || !common)
      continue;
    best = common > most ? i : UINT32_MAX;
    most = common;
  }
  return most >= 2 || (below && most >= below) ? best : UINT32_MAX;
}

char *sc_place_local(const char *path, const char *root)
{
  if (*path == '/' && access(path, R_OK) == 0)
    return sc_mem_copy_string(path);
  for (const char *end = path; root && end; end = strchr(end, '/')) {
    sc_buf local = {0};
    end += *end == '/';
    sc_buf_printf(&local, "%s/%s", root, end);
    char *found = sc_buf_take(&local);
    if (!found || (*end && access(found, R_OK) == 0))
      return found;
    free(found);
  }
  return NULL;
}
