/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/catch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"

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

struct sc_catch {
  struct bpf_object *object;
  int counts, images, members, state; /* maps */
  u32 functions;
  int processors;
  u64 *values;             /* [processors] */
  struct bpf_link **links; /* of single places, and of tracepoints */
  size_t link_count, link_room;
  int *multi; /* descriptors of links of many places */
  size_t multi_count, multi_room;
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

static int refuse(int error, const char *what)
{
  if (error == EPERM || error == EACCES)
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

static int load_code(sc_catch *self, bool single)
{
  LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "scale");
  struct stat space;
  size_t size = 0;
  self->object = bpf_object__open_mem(sc_catch_code, sc_catch_code_bytes, &options);
  if (!self->object)
    return refuse(errno, "the counting code cannot be read");
  struct bpf_map *rodata = bpf_object__find_map_by_name(self->object, ".rodata");
  struct bpf_map *counts = bpf_object__find_map_by_name(self->object, "counts");
  struct scale_setup *setup = rodata ? (struct scale_setup *)bpf_map__initial_value(rodata, &size) : NULL;
  if (!counts || size != sizeof *setup)
    return sc_err_set(SC_E_INTERNAL, "the counting code in this scale-run is of another version");
  if (stat("/proc/self/ns/pid", &space) < 0)
    return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot read /proc/self/ns/pid");
  *setup = (struct scale_setup){space.st_dev, space.st_ino, self->functions, 0};
  (void)bpf_map__set_max_entries(counts, SCALE_IMAGES * self->functions);
  struct bpf_program *count = bpf_object__find_program_by_name(self->object, "scale_count");
  if (!single)
    bpf_program__set_expected_attach_type(count, (enum bpf_attach_type)SCALE_UPROBE_MULTI);
  int error = bpf_object__load(self->object);
  if (error < 0)
    return refuse(-error, "the kernel does not take the counting code");
  self->counts = bpf_map__fd(counts);
  self->images = bpf_object__find_map_fd_by_name(self->object, "images");
  self->members = bpf_object__find_map_fd_by_name(self->object, "members");
  self->state = bpf_object__find_map_fd_by_name(self->object, ".bss");
  return 0;
}

static int keep_link(sc_catch *self, struct bpf_link *link)
{
  int err = sc_mem_grow(&self->links, &self->link_room, self->link_count + 1, sizeof *self->links);
  if (err < 0)
    bpf_link__destroy(link);
  else
    self->links[self->link_count++] = link;
  return err;
}

/* Fork, exec and exit, which tell of the run's processes. */
static int attach_tracepoints(sc_catch *self, const struct bpf_program *count)
{
  struct bpf_program *program;
  bpf_object__for_each_program(program, self->object)
  {
    if (program == count)
      continue;
    struct bpf_link *link = bpf_program__attach(program);
    if (!link)
      return refuse(errno, "the kernel does not tell of new processes");
    SC_TRY(keep_link(self, link));
  }
  return 0;
}

static int attach_single(sc_catch *self, const struct bpf_program *program, const sc_catch_place *place)
{
  LIBBPF_OPTS(bpf_uprobe_opts, options, .bpf_cookie = place->function);
  struct bpf_link *link = bpf_program__attach_uprobe_opts(program, -1, place->file, place->offset, &options);
  return link ? keep_link(self, link) : refuse_place(errno, place);
}

/* All places of one file. Which of them is refused is not told: that is found out one by one. */
static int attach_many(sc_catch *self, const struct bpf_program *program, const sc_catch_place *places, size_t count)
{
  u64 *numbers = sc_mem_new(2 * count, sizeof *numbers);
  if (!numbers)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = places[i].offset;
    numbers[count + i] = places[i].function;
  }
  const multi_link link = {.program = (u32)bpf_program__fd(program),
                           .type = SCALE_UPROBE_MULTI,
                           .path = (u64)(uintptr_t)places->file,
                           .offsets = (u64)(uintptr_t)numbers,
                           .cookies = (u64)(uintptr_t)(numbers + count),
                           .count = (u32)count};
  int err = sc_mem_grow(&self->multi, &self->multi_room, self->multi_count + 1, sizeof *self->multi);
  int fd = err < 0 ? -1 : (int)syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link);
  if (fd >= 0)
    self->multi[self->multi_count++] = fd;
  else if (err == 0)
    err = refuse_place(errno, places);
  free(numbers);
  return err;
}

static int attach_places(sc_catch *self, const sc_catch_place *places, size_t count, bool single)
{
  const struct bpf_program *program = bpf_object__find_program_by_name(self->object, "scale_count");
  SC_TRY(attach_tracepoints(self, program));
  for (size_t i = 0, end; i < count; i = end) {
    end = i + 1;
    while (!single && end < count && strcmp(places[end].file, places[i].file) == 0)
      end++;
    SC_TRY(single ? attach_single(self, program, &places[i]) : attach_many(self, program, &places[i], end - i));
  }
  return 0;
}

static int open_catch(const sc_catch_place *places, size_t count, size_t functions, bool single, sc_catch **out)
{
  sc_catch *self;
  int err;
  SC_TRY(SC_NEW(self, 1));
  self->functions = (u32)functions;
  self->processors = libbpf_num_possible_cpus();
  if (self->processors < 1) {
    err = sc_err_set(SC_E_UNSUPPORTED, "the number of processors cannot be read: /sys is missing");
    goto out;
  }
  SC_GOTO(SC_NEW(self->values, (size_t)self->processors));
  SC_GOTO(load_code(self, single));
  SC_GOTO(attach_places(self, places, count, single));
  *out = self;
  return 0;
out:
  sc_catch_close(self);
  return err;
}

int sc_catch_open(const sc_catch_place *places, size_t count, size_t functions, bool single, sc_catch **out)
{
  *out = NULL;
  complaint[0] = '\0';
  libbpf_set_print(keep_complaint);
  if (!single && open_catch(places, count, functions, false, out) == 0)
    return 0;
  complaint[0] = '\0';
  return open_catch(places, count, functions, true, out);
}

void sc_catch_close(sc_catch *self)
{
  if (!self)
    return;
  for (size_t i = 0; i < self->multi_count; i++)
    close(self->multi[i]);
  for (size_t i = 0; i < self->link_count; i++)
    bpf_link__destroy(self->links[i]);
  bpf_object__close(self->object);
  free(self->links);
  free(self->multi);
  free(self->values);
  free(self);
}

/* ---- runs ---- */

static int fail_map(const char *what)
{
  return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot %s the kernel's counts", what);
}

static int read_state(const sc_catch *self, struct scale_state *state)
{
  u32 key = 0;
  return bpf_map_lookup_elem(self->state, &key, state) == 0 ? 0 : fail_map("read");
}

/* Processes that an earlier run may have left. */
static void forget_members(const sc_catch *self)
{
  u32 process;
  while (bpf_map_get_next_key(self->members, NULL, &process) == 0 && bpf_map_delete_elem(self->members, &process) == 0)
    continue;
}

int sc_catch_begin(sc_catch *self, pid_t process)
{
  struct scale_state state;
  u32 key = 0;
  forget_members(self);
  SC_TRY(read_state(self, &state));
  memset(self->values, 0, (size_t)self->processors * sizeof *self->values);
  u32 images = state.images < SCALE_IMAGES ? state.images : SCALE_IMAGES;
  for (u32 i = 0; i < images * self->functions; i++)
    if (bpf_map_update_elem(self->counts, &i, self->values, BPF_ANY) < 0)
      return fail_map("reset");
  state = (struct scale_state){.seed = (u32)process, .images = state.images};
  return bpf_map_update_elem(self->state, &key, &state, BPF_ANY) == 0 ? 0 : fail_map("reset");
}

static int take_image(sc_catch *self, const struct scale_image *image, u32 number, sc_catch_fn visit, void *user)
{
  for (u32 f = 0; f < self->functions; f++) {
    u32 place = number * self->functions + f;
    u64 calls = 0;
    if (bpf_map_lookup_elem(self->counts, &place, self->values) < 0)
      return fail_map("read");
    for (int i = 0; i < self->processors; i++)
      calls += self->values[i];
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
  SC_TRY(read_state(self, &state));
  *totals = (sc_catch_totals){state.processes, state.threads, state.lost};
  for (const void *before = NULL; bpf_map_get_next_key(self->images, before, &image) == 0; before = &image)
    if (bpf_map_lookup_elem(self->images, &image, &number) == 0)
      SC_TRY(take_image(self, &image, number, visit, user));
  return 0;
}
