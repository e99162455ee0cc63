/* SPDX-License-Identifier: MIT */
/*
 * main of a program whose own code is LLVMFuzzerTestOneInput (scale-cc --scale-fuzz-main). For scale-run fuzz it takes
 * one input after another (struct scale_control), in a process that goes on until one of them ends it. Else it takes
 * each file that its arguments name, or standard input, once.
 */
#include "../runtime/bytes.h"
#include "../runtime/os.h"
#include "../runtime/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
extern size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static uint64_t main_random;
static size_t main_below(size_t count)
{
  main_random = main_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return count ? (size_t)(main_random >> 33) % count : 0;
}

/* What custom mutators call for the bytes that have no structure: one is changed, put in, taken out or repeated. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
  size_t at = main_below(size + 1), way = main_below(4);
  if (way == 0 && size > 1 && at < size) {
    memmove(data + at, data + at + 1, size - at - 1);
    return size - 1;
  }
  if (way == 1 && at < size) {
    data[at] = (uint8_t)main_below(256);
    return size;
  }
  if (size >= most)
    return size;
  memmove(data + at + 1, data + at, size - at);
  data[at] = way == 2 && at ? data[at - 1] : (uint8_t)main_below(256);
  return size + 1;
}

static uint64_t main_spent(void)
{
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* In memory of its own size, so that who reads behind its end is found out. */
static void main_run(const void *bytes, size_t size)
{
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy)
    abort();
  memcpy(copy, bytes, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static void main_answer(struct scale_control *c, enum scale_answer answer, uint64_t nanoseconds)
{
  c->code = CLD_EXITED;
  c->status = 0;
  c->nanoseconds = nanoseconds;
  c->peak_kib = 0;
  SC_STORE(c->answer, answer);
  sc_os_wake(&c->answer);
}

static void main_await(struct scale_control *c)
{
  while (!SC_LOAD(c->ask))
    sc_os_wait(&c->ask, 0);
  SC_STORE(c->child, (uint32_t)getpid());
  SC_STORE(c->ask, 0);
}

/* The changed input replaces it. */
static void main_change(struct scale_control *c)
{
  size_t most = c->mutate, size = c->bytes < most ? c->bytes : most;
  uint8_t *copy = malloc(most + 1);
  if (!copy)
    abort();
  memcpy(copy, (const char *)c + SCALE_CONTROL_INPUT, size);
  main_random = c->seed;
  size = LLVMFuzzerCustomMutator(copy, size, most, (unsigned)c->seed);
  if (size > most)
    abort(); /* behind the end of its memory */
  memcpy((char *)c + SCALE_CONTROL_INPUT, copy, size);
  c->bytes = size;
  free(copy);
}

/* What was counted until now is of no input. */
static void main_serve(struct scale_control *c)
{
  SC_STORE(c->harness, LLVMFuzzerCustomMutator ? SCALE_HARNESS_CHANGES : SCALE_HARNESS_THERE);
  for (main_answer(c, SCALE_ANSWER_READY, 0);;) {
    main_await(c);
    uint64_t began = main_spent();
    if (c->mutate && LLVMFuzzerCustomMutator)
      main_change(c);
    else
      main_run((const char *)c + SCALE_CONTROL_INPUT, c->bytes);
    main_answer(c, SCALE_ANSWER_ENDED, main_spent() - began);
  }
}

static int main_file(FILE *file, const char *name)
{
  char *bytes = NULL;
  size_t size = 0, room = 0;
  while (file && !feof(file) && !ferror(file)) {
    if (size == room) {
      char *more = realloc(bytes, room = 2 * room + 4096);
      if (!more)
        break;
      bytes = more;
    }
    size += fread(bytes + size, 1, room - size, file);
  }
  int read = file && feof(file);
  if (file && file != stdin)
    fclose(file);
  if (read)
    main_run(bytes, size);
  else
    fprintf(stderr, "%s cannot be read\n", name);
  free(bytes);
  return read ? 0 : 1;
}

int main(int argc, char **argv)
{
  struct scale_control *c = __scale_process()->control;
  int status = 0, files = 0;

  if (LLVMFuzzerInitialize)
    LLVMFuzzerInitialize(&argc, &argv);
  if (c && c->harness)
    main_serve(c);
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-') { /* what libFuzzer would take for an option */
      status |= main_file(fopen(argv[i], "rb"), argv[i]);
      files++;
    }
  return files ? status : main_file(stdin, "standard input");
}
