#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# radiusd of freeradius 3.2 with its own libraries (needs libtalloc-dev): its threads take requests that the thread which reads
# them posts to a semaphore. Four are a pool too small for 32 clients, of requests for which a program is run that takes 0.2 s
# and whose end is looked for ten times a second; 48 are not.
. "$(dirname "$0")/lib.sh"
fetch freeradius 3.2
cd freeradius
printf 'rlm_exec\n' >src/modules/stable
# Configure scripts of modules get these words again, unquoted.
quietly ../configure.log ./configure CC="$bin/scale-cc" CFLAGS=-g --prefix="$work/inst" --with-openssl=no
quietly ../make.log make -j"$(nproc)"
quietly ../install.log make install
cd ..
printf '$INCLUDE %s/inst/share/freeradius/dictionary\n' "$work" >dictionary
for threads in 4 48; do
  cat >radiusd-$threads.conf <<END
prefix = $work/inst
libdir = $work/inst/lib
logdir = $work
raddbdir = $work
run_dir = $work
db_dir = $work
log {
  destination = stdout
}
thread pool {
  start_servers = $threads
  max_servers = $threads
  min_spare_servers = 1
  max_spare_servers = $threads
  max_requests_per_server = 0
}
client localhost {
  ipaddr = 127.0.0.1
  secret = testing123
}
modules {
  exec nap {
    wait = yes
    program = "/bin/sleep 0.2"
  }
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = 21354
  }
  authorize {
    nap
    update control {
      Auth-Type := Accept
    }
  }
}
END
done
RADIUS_WORK=$work RADIUS_HERE=$here
export RADIUS_WORK RADIUS_HERE RADIUS_THREADS
RADIUS_THREADS=4
pool_too_small freeradius freeradius-few request_handler_thread thread_pool.semaphore
RADIUS_THREADS=48
pool_large_enough freeradius freeradius-many
