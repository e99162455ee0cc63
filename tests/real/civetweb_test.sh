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
pool_too_small civetweb civetweb-few sq_full sq_full
CIVETWEB_THREADS=48
pool_large_enough civetweb civetweb-many
resources busy civetweb-many sq_full 32 0.3 0.8
