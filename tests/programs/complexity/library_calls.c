/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library_calls CASE N: C programs whose quadratic work is done by the C library, and twins that do the same in linear
   time. The comment behind a call names the case whose finding is expected at that line. */
#include "cases.h"

static char *filled(const char *piece, int n)
{
  size_t length = strlen(piece);
  char *text = malloc(n * length + 1);
  for (int i = 0; i < n; i++)
    memcpy(text + i * length, piece, length);
  text[n * length] = 0;
  return text;
}

/* A header of n addresses. */
static void address(int n)
{
  size_t room = 16 * (size_t)n + 1;
  char *header = calloc(1, room), name[16];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "<user%d>, ", i % 10);
    strcat(header, name); // address
  }
  sum += header[n];
  free(header);
}
static void address_twin(int n)
{
  size_t room = 16 * (size_t)n + 1;
  char *header = calloc(1, room), *end = header;
  for (int i = 0; i < n; i++)
    end += snprintf(end, room - (size_t)(end - header), "<user%d>, ", i % 10);
  sum += header[n];
  free(header);
}

/* Zeros at the end of a number are taken away. */
static void chomp(int n)
{
  char *digits = filled("0", n);
  digits[0] = '1';
  while (digits[strlen(digits) - 1] == '0') // chomp
    *strrchr(digits, '0') = 0;
  sum += digits[0];
  free(digits);
}
static void chomp_twin(int n)
{
  char *digits = filled("0", n);
  digits[0] = '1';
  for (size_t length = strlen(digits); digits[length - 1] == '0';)
    digits[--length] = 0;
  sum += digits[0];
  free(digits);
}

/* A list of numbers, each read by sscanf. */
static void numbers(int n)
{
  char *text = filled("12,", n);
  const char *at = text;
  int number, length;
  while (sscanf(at, "%d,%n", &number, &length) == 1) { // numbers
    sum += number;
    at += length;
  }
  free(text);
}
static void numbers_twin(int n)
{
  char *text = filled("12,", n), *next;
  for (char *at = text; *at; at = *next ? next + 1 : next)
    sum += strtol(at, &next, 10);
  free(text);
}

/* Blanks are taken out of a text. */
static void squeeze(int n)
{
  char *text = filled("a ", n);
  size_t length = 2 * (size_t)n;
  for (size_t i = 0; i < length;)
    if (text[i] == ' ')
      memmove(text + i, text + i + 1, length-- - i); // squeeze
    else
      i++;
  sum += text[n / 2];
  free(text);
}
static void squeeze_twin(int n)
{
  char *text = filled("a ", n), *to = text;
  for (const char *from = text; (*to = *from); from++)
    to += *from != ' ';
  sum += text[n / 2];
  free(text);
}

/* An array grows by an item each time, and something else is allocated behind it. (The C library moves it seldom: into
   larger and larger holes. Others don't.) */
static void steps(int n)
{
  void **items = NULL;
  for (int i = 0; i < n; i++) {
    items = realloc(items, (size_t)(i + 1) * sizeof *items); // steps
    items[i] = malloc(40);
    sum += !items[i];
  }
  for (int i = 0; i < n; i++)
    free(items[i]);
  free(items);
}
static void steps_twin(int n)
{
  void **items = NULL;
  for (int i = 0, room = 0; i < n; i++) {
    if (i == room)
      items = realloc(items, (size_t)(room = 2 * room + 4) * sizeof *items);
    items[i] = malloc(40);
    sum += !items[i];
  }
  for (int i = 0; i < n; i++)
    free(items[i]);
  free(items);
}

/* Column after column of a line, each from a copy of its own. */
static void columns(int n)
{
  char *line = filled("field;", n);
  for (int i = 0; i < n; i += 4) {
    char *copy = strdup(line);
    char *field = strtok(copy, ";");
    for (int at = 0; at < i && field; at++) // columns
      field = strtok(NULL, ";");
    sum += field ? *field : 0;
    free(copy);
  }
  free(line);
}
static void columns_twin(int n)
{
  char *line = filled("field;", n);
  for (char *field = strtok(line, ";"); field; field = strtok(NULL, ";"))
    sum += *field;
  free(line);
}

/* Is there a tab behind this line? */
static void tabs(int n)
{
  char *text = filled("some line\n", n), *end = text + 10 * (size_t)n;
  for (const char *line = text; line < end; line += 10)
    sum += memchr(line, '\t', (size_t)(end - line)) != NULL; // tabs
  free(text);
}
static void tabs_twin(int n)
{
  char *text = filled("some line\n", n);
  for (int i = 0; i < n; i++)
    sum += memchr(text + i * 10L, '\t', 10) != NULL;
  free(text);
}

static FILE *file_of(const char *piece, int n)
{
  FILE *file = tmpfile();
  if (!file)
    exit(3);
  for (int i = 0; i < n; i++)
    fputs(piece, file);
  rewind(file);
  return file;
}

/* Each of a long line's words: the line is read from the start. */
static void words(int n)
{
  FILE *file = file_of("word ", n);
  size_t room = 5 * (size_t)n + 1;
  char *line = malloc(room);
  for (int i = 0; i < n; i++) {
    rewind(file);
    ungetc(getc(file), file);
    if (fgets(line, (int)room, file)) // words
      sum += line[5 * i];
  }
  free(line);
  fclose(file);
}
static void words_twin(int n)
{
  FILE *file = file_of("word ", n);
  char word[6];
  for (int next; (next = getc(file)) != EOF;) {
    ungetc(next, file);
    if (fgets(word, sizeof word, file))
      sum += word[0];
  }
  fclose(file);
}

/* Marks are replaced: the first one that is left, each time. */
static void replace(int n)
{
  char *text = filled("x$y ", n), *at;
  while ((at = strstr(text, "$y"))) // replace
    at[0] = '_';
  sum += text[1];
  free(text);
}
static void replace_twin(int n)
{
  char *text = filled("x$y ", n);
  for (char *at = text; (at = strstr(at, "$y")); at++)
    at[0] = '_';
  sum += text[1];
  free(text);
}

/* A journal that is printed into a new text for each entry. */
static void journal(int n)
{
  char *all = calloc(1, 1);
  for (int i = 0, length = 0; i < n; i++) {
    char *more = malloc(length + 8u);
    length = snprintf(more, length + 8u, "%sentry;", all); // journal
    free(all);
    all = more;
  }
  sum += all[0];
  free(all);
}
static void journal_twin(int n)
{
  char *all = malloc(8 * (size_t)n + 8);
  for (int i = 0, length = 0; i < n; i++)
    length += snprintf(all + length, 8, "entry;");
  sum += all[0];
  free(all);
}

/* A variable of the environment for each item. */
static void variables(int n)
{
  char name[24];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "ITEM_%d", i);
    sum += setenv(name, "set", 1); // variables
  }
}
static void variables_twin(int n)
{
  char value[24];
  for (int i = 0; i < n; i++) {
    snprintf(value, sizeof value, "ITEM_%d", i);
    sum += setenv("ITEM", value, 1);
  }
}

int main(int argc, char **argv)
{
  static const struct named_case cases[] = {
      CASE(address), CASE(chomp), CASE(numbers), CASE(squeeze), CASE(steps),     CASE(columns),
      CASE(tabs),    CASE(words), CASE(replace), CASE(journal), CASE(variables),
  };
  return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
