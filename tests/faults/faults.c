/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into a program with one thread whose failures are tested. Wherever the program is about to allocate memory,
 * or to make one of the system calls below, it forks: the child gets that failure and runs to its end, while the
 * program itself waits and then proceeds undisturbed. So each failure costs only what the program does after it.
 * faults.py starts the program and judges every child.
 *
 * What starts programs of its own cannot be forked while they run. It is started once for each failure instead: first
 * with FAULTS_LIST, to learn the ways to one, then with FAULTS_WAY.
 *
 *   FAULTS_KIND  memory: one allocation fails; memory-on: that one and all later ones; ENOSPC, EIO, EINTR, ENOMEM: one
 *                call fails with it; short: one write takes only half
 *   FAULTS_EACH  at most COUNT failures for each way (the calls on the stack) to it; 0: all
 *   FAULTS_PIPE  "READ,WRITE": descriptors; before and after every child a `struct faults_child` is
 *                written, and a byte read
 *   FAULTS_OWN   COUNT: only the innermost COUNT calls within the program itself, not its libraries, tell ways apart
 *   FAULTS_LIST  nothing fails; each failure is written as a `struct faults_child` of the way and its count
 *   FAULTS_WAY   "WAY,COUNT": only the COUNTth failure on that way happens, in the program itself
 *   FAULTS_OUT, FAULTS_ERR  the files that are standard output and error; those of a child end in ".child" */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum {
  FRAMES = 12,       /* return addresses that distinguish one way to a failure from another */
  WAYS = 1 << 16,    /* ways that are distinguished */
  DESCRIPTORS = 64,  /* whose offsets are restored after a child; a small program opens fewer */
  CHILD_SECONDS = 20 /* of processor time, or ten times that elapsed: the child hangs */
};

struct faults_child {
  uint64_t number;
  uint64_t status;         /* as of waitpid; UINT64_MAX: not started yet */
  uint64_t frames[FRAMES]; /* return addresses, innermost first */
};

enum kind { OFF, MEMORY, MEMORY_ON, ENOSPC_CALLS, EIO_CALLS, EINTR_CALLS, ENOMEM_CALLS, SHORT_CALLS, KINDS };
static const char *const kind_names[KINDS] = {"off", "memory", "memory-on", "ENOSPC",
                                              "EIO", "EINTR",  "ENOMEM",    "short"};
static const int kind_errno[KINDS] = {0, ENOMEM, ENOMEM, ENOSPC, EIO, EINTR, ENOMEM, 0};

/* Which calls fail, and with what. */
#define ON(kind) (1u << kind##_CALLS)
static const struct {
  int number;
  unsigned kinds;
} calls[] = {
    {SYS_write, ON(ENOSPC) | ON(EIO) | ON(EINTR) | ON(SHORT)},
    {SYS_writev, ON(ENOSPC) | ON(EIO) | ON(EINTR) | ON(SHORT)},
    {SYS_pwrite64, ON(ENOSPC) | ON(EIO) | ON(EINTR) | ON(SHORT)},
    {SYS_read, ON(EIO) | ON(EINTR)},
    {SYS_pread64, ON(EIO) | ON(EINTR)},
    {SYS_fsync, ON(ENOSPC) | ON(EIO)},
    {SYS_fdatasync, ON(ENOSPC) | ON(EIO)},
    {SYS_ftruncate, ON(ENOSPC) | ON(EIO) | ON(EINTR)},
    {SYS_close, ON(EIO)},
#ifdef SYS_rename
    {SYS_rename, ON(ENOSPC) | ON(EIO)},
#endif
    {SYS_renameat, ON(ENOSPC) | ON(EIO)},
    {SYS_linkat, ON(ENOSPC) | ON(EIO)},
    {SYS_openat, ON(ENOSPC) | ON(EIO) | ON(ENOMEM)},
    {SYS_mmap, ON(ENOMEM)},
    {SYS_mremap, ON(ENOMEM)},
};

static enum kind kind;
static bool all_fail; /* in a child of MEMORY_ON */
static int pipe_in, pipe_out;
static unsigned long each;
static char out_path[4096], err_path[4096];
static struct {
  uint64_t hash;
  unsigned count;
} ways[WAYS];
static uint64_t failures;
static bool listing;
static int own_frames = FRAMES + 1; /* of FAULTS_OWN; more than FRAMES: all frames, libraries' included */
static uint64_t chosen_way;         /* of FAULTS_WAY; 0: none */
static unsigned chosen_count;

/* A system call at an address of its own, which the filter lets pass. */
long faults_raw(long number, ...);
extern const char faults_raw_end[];
#if defined __x86_64__
__asm__(".text\n.globl faults_raw, faults_raw_end\n.type faults_raw, @function\nfaults_raw:\n"
        " movq %rdi, %rax\n movq %rsi, %rdi\n movq %rdx, %rsi\n movq %rcx, %rdx\n movq %r8, %r10\n movq %r9, %r8\n"
        " movq 8(%rsp), %r9\n syscall\nfaults_raw_end:\n ret\n");
#define REGISTER(context, i) \
  ((context)->uc_mcontext.gregs[((const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9})[i]])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined __aarch64__
__asm__(".text\n.globl faults_raw, faults_raw_end\n.type faults_raw, @function\nfaults_raw:\n"
        " mov x8, x0\n mov x0, x1\n mov x1, x2\n mov x2, x3\n mov x3, x4\n mov x4, x5\n mov x5, x6\n"
        " svc #0\nfaults_raw_end:\n ret\n");
#define REGISTER(context, i) ((context)->uc_mcontext.regs[i])
#define RESULT(context)      ((context)->uc_mcontext.regs[0])
#endif

/* Wherever descriptors write to the file `from`, the child continues with a copy of it. */
static void redirect(const char *from)
{
  struct stat wanted, found;
  char to[sizeof out_path + 16], bytes[4096];
  snprintf(to, sizeof to, "%s.child", from);
  int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (in < 0 || out < 0 || fstat(in, &wanted) != 0)
    abort();
  for (ssize_t got; (got = read(in, bytes, sizeof bytes)) > 0;)
    if (write(out, bytes, (size_t)got) != got)
      abort();
  close(in);
  for (int fd = 0; fd < DESCRIPTORS; fd++)
    if (fd != out && fstat(fd, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino)
      dup2(out, fd);
  close(out);
}

/* A file that has no name yet is given one at its end. The child gets a copy of its own: the program must still find
 * its file without a name. */
static void copy_nameless(int fd)
{
  struct stat status;
  char self[64], folder[4096], bytes[4096];
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_nlink)
    return;
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(self, folder, sizeof folder - 1);
  folder[length < 0 ? 0 : length] = '\0';
  char *slash = strrchr(folder, '/');
  if (!slash)
    abort();
  *slash = '\0';
  int in = open(self, O_RDONLY | O_CLOEXEC), out = open(folder, O_TMPFILE | (flags & O_ACCMODE), 0666);
  for (ssize_t got; in >= 0 && (got = read(in, bytes, sizeof bytes)) > 0;)
    if (write(out, bytes, (size_t)got) != got)
      abort();
  if (out < 0 || dup2(out, fd) < 0)
    abort();
  close(out);
  close(in);
}

static void become_child(void)
{
  all_fail = kind == MEMORY_ON;
  kind = OFF;
  struct rlimit seconds = {CHILD_SECONDS, CHILD_SECONDS}, none = {0, 0};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &none);
  alarm(10 * CHILD_SECONDS);
  redirect(out_path);
  redirect(err_path);
  for (int fd = 3; fd < DESCRIPTORS; fd++)
    copy_nameless(fd);
}

static uint64_t program_start; /* where the program is mapped */

/* Of the calls on the stack; the same in every execution, wherever the objects are mapped. */
static uint64_t hash_way(void *const *frames, int depth)
{
  uint64_t hash = 14695981039346656037u;
  for (int i = 0, own = 0; i < depth && own < own_frames; i++) {
    struct dl_find_object object;
    uint64_t start = _dl_find_object(frames[i], &object) == 0 ? (uint64_t)(uintptr_t)object.dlfo_map_start : 0;
    if (own_frames <= FRAMES && start != program_start)
      continue;
    own++;
    hash = (hash ^ ((uint64_t)(uintptr_t)frames[i] - start)) * 1099511628211u;
  }
  return hash;
}

/* How often this way was taken by now. */
static unsigned count_way(uint64_t hash)
{
  for (unsigned i = (unsigned)(hash >> 40);; i++) {
    if (ways[i % WAYS].count && ways[i % WAYS].hash != hash)
      continue;
    ways[i % WAYS].hash = hash;
    return ++ways[i % WAYS].count;
  }
}

/* To faults.py, which answers when it is ready. */
static void tell(const struct faults_child *child)
{
  char ack;
  faults_raw(SYS_write, (long)pipe_out, child, sizeof *child, 0L, 0L, 0L);
  faults_raw(SYS_read, (long)pipe_in, &ack, 1L, 0L, 0L, 0L);
}

/* Forks. True in the child; in the program, after the child has ended and was judged, false. */
static bool fails_in_child(void *const *stack, int depth)
{
  long offsets[DESCRIPTORS];
  for (int fd = 0; fd < DESCRIPTORS; fd++)
    offsets[fd] = faults_raw(SYS_lseek, fd, 0L, SEEK_CUR, 0L, 0L, 0L);
  struct faults_child child = {.number = ++failures, .status = UINT64_MAX};
  tell(&child);
  pid_t pid = _Fork();
  if (pid == 0) {
    become_child();
    return true;
  }
  int status = 0;
  while (pid > 0 && faults_raw(SYS_wait4, (long)pid, &status, 0L, NULL, 0L, 0L) == -EINTR)
    ;
  for (int fd = 0; fd < DESCRIPTORS; fd++)
    if (offsets[fd] >= 0)
      faults_raw(SYS_lseek, (long)fd, offsets[fd], (long)SEEK_SET, 0L, 0L, 0L);
  child.status = pid > 0 ? (uint64_t)status : SIGKILL;
  for (int i = 0; i < depth; i++)
    child.frames[i] = (uint64_t)(uintptr_t)stack[i];
  tell(&child);
  return false;
}

/* Whether the failure happens that could happen now. */
static bool fails(void)
{
  void *stack[FRAMES + 2];
  enum kind now = kind;
  int saved = errno;
  kind = OFF;
  int depth = backtrace(stack, FRAMES + 2) - 2;
  uint64_t way = hash_way(stack + 2, depth);
  unsigned count = count_way(way);
  bool failed = chosen_way && chosen_way == way && chosen_count == count;
  kind = failed ? OFF : now;
  all_fail = failed && now == MEMORY_ON;
  if (listing && (count <= each || !each)) {
    struct faults_child listed = {.number = way, .status = count};
    for (int i = 0; i < depth; i++)
      listed.frames[i] = (uint64_t)(uintptr_t)stack[i + 2];
    tell(&listed);
  } else if (!listing && !chosen_way && (count <= each || !each)) {
    failed = fails_in_child(stack + 2, depth);
  }
  errno = saved;
  return failed;
}

static bool memory_fails(void)
{
  bool memory = kind == MEMORY || kind == MEMORY_ON;
  if (!all_fail && !(memory && fails()))
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return memory_fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return memory_fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return memory_fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return memory_fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size)
{
  void *got = memalign(alignment, size);
  if (got)
    *memory = got;
  return got ? 0 : ENOMEM;
}

static bool call_fails(long number, const long *arguments)
{
  if (kind == ENOSPC_CALLS && number == SYS_openat && !(arguments[2] & (O_CREAT | __O_TMPFILE)))
    return false; /* what is only read needs no space */
  return fails();
}

static void on_call(int signal, siginfo_t *info, void *context_)
{
  ucontext_t *context = context_;
  long number = info->si_syscall, arguments[6];
  enum kind now = kind;
  (void)signal;
  for (int i = 0; i < 6; i++)
    arguments[i] = (long)REGISTER(context, i);
  if (now >= ENOSPC_CALLS && call_fails(number, arguments)) {
    if (now != SHORT_CALLS) {
      RESULT(context) = -kind_errno[now];
      return;
    }
    arguments[2] = (arguments[2] + 1) / 2; /* of writev: half of the pieces */
  }
  RESULT(context) =
      faults_raw(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

/* The calls of this kind that aren't made by faults_raw become SIGSYS. */
static void trap_calls(void)
{
  struct sock_filter filter[8 + 2 * sizeof calls / sizeof *calls];
  unsigned short count = 0;
  uint64_t pass = (uint64_t)(uintptr_t)faults_raw_end;
#define LOAD(field) \
  filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what)
#define UNLESS(value, skip) \
  filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, skip)
  LOAD(instruction_pointer);
  UNLESS(pass, 3);
  filter[count++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
  UNLESS(pass >> 32, 1);
  ANSWER(SECCOMP_RET_ALLOW);
  LOAD(nr);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].kinds & 1u << kind) {
      UNLESS(calls[i].number, 1);
      ANSWER(SECCOMP_RET_TRAP);
    }
  ANSWER(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {count, filter};
  struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(77);
}

static int (*program_main)(int, char **, char **);

static int start(int argc, char **argv, char **environment)
{
  void *stack[2];
  const char *name = getenv("FAULTS_KIND");
  enum kind chosen = OFF;
  for (int i = 0; name && i < KINDS; i++)
    if (strcmp(name, kind_names[i]) == 0)
      chosen = (enum kind)i;
  const char *way = getenv("FAULTS_WAY"), *own = getenv("FAULTS_OWN");
  struct dl_find_object program;
  void *entry;
  memcpy(&entry, &program_main, sizeof entry);
  if (_dl_find_object(entry, &program) == 0)
    program_start = (uint64_t)(uintptr_t)program.dlfo_map_start;
  if (own)
    own_frames = atoi(own);
  listing = getenv("FAULTS_LIST");
  if (way && sscanf(way, "%" SCNu64 ",%u", &chosen_way, &chosen_count) != 2)
    _exit(77);
  if (name && !way && sscanf(getenv("FAULTS_PIPE"), "%d,%d", &pipe_in, &pipe_out) == 2) {
    fcntl(pipe_in, F_SETFD, FD_CLOEXEC);
    fcntl(pipe_out, F_SETFD, FD_CLOEXEC);
    each = strtoul(getenv("FAULTS_EACH"), NULL, 10);
    snprintf(out_path, sizeof out_path, "%s", getenv("FAULTS_OUT"));
    snprintf(err_path, sizeof err_path, "%s", getenv("FAULTS_ERR"));
  }
  backtrace(stack, 2);    /* loads what it needs now */
  unsetenv("LD_PRELOAD"); /* programs that it starts run undisturbed */
  kind = chosen;
  if (kind >= ENOSPC_CALLS)
    trap_calls();
  return program_main(argc, argv, environment);
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                       void *);
start_main __libc_start_main;
int __libc_start_main(int (*main_)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
  void *found = dlsym(RTLD_NEXT, "__libc_start_main");
  start_main *real;
  memcpy(&real, &found, sizeof real);
  program_main = main_;
  return real(start, argc, argv, init, fini, loader_fini, stack_end);
}
