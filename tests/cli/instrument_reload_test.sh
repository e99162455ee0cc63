#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A library that is closed, built anew under the same name and opened again at the same address: what slots remember of
# the first must not be called in the second. Without a build id nothing but the code tells the two apart.
. "$(dirname "$0")/instrument/common.sh"
"$cc" -O2 "$files/reload.c" -o reload -ldl || fail "cannot build reload"
for id in none sha1; do
  for flags in "" -DSECOND -DLONGER; do
    # shellcheck disable=SC2086
    "$cc" -O2 -fPIC -shared $flags -Wl,--build-id=$id "$files/reload_plugin.c" -o "plugin$flags.$id" ||
      fail "cannot build the plugin $flags"
  done
  for next in "-DSECOND 16 20" "-DLONGER 6 10"; do
    cp "plugin.$id" first
    cp "plugin${next%% *}.$id" second
    profiled ./reload first second
    same "build id $id, then $next: status" 0 "$status"
    same "build id $id, then $next: output" "6 10
${next#* }" "$(cat out)"
  done
done
finish
