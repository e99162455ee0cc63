// SPDX-License-Identifier: GPL-3.0-or-later
// library CASE N: programs whose quadratic work is done by the C or C++ library, and twins that do the same in linear
// time.
#include "cases.h"
#include <deque>
#include <string>
#include <vector>

static std::string words(int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += "word ";
  return text;
}

static void concatenate(int n)
{
  char *text = static_cast<char *>(calloc(1, 6 * n + 1));
  for (int i = 0; i < n; i++)
    strcat(text, i % 2 ? "odd " : "even "); // concatenate
  sum += text[n / 2];
  free(text);
}
static void concatenate_twin(int n)
{
  char *text = static_cast<char *>(calloc(1, 6 * n + 1)), *end = text;
  for (int i = 0; i < n; i++)
    end = stpcpy(end, i % 2 ? "odd " : "even ");
  sum += text[n / 2];
  free(text);
}

static void spaces(int n)
{
  std::string text = words(n);
  char *at = &text[0];
  for (std::size_t i = 0; i < strlen(at); i++) // spaces
    if (at[i] == ' ')
      at[i] = '_';
  sum += at[4];
}
static void spaces_twin(int n)
{
  std::string text = words(n);
  char *at = &text[0];
  for (std::size_t i = 0, length = strlen(at); i < length; i++)
    if (at[i] == ' ')
      at[i] = '_';
  sum += at[4];
}

static void scan(int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += "7 ";
  int value;
  for (const char *at = text.c_str(); sscanf(at, "%d", &value) == 1; at += 2) // scan
    sum += value;
}
static void scan_twin(int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += "7 ";
  char *next;
  for (const char *at = text.c_str(); long value = strtol(at, &next, 10); at = next)
    sum += value;
}

static void serve(int n)
{
  std::vector<int> queue(n, 1);
  while (!queue.empty()) {
    sum += queue.front();
    queue.erase(queue.begin()); // serve
  }
}
static void serve_twin(int n)
{
  std::deque<int> queue(n, 1);
  while (!queue.empty()) {
    sum += queue.front();
    queue.pop_front();
  }
}

static void shift(int n)
{
  char *buffer = static_cast<char *>(malloc(n));
  memset(buffer, 'x', n);
  for (int left = n; left > 1; left -= 4) {
    int gone = left < 4 ? left : 4;
    memmove(buffer, buffer + gone, left - gone); // shift
  }
  sum += buffer[0];
  free(buffer);
}
static void shift_twin(int n)
{
  char *buffer = static_cast<char *>(malloc(n)), *start = buffer;
  memset(buffer, 'x', n);
  for (int left = n; left > 4; left -= 4)
    sum += *(start += 4);
  free(buffer);
}

static void append(int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text = text + "item "; // append
  sum += text.size();
}
static void append_twin(int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += "item ";
  sum += text.size();
}

/* By a step each time. (glibc's realloc would move large blocks without copying them.) */
static void grow(int n)
{
  char *all = nullptr;
  std::size_t size = 0;
  for (int i = 0; i < n; i++) {
    char *more = static_cast<char *>(malloc(size + 8));
    if (all)
      memcpy(more, all, size); // grow
    free(all);
    all = more;
    memset(all + size, i, 8);
    size += 8;
  }
  sum += all[size / 2];
  free(all);
}
static void grow_twin(int n)
{
  char *all = nullptr;
  std::size_t size = 0, room = 0;
  for (int i = 0; i < n; i++) {
    if (size + 8 > room)
      all = static_cast<char *>(realloc(all, room = 2 * room + 8));
    memset(all + size, i, 8);
    size += 8;
  }
  sum += all[size / 2];
  free(all);
}

/* The i-th word: looked for from the start each time. */
static const char *word(char *text, const std::string &all, int number)
{
  char *next, *found = strtok_r(strcpy(text, all.c_str()), " ", &next); // split
  while (number-- > 0)
    found = strtok_r(nullptr, " ", &next);
  return found;
}
static void split(int n)
{
  std::string all = words(n), copy = all;
  for (int i = 0; i < n; i++)
    sum += *word(&copy[0], all, i);
}
static void split_twin(int n)
{
  std::string all = words(n);
  char *next;
  for (char *found = strtok_r(&all[0], " ", &next); found; found = strtok_r(nullptr, " ", &next))
    sum += *found;
}

static void seek(int n)
{
  std::string text = words(n);
  for (std::size_t i = 0; i < text.size(); i += 5)
    sum += memchr(text.data() + i, 'z', text.size() - i) == nullptr; // seek
}
static void seek_twin(int n)
{
  std::string text = words(n);
  for (std::size_t i = 0; i < text.size(); i += 5)
    sum += memchr(text.data() + i, 'z', text.size() - i < 5 ? text.size() - i : 5) == nullptr;
}

/* Line i of a file, which is read from its start each time. */
static void lines(int n)
{
  FILE *file = tmpfile();
  char line[80];
  for (int i = 0; i < n; i++)
    fprintf(file, "line %d\n", i % 10);
  for (int i = 0; i < n; i += 8) {
    rewind(file);
    for (int at = 0; at <= i && fgets(line, sizeof line, file); at++) // lines
      sum += line[0];
  }
  fclose(file);
}
static void lines_twin(int n)
{
  FILE *file = tmpfile();
  char line[80];
  for (int i = 0; i < n; i++)
    fprintf(file, "line %d\n", i % 10);
  rewind(file);
  while (fgets(line, sizeof line, file)) {
    sum += line[0];
    ungetc('x', file);
    sum += fgetc(file);
  }
  fclose(file);
}

int main(int argc, char **argv)
{
  static const struct named_case cases[] = {
      CASE(concatenate), CASE(spaces), CASE(scan),  CASE(serve), CASE(shift),
      CASE(append),      CASE(grow),   CASE(split), CASE(seek),  CASE(lines),
  };
  return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
