#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A class, its methods and its file under other names, with comments in front: every linkage name and every line is another
# one, and nothing changed.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
run=$SCALE_BUILD/bin/scale-run
[ -x "$SCALE_BUILD/bin/scale-cc" ] && [ -e "$SCALE_BUILD/lib/scale/scale-pass.so" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
measure() { # measure FOLDER
  make -s -C "$1" SCALE_CXX="$SCALE_BUILD/bin/scale-c++" OUT="$work/$1/out"
  FILE_MANAGER=$work/$1/out/file-manager "$run" run "$1/workload.xml" -o "$1.db" --quiet --no-report
}
cp -R "$root/examples/file-manager" before
cp -R before after
chmod -R u+w before after
mkdir before/out after/out
(
  cd after
  sed -i 's/Panel/FileView/g; s/selectedItems/chosenItems/g; s/refreshStatusBar/updateStatus/g' ./*.cpp panel.hpp
  sed -i '1i // One.\n// Two.\n// Three.' panel.cpp
  mv panel.cpp view.cpp
  sed -i 's/panel\.o/view.o/g' Makefile
)
measure before
measure after
for pair in 'before.db after.db' 'after.db before.db'; do
  # shellcheck disable=SC2086
  "$run" diff $pair >out || status=1
  grep -q '^No change: [0-9]* contexts compared, [0-9]* of them under another name' out || { cat out; status=1; }
done
"$run" baseline before.db -o models.json
"$run" diff models.json after.db >out || status=1
grep -q '^No change: ' out || { cat out; status=1; }
exit $status
