/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/unwind.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"

typedef struct unwinder {
  Dwfl *dwfl;
  bool attached;
  const sc_sampler_sample *sample; /* the one being unwound */
  sc_sampler_chain *chain;
  bool beyond; /* memory behind the copied stack was asked for */
} unwinder;

/* Debugging information is found by symbol.c; call frames are in the file itself. */
static int no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                        const char *link, GElf_Word crc, char **result)
{
  return -1;
}

static int no_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, char **file, Elf **elf)
{
  return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = no_elf, .find_debuginfo = no_debuginfo};

/* The kernel's own shared object has no file, but this process has the same one. */
static int open_vdso(void)
{
  const unsigned char *image = (const void *)getauxval(AT_SYSINFO_EHDR); /* an address by contract */
  long page = sysconf(_SC_PAGESIZE);
  int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;
  if (fd < 0)
    return -1;
  GElf_Ehdr header;
  memcpy(&header, image, sizeof header);
  size_t bytes = header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
  bytes = bytes < (size_t)page * 2 ? bytes : (size_t)page * 2;
  if (write(fd, image, bytes) != (ssize_t)bytes) {
    close(fd);
    return -1;
  }
  return fd;
}

static int open_map(const sc_sampler_map *map)
{
  if (!strcmp(map->path, "[vdso]"))
    return open_vdso();
  return map->path[0] == '/' && map->path[1] != '/' ? open(map->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
}

/* Difference between an address in the process and one in the file. */
static bool load_bias(int fd, const sc_sampler_map *map, uint64_t *bias)
{
  Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
  size_t count = 0;
  bool found = false;
  if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &count) == 0)
    for (size_t i = 0; i < count && !found; i++) {
      GElf_Phdr segment;
      if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
        continue;
      if (map->offset + (map->end - map->start) <= segment.p_offset ||
          map->offset >= segment.p_offset + segment.p_filesz)
        continue;
      *bias = map->start - map->offset + segment.p_offset - segment.p_vaddr;
      found = true;
    }
  elf_end(elf);
  return found;
}

static void report_map(Dwfl *dwfl, const sc_sampler_map *map)
{
  uint64_t bias;
  int fd = open_map(map);
  if (fd < 0)
    return;
  if (!load_bias(fd, map, &bias) || !dwfl_report_elf(dwfl, map->path, map->path, fd, bias, true))
    close(fd);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
  pid_t first = *thread ? 0 : 1;
  *thread = arg;
  return first;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
  *thread = arg;
  return true;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
  unwinder *self = arg;
  const sc_sampler_sample *sample = self->sample;
  uint64_t start = sample->regs[SC_SAMPLER_REGS_SP];
  if (address < start || address - start > sample->stack_bytes ||
      sample->stack_bytes - (address - start) < sizeof *result) {
    self->beyond = true;
    return false;
  }
  memcpy(result, sample->stack + (address - start), sizeof *result);
  return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
  static const unsigned char order[] = SC_SAMPLER_REGS_DWARF;
  Dwarf_Word values[SC_SAMPLER_REGS_DWARF_COUNT];
  const unwinder *self = arg;
  for (size_t i = 0; i < SC_SAMPLER_REGS_DWARF_COUNT; i++)
    values[i] = self->sample->regs[order[i]];
  dwfl_thread_state_register_pc(thread, self->sample->regs[SC_SAMPLER_REGS_PC]);
  return dwfl_thread_state_registers(thread, 0, SC_SAMPLER_REGS_DWARF_COUNT, values);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {.next_thread = next_thread,
                                                       .get_thread = get_thread,
                                                       .memory_read = memory_read,
                                                       .set_initial_registers = set_registers};

static int add_unwind_frame(Dwfl_Frame *frame, void *arg)
{
  unwinder *self = arg;
  Dwarf_Addr pc;
  bool active;
  if (!dwfl_frame_pc(frame, &pc, &active) || self->chain->count == SC_SAMPLER_FRAMES_MOST)
    return DWARF_CB_ABORT;
  self->chain->pcs[self->chain->count++] = pc - (active ? 0 : 1);
  return DWARF_CB_OK;
}

static unwinder *make_unwinder(const sc_sampler_image *image)
{
  unwinder *self = sc_mem_new(1, sizeof *self);
  if (!self)
    return NULL;
  elf_version(EV_CURRENT);
  self->dwfl = dwfl_begin(&callbacks);
  if (!self->dwfl) {
    free(self);
    (void)sc_err_set(SC_E_NOMEM, "libdw cannot start: %s", dwfl_errmsg(-1));
    return NULL;
  }
  dwfl_report_begin(self->dwfl);
  for (size_t i = 0; i < image->map_count; i++)
    report_map(self->dwfl, &image->maps[i]);
  dwfl_report_end(self->dwfl, NULL, NULL);
  self->attached = dwfl_attach_state(self->dwfl, NULL, 1, &thread_callbacks, self);
  return self;
}

int sc_sampler_unwind_sample(sc_sampler_image *image, const sc_sampler_sample *sample, sc_sampler_chain *chain)
{
  chain->count = 0;
  chain->complete = false;
  if (!sample->regs)
    return 0;
  if (!image->unwinder && !(image->unwinder = make_unwinder(image)))
    return SC_E_NOMEM;
  unwinder *self = image->unwinder;
  self->sample = sample;
  self->chain = chain;
  self->beyond = false;
  if (self->attached)
    (void)dwfl_getthread_frames(self->dwfl, 1, add_unwind_frame, self);
  if (chain->count == 0)
    chain->pcs[chain->count++] = sample->regs[SC_SAMPLER_REGS_PC];
  chain->complete = !self->beyond && chain->count < SC_SAMPLER_FRAMES_MOST;
  return 0;
}

const sc_sampler_map *sc_sampler_unwind_map(const sc_sampler_image *image, uint64_t pc)
{
  for (size_t i = image->map_count; i-- > 0;)
    if (pc >= image->maps[i].start && pc < image->maps[i].end)
      return &image->maps[i];
  return NULL;
}

void sc_sampler_unwind_free(void *memory)
{
  unwinder *self = memory;
  if (!self)
    return;
  dwfl_end(self->dwfl);
  free(self);
}
