/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/catch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "instrument/attach/links.h"

typedef uint64_t u64;
typedef uint32_t u32;
#include "instrument/attach/count.h"

extern const unsigned char sc_catch_code[];
extern const unsigned sc_catch_code_bytes;

/* Of union bpf_attr for BPF_LINK_CREATE, what headers of Linux 6.1 lack: `uprobe_multi` (Linux 6.6). */
typedef struct multi_link {
  u32 program, target, type, flags;
  u64 path, offsets, references, cookies;
  u32 count, link_flags, process, reserved;
} multi_link;

/* Return, of link_flags. */
enum { MULTI_RETURN = 1 };

/* Whoever reads what happened: a thread while a run is under way, so that the ring has room whatever others do. */
typedef struct listener {
  struct ring_buffer *ring; /* NULL: calls are only counted */
  pthread_t thread;
  bool running;
  atomic_bool stop;
  sc_catch_happened_fn happened;
  void *user;
} listener;

struct sc_catch {
  struct bpf_object *object;
  const struct scale_capture *captures; /* while it is opened */
  listener listener;
  int counts, images, ended, members, joining, calls, state, control; /* maps */
  u32 functions;
  unsigned how; /* enum sc_catch_how */
  int processors;
  u64 *values; /* [processors] */
  sc_links links;
  uint64_t joined_processes, joined_threads; /* that were there before the run */
};

/* ---- what can be wrong ---- */

/* Libbpf prints by itself; the last line says most. */
static char complaint[300];

static int keep_complaint(enum libbpf_print_level level, const char *format, va_list arguments)
{
  if (level == LIBBPF_WARN)
    vsnprintf(complaint, sizeof complaint, format, arguments);
  complaint[strcspn(complaint, "\n")] = '\0';
  return 0;
}

static int refuse_rights(void)
{
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  (void)sc_err_set(SC_E_UNSUPPORTED, "the kernel allows no uprobes here: they take the capabilities CAP_BPF and "
                                     "CAP_PERFMON");
  if (geteuid() == 0)
    return sc_err_hint(SC_E_UNSUPPORTED, "this is root without them, in a container: start that with --cap-add BPF "
                                         "--cap-add PERFMON (docker, podman)");
  return sc_err_hint(SC_E_UNSUPPORTED,
                     "run it as root (sudo), or give them to scale-run once: sudo setcap "
                     "cap_bpf,cap_perfmon+ep %s",
                     self);
}

static int refuse_error(int error, const char *what)
{
  if (error == EPERM) /* EACCES is what it says to code that it finds to be wrong */
    return refuse_rights();
  if (error == ENOMEM)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  (void)sc_err_system(SC_E_UNSUPPORTED, error, "%s%s%.250s", what, *complaint ? ": " : "", complaint);
  return sc_err_hint(SC_E_UNSUPPORTED, "it takes Linux 5.15 or newer with CONFIG_BPF_SYSCALL, CONFIG_UPROBE_EVENTS and "
                                       "CONFIG_DEBUG_INFO_BTF (/sys/kernel/btf/vmlinux), as Debian's kernels have");
}

static int refuse_place(int error, const sc_catch_place *place)
{
  if (error == EPERM || error == EACCES)
    return refuse_rights();
  (void)sc_err_system(SC_E_INPUT, error, "calls of %s in %s cannot be counted", place->name, place->file);
  return sc_err_hint(SC_E_INPUT, error == EMFILE ? "raise `ulimit -n`, or choose fewer functions"
                                                 : "the kernel puts no probe on its first instruction; choose another "
                                                   "function, such as its caller");
}

/* ---- attaching ---- */

static struct bpf_program *find_program(const sc_catch *self, const char *name)
{
  return bpf_object__find_program_by_name(self->object, name);
}

/* Sizes of maps, and which programs there are, as far as these follow from what is wanted. */
static int prepare_code(const sc_catch *self)
{
  static const char *const probes[] = {"scale_count", "scale_enter", "scale_leave"};
  bool tells = self->captures != NULL;
  struct bpf_map *counts = bpf_object__find_map_by_name(self->object, "counts");
  struct bpf_map *captures = bpf_object__find_map_by_name(self->object, "captures");
  struct bpf_map *ring = bpf_object__find_map_by_name(self->object, "happenings");
  struct bpf_map *calls = bpf_object__find_map_by_name(self->object, "calls");
  for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
    struct bpf_program *program = find_program(self, probes[i]);
    if (!program || !counts || !captures || !ring || !calls)
      return sc_err_set(SC_E_INTERNAL, "the counting code in this scale-run is of another version");
    (void)bpf_program__set_autoload(program, i == 0 || tells);
    if (!(self->how & SC_CATCH_SINGLE))
      bpf_program__set_expected_attach_type(program, (enum bpf_attach_type)SCALE_UPROBE_MULTI);
  }
  (void)bpf_map__set_max_entries(counts, SCALE_IMAGES * self->functions);
  (void)bpf_map__set_max_entries(captures, tells ? self->functions : 1);
  (void)bpf_map__set_max_entries(calls, tells ? SCALE_CALLS : 1);
  (void)bpf_map__set_max_entries(ring, tells ? 1u << SCALE_HAPPENED_RING : (u32)sysconf(_SC_PAGESIZE));
  return 0;
}

static int put_captures(const sc_catch *self)
{
  int map = bpf_object__find_map_fd_by_name(self->object, "captures");
  for (u32 i = 0; self->captures && i < self->functions; i++)
    if (bpf_map_update_elem(map, &i, &self->captures[i], BPF_ANY) < 0)
      return refuse_error(errno, "the kernel does not take what is to be read of calls");
  return 0;
}

static int hand_on(void *context, void *data, size_t size)
{
  const listener *to = context;
  if (to->happened && size >= sizeof(struct scale_happened))
    to->happened(to->user, data);
  return 0;
}

static int open_ring(sc_catch *self)
{
  if (!self->captures)
    return 0;
  self->listener.ring =
      ring_buffer__new(bpf_object__find_map_fd_by_name(self->object, "happenings"), hand_on, &self->listener, NULL);
  return self->listener.ring ? 0 : refuse_error(errno, "the kernel shows no ring buffer");
}

static int load_code(sc_catch *self)
{
  LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "scale");
  struct stat space;
  size_t size = 0;
  self->object = bpf_object__open_mem(sc_catch_code, sc_catch_code_bytes, &options);
  if (!self->object)
    return refuse_error(errno, "the counting code cannot be read");
  struct bpf_map *rodata = bpf_object__find_map_by_name(self->object, ".rodata");
  struct scale_setup *setup = rodata ? (struct scale_setup *)bpf_map__initial_value(rodata, &size) : NULL;
  if (size != sizeof *setup)
    return sc_err_set(SC_E_INTERNAL, "the counting code in this scale-run is of another version");
  if (stat("/proc/self/ns/pid", &space) < 0)
    return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot read /proc/self/ns/pid");
  *setup = (struct scale_setup){.device = space.st_dev,
                                .inode = space.st_ino,
                                .functions = self->functions,
                                .tells = self->captures != NULL,
                                .joins = (self->how & SC_CATCH_RUNNING) != 0};
  SC_TRY(prepare_code(self));
  int error = bpf_object__load(self->object);
  if (error < 0)
    return refuse_error(-error, "the kernel does not take the counting code");
  self->counts = bpf_object__find_map_fd_by_name(self->object, "counts");
  self->images = bpf_object__find_map_fd_by_name(self->object, "images");
  self->ended = bpf_object__find_map_fd_by_name(self->object, "ended");
  self->members = bpf_object__find_map_fd_by_name(self->object, "members");
  self->joining = bpf_object__find_map_fd_by_name(self->object, "joining");
  self->control = bpf_object__find_map_fd_by_name(self->object, "control");
  self->calls = bpf_object__find_map_fd_by_name(self->object, "calls");
  self->state = bpf_object__find_map_fd_by_name(self->object, ".bss");
  SC_TRY(put_captures(self));
  return open_ring(self);
}

/* Fork, exec and exit, which tell of the run's processes. */
static int attach_tracepoints(sc_catch *self)
{
  struct bpf_program *program;
  bpf_object__for_each_program(program, self->object)
  {
    if (bpf_program__type(program) != BPF_PROG_TYPE_RAW_TRACEPOINT)
      continue;
    struct bpf_link *link = bpf_program__attach(program);
    if (!link)
      return refuse_error(errno, "the kernel does not tell of new processes");
    SC_TRY(sc_links_keep(&self->links, (sc_link){.link = link, .function = SC_LINK_NO_FUNCTION}));
  }
  return 0;
}

/* A program for each of these places. */
typedef struct attaching {
  const struct bpf_program *program;
  bool leaving; /* where functions return */
} attaching;

static int attach_single(sc_catch *self, const attaching *with, const sc_catch_place *place)
{
  LIBBPF_OPTS(bpf_uprobe_opts, options, .bpf_cookie = place->function, .retprobe = with->leaving);
  struct bpf_link *link = bpf_program__attach_uprobe_opts(with->program, -1, place->file, place->offset, &options);
  return link ? sc_links_keep(&self->links, (sc_link){.link = link, .function = place->function})
              : refuse_place(errno, place);
}

/* All places of one file. Which of them is refused is not told: that is found out one by one. */
static int attach_many(sc_catch *self, const attaching *with, const sc_catch_place *places, size_t count)
{
  u64 *numbers = sc_mem_new(2 * count, sizeof *numbers);
  if (!numbers)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = places[i].offset;
    numbers[count + i] = places[i].function;
  }
  const multi_link link = {.program = (u32)bpf_program__fd(with->program),
                           .type = SCALE_UPROBE_MULTI,
                           .path = (u64)(uintptr_t)places->file,
                           .offsets = (u64)(uintptr_t)numbers,
                           .cookies = (u64)(uintptr_t)(numbers + count),
                           .count = (u32)count,
                           .link_flags = with->leaving ? MULTI_RETURN : 0};
  bool alone = (self->how & SC_CATCH_APART) != 0;
  int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link);
  int err = fd < 0 ? refuse_place(errno, places)
                   : sc_links_keep(&self->links,
                                   (sc_link){.fd = fd, .function = alone ? places->function : SC_LINK_NO_FUNCTION});
  free(numbers);
  return err;
}

/* Whether one link has both places. */
static bool goes_with(const sc_catch *self, const sc_catch_place *place, const sc_catch_place *other)
{
  if (self->how & SC_CATCH_SINGLE || strcmp(place->file, other->file) != 0)
    return false;
  return !(self->how & SC_CATCH_APART) || place->function == other->function;
}

static int attach_to(sc_catch *self, const attaching *with, const sc_catch_place *places, size_t count)
{
  bool single = (self->how & SC_CATCH_SINGLE) != 0;
  for (size_t i = 0, end; i < count; i = end) {
    end = i + 1;
    while (end < count && goes_with(self, &places[i], &places[end]))
      end++;
    SC_TRY(single ? attach_single(self, with, &places[i]) : attach_many(self, with, &places[i], end - i));
  }
  return 0;
}

/* What the calls at a place report: enum scale_tells. */
static unsigned told_of(const sc_catch *self, const sc_catch_place *place)
{
  return self->captures ? self->captures[place->function].tells : 0;
}

/* Returns first: who is seen to enter is then seen to leave. */
static int attach_places(sc_catch *self, const sc_catch_place *places, size_t count)
{
  enum { LEAVE, ENTER, COUNT, KINDS };
  static const char *const names[KINDS] = {"scale_leave", "scale_enter", "scale_count"};
  sc_catch_place *some = sc_mem_new(count, sizeof *some);
  int err = some ? attach_tracepoints(self) : SC_E_NOMEM;
  for (int kind = 0; err == 0 && kind < KINDS; kind++) {
    const attaching with = {find_program(self, names[kind]), kind == LEAVE};
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
      unsigned tells = told_of(self, &places[i]);
      if (kind == LEAVE ? tells & SCALE_TELLS_RETURN : kind == ENTER ? tells != 0 : tells == 0)
        some[number++] = places[i];
    }
    err = attach_to(self, &with, some, number);
  }
  free(some);
  return err;
}

static int open_catch(const sc_catch_place *places, size_t count, size_t functions,
                      const struct scale_capture *captures, unsigned how, sc_catch **out)
{
  sc_catch *self;
  int err;
  SC_TRY(SC_NEW(self, 1));
  self->how = how;
  self->functions = (u32)functions;
  self->captures = captures;
  self->processors = libbpf_num_possible_cpus();
  if (self->processors < 1) {
    err = sc_err_set(SC_E_UNSUPPORTED, "the number of processors cannot be read: /sys is missing");
    goto out;
  }
  SC_GOTO(SC_NEW(self->values, (size_t)self->processors));
  SC_GOTO(load_code(self));
  SC_GOTO(attach_places(self, places, count));
  self->captures = NULL;
  *out = self;
  return 0;
out:
  sc_catch_close(self);
  return err;
}

int sc_catch_open(const sc_catch_place *places, size_t count, size_t functions, const struct scale_capture *captures,
                  unsigned how, sc_catch **out)
{
  *out = NULL;
  complaint[0] = '\0';
  libbpf_set_print(keep_complaint);
  if (!(how & SC_CATCH_SINGLE) && open_catch(places, count, functions, captures, how, out) == 0)
    return 0;
  complaint[0] = '\0';
  return open_catch(places, count, functions, captures, how | SC_CATCH_SINGLE, out);
}

/* ---- listening ---- */

/* Often enough that a ring that fills in 200 ms has room, and seldom enough to take no processor from the program. */
enum { LISTEN_NS = 5000000 };

static void *listen_to(void *user)
{
  listener *self = user;
  const struct timespec pause = {0, LISTEN_NS};
  while (!atomic_load(&self->stop))
    if (ring_buffer__consume(self->ring) <= 0)
      nanosleep(&pause, NULL);
  return NULL;
}

static int begin_listening(listener *self)
{
  sigset_t all, before;
  if (!self->ring)
    return 0;
  atomic_store(&self->stop, false);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the main thread's */
  int error = pthread_create(&self->thread, NULL, listen_to, self);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  self->running = error == 0;
  return error ? sc_err_system(SC_E_NOMEM, error, "cannot start a thread") : 0;
}

/* Passes on the rest of the ring, which is finite because the kernel's side has stopped. */
static void end_listening(listener *self)
{
  if (self->running) {
    atomic_store(&self->stop, true);
    pthread_join(self->thread, NULL);
  }
  self->running = false;
  if (self->ring)
    (void)ring_buffer__consume(self->ring);
}

static int fail_map(const char *what)
{
  return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot %s the kernel's counts", what);
}

static int set_over(const sc_catch *self, bool over)
{
  struct scale_control control = {over};
  u32 key = 0;
  return bpf_map_update_elem(self->control, &key, &control, BPF_ANY) == 0 ? 0 : fail_map(over ? "read" : "reset");
}

static int end_run(sc_catch *self)
{
  int err = set_over(self, true);
  end_listening(&self->listener);
  return err;
}

void sc_catch_end(sc_catch *self) { (void)end_run(self); }

void sc_catch_drop(sc_catch *self, const bool *functions) { sc_links_drop(&self->links, functions); }

void sc_catch_close(sc_catch *self)
{
  if (!self)
    return;
  if (self->listener.ring)
    sc_catch_end(self);
  ring_buffer__free(self->listener.ring);
  sc_links_close(&self->links);
  bpf_object__close(self->object);
  free(self->values);
  free(self);
}

/* ---- runs ---- */

static int read_state(const sc_catch *self, struct scale_state *state)
{
  u32 key = 0;
  return bpf_map_lookup_elem(self->state, &key, state) == 0 ? 0 : fail_map("read");
}

/* What an earlier run may have left: processes, or calls that did not return. Some may end meanwhile. */
static int forget_all(int map, void *key)
{
  while (bpf_map_get_next_key(map, NULL, key) == 0)
    if (bpf_map_delete_elem(map, key) < 0 && errno != ENOENT)
      return fail_map("reset");
  return errno == ENOENT ? 0 : fail_map("reset");
}

static int forget_members(const sc_catch *self)
{
  struct scale_call call;
  u32 process;
  SC_TRY(forget_all(self->members, &process));
  SC_TRY(forget_all(self->joining, &process));
  return forget_all(self->calls, &call);
}

int sc_catch_begin(sc_catch *self, pid_t process, sc_catch_happened_fn happened, void *user)
{
  struct scale_state state;
  u32 key = 0;
  SC_TRY(end_run(self));
  SC_TRY(forget_members(self));
  self->listener.happened = NULL; /* what strays of the run before did since */
  end_listening(&self->listener);
  self->listener.happened = happened;
  self->listener.user = user;
  SC_TRY(read_state(self, &state));
  memset(self->values, 0, (size_t)self->processors * sizeof *self->values);
  u32 images = state.images < SCALE_IMAGES ? state.images : SCALE_IMAGES;
  for (u32 i = 0; i < images * self->functions; i++)
    if (bpf_map_update_elem(self->counts, &i, self->values, BPF_ANY) < 0)
      return fail_map("reset");
  for (u32 i = 0; i < images; i++)
    if (bpf_map_update_elem(self->ended, &i, &(struct scale_consumed){0}, BPF_ANY) < 0)
      return fail_map("reset");
  state = (struct scale_state){.seed = (u32)process, .images = state.images};
  self->joined_processes = self->joined_threads = 0;
  SC_TRY(begin_listening(&self->listener));
  if (bpf_map_update_elem(self->state, &key, &state, BPF_ANY) < 0)
    return fail_map("reset");
  return set_over(self, false);
}

/* The number of an executable that nobody numbers at the same time: no process is of the run yet, or it has the name of
 * one that is. */
static int number_image(const sc_catch *self, const char *name, u32 *number)
{
  struct scale_image image = {{0}};
  struct scale_state state;
  u32 key = 0;
  snprintf(image.name, sizeof image.name, "%s", name);
  if (bpf_map_lookup_elem(self->images, &image, number) == 0)
    return 0;
  SC_TRY(read_state(self, &state));
  *number = state.images++;
  if (*number >= SCALE_IMAGES)
    return sc_err_set(SC_E_UNSUPPORTED, "more than %d different executables are to be followed", SCALE_IMAGES);
  if (bpf_map_update_elem(self->images, &image, number, BPF_NOEXIST) < 0 ||
      bpf_map_update_elem(self->state, &key, &state, BPF_ANY) < 0)
    return fail_map("extend");
  return 0;
}

int sc_catch_join(sc_catch *self, const sc_catch_running *processes, size_t count)
{
  u32 *images = sc_mem_new(count, sizeof *images);
  int err = images ? 0 : SC_E_NOMEM;
  for (size_t i = 0; err == 0 && i < count; i++)
    err = number_image(self, processes[i].image, &images[i]);
  for (size_t i = 0; err == 0 && i < count; i++) {
    u32 process = (u32)processes[i].process;
    if (bpf_map_update_elem(self->joining, &process, &images[i], BPF_ANY) < 0)
      err = fail_map("extend");
    self->joined_processes++;
    self->joined_threads += processes[i].threads;
  }
  free(images);
  return err;
}

/* Adds up a place's calls on all processors. */
static int read_count(const sc_catch *self, u32 place, u64 *calls)
{
  *calls = 0;
  if (bpf_map_lookup_elem(self->counts, &place, self->values) < 0)
    return fail_map("read");
  for (int i = 0; i < self->processors; i++)
    *calls += self->values[i];
  return 0;
}

int sc_catch_calls(const sc_catch *self, uint64_t *calls)
{
  struct scale_state state;
  SC_TRY(read_state(self, &state));
  memset(calls, 0, self->functions * sizeof *calls);
  u32 images = state.images < SCALE_IMAGES ? state.images : SCALE_IMAGES;
  for (u32 place = 0; place < images * self->functions; place++) {
    u64 here;
    SC_TRY(read_count(self, place, &here));
    calls[place % self->functions] += here;
  }
  return 0;
}

static int take_image(sc_catch *self, const struct scale_image *image, u32 number, sc_catch_fn visit, void *user)
{
  for (u32 f = 0; f < self->functions; f++) {
    u64 calls;
    SC_TRY(read_count(self, number * self->functions + f, &calls));
    if (calls)
      SC_TRY(visit(user, image->name, f, calls));
  }
  return 0;
}

int sc_catch_take(sc_catch *self, sc_catch_totals *totals, sc_catch_fn visit, void *user)
{
  struct scale_state state;
  struct scale_image image;
  u32 number;
  SC_TRY(end_run(self));
  SC_TRY(read_state(self, &state));
  *totals = (sc_catch_totals){state.processes + self->joined_processes, state.threads + self->joined_threads,
                              state.lost, state.untold};
  for (const void *before = NULL; bpf_map_get_next_key(self->images, before, &image) == 0; before = &image) {
    if (bpf_map_lookup_elem(self->images, &image, &number) < 0)
      return fail_map("read");
    SC_TRY(take_image(self, &image, number, visit, user));
  }
  return errno == ENOENT ? 0 : fail_map("read"); /* that there is no further one, and nothing else, is their end */
}

int sc_catch_images(sc_catch *self, sc_catch_image_fn visit, void *user)
{
  struct scale_image image;
  u32 number;
  for (const void *before = NULL; bpf_map_get_next_key(self->images, before, &image) == 0; before = &image) {
    if (bpf_map_lookup_elem(self->images, &image, &number) < 0)
      return fail_map("read");
    SC_TRY(visit(user, number, image.name));
  }
  return errno == ENOENT ? 0 : fail_map("read");
}

typedef struct visiting_ended {
  const sc_catch *caught;
  sc_catch_ended_fn visit;
  void *user;
} visiting_ended;

static int visit_ended(void *user, u32 number, const char *name)
{
  const visiting_ended *v = user;
  struct scale_consumed spent;
  if (number >= SCALE_IMAGES)
    return 0;
  return bpf_map_lookup_elem(v->caught->ended, &number, &spent) == 0 ? v->visit(v->user, name, &spent)
                                                                     : fail_map("read");
}

int sc_catch_ended(sc_catch *self, sc_catch_ended_fn visit, void *user)
{
  visiting_ended v = {self, visit, user};
  return sc_catch_images(self, visit_ended, &v);
}
