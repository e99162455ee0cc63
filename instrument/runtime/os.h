/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Every call to the operating system that the slow path makes. They are bare
 * system calls: libc's wrappers set errno, are cancellation points, and may be
 * replaced by the program (which may itself be instrumented).
 * All return a negative errno on failure.
 */
#include "valgrind.h"
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#if defined(__x86_64__)
#define SC_ELF_MACHINE 62
static inline long sc_os_call(long number, long a, long b, long c, long d, long e, long f)
{
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define SC_ELF_MACHINE 183
static inline long sc_os_call(long number, long a, long b, long c, long d, long e, long f)
{
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "the runtime knows the system calls of x86-64 and AArch64 only"
#endif

static inline int sc_os_open(const char *path, int flags, int mode)
{
  return (int)sc_os_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}
static inline void sc_os_close(int fd) { sc_os_call(SYS_close, fd, 0, 0, 0, 0, 0); }
static inline long sc_os_read(int fd, void *to, size_t bytes)
{
  return sc_os_call(SYS_read, fd, (long)to, (long)bytes, 0, 0, 0);
}
static inline long sc_os_pwrite(int fd, const void *from, size_t bytes, uint64_t offset)
{
  return sc_os_call(SYS_pwrite64, fd, (long)from, (long)bytes, (long)offset, 0, 0);
}
static inline int sc_os_fallocate(int fd, uint64_t offset, uint64_t bytes)
{
  return (int)sc_os_call(SYS_fallocate, fd, 0, (long)offset, (long)bytes, 0, 0);
}
static inline int sc_os_punch(int fd, uint64_t offset, uint64_t bytes)
{
  return (int)sc_os_call(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (long)offset, (long)bytes, 0,
                         0);
}
static inline int sc_os_fstat(int fd, struct stat *to) { return (int)sc_os_call(SYS_fstat, fd, (long)to, 0, 0, 0, 0); }
static inline int sc_os_stat(const char *path, struct stat *to)
{
  return (int)sc_os_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)to, 0, 0, 0);
}
static inline void sc_os_fchmod(int fd, int mode) { sc_os_call(SYS_fchmod, fd, mode, 0, 0, 0, 0); }
static inline int sc_os_mkdir(const char *path)
{
  return (int)sc_os_call(SYS_mkdirat, AT_FDCWD, (long)path, 0777, 0, 0, 0);
}
static inline void sc_os_unlink(const char *path) { sc_os_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0); }
static inline long sc_os_readlink(const char *path, char *to, size_t bytes)
{
  return sc_os_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)bytes, 0, 0);
}
/* Bytes written with the final NUL. */
static inline long sc_os_getcwd(char *to, size_t bytes)
{
  return sc_os_call(SYS_getcwd, (long)to, (long)bytes, 0, 0, 0, 0);
}

/* Maps `bytes` of the file, shared, or of fresh private memory when fd < 0. NULL on failure. */
static inline void *sc_os_map(void *at, size_t bytes, int fd, uint64_t offset)
{
  int flags = (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | (at ? MAP_FIXED : 0);
  long result = sc_os_call(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE, flags, fd, (long)offset);
  if (result < 0 && result > -4096)
    return NULL;
  sc_valgrind_exempt((void *)result, bytes);
  return (void *)result;
}
/* Fresh private memory that takes nothing until it is touched. NULL on failure. */
static inline void *sc_os_reserve(size_t bytes)
{
  long result =
      sc_os_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (result < 0 && result > -4096)
    return NULL;
  sc_valgrind_exempt((void *)result, bytes);
  return (void *)result;
}
#ifdef __SANITIZE_THREAD__
/* ThreadSanitizer sees libc's call only; without it, memory mapped again by another thread were a race. */
static inline void sc_os_unmap(void *at, size_t bytes) { munmap(at, bytes); }
#else
static inline void sc_os_unmap(void *at, size_t bytes) { sc_os_call(SYS_munmap, (long)at, (long)bytes, 0, 0, 0, 0); }
#endif
/* Moves a mapping to `to`, replacing what is mapped there. */
static inline int sc_os_move(void *from, size_t bytes, void *to)
{
  long result =
      sc_os_call(SYS_mremap, (long)from, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (long)to, 0);
  if (result < 0 && result > -4096)
    return (int)result;
  sc_valgrind_exempt(to, bytes);
  return 0;
}
static inline int sc_os_advise(void *at, size_t bytes, int advice)
{
  return (int)sc_os_call(SYS_madvise, (long)at, (long)bytes, advice, 0, 0, 0);
}

/* Blocks all signals; returns the mask to restore. */
static inline uint64_t sc_os_block_signals(void)
{
  uint64_t all = UINT64_MAX, before = 0;
  sc_os_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, sizeof(all), 0, 0);
  return before;
}
static inline void sc_os_restore_signals(uint64_t mask)
{
  sc_os_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(mask), 0, 0);
}

/* Waits while *at is `value`, and wakes who does; also between processes. */
static inline void sc_os_wait(const uint32_t *at, uint32_t value)
{
  sc_os_call(SYS_futex, (long)at, 0 /* FUTEX_WAIT */, (long)value, 0, 0, 0);
}
static inline void sc_os_wake(const uint32_t *at)
{
  sc_os_call(SYS_futex, (long)at, 1 /* FUTEX_WAKE */, INT32_MAX, 0, 0, 0);
}

static inline void sc_os_yield(void) { sc_os_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0); }
static inline uint32_t sc_os_pid(void) { return (uint32_t)sc_os_call(SYS_getpid, 0, 0, 0, 0, 0, 0); }
static inline uint32_t sc_os_parent_pid(void) { return (uint32_t)sc_os_call(SYS_getppid, 0, 0, 0, 0, 0, 0); }
static inline uint32_t sc_os_tid(void) { return (uint32_t)sc_os_call(SYS_gettid, 0, 0, 0, 0, 0, 0); }
/* 1 when no thread of this process has the number. */
static inline int sc_os_thread_gone(uint32_t pid, uint32_t tid)
{
  return sc_os_call(SYS_tgkill, (long)pid, (long)tid, 0, 0, 0, 0) == -3 /* ESRCH */;
}
static inline uint64_t sc_os_now_ns(void)
{
  struct timespec now = {0, 0};
  sc_os_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0, 0);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
/* The most that the process may have of a resource (RLIMIT_*); UINT64_MAX: no limit. */
static inline uint64_t sc_os_limit(int resource)
{
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  sc_os_call(SYS_prlimit64, 0, resource, 0, (long)&limit, 0, 0);
  return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}
