/* SPDX-License-Identifier: MIT */
#include "ticks.h"
#include "os.h"
#include "valgrind.h"
#include <elf.h>

enum {
  SC_TICKS_MARK_NS = 1000000, /* how often the header's second pair is renewed at most */
  SC_TICKS_RATIO_NS = 100000, /* the time a ratio is taken over, at least */
  SC_TICKS_PAIR_TRIES = 4
};
#define SC_TICKS_ONE (UINT64_C(1) << 32)

SC_SHARED uint32_t __scale_ticks_source;
SC_SHARED uint64_t __scale_ticks_scale;

typedef int ticks_gettime(clockid_t clock, struct timespec *to);
static ticks_gettime *ticks_vdso; /* the kernel's shared code, or NULL: by system call */
static SC_SHARED uint32_t ticks_marking;

uint64_t __scale_ticks_clock(void)
{
  struct timespec now = {0, 0};
  ticks_gettime *get = SC_PEEK(ticks_vdso);

  if (!get || get(CLOCK_MONOTONIC, &now) != 0)
    sc_os_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* The address of the kernel's shared code, or NULL. */
static const char *ticks_vdso_image(void)
{
  Elf64_auxv_t entries[32];
  const char *image = NULL;
  int fd = sc_os_open("/proc/self/auxv", O_RDONLY, 0);
  long bytes = fd < 0 ? 0 : sc_os_read(fd, entries, sizeof(entries));

  if (fd >= 0)
    sc_os_close(fd);
  for (long i = 0; i < bytes / (long)sizeof(entries[0]); i++)
    if (entries[i].a_type == AT_SYSINFO_EHDR)
      image = (const char *)(uintptr_t)entries[i].a_un.a_val;
  return image;
}

static int ticks_same_text(const char *a, const char *b)
{
  size_t bytes = sc_length(b);
  return sc_length(a) == bytes && sc_same(a, b, bytes);
}

static ticks_gettime *ticks_find(const char *image, const char *name)
{
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *)image;
  const Elf64_Phdr *segment = (const Elf64_Phdr *)(image + elf->e_phoff);
  const Elf64_Dyn *dynamic = NULL;
  const Elf64_Sym *symbols = NULL;
  const char *names = NULL;
  uint64_t bias = 0;

  for (uint32_t i = 0; i < elf->e_phnum; i++)
    if (segment[i].p_type == PT_LOAD)
      bias = (uint64_t)image + segment[i].p_offset - segment[i].p_vaddr;
    else if (segment[i].p_type == PT_DYNAMIC)
      dynamic = (const Elf64_Dyn *)(image + segment[i].p_offset);
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == DT_SYMTAB)
      symbols = (const Elf64_Sym *)(dynamic->d_un.d_ptr + bias);
    else if (dynamic->d_tag == DT_STRTAB)
      names = (const char *)(dynamic->d_un.d_ptr + bias);
  /* the names follow the symbols in every kernel's image */
  for (const Elf64_Sym *s = symbols; s && (const char *)(s + 1) <= names; s++)
    if (s->st_value && ticks_same_text(names + s->st_name, name))
      return (ticks_gettime *)(s->st_value + bias);
  return NULL;
}

#ifdef __x86_64__
/* Whether the counter runs at one speed, whatever the processor does; many virtual machines don't tell. */
static int ticks_invariant(void)
{
  uint32_t a = 0x80000000, b, c = 0, d;

  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (a < 0x80000007)
    return 0;
  a = 0x80000007;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return d >> 8 & 1;
}

static int ticks_kernel_has(const char *text, long bytes, const char *name)
{
  size_t length = sc_length(name);
  return bytes >= (long)length && sc_same(text, name, length);
}

/* The kernel has compared the counters of all processors: what it took as its own clock says what it found. */
static int ticks_counter_good(void)
{
  char text[32];
  int fd = sc_os_open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY, 0);
  long bytes = fd < 0 ? 0 : sc_os_read(fd, text, sizeof(text));

  if (fd >= 0)
    sc_os_close(fd);
  if (ticks_kernel_has(text, bytes, "tsc"))
    return 1;
  if (ticks_kernel_has(text, bytes, "hpet") || ticks_kernel_has(text, bytes, "acpi_pm") ||
      ticks_kernel_has(text, bytes, "jiffies"))
    return 0;
  return ticks_invariant();
}
#else
static int ticks_counter_good(void) { return 1; }
#endif

void __scale_ticks_choose(void)
{
  const char *image = ticks_vdso_image();
  ticks_gettime *get = NULL;

  if (image) {
    get = ticks_find(image, "__vdso_clock_gettime");
    if (!get)
      get = ticks_find(image, "__kernel_clock_gettime");
    SC_STORE(ticks_vdso, get);
  }
  SC_STORE(__scale_ticks_source, ticks_counter_good() ? SC_TICKS_COUNTER : SC_TICKS_CLOCK);
}

/* Both at one moment, as far as a thread can tell that it was not interrupted between. */
static void ticks_pair(uint64_t *ticks, uint64_t *clock)
{
  uint64_t best = UINT64_MAX;

  if (__scale_ticks_source == SC_TICKS_CLOCK) {
    *ticks = *clock = __scale_ticks_clock();
    return;
  }
  for (int i = 0; i < SC_TICKS_PAIR_TRIES; i++) {
    uint64_t before = sc_ticks();
    uint64_t at = __scale_ticks_clock();
    uint64_t took = sc_ticks() - before;
    if (took < best) {
      best = took;
      *ticks = before + took / 2;
      *clock = at;
    }
  }
}

void __scale_ticks_begin(struct scale_header *h)
{
  SC_STORE(ticks_marking, 0); /* another thread may have been at it when this process was forked */
  ticks_pair(&h->ticks_start, &h->clock_start);
  h->ticks_last = h->ticks_start;
  h->clock_last = h->clock_start;
}

void __scale_ticks_mark(struct sc_process *p, int now)
{
  uint32_t idle = 0;
  uint64_t since = SC_PEEK(p->header->ticks_last), ticks, clock;

  if (!now && sc_ticks_ns(sc_ticks_between(since, sc_ticks())) < SC_TICKS_MARK_NS)
    return;
  if (!SC_SWAP(ticks_marking, &idle, 1)) /* another thread, or what this handler interrupted, is at it */
    return;
  ticks_pair(&ticks, &clock);
  SC_POKE(p->header->ticks_last, ticks);
  SC_POKE(p->header->clock_last, clock);
  SC_STORE(ticks_marking, 0);
}

void __scale_ticks_ratio(struct sc_process *p)
{
  uint64_t ticks, clock, ns, from = p->header->ticks_start, start = p->header->clock_start;

  if (SC_PEEK(__scale_ticks_scale))
    return;
  if (__scale_ticks_source == SC_TICKS_CLOCK) {
    SC_POKE(__scale_ticks_scale, SC_TICKS_ONE);
    return;
  }
  do
    ticks_pair(&ticks, &clock);
  while (clock - start < SC_TICKS_RATIO_NS);
  ticks = ticks > from ? ticks - from : 1;
  for (ns = clock - start; ns >> 32; ns >>= 1)
    ticks >>= 1;
  SC_POKE(__scale_ticks_scale, (ns << 32) / (ticks | !ticks)); /* a counter that was set back may leave nothing of it */
}
