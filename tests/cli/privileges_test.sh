#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Servers begin as root, give that up and fork: their workers are measured whichever comes first, with a cleared
# environment too. Where a worker cannot write a profile (a new root directory) that is said, and nothing is judged.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
[ "$(id -u)" = 0 ] && getent passwd nobody >/dev/null || exit 77

{
  for ((i = 0; i < 150; i++)); do echo "static long __attribute__((noinline)) g$i(long n) { long s = $i; for (long i = 0; i < n; i++) s ^= i; return s; }"; done
  echo "static long (*volatile const all[])(long) = {"
  for ((i = 0; i < 150; i++)); do echo "g$i,"; done
  echo "};"
} >functions.h
cat >server.c <<'C'
#include "functions.h"
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void handle(long n)
{
  for (long i = 0; i < n; i++)
    sink += i;
}
static void drop(const char *how)
{
  const struct passwd *user = getpwnam("nobody");
  if (!strcmp(how, "clear"))
    clearenv();
  if (!strcmp(how, "chroot") && (chroot("jail") || chdir("/")))
    abort();
  if (!user || setgroups(0, NULL) || setgid(user->pw_gid) || setuid(user->pw_uid) || !setuid(0))
    abort();
}
/* Many functions more than the profile has room for at first: it must be opened again. */
static int worker(long n)
{
  for (int i = 0; i < 150; i++)
    sink += all[i](3);
  for (long i = 0; i < n; i++)
    handle(n);
  return 0;
}
int main(int argc, char **argv)
{
  const char *how = argv[1];
  long n = atol(argv[2]);
  int late = !strcmp(how, "late"), status;
  if (!late)
    drop(how);
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      if (late)
        drop(how);
      _exit(worker(n));
    }
  while (wait(&status) > 0)
    if (status)
      return 1;
  return 0;
}
C
mkdir jail
"$cc" -O1 -g server.c -o server 2>err || { fault "server does not build: $(cat err)"; exit $status; }
ask() { python3 -c "import sqlite3, sys; print(*sqlite3.connect('scale.db').execute(sys.argv[1]))" "$1"; }
study() { rm -f scale.db; "$run" run --event none -q -P n=50..400 --at 100000 -- "$@"; }
for how in early late clear; do
  expect 0 . study ./server $how '{n}'
  expect 0 'n\^2' "$run" report
  ! grep -qE 'left no profile|are lost' out || { fault "$how: something is lost"; cat out; }
  [ "$(ask 'SELECT max(lost_processes + lost_bytes + lost_records), min(processes), max(processes) FROM run')" = '(0, 4, 4)' ] ||
    fault "$how: not four profiles each, or losses: $(ask 'SELECT lost_processes, lost_bytes, lost_records, processes FROM run')"
done

# Nobody else finds or lists the folder
cat >look <<'X'
#!/bin/sh
stat -c %a "$SCALE_PROFILE_DIR" "$SCALE_PROFILE_DIR/.." "$SCALE_PROFILE_DIR/../.." >>modes
case $SCALE_PROFILE_DIR in */profiles-????????????????) ;; *) echo "no secret in $SCALE_PROFILE_DIR" >>modes ;; esac
exec ./server early "$1"
X
chmod +x look
expect 0 . study ./look '{n}'
[ "$(sort -u modes | tr '\n' ' ')" = '1733 711 ' ] || { fault "the folders' modes"; cat modes; }

# Below a new root directory there is no folder: that is reported, twice, and the exit status is that of too little data
rm -f scale.db
expect 4 'processes left no profile' "$run" run --event none -P n=50..400 -- ./server chroot '{n}'
grep -q 'warning: forked processes could not make profiles (No such file or directory)' err || { fault "no warning"; cat err; }
grep -q 'hint: .*changed its root directory' err || { fault "no hint"; cat err; }
expect 4 '[0-9]+ of [0-9]+ processes left no profile: what they did is missing' "$run" report
exit $status
