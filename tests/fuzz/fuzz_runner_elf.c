/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that a program was run from, as it may look when it is read again: call frames, functions, loops, variables.
 */
#include "fuzz.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

#include "profiles/scprof/symbols.h"
#include "runner/sampler/symbol.h"
#include "runner/sampler/unwind.h"

enum { ADDRESSES = 48, STACK_BYTES = 512 };
static const uint64_t start = UINT64_C(0x10000000), bytes_mapped = UINT64_C(1) << 20;

/* Addresses in the file that its symbols name. */
static size_t find_addresses(Elf *elf, uint64_t addresses[ADDRESSES])
{
  size_t count = 0;
  Elf_Scn *section = NULL;
  while (count < ADDRESSES && (section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    GElf_Sym symbol;
    if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data && count + 2 <= ADDRESSES && gelf_getsym(data, i, &symbol); i++) {
      addresses[count++] = symbol.st_value;
      addresses[count++] = symbol.st_value + symbol.st_size / 2;
    }
  }
  return count;
}

static void try_frames(const sc_sampler_map *map, const uint64_t *addresses, size_t count)
{
  static const unsigned char stack[STACK_BYTES];
  static sc_sampler_chain chain;
  uint64_t regs[SC_SAMPLER_REGS_COUNT] = {0};
  sc_sampler_image image = {.maps = (sc_sampler_map *)map, .map_count = 1};
  const sc_sampler_sample sample = {.regs = regs, .stack = stack, .stack_bytes = sizeof stack};
  sc_sampler_symbols *symbols;
  const sc_sampler_place_frames *frames;
  must(sc_sampler_symbols_new(&symbols) == 0);
  for (size_t i = 0; i < count; i++) {
    regs[SC_SAMPLER_REGS_PC] = start + addresses[i];
    regs[SC_SAMPLER_REGS_SP] = UINT64_C(0x7fff0000);
    must(sc_sampler_unwind_sample(&image, &sample, &chain) == 0 && chain.count >= 1);
    must(sc_sampler_symbols_find(symbols, map, regs[SC_SAMPLER_REGS_PC], &frames) == 0);
    for (uint32_t k = 0; frames && k < frames->count; k++)
      must(sc_sampler_symbols_frame(symbols, frames->ids[k])->name != NULL);
  }
  sc_sampler_symbols_free(symbols);
  sc_sampler_unwind_free(image.unwinder);
}

static void try_variables(Elf *elf, const uint64_t *addresses, size_t count)
{
  Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
  for (size_t i = 0; dwarf && i < count; i++) {
    Dwarf_Die found;
    if (!sc_symbols_variable(dwarf, addresses[i], &found))
      continue;
    for (uint64_t offset = 0; offset < 64; offset += 4) {
      sc_buf name = {0};
      (void)sc_symbols_part(&found, offset, &name);
      sc_buf_free(&name);
    }
  }
  dwarf_end(dwarf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint64_t addresses[ADDRESSES];
  const char *path = fuzz_file(data, size, 1);
  const sc_sampler_map map = {start, start + bytes_mapped, 0, (char *)path};
  elf_version(EV_CURRENT);
  Elf *elf = elf_memory((char *)data, size);
  if (elf && elf_kind(elf) == ELF_K_ELF) {
    size_t count = find_addresses(elf, addresses);
    try_frames(&map, addresses, count);
    try_variables(elf, addresses, count);
  }
  elf_end(elf);
  return 0;
}
