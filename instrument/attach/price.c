/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/price.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "instrument/attach/catch.h"
#include "instrument/attach/object.h"

/* ---- first instructions ---- */

static bool begins_with(const unsigned char *code, size_t bytes, const char *with, size_t length)
{
  return bytes >= length && memcmp(code, with, length) == 0;
}

static bool is_push(const unsigned char *code, size_t bytes)
{
  if (bytes >= 1 && (code[0] & 0xf8) == 0x50)
    return true;
  return bytes >= 2 && (code[0] & 0xf0) == 0x40 && (code[1] & 0xf8) == 0x50;
}

static bool is_jump(const unsigned char *code, size_t bytes)
{
  if (bytes >= 1 && (code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb || (code[0] & 0xf0) == 0x70))
    return true;
  return bytes >= 2 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80;
}

enum sc_price_start sc_price_start(const unsigned char *code, size_t bytes)
{
#ifdef __x86_64__
  if (begins_with(code, bytes, "\x0f\x1f\x44\x00\x00", 5))
    return SC_PRICE_NOP;
  if (begins_with(code, bytes, "\x90", 1) || begins_with(code, bytes, "\x0f\x1f", 2) ||
      begins_with(code, bytes, "\x66\x90", 2))
    return SC_PRICE_EMULATED;
  if (is_push(code, bytes) || is_jump(code, bytes))
    return SC_PRICE_EMULATED;
#endif
  return SC_PRICE_STEPPED;
}

const char *sc_price_start_name(enum sc_price_start start)
{
  static const char *const names[SC_PRICE_STARTS] = {"nop", "emulated", "single-stepped"};
  return names[start];
}

double sc_price_call(const sc_prices *prices, enum sc_price_start start, const struct scale_capture *capture)
{
  unsigned tells = capture ? capture->tells : 0;
  double entry = prices->call[SC_PRICE_ENTRY][start], count = prices->call[SC_PRICE_COUNT][start];
  if (!(tells & SCALE_TELLS_RETURN))
    return tells ? entry : count;
  return prices->call[SC_PRICE_RETURN][start] + (tells & SCALE_TELLS_ENTRY && entry > count ? entry - count : 0);
}

/* ---- measuring ---- */

/* A function for each way of beginning and of being caught. */
#ifdef __x86_64__
#define BEGIN_NOP      ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#define BEGIN_EMULATED "push %rax\n pop %rax\n"
#define BEGIN_STEPPED  "lea 8(%rdi), %rax\n"
#else
#define BEGIN_NOP      "nop\n"
#define BEGIN_EMULATED "nop\n"
#define BEGIN_STEPPED  "nop\n"
#endif
#define MEASURED(start, kind)                                                                            \
  void scale_price_##start##_##kind(void *) __attribute__((visibility("hidden")));                       \
  __asm__(".pushsection .text\n .p2align 4\n .globl scale_price_" #start "_" #kind "\n"                  \
          ".hidden scale_price_" #start "_" #kind "\n"                                                   \
          ".type scale_price_" #start "_" #kind ", %function\n"                                          \
          "scale_price_" #start "_" #kind ":\n" BEGIN_##start "ret\n.size scale_price_" #start "_" #kind \
                                                              ", . - scale_price_" #start "_" #kind "\n" \
                                                              ".popsection\n");
#define MEASURED_KINDS(start) MEASURED(start, COUNT) MEASURED(start, ENTRY) MEASURED(start, RETURN)
MEASURED_KINDS(NOP)
MEASURED_KINDS(EMULATED)
MEASURED_KINDS(STEPPED)

#define FUNCTIONS(kind) scale_price_NOP_##kind, scale_price_EMULATED_##kind, scale_price_STEPPED_##kind
typedef void (*measured_fn)(void *);
static const measured_fn measured[SC_PRICE_KINDS * SC_PRICE_STARTS] = {FUNCTIONS(COUNT), FUNCTIONS(ENTRY),
                                                                       FUNCTIONS(RETURN)};
enum { MEASURED_COUNT = SC_PRICE_KINDS * SC_PRICE_STARTS, BATCH = 200, BATCHES = 5 };

/* Of this program's own file: where it was loaded is what an address has more than its symbol. */
static int note_base(struct dl_phdr_info *info, size_t size, void *base)
{
  *(uintptr_t *)base = info->dlpi_addr;
  return 1; /* the first one is the program */
}

/* The least of several batches: what else the machine does only adds. Without a probe such a call takes a nanosecond.
 */
static double time_call(measured_fn function)
{
  double least = 0;
  for (int batch = 0; batch < BATCHES; batch++) {
    double start = sc_clock_thread();
    for (int i = 0; i < BATCH; i++)
      function(NULL);
    double took = (sc_clock_thread() - start) / BATCH;
    least = batch == 0 || took < least ? took : least;
  }
  return least;
}

static int time_all(sc_catch *caught, sc_prices *prices)
{
  const sc_catch_running self = {getpid(), 1, "self"};
  SC_TRY(sc_catch_begin(caught, 0, NULL, NULL));
  SC_TRY(sc_catch_join(caught, &self, 1));
  for (int i = 0; i < MEASURED_COUNT; i++)
    prices->call[i / SC_PRICE_STARTS][i % SC_PRICE_STARTS] = time_call(measured[i]);
  return 0;
}

int sc_price_measure(sc_prices *prices)
{
  static const char self[] = "/proc/self/exe";
  static const unsigned tells[SC_PRICE_KINDS] = {0, SCALE_TELLS_ENTRY, SCALE_TELLS_RETURN};
  struct scale_capture captures[MEASURED_COUNT] = {{0}};
  sc_catch_place places[MEASURED_COUNT];
  sc_object *object = NULL;
  sc_catch *caught = NULL;
  uintptr_t base = 0;
  dl_iterate_phdr(note_base, &base);
  int err = sc_object_open(self, &object);
  for (uint32_t i = 0; err == 0 && i < MEASURED_COUNT; i++) {
    places[i] = (sc_catch_place){.file = self, .name = "a function of its own", .function = i};
    captures[i] = (struct scale_capture){tells[i / SC_PRICE_STARTS], 1, {{SCALE_VALUE_ARGUMENT, 0, 0, 0}}};
    if (!sc_object_offset(object, (uintptr_t)measured[i] - base, &places[i].offset))
      err = sc_err_set(SC_E_INTERNAL, "this program's own functions are not in its file");
  }
  if (err == 0)
    err = sc_catch_open(places, MEASURED_COUNT, MEASURED_COUNT, captures, SC_CATCH_RUNNING, &caught);
  if (err == 0)
    err = time_all(caught, prices);
  sc_catch_close(caught);
  sc_object_close(object);
  return err;
}
