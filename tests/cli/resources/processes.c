/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes MODE N: N children. Each opens a stream and gets a block. Mode "parent": they end one after
 * another, and the parent keeps a stream for each. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile kept;

static void child(const char *mode, int wait_for)
{
  char byte;
  FILE *stream = fopen("/dev/null", "w");
  kept = malloc(1000);
  memset(kept, 1, 1000);
  fwrite(kept, 1, 1000, stream);
  if (!strcmp(mode, "tidy") || !strcmp(mode, "parent")) {
    free(kept);
    fclose(stream);
  }
  if (!strcmp(mode, "together")) /* until the parent closes its end */
    while (read(wait_for, &byte, 1) > 0) {
    }
  if (!strcmp(mode, "killed"))
    kill(getpid(), SIGKILL);
  _exit(0);
}

int main(int argc, char **argv)
{
  const char *mode = argc > 2 ? argv[1] : "tidy";
  int gate[2], n = argc > 2 ? atoi(argv[2]) : 1;
  if (pipe(gate))
    return 1;
  for (int i = 0; i < n; i++) {
    if (fork() == 0) {
      close(gate[1]);
      child(mode, gate[0]);
    }
    if (strcmp(mode, "together"))
      wait(NULL);
    if (!strcmp(mode, "parent") && !fopen("/dev/null", "r")) /* leaks */
      return 1;
  }
  close(gate[1]);
  while (wait(NULL) > 0) {
  }
  return 0;
}
