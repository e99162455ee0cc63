/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/sampler/symbol.h"

/* Line tables only, as the compiler pass leaves them: loops are discriminators of rows and of inlined calls. `outer`
 * has `inner` inlined into its loop 1, whose own loop is 2; `leaf` has no debugging entry, only rows; `silent` has
 * none. */
static const char source[] =
    "target triple = \"x86_64-pc-linux-gnu\"\n"
    "@g = global i32 0\n"
    "define void @outer() !dbg !5 {\n"
    "  store volatile i32 1, ptr @g, !dbg !10\n"
    "  store volatile i32 2, ptr @g, !dbg !11\n"
    "  store volatile i32 3, ptr @g, !dbg !12\n"
    "  store volatile i32 4, ptr @g, !dbg !13\n"
    "  ret void, !dbg !10\n"
    "}\n"
    "define void @silent() {\n"
    "  store volatile i32 5, ptr @g\n"
    "  store volatile i32 6, ptr @g\n"
    "  ret void\n"
    "}\n"
    "define void @leaf.__scale() !dbg !7 {\n"
    "  store volatile i32 7, ptr @g, !dbg !14\n"
    "  ret void, !dbg !15\n"
    "}\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!2, !3}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly, producer: \"test\")\n"
    "!1 = !DIFile(filename: \"fixture.c\", directory: \"/src\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = !{i32 7, !\"Dwarf Version\", i32 5}\n"
    "!4 = !DISubroutineType(types: !{})\n"
    "!5 = distinct !DISubprogram(name: \"outer\", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!6 = distinct !DISubprogram(name: \"inner\", scope: !1, file: !1, line: 10, type: !4, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!7 = distinct !DISubprogram(name: \"leaf\", scope: !1, file: !1, line: 20, type: !4, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!10 = !DILocation(line: 2, column: 1, scope: !5)\n"
    "!11 = !DILocation(line: 3, column: 1, scope: !20)\n"
    "!12 = !DILocation(line: 12, column: 1, scope: !21, inlinedAt: !22)\n"
    "!13 = !DILocation(line: 11, column: 1, scope: !6, inlinedAt: !22)\n"
    "!14 = !DILocation(line: 21, column: 1, scope: !23)\n"
    "!15 = !DILocation(line: 22, column: 1, scope: !7)\n"
    "!20 = !DILexicalBlockFile(scope: !5, file: !1, discriminator: 1)\n"
    "!21 = !DILexicalBlockFile(scope: !6, file: !1, discriminator: 2)\n"
    "!22 = distinct !DILocation(line: 4, column: 1, scope: !20)\n"
    "!23 = !DILexicalBlockFile(scope: !7, file: !1, discriminator: 9)\n";

static char directory[] = "/tmp/scale-symbol-XXXXXX";
static char object[100];
static size_t object_bytes;

static bool run_compiler(const char *compiler)
{
  pid_t pid = fork();
  if (pid == 0) {
    execlp(compiler, compiler, "-w", "-O1", "-shared", "-nostdlib", "-fPIC", "-x", "ir", "fixture.ll", "-o",
           "fixture.so", (char *)NULL);
    _exit(127);
  }
  int status = 1;
  waitpid(pid, &status, 0);
  return status == 0;
}

static int compile(void **state)
{
  char path[100];
  struct stat status;
  if (!mkdtemp(directory))
    return -1;
  snprintf(path, sizeof path, "%s/fixture.ll", directory);
  snprintf(object, sizeof object, "%s/fixture.so", directory);
  FILE *file = fopen(path, "w");
  if (!file || fputs(source, file) < 0 || fclose(file) != 0 || chdir(directory) != 0)
    return -1;
  if ((run_compiler("clang-19") || run_compiler("clang")) && stat(object, &status) == 0)
    object_bytes = (size_t)status.st_size;
  return 0;
}

static int clean(void **state)
{
  (void)unlink("fixture.ll");
  (void)unlink("fixture.so");
  return chdir("/") != 0 || rmdir(directory) != 0;
}

static void describe(const sc_sampler_symbols *symbols, const sc_sampler_place_frames *frames, char *text, size_t room)
{
  size_t at = 0;
  *text = '\0';
  for (uint32_t i = 0; i < frames->count && at < room; i++) {
    const sc_sampler_frame *frame = sc_sampler_symbols_frame(symbols, frames->ids[i]);
    at += (size_t)snprintf(text + at, room - at, "%s%s#%u", i ? " " : "", frame->name, frame->ordinal);
  }
}

/* Every address of the file gives one of the chains, and every chain is given by some address. */
TEST(chains_of_the_fixture)
{
  static const char *const chains[] = {"outer#0",  "outer#1", "outer#1 inner#2", "outer#1 inner#0",
                                       "silent#0", "leaf#9",  "leaf#0"};
  enum { COUNT = sizeof chains / sizeof chains[0] };
  unsigned seen[COUNT] = {0};
  sc_sampler_symbols *symbols;
  if (!object_bytes)
    skip();
  assert_int_equal(sc_sampler_symbols_new(&symbols), 0);
  const sc_sampler_map map = {0x10000, 0x10000 + object_bytes, 0, object};
  for (size_t offset = 0; offset < object_bytes; offset++) {
    const sc_sampler_place_frames *frames;
    char text[200];
    size_t i = 0;
    assert_int_equal(sc_sampler_symbols_find(symbols, &map, map.start + offset, &frames), 0);
    if (!frames || !frames->count)
      continue;
    describe(symbols, frames, text, sizeof text);
    while (i < COUNT && strcmp(chains[i], text) != 0)
      i++;
    if (i == COUNT) {
      fail_msg("unexpected chain: %s", text);
      return;
    }
    seen[i]++;
    if (i != 4)
      assert_string_equal(sc_sampler_symbols_frame(symbols, frames->ids[frames->count - 1])->file, "/src/fixture.c");
  }
  for (size_t i = 0; i < COUNT; i++)
    if (!seen[i])
      fail_msg("missing chain: %s", chains[i]);
  sc_sampler_symbols_free(symbols);
}

/* Files that vanished or were never ELF have no frames and do no harm. */
TEST(unreadable_files)
{
  static const char *const paths[] = {"/proc/self/exe/none", "/proc/self/status", "/tmp", "[vdso]", "//anon", ""};
  sc_sampler_symbols *symbols;
  assert_int_equal(sc_sampler_symbols_new(&symbols), 0);
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    const sc_sampler_place_frames *frames;
    char path[40];
    strcpy(path, paths[i]);
    const sc_sampler_map map = {0x1000, 0x2000, 0, path};
    assert_int_equal(sc_sampler_symbols_find(symbols, &map, 0x1800, &frames), 0);
    assert_true(!frames || frames->count == 0);
  }
  sc_sampler_symbols_free(symbols);
}

/* A file cut anywhere, or with any byte changed, must not crash. */
TEST(damaged_files)
{
  if (!object_bytes)
    skip();
  unsigned char *bytes = malloc(object_bytes);
  FILE *file = fopen(object, "rb");
  assert_true(bytes && file && fread(bytes, 1, object_bytes, file) == object_bytes);
  fclose(file);
  char path[120];
  snprintf(path, sizeof path, "%s.bad", object);
  for (unsigned round = 0; round < 300; round++) {
    size_t length = round % 3 ? object_bytes : object_bytes * (round + 1) / 301,
           at = (size_t)round * 7919 % object_bytes;
    bytes[at] ^= 0xff;
    file = fopen(path, "wb");
    assert_true(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
    bytes[at] ^= 0xff;
    sc_sampler_symbols *symbols;
    const sc_sampler_place_frames *frames;
    const sc_sampler_map map = {0, object_bytes, 0, path};
    assert_int_equal(sc_sampler_symbols_new(&symbols), 0);
    for (size_t offset = 0; offset < object_bytes; offset += 64)
      assert_true(sc_sampler_symbols_find(symbols, &map, offset, &frames) <= 0);
    sc_sampler_symbols_free(symbols);
  }
  unlink(path);
  free(bytes);
}

int main(void) { return unit_run(compile, clean); }
