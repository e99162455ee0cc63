/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that begin with a call that is counted, timed or replaced; as C++, where the calls are invokes too. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#define OUT_OF_LINE __attribute__((noinline))
#ifdef __cplusplus
static long ended;
struct at_end {
  ~at_end() { ended++; }
};
#define AT_END struct at_end end;
#else
#define AT_END
#endif

#define FIRST(type, name, parameters, call)                                                                            \
  OUT_OF_LINE static type name(parameters)                                                                             \
  {                                                                                                                    \
    AT_END return call;                                                                                                \
  }
#define P(...) __VA_ARGS__

FIRST(int, compare, P(const char *a, const char *b), strcmp(a, b))
FIRST(int, is_same, P(const char *a, const char *b), !strcmp(a, b))
FIRST(int, compare_n, P(const char *a, const char *b, size_t n), strncmp(a, b, n))
FIRST(int, compare_case, P(const char *a, const char *b), strcasecmp(a, b) == 0)
FIRST(int, compare_bytes, P(const void *a, const void *b, size_t n), memcmp(a, b, n))
FIRST(char *, copy, P(char *to, const char *from), strcpy(to, from))
FIRST(char *, append, P(char *to, const char *from), strcat(to, from))
FIRST(char *, append_n, P(char *to, const char *from, size_t n), strncat(to, from, n))
FIRST(const char *, find, P(const char *in, int c), strchr(in, c))
FIRST(const char *, find_last, P(const char *in, int c), strrchr(in, c))
FIRST(const char *, find_text, P(const char *in, const char *text), strstr(in, text))
FIRST(const char *, find_any, P(const char *in, const char *any), strpbrk(in, any))
FIRST(char *, duplicate, P(const char *of), strdup(of))
FIRST(char *, token, P(char *of, const char *by), strtok(of, by))
FIRST(size_t, length, P(const char *of), strlen(of))
FIRST(void *, bytes, P(void *to, const void *from, size_t n), memcpy(to, from, n))
FIRST(void *, moved, P(void *to, const void *from, size_t n), memmove(to, from, n))
FIRST(const void *, find_byte, P(const void *in, size_t n), memchr(in, 'x', n))
FIRST(wchar_t *, wide, P(wchar_t *to, const wchar_t *from), wcscpy(to, from))
FIRST(long, number, P(const char *of), strtol(of, NULL, 10))
FIRST(int, small_number, P(const char *of), atoi(of))
FIRST(int, wide_order, P(const wchar_t *a, const wchar_t *b), wcscmp(a, b))
FIRST(const wchar_t *, wide_find, P(const wchar_t *in, int c), wcschr(in, c))
FIRST(int, scanned, P(const char *of, int *to), sscanf(of, "%d", to))
FIRST(int, printed, P(char *to, int value), snprintf(to, 20, "%d", value))
FIRST(void *, block, P(size_t n), malloc(n))
FIRST(void *, grown, P(void *old, size_t n), realloc(old, n))
FIRST(void, unblock, P(void *old), free(old))
FIRST(int, lock, P(pthread_mutex_t *m), pthread_mutex_lock(m))
FIRST(int, try_lock, P(pthread_mutex_t *m), pthread_mutex_trylock(m))
FIRST(int, unlock, P(pthread_mutex_t *m), pthread_mutex_unlock(m))
FIRST(int, take, P(sem_t *s), sem_wait(s))
FIRST(int, give, P(sem_t *s), sem_post(s))
FIRST(int, doze, P(unsigned us), usleep(us))
FIRST(int, opened, P(const char *path), open(path, O_RDONLY))
FIRST(long, taken, P(int fd, void *to, size_t n), read(fd, to, n))
FIRST(int, closed, P(int fd), close(fd))
FIRST(FILE *, stream, P(const char *path), fopen(path, "r"))
FIRST(char *, line, P(char *to, int n, FILE *of), fgets(to, n, of))
FIRST(int, done, P(FILE *of), fclose(of))

static void strings(char *room)
{
  int value = 0;
  copy(room, "one two x");
  append(append_n(room, " three", 3), "!");
  printf("%s %d %d %d %d %d\n", room, compare("a", "a"), is_same("a", "b"), compare_n("abc", "abd", 2),
         compare_case("A", "a"), compare_bytes("abc", "abc", 3));
  printf("%s %s %s %s\n", find(room, 't'), find_last(room, 't'), find_text(room, "two"), find_any(room, "xw"));
  printf("%zu %s %ld %d %d\n", length(room), (const char *)find_byte(room, 20), number("42"), small_number("7"),
         scanned("13", &value) + value);
  char *twice = duplicate(room);
  printf("%s %d %s\n", token(twice, " "), printed(room, 12), (char *)moved(bytes(room, "xyz", 4), "ab", 3));
  unblock(grown(twice, 100));
  unblock(block(10));
}

int main(void)
{
  char room[100];
  wchar_t wides[10];
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  sem_t units;
  sem_init(&units, 0, 1);
  strings(room);
  printf("%d %d %d %d %d %d\n", lock(&mutex), try_lock(&mutex) != 0, unlock(&mutex), take(&units), give(&units), doze(10));
  int fd = opened("/dev/zero");
  printf("%ld %d %ls\n", taken(fd, room, 10), closed(fd), wide(wides, L"wide"));
  FILE *in = stream("/dev/null");
  printf("%d %d\n", line(room, 10, in) == NULL, done(in));
#ifdef __cplusplus
  printf("%d\n", ended > 30);
#endif
  return 0;
}
