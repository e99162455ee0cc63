#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program under uprobes is what it was: output, exit status, death by signal, descriptors, signals; as a service, too. What
# is attached is gone when scale-run is, though it was killed.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >state.c <<'X'
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
  FILE *out = fopen(argv[2], "w");
  char line[300];
  leaf();
  for (int number = 1; number < 32; number++) {
    struct sigaction action;
    sigaction(number, NULL, &action);
    fprintf(out, "signal %d %d\n", number, action.sa_handler == SIG_IGN);
  }
  DIR *descriptors = opendir("/proc/self/fd");
  for (struct dirent *at; (at = readdir(descriptors));)
    fprintf(out, "fd %s\n", at->d_name);
  for (char **at = environ; *at; at++)
    if (strncmp(*at, "SCALE_", 6) && strncmp(*at, "TMPDIR", 6))
      fprintf(out, "%s\n", *at);
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status))
    if ((!strncmp(line, "Sig", 3) && line[3] != 'Q') || !strncmp(line, "Cap", 3) || !strncmp(line, "Seccomp", 7) || !strncmp(line, "TracerPid", 9))
      fputs(line, out);
  fclose(out);
  if (strcmp(argv[3], "kill") == 0)
    raise(SIGTERM);
  return atoi(argv[3]);
}
X
"$plain_cc" -O2 -g -o state state.c || exit 1
"$run" run -q -P n=1,2,3 -o none.db -- ./state '{n}' without 0 >/dev/null 2>&1 # fails for want of a profile, having run
measure -P n=1,2,3 --uprobes leaf -- ./state '{n}' with 0
diff without with || fault 'the program finds another state'

cat >status.xml <<'X'
<workload name="status">
  <parameter name="n"><range low="1" high="3"/><first>1 2 3</first></parameter>
  <command status="7"><arg>./state</arg><arg>{n}</arg><arg>out</arg><arg>7</arg></command>
</workload>
X
measure -o status.db --uprobes leaf status.xml
told 3 'ended with status 5, expected 0' 'run it by hand' "$run" run -q -P n=1,2,3 -o five.db --uprobes leaf -- ./state '{n}' out 5
told 3 'killed by signal 15' 'run it by hand' "$run" run -q -P n=1,2,3 -o signal.db --uprobes leaf -- ./state '{n}' out kill

# A service is what is counted, not its client.
cat >server.c <<'X'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
  for (long i = atol(argv[2]); i > 0; i--)
    leaf();
  close(open(argv[1], O_CREAT | O_WRONLY, 0600));
  pause();
  return 0;
}
X
"$plain_cc" -O2 -g -o server server.c || exit 1
cat >service.xml <<'X'
<workload name="service">
  <parameter name="n"><range low="10" high="40"/><first>10 20 40</first><validation low="10" high="40"/></parameter>
  <service stop="TERM"><command><arg>./server</arg><arg>{dir}/ready</arg><arg>{n}</arg></command><ready file="{dir}/ready"/></service>
  <command><arg>./state</arg><arg>1</arg><arg>out</arg><arg>0</arg></command>
</workload>
X
measure -o service.db --uprobes leaf service.xml
counts service.db | grep -E '^(10|20|40) ' | sort | uniq >counted
printf '%s\n' '10 /server/leaf 10' '20 /server/leaf 20' '40 /server/leaf 40' | diff - counted || fault 'a service has other counts'

# What this process holds in the kernel is gone with it.
command -v bpftool >/dev/null || { echo 'no bpftool: what is left behind was not looked for'; exit $status; }
cat >slow.c <<'X'
#include <unistd.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(void) { for (;;) { leaf(); usleep(1000); } }
X
"$plain_cc" -O2 -g -o slow slow.c || exit 1
for signal in KILL TERM; do
  "$run" run -q -P n=1,2,3 -o slow.db --restart --uprobes leaf -- ./slow '{n}' >/dev/null 2>&1 &
  pid=$!
  for ((i = 0; i < 100; i++)); do
    find_held $pid && break
    sleep 0.1
  done
  die_by $signal $pid
done
exit $status
