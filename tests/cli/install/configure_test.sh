#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `cmake -B build` where the libraries of tests are missing: it says which, builds the rest, and fails only if tests were
# asked for.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fault() { echo "FAULT: $*"; status=1; }

# Hides a library from find_library, whose own command CMake keeps under the name with an underscore.
for hidden in cmocka clang-19; do
  cat >"$work/$hidden.cmake" <<EOF
function(find_library result)
  list(FIND ARGN $hidden found)
  if(found EQUAL -1)
    _find_library(\${result} \${ARGN})
    return()
  endif()
  set(\${result} \${result}-NOTFOUND PARENT_SCOPE)
  list(FIND ARGN REQUIRED found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "no $hidden")
  endif()
endfunction()
EOF
done

configure() { # what is hidden, further options
  local hidden=$1; shift
  cmake -S "$root" -B "$work/build-$hidden" -DCMAKE_PROJECT_INCLUDE="$work/$hidden.cmake" -DSCALE_PAGE=OFF "$@" >"$work/log" 2>&1
}

configure cmocka || { cat "$work/log"; fault "no configuration without cmocka"; }
grep -q '^-- Tests are not built: cmocka is missing (Debian: libcmocka-dev)$' "$work/log" || fault "cmocka is not named"
[ -e "$work/build-cmocka/tests/unit" ] && fault "unit tests without cmocka"
make -C "$work/build-cmocka" help >"$work/targets"
grep -q '^\.\.\. scale-run$' "$work/targets" || fault "no scale-run without cmocka"
configure cmocka -DSCALE_TESTS=ON && fault "tests that were asked for are left out without cmocka"

configure clang-19 || { cat "$work/log"; fault "no configuration without libclang"; }
grep -q '^-- Tests of exact counts are not built: libclang is missing (Debian: libclang-19-dev)$' "$work/log" ||
  fault "libclang is not named"
make -C "$work/build-clang-19" help >"$work/targets"
grep -q '^\.\.\. profiles_graph_test$' "$work/targets" || fault "no unit tests without libclang"
exit $status
