#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SQLite 3.40.1 (its own configure and make, from the canonical sources): an unindexed self-join over n rows is quadratic
# in the byte code interpreter's loop; inserts into an indexed table are not.
. "$(dirname "$0")/lib.sh"
fetch sqlite3 3.40.1
mkdir build
cd build
quietly ../configure.log ../sqlite3/configure CC="$bin/scale-cc" --disable-tcl --disable-readline --disable-shared
quietly ../make.log make -j"$(nproc)" sqlite3
cd ..
SQLITE=$work/build/sqlite3
export SQLITE
study sqlite-join 4000
judge sqlite-join sqlite3VdbeExec 2
control sqlite-insert
