/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pass noted of a program: SCALE_TOKENS in profiles/layout.inc. The file is anybody's. */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "profiles/layout.inc"
#include "runner/fuzz/tokens.h"
#include "runner/text/tuning.h"

/* The number of bytes of an entry; 0: it is malformed. */
static size_t read_entry(const char *at, const char *end, unsigned char *bytes)
{
  size_t size = 0;
  for (; at < end; at++) {
    unsigned char byte = (unsigned char)*at;
    if (byte == SCALE_TOKENS_ESCAPE) {
      if (++at == end || (*at != '0' && *at != SCALE_TOKENS_ESCAPE))
        return 0;
      byte = *at == '0' ? 0 : SCALE_TOKENS_ESCAPE;
    }
    if (size == SCALE_TOKENS_BYTES)
      return 0;
    bytes[size++] = byte;
  }
  return size;
}

/* A word of letters alone is the least likely one to have a meaning in the input. */
static bool is_program_word(const unsigned char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (!isalnum(bytes[i]) && bytes[i] != '_')
      return false;
  return true;
}

enum { ANY, NO_WORDS, WORDS };

static int add_ranked(sc_fuzz_tokens *tokens, const char *text, size_t size, char rank, int which, size_t most)
{
  unsigned char bytes[SCALE_TOKENS_BYTES];
  for (const char *at = text, *end = text + size, *stop; at < end && tokens->count < most; at = stop + 1) {
    stop = memchr(at, '\0', (size_t)(end - at));
    if (!stop)
      break;
    size_t count = *at == rank ? read_entry(at + 1, stop, bytes) : 0;
    if (which == ANY || is_program_word(bytes, count) == (which == WORDS))
      SC_TRY(sc_fuzz_tokens_add(tokens, bytes, count));
  }
  return 0;
}

int sc_fuzz_tokens_section(sc_fuzz_tokens *tokens, const void *text, size_t size)
{
  size_t most = tokens->count + SC_FUZZ_PROGRAM_TOKENS;
  SC_TRY(add_ranked(tokens, text, size, SCALE_TOKENS_CHARACTER, ANY, most));
  SC_TRY(add_ranked(tokens, text, size, SCALE_TOKENS_STRING, ANY, most));
  SC_TRY(add_ranked(tokens, text, size, SCALE_TOKENS_OTHER, NO_WORDS, most));
  return add_ranked(tokens, text, size, SCALE_TOKENS_OTHER, WORDS, most);
}

static int add_elf_tokens(sc_fuzz_tokens *tokens, Elf *elf)
{
  size_t names;
  if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
    return 0;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    const Elf_Data *data =
        name && strcmp(name, SCALE_TOKENS) == 0 && header.sh_type != SHT_NOBITS ? elf_rawdata(section, NULL) : NULL;
    if (data && data->d_buf)
      SC_TRY(sc_fuzz_tokens_section(tokens, data->d_buf, data->d_size));
  }
  return 0;
}

int sc_fuzz_tokens_file(sc_fuzz_tokens *tokens, const char *path)
{
  int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  (void)elf_version(EV_CURRENT);
  Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
  if (elf)
    err = add_elf_tokens(tokens, elf);
  elf_end(elf);
  if (fd >= 0)
    close(fd);
  return err;
}

static int take_file(void *user, const char *path) { return sc_fuzz_tokens_file(user, path); }

int sc_fuzz_tokens_program(sc_fuzz_tokens *tokens, const struct sc_fuzz_target *target)
{
  return target->ops->each_file ? target->ops->each_file(target, take_file, tokens) : 0;
}
