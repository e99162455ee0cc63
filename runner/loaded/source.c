/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/loaded/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

enum { FILE_LIMIT = 16 << 20 };

/* Nobody has promised that the sources are here, or may be read. All else is an error, which reports cannot return
 * here: without its source a finding has another extent, and isn't accepted by a comment in it. */
static void keep_source_failure(const char *path, int number)
{
  static const int usual[] = {ENOENT, ENOTDIR, EACCES, EPERM,  ELOOP, ENAMETOOLONG,
                              ENXIO,  ENODEV,  EINVAL, EISDIR, EAGAIN};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (usual[i] == number)
      return;
  int err = sc_err_system(SC_E_IO, number, "the source %s cannot be read", path);
  (void)sc_err_keep(sc_err_hint(err, "run the command again; without the file it is reported without its source"));
}

/* A study names any path it likes: what is no plain file (a pipe, a device) must not be read. */
static char *read_source_plain(const char *path, size_t *size)
{
  struct stat info;
  char *text = NULL;
  *size = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    keep_source_failure(path, errno);
    return NULL;
  }
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= FILE_LIMIT)
    text = sc_mem_new((size_t)info.st_size + 1, 1);
  for (ssize_t got = 1; text && got != 0 && *size < (size_t)info.st_size;) {
    got = read(fd, text + *size, (size_t)info.st_size - *size);
    if (got < 0 && errno != EINTR) {
      keep_source_failure(path, errno);
      break;
    }
    *size += got > 0 ? (size_t)got : 0;
  }
  close(fd);
  return text;
}

static bool split_source(sc_source_file *file, size_t size)
{
  size_t capacity = 0, count = 0;
  for (size_t at = 0; at <= size;) {
    const char *end = at < size ? memchr(file->text + at, '\n', size - at) : NULL;
    if (count > UINT32_MAX - 2 || sc_mem_grow(&file->starts, &capacity, count + 2, sizeof *file->starts) < 0)
      return false;
    file->starts[count++] = at;
    at = end ? (size_t)(end - file->text) + 1 : size + 1;
    file->starts[count] = at;
  }
  file->line_count = (uint32_t)count;
  return true;
}

static sc_source_file *find_source(sc_sources *sources, const char *path)
{
  size_t size = 0;
  for (size_t i = 0; i < sources->count; i++)
    if (strcmp(sources->list[i].path, path) == 0)
      return &sources->list[i];
  if (sc_mem_grow(&sources->list, &sources->capacity, sources->count + 1, sizeof *sources->list) < 0)
    return NULL;
  sc_source_file *file = &sources->list[sources->count];
  *file = (sc_source_file){.path = sc_mem_copy_string(path)};
  if (!file->path)
    return NULL;
  sources->count++;
  file->text = *path ? read_source_plain(path, &size) : NULL;
  if (file->text && !split_source(file, size)) {
    free(file->text);
    file->text = NULL;
  }
  return file;
}

const char *sc_source_line(sc_sources *sources, const char *path, uint32_t line, size_t *length)
{
  const sc_source_file *file = find_source(sources, path);
  if (!file || !file->text || line == 0 || line > file->line_count)
    return NULL;
  const char *text = file->text + file->starts[line - 1];
  *length = file->starts[line] - file->starts[line - 1] - 1;
  if (*length && text[*length - 1] == '\r')
    --*length;
  return text;
}

uint32_t sc_source_word_end(sc_sources *sources, const char *path, uint32_t line, uint32_t column)
{
  size_t length = 0, at = column ? column - 1 : 0;
  const char *text = sc_source_line(sources, path, line, &length);
  while (text && at < length && (isalnum((unsigned char)text[at]) || text[at] == '_'))
    at++;
  return (uint32_t)(at > column - (size_t)1 ? at + 1 : (size_t)column + 1);
}

uint32_t sc_source_character(sc_sources *sources, const char *path, uint32_t line, uint32_t column)
{
  size_t length = 0;
  const char *text = sc_source_line(sources, path, line, &length);
  uint32_t character = column;
  for (size_t i = 0; text && i < length && i + 1 < column; i++)
    character -= ((unsigned char)text[i] & 0xc0) == 0x80;
  return character;
}

/* Where a comment, string or character that starts at `at` ends; `at` itself where none does. */
static size_t skip_quoted(const char *text, size_t size, size_t at)
{
  if (text[at] == '/' && at + 1 < size && (text[at + 1] == '/' || text[at + 1] == '*')) {
    bool line = text[at + 1] == '/';
    const char *end = line ? memchr(text + at, '\n', size - at) : memmem(text + at + 2, size - at - 2, "*/", 2);
    return end ? (size_t)(end - text) + (line ? 0 : 1) : size - 1;
  }
  if (text[at] != '"' && text[at] != '\'')
    return at;
  if (text[at] == '\'' && at && isalnum((unsigned char)text[at - 1])) /* 1'000'000 */
    return at;
  for (size_t i = at + 1; i < size && text[i] != '\n'; i++) {
    if (text[i] == text[at])
      return i;
    i += text[i] == '\\';
  }
  return at;
}

uint32_t sc_source_extent(sc_sources *sources, const char *path, uint32_t line, uint32_t column)
{
  const sc_source_file *file = find_source(sources, path);
  if (!file || !file->text || line == 0 || line > file->line_count)
    return 0;
  size_t size = file->starts[file->line_count] - 1, at = file->starts[line - 1] + (column ? column - 1 : 0);
  long round = 0, braces = 0;
  bool opened = false, end = false;
  for (; at < size && !end; at++) {
    at = skip_quoted(file->text, size, at);
    char c = file->text[at];
    round += c == '(' ? 1 : c == ')' ? -1 : 0;
    braces += c == '{' ? 1 : c == '}' ? -1 : 0;
    opened |= c == '{';
    end = round < 0 || braces < 0 || (round == 0 && braces == 0 && (opened ? c == '}' : c == ';'));
  }
  if (!end || round < 0 || braces < 0)
    return 0;
  for (uint32_t last = line; last <= file->line_count; last++)
    if (at <= file->starts[last])
      return last;
  return 0;
}

void sc_sources_free(sc_sources *sources)
{
  for (size_t i = 0; i < sources->count; i++) {
    free(sources->list[i].path);
    free(sources->list[i].text);
    free(sources->list[i].starts);
  }
  free(sources->list);
  *sources = (sc_sources){0};
}

/* Takes "." and ".." out of a path, by its text alone, in place. */
static void normalise_source(char *path)
{
  bool absolute = *path == '/';
  char *out = path + absolute, *floor = out;
  for (const char *at = path + absolute; *at;) {
    size_t length = strcspn(at, "/");
    bool up = length == 2 && at[0] == '.' && at[1] == '.';
    if (up && out > floor) {
      out--; /* the slash */
      while (out > floor && out[-1] != '/')
        out--;
    } else if (length && !(length == 1 && *at == '.') && !(up && absolute)) {
      memmove(out, at, length);
      out += length;
      bool more = at[length] == '/';
      if (more)
        *out++ = '/';
      if (up)
        floor = out;
    }
    at += length + (at[length] == '/');
  }
  if (out > path + 1 && out[-1] == '/')
    out--;
  *out = '\0';
}

char *sc_source_relative(const char *path)
{
  char here[4096], *copy = sc_mem_copy_string(path);
  if (!copy)
    return NULL;
  normalise_source(copy);
  if (*copy != '/' || !getcwd(here, sizeof here) || strcmp(here, "/") == 0)
    return copy;
  size_t length = strlen(here);
  if (strncmp(copy, here, length) == 0 && copy[length] == '/')
    memmove(copy, copy + length + 1, strlen(copy + length + 1) + 1);
  return copy;
}
