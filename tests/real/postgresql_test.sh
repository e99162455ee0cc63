#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL 15 with pg_stat_statements, which may remember 100 statements. Where 2,500 different ones are run, each
# evicts another under the extension's lock; with 25 none is evicted. On a plain build, samples of pg_stat_activity that
# wait for this lock are to those that compute as 0:56 at 1 client, 30:63 at 2, 102:84 at 4, 305:105 at 8, 721:120 at 16;
# with 25 statements nobody ever waits for it. From 1 to 4 clients it has to be predicted first of all resources at 16.
. "$(dirname "$0")/lib.sh"

# The server refuses to run as root.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$POSTGRES" TMPDIR="$POSTGRES" "$@"
  else
    "$@"
  fi
}
build() { # the server, and what initdb and pgbench need
  make -C src/backend generated-headers
  for part in common port timezone backend backend/utils/mb/conversion_procs backend/snowball interfaces/libpq fe_utils \
              bin/initdb bin/pgbench pl/plpgsql; do
    make -j"$(nproc)" -C "src/$part" || return 1
  done
  make -C contrib/pg_stat_statements || return 1
  for part in src/timezone src/backend src/backend/utils/mb/conversion_procs src/backend/snowball src/interfaces/libpq \
              src/bin/initdb src/bin/pgbench src/pl/plpgsql contrib/pg_stat_statements; do
    make -C "$part" install || return 1
  done
}
# Debian's source puts its libraries below /usr/lib, whatever the prefix is, unless the path contains "postgres": nothing is
# installed before every folder is known to be in the prefix.
check_folders() {
  cat >folders.mk <<'END'
subdir = .
top_builddir = .
include src/Makefile.global
show:
	@printf '%s\n' $(bindir) $(datadir) $(sysconfdir) $(libdir) $(pkglibdir) $(includedir) $(pkgincludedir) $(mandir) \
	  $(docdir) $(htmldir) $(localedir)
END
  make -s -f folders.mk show >folders || return 1
  [ "$(wc -l <folders)" -ge 10 ] || return 1
  ! grep -v "^$POSTGRES/" folders
}
study_of() { # NAME STATEMENTS
  python3 "$here/postgresql_statements.py" "$POSTGRES/$1" "$2"
  STATEMENTS=$POSTGRES/$1
  export STATEMENTS
  unprivileged "$bin/scale-run" run "$here/postgresql.xml" -o "$POSTGRES/$1.db" --event none --budget 4min --quiet --no-report
  unprivileged "$bin/scale-run" report "$POSTGRES/$1.db" --at 16 --format json >"$1.json"
}

fetch postgresql-15 15
POSTGRES=$work/postgresql
export POSTGRES
SCALE_PROBES=$root/examples/probes/postgresql.json
mkdir build
cd build
quietly ../configure.log ../postgresql-15/configure --prefix="$POSTGRES" CC="$bin/scale-cc --scale-probes=$SCALE_PROBES" \
  CFLAGS=-O2 --without-readline --without-zlib
quietly ../folders.log check_folders
quietly ../build.log build
cd ..
cat >"$POSTGRES/load" <<'END'
# CLIENTS STATEMENTS: each client runs 200 scripts of 25 statements; what it costs the clients themselves is not measured
exec env -u SCALE_PROFILE_DIR "$POSTGRES/bin/pgbench" -h "$POSTGRES" -n -c "$1" -j 1 -t 200 --random-seed=1 \
  $(printf -- '-f %s ' "$2"/*.sql) postgres
END
chmod 755 "$work"
[ "$(id -u)" != 0 ] || chown nobody "$POSTGRES"
quietly initdb.log unprivileged "$POSTGRES/bin/initdb" -D "$POSTGRES/data" -A trust --no-sync
cat >table.sql <<'END'
CREATE TABLE accounts (id int PRIMARY KEY, branch int, balance int);
INSERT INTO accounts SELECT i, 1, 0 FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE accounts;
END
quietly table.log unprivileged "$POSTGRES/bin/postgres" --single -D "$POSTGRES/data" postgres <table.sql
! grep ERROR table.log || fail "the table"

study_of many 2500
study_of few 25
python3 "$here/resources.py" first many.json contention pg_stat_statements 16 || fail "2,500 statements"
python3 "$here/resources.py" free few.json contention pg_stat_statements || fail "25 statements"
