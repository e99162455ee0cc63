#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A server is the program under test, its client the load: started, waited for (port, file, output line), stopped by a
# signal, its profile complete. Roots restrict the analysis to its request handler.
. "$(dirname "$0")/lib.sh"
need_compiler
fault() { echo "FAULT: $*"; cat out err; status=1; }

cat >server.c <<'C'
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
static volatile long sink;
static volatile sig_atomic_t stopped;
static void stop(int number) { stopped = 1; }
static void startup(void)
{
  for (long i = 0; i < 1000; i++)
    sink += i;
}
static void on_request(long n)
{
  for (long i = 0; i < n * n; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), client;
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = stop}, NULL);
  startup();
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8))
    return perror("bind"), 1;
  printf("listening\n");
  fflush(stdout);
  fclose(fopen(argv[2], "w"));
  while (!stopped && (client = accept(listener, NULL, NULL)) >= 0) {
    long n;
    if (read(client, &n, sizeof n) == sizeof n) {
      on_request(n);
      if (write(client, &n, sizeof n) != sizeof n)
        return 1;
    }
    close(client);
  }
  return 0;
}
C
cat >client.c <<'C'
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  long n = atol(argv[2]);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(server, (struct sockaddr *)&address, sizeof address) || write(server, &n, sizeof n) != sizeof n ||
         read(server, &n, sizeof n) != sizeof n;
}
C
"$cc" -O2 -o server server.c && gcc -o client client.c || { echo "cannot build"; exit 1; }
port=$(python3 -c "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])") || exit 77

workload() { # workload READY STOP: a killed server has had no time to leave its main loop; its counts are there all the same
  cat >w.xml <<X
<workload name="server"><parameter name="n"><range low="100" high="800"/><validation count="2"/><targets>2000</targets></parameter>
<service stop="$2"><command><arg>./server</arg><arg>$port</arg><arg>{dir}/up</arg></command><ready $1 timeout="10s"/></service>
<command timeout="20s"><arg>./client</arg><arg>$port</arg><arg>{n}</arg></command>
<roots><function name="on_request"/></roots></workload>
X
}
for ready in "port=\"$port\"" 'file="{dir}/up"' 'output="listening"'; do
  for stop in TERM KILL; do
    workload "$ready" $stop
    rm -f scale.db
    "$run" run w.xml --event none >out 2>err || fault "$ready, $stop"
    grep -q '1\. on_request (server.c:17:3): quadratic loop, n^2 iterations' out || fault "$ready, $stop: no finding"
    grep -q 'warning' err && fault "$ready, $stop: a warning"
  done
done
"$run" verify --at 2000 >out 2>err || fault verify
grep -qE '4,000,000 +exactly +4,000,000 +exact' out || fault "count at 2,000"

# The port is taken; the server never gets ready; it dies.
expect() {
  local want=$1 pattern=$2 got
  rm -f scale.db
  "$run" run w.xml --event none -q >out 2>err
  got=$?
  [ "$got" = "$want" ] || fault "exit status $got instead of $want: $pattern"
  grep -qE "^scale-run: error: .*$pattern" err || fault "no error /$pattern/"
  grep -q '^hint: .' err || fault "no hint: $pattern"
}
./server "$port" up & taken=$!
for i in 1 2 3 4 5 6 7 8 9 10; do [ -e up ] && break; sleep 0.1; done
workload "port=\"$port\"" TERM
expect 3 "port $port is in use"
workload 'output="listening"' TERM
expect 3 'the service.*status 1.*bind'
kill $taken
workload 'output="ready now"' TERM
sed -i 's/10s/0.5s/' w.xml
expect 3 'not ready after 0.5 s.*"ready now"'
exit $status
