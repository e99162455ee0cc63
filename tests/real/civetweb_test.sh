#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# civetweb 1.15: four workers behind its queue of sockets, two conditions and a mutex, are a pool too small for 32 clients, of
# pages that take 30 ms; 48 workers are not. The server is idle before the first client comes and after the last one goes,
# which is no time in which its workers had nothing to do.
. "$(dirname "$0")/lib.sh"
fetch civetweb 1.15
mkdir build root
quietly cmake.log cmake -S civetweb -B build -DCMAKE_C_COMPILER="$bin/scale-cc" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O2 -g" \
  -DCIVETWEB_ENABLE_SSL=OFF -DCIVETWEB_ENABLE_ASAN=OFF -DCIVETWEB_BUILD_TESTING=OFF -DBUILD_TESTING=OFF
quietly make.log make -C build -j"$(nproc)"
printf '#!/bin/sh\nsleep 0.03\nprintf "Content-Type: text/plain\\r\\n\\r\\nok\\n"\n' >root/page.cgi
chmod 755 root/page.cgi
CIVETWEB_WORK=$work CIVETWEB_HERE=$here
export CIVETWEB_WORK CIVETWEB_HERE CIVETWEB_THREADS
CIVETWEB_THREADS=4
server civetweb civetweb-few
resources first civetweb-few contention sq_full 32
resources busy civetweb-few sq_full 32 0.8 1
"$bin/scale-run" verify civetweb-few.db --at n=32 --json >civetweb-few.verify # what really happens
resources actual civetweb-few civetweb-few.verify sq_full 32 0.8 1
CIVETWEB_THREADS=48
server civetweb civetweb-many
resources without civetweb-many contention insufficient-allocation inconsistent-state
resources busy civetweb-many sq_full 32 0.3 0.8
