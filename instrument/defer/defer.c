/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by scale-run fuzz: a program becomes the server of its inputs where it first looks at the input, instead of
 * before main (struct scale_control). What it does until then, it does for all inputs alike, and so once.
 *
 * All that looks at files is handed on with the six registers that hold arguments, whatever they are; only scanf's
 * family can have more of them. Without threads, and before the program has the input open.
 */
#include "profiles/layout.inc"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REGISTERS long a, long b, long c, long d, long e, long f
enum { TASKS_OF_ONE = 3 }; /* links of /proc/self/task: one of each thread, and two */

extern void __scale_event_input(void) __attribute__((weak)); /* of the program's runtime */

static dev_t input_device;
static ino_t input_number; /* 0: no input, or the program has looked at it */

/* Only for the program itself: what it starts gets its environment as it was. */
static __attribute__((constructor)) void defer_begin(void)
{
  const char *path = getenv(SCALE_DEFER_INPUT), *preloaded = getenv("LD_PRELOAD");
  const char *further = preloaded ? strchr(preloaded, ':') : NULL;
  struct stat status;
  if (path && &__scale_event_input && syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0) {
    input_device = status.st_dev;
    input_number = status.st_ino;
  }
  if (path && further)
    setenv("LD_PRELOAD", further + 1, 1);
  else if (path)
    unsetenv("LD_PRELOAD");
  unsetenv(SCALE_DEFER_INPUT);
}

static void defer_look(int folder, const char *path, int flags)
{
  struct stat status;
  int saved = errno;
  if (syscall(SYS_newfstatat, folder, path, &status, flags) == 0 && status.st_ino == input_number &&
      status.st_dev == input_device && syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &status, 0) == 0 &&
      status.st_nlink == TASKS_OF_ONE) {
    input_number = 0;
    __scale_event_input();
  }
  errno = saved;
}

static void by_path_in(long folder, long path)
{
  if (input_number)
    defer_look((int)folder, (const char *)path, 0);
}
static void by_path(long path) { by_path_in(AT_FDCWD, path); }
static void by_file(long file)
{
  if (input_number)
    defer_look((int)file, "", AT_EMPTY_PATH);
}
static void by_stream(long stream)
{
  if (input_number && stream)
    by_file(fileno((FILE *)stream));
}

typedef long function(REGISTERS);
static void *defer_find(const char *name)
{
  void *found = dlsym(RTLD_NEXT, name);
  if (!found)
    abort(); /* the program cannot have called it */
  return found;
}

/* The function `name` of the C library, before which `looks` is done. */
#define DEFER(name, looks)                     \
  long defer_##name(REGISTERS) __asm__(#name); \
  long defer_##name(REGISTERS)                 \
  {                                            \
    static function *real;                     \
    looks;                                     \
    if (!real)                                 \
      real = (function *)defer_find(#name);    \
    return real(a, b, c, d, e, f);             \
  }

DEFER(open, by_path(a))
DEFER(open64, by_path(a))
DEFER(__open_2, by_path(a))
DEFER(__open64_2, by_path(a))
DEFER(openat, by_path_in(a, b))
DEFER(openat64, by_path_in(a, b))
DEFER(__openat_2, by_path_in(a, b))
DEFER(__openat64_2, by_path_in(a, b))
DEFER(fopen, by_path(a))
DEFER(fopen64, by_path(a))
DEFER(freopen, by_path(a))
DEFER(freopen64, by_path(a))
DEFER(fdopen, by_file(a))
DEFER(stat, by_path(a))
DEFER(stat64, by_path(a))
DEFER(lstat, by_path(a))
DEFER(lstat64, by_path(a))
DEFER(fstatat, by_path_in(a, b))
DEFER(fstatat64, by_path_in(a, b))
DEFER(statx, by_path_in(a, b))
DEFER(__xstat, by_path(b))
DEFER(__xstat64, by_path(b))
DEFER(__lxstat, by_path(b))
DEFER(__lxstat64, by_path(b))
DEFER(__fxstatat, by_path_in(b, c))
DEFER(__fxstatat64, by_path_in(b, c))
DEFER(execve, by_file(0))
DEFER(execv, by_file(0))
DEFER(execvp, by_file(0))
DEFER(execvpe, by_file(0))

DEFER(fstat, by_file(a))
DEFER(fstat64, by_file(a))
DEFER(__fxstat, by_file(b))
DEFER(__fxstat64, by_file(b))
DEFER(lseek, by_file(a))
DEFER(lseek64, by_file(a))
DEFER(dup, by_file(a))
DEFER(dup2, by_file(a))
DEFER(dup3, by_file(a))
DEFER(fcntl, by_file(a))
DEFER(fcntl64, by_file(a))
DEFER(ioctl, by_file(a))
DEFER(read, by_file(a))
DEFER(__read_chk, by_file(a))
DEFER(pread, by_file(a))
DEFER(pread64, by_file(a))
DEFER(__pread_chk, by_file(a))
DEFER(__pread64_chk, by_file(a))
DEFER(readv, by_file(a))
DEFER(preadv, by_file(a))
DEFER(preadv64, by_file(a))
DEFER(mmap, by_file(e))
DEFER(mmap64, by_file(e))
DEFER(sendfile, by_file(b))
DEFER(sendfile64, by_file(b))
DEFER(splice, by_file(a))
DEFER(copy_file_range, by_file(a))
DEFER(poll, by_file(0))
DEFER(ppoll, by_file(0))
DEFER(select, by_file(0))
DEFER(pselect, by_file(0))

DEFER(fread, by_stream(d))
DEFER(fread_unlocked, by_stream(d))
DEFER(__fread_chk, by_stream(e))
DEFER(__fread_unlocked_chk, by_stream(e))
DEFER(fgets, by_stream(c))
DEFER(fgets_unlocked, by_stream(c))
DEFER(__fgets_chk, by_stream(d))
DEFER(__fgets_unlocked_chk, by_stream(d))
DEFER(fgetc, by_stream(a))
DEFER(fgetc_unlocked, by_stream(a))
DEFER(getc, by_stream(a))
DEFER(getc_unlocked, by_stream(a))
DEFER(_IO_getc, by_stream(a))
DEFER(getchar, by_file(0))
DEFER(getchar_unlocked, by_file(0))
DEFER(__uflow, by_stream(a))
DEFER(__underflow, by_stream(a))
DEFER(getline, by_stream(c))
DEFER(getdelim, by_stream(d))
DEFER(__getdelim, by_stream(d))
DEFER(getw, by_stream(a))
DEFER(fgetwc, by_stream(a))
DEFER(getwc, by_stream(a))
DEFER(getwchar, by_file(0))
DEFER(fgetws, by_stream(c))
DEFER(__fgetws_chk, by_stream(d))
DEFER(fseek, by_stream(a))
DEFER(fseeko, by_stream(a))
DEFER(fseeko64, by_stream(a))
DEFER(ftell, by_stream(a))
DEFER(ftello, by_stream(a))
DEFER(ftello64, by_stream(a))
DEFER(fgetpos, by_stream(a))
DEFER(fgetpos64, by_stream(a))

/* Of a function with further arguments: hands them on as a list. */
#define RETURN_LISTED(listed, stream, format) \
  va_list list;                               \
  va_start(list, format);                     \
  int count = listed(stream, format, list);   \
  va_end(list);                               \
  return count

/* scanf and fscanf of one standard, for bytes or wide characters, by the one with a stream and a list of arguments;
 * those with a list take no more than three. */
#define DEFER_SCANF(f, scanf, vf, v)                                                                   \
  DEFER(vf, by_stream(a))                                                                              \
  DEFER(v, by_file(0))                                                                                 \
  static int listed_##vf(FILE *stream, const void *format, va_list list)                               \
  {                                                                                                    \
    static int (*real)(FILE *, const void *, va_list);                                                 \
    by_stream((long)stream);                                                                           \
    if (!real)                                                                                         \
      real = (int (*)(FILE *, const void *, va_list))defer_find(#vf);                                  \
    return real(stream, format, list);                                                                 \
  }                                                                                                    \
  int defer_##f(FILE *stream, const void *format, ...) __asm__(#f);                                    \
  int defer_##f(FILE *stream, const void *format, ...) { RETURN_LISTED(listed_##vf, stream, format); } \
  int defer_##scanf(const void *format, ...) __asm__(#scanf);                                          \
  int defer_##scanf(const void *format, ...) { RETURN_LISTED(listed_##vf, stdin, format); }
DEFER_SCANF(fscanf, scanf, vfscanf, vscanf)
DEFER_SCANF(fwscanf, wscanf, vfwscanf, vwscanf)
DEFER_SCANF(__isoc99_fscanf, __isoc99_scanf, __isoc99_vfscanf, __isoc99_vscanf)
DEFER_SCANF(__isoc99_fwscanf, __isoc99_wscanf, __isoc99_vfwscanf, __isoc99_vwscanf)
DEFER_SCANF(__isoc23_fscanf, __isoc23_scanf, __isoc23_vfscanf, __isoc23_vscanf)
DEFER_SCANF(__isoc23_fwscanf, __isoc23_wscanf, __isoc23_vfwscanf, __isoc23_vwscanf)
