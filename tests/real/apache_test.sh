#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# apache2 2.4 with apr and apr-util, built alike: the event MPM with four workers is a pool too small for 32 clients, of
# pages that take 30 ms; with 48 workers it is not. So is the worker MPM, whose listener waits for an idle worker, too.
. "$(dirname "$0")/lib.sh"
inst=$work/inst
build() { # source, version, options of configure...
  source=$1
  fetch "$source" "$2"
  shift 2
  cd "$source"
  quietly ../configure.log ./configure CC="$bin/scale-cc" CFLAGS="-O2 -g" "$@"
  quietly ../make.log make -j"$(nproc)"
  quietly ../install.log make install
  cd ..
}
build apr 1.7 --prefix="$inst" --disable-static
build apr-util 1.6 --prefix="$inst" --with-apr="$inst" --without-pgsql --without-sqlite3
build apache2 2.4 --prefix="$inst/httpd" --with-apr="$inst" --with-apr-util="$inst" --enable-mpms-shared='event worker' \
  --enable-mods-static="few cgid" --enable-cgid --disable-ssl --disable-lua
cat >httpd.conf <<'END'
ServerRoot "${APACHE_WORK}/inst/httpd"
ServerName localhost
LoadModule mpm_${APACHE_MPM}_module modules/mod_mpm_${APACHE_MPM}.so
Listen 127.0.0.1:21351
PidFile "${APACHE_WORK}/httpd.pid"
ScriptSock "${APACHE_WORK}/cgid"
DefaultRuntimeDir "${APACHE_WORK}"
ErrorLog "${APACHE_WORK}/error.log"
User daemon
Group daemon
KeepAlive Off
ServerLimit 1
StartServers 1
ThreadLimit 64
ThreadsPerChild ${APACHE_THREADS}
MaxRequestWorkers ${APACHE_THREADS}
MinSpareThreads 1
MaxSpareThreads 64
ScriptAlias /cgi/ "${APACHE_WORK}/cgi/"
<Directory "/">
  Require all granted
</Directory>
END
mkdir cgi
printf '#!/bin/sh\nsleep 0.03\nprintf "Content-Type: text/plain\\r\\n\\r\\nok\\n"\n' >cgi/page.cgi
chmod 755 "$work" cgi cgi/page.cgi
APACHE_WORK=$work APACHE_HERE=$here
export APACHE_WORK APACHE_HERE APACHE_MPM APACHE_THREADS
for APACHE_MPM in event worker; do
  APACHE_THREADS=4
  pool_too_small apache "$APACHE_MPM-few" worker_thread thread_cond
  APACHE_THREADS=48
  pool_large_enough apache "$APACHE_MPM-many"
done
