/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instrumented code calls FUNC.__scale, which the object that defines FUNC has, and which the linker knows nothing of
 * when it wraps FUNC. So that symbol is given another meaning: code that leaves the slot where wrappers look for it and
 * jumps to FUNC, a reference that the linker resolves as it was told. Calls in the object that defines FUNC are not
 * wrapped in a plain program either; they use no symbol.
 */
#include "wraps.h"
#include "linker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
/* The parameter `nest` is in r10. The note says that the code has all that -fcf-protection asks of it. */
#define WRAPS_CODE                             \
  "movq __scale_slot@GOTTPOFF(%%rip), %%r11\n" \
  "movq %%r10, %%fs:(%%r11)\n"                 \
  "jmp \"%1$s\"@PLT\n"
#define WRAPS_NOTE                                                                        \
  ".section .note.gnu.property,\"a\",@note\n.p2align 3\n.long 4, 16, 5\n.asciz \"GNU\"\n" \
  ".long 0xc0000002, 4, 3, 0\n"
#elif defined(__aarch64__)
#define WRAPS_CODE                                                                                   \
  "adrp x9, :gottprel:__scale_slot\nldr x9, [x9, :gottprel_lo12:__scale_slot]\nmrs x10, TPIDR_EL0\n" \
  "str x18, [x10, x9]\nb \"%1$s\"\n"
#define WRAPS_NOTE ""
#endif

#define WRAPS_BEGIN                                                                \
  ".text\n.weak \"%1$s\", \"%1$s.__scale\", \"%1$s.__scale.named\"\n"              \
  ".hidden \"%1$s.__scale\", \"%1$s.__scale.named\"\n"                             \
  ".type \"%1$s.__scale\", %%function\n.type \"%1$s.__scale.named\", %%function\n" \
  ".p2align 2\n\"%1$s.__scale\":\n\"%1$s.__scale.named\":\n.cfi_startproc\n"
#define WRAPS_END ".cfi_endproc\n.size \"%1$s.__scale\", .-\"%1$s.__scale\"\n"

static int wraps_known(const struct sc_args *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->text[i], name) == 0)
      return 1;
  return 0;
}

/* An object of its own for each would be as many runs of the assembler: one text for all. */
static char *wraps_text(const struct sc_args *names)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *to = open_memstream(&text, &bytes);

  if (!to)
    return NULL;
  for (size_t i = 0; i < names->count; i++)
    fprintf(to, WRAPS_BEGIN WRAPS_CODE WRAPS_END, names->text[i]);
  fprintf(to, "%s.section .note.GNU-stack,\"\",%%progbits\n", WRAPS_NOTE);
  return fclose(to) == 0 ? text : NULL;
}

void sc_wraps_add(struct sc_args *command, const struct sc_args *args)
{
  struct sc_args names = {0};
  const char *name;
  char *text, *file;

  for (size_t at = 0; (name = sc_linker_value(args, "wrap", &at));)
    if (*name && !strpbrk(name, "\"\\\n") && !wraps_known(&names, name))
      sc_args_add(&names, name);
  text = names.count ? wraps_text(&names) : NULL;
  file = text ? sc_linker_file("scale-wraps", text, strlen(text)) : NULL;
  free(text);
  if (!file)
    return;
  for (size_t i = 0; i < names.count; i++) {
    char *from = sc_args_join(names.text[i], ".__scale.named");
    char *symbol = sc_args_join(names.text[i], ".__scale=");
    sc_args_add(command, "-Xlinker");
    sc_args_add_joined(command, "--defsym=", sc_args_join(symbol, from));
    free(symbol);
    free(from);
  }
  sc_args_add(command, "-x");
  sc_args_add(command, "assembler");
  sc_args_add(command, file);
  sc_args_add(command, "-x");
  sc_args_add(command, "none");
  free(file);
}
