#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A build without the page because npm failed is not the end of it: the next one tries again. A release brings the page along.
# Needs neither npm nor a network.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fault() { echo "FAULT: $1"; status=1; }

# npm and node as they would be: they fail as long as there is a file "broken", and say how often they were called.
mkdir -p "$work/source" "$work/release/page"
ln -s "$root/runner/page" "$work/source/page"
cat >"$work/npm" <<END
#!/bin/sh
echo >>"$work/calls"
[ ! -e "$work/broken" ] || { echo "npm error network" >&2; exit 1; }
mkdir -p node_modules
END
printf '#!/bin/sh\necho "<html>the page</html>" >"$2"\n' >"$work/node"
chmod +x "$work/npm" "$work/node"
cat >"$work/source/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(part LANGUAGES NONE)
include(page/page.cmake)
add_custom_target(part ALL DEPENDS ${page_template})
END
cp "$work/source/CMakeLists.txt" "$work/release/"
cp -R "$root/runner/page/." "$work/release/page"
echo '<html>the page</html>' >"$work/release/page/page.html"
calls() { wc -l <"$work/calls"; }
has_page() { grep -q '0x3c,0x68,0x74,0x6d,0x6c' "$1/page_template.c"; }

try() { # try GENERATOR
  build="$work/build" && rm -rf "$build" && : >"$work/calls" && touch "$work/broken"
  cmake -G "$1" -S "$work/source" -B "$build" -DNPM="$work/npm" -DNODE="$work/node" >/dev/null
  cmake --build "$build" >"$work/said" 2>&1 || fault "$1: a build fails without the page"
  grep -q 'npm could not build the page' "$work/said" || fault "$1: nobody says that npm failed"
  ! has_page "$build" || fault "$1: there is a page though npm failed"
  cmake --build "$build" >/dev/null 2>&1
  [ "$(calls)" = 2 ] || fault "$1: after npm failed the next build called it $(($(calls) - 1)) times"
  rm "$work/broken"
  cmake --build "$build" >/dev/null 2>&1
  has_page "$build" || fault "$1: npm works again, but there is no page"
  before=$(stat -c %y "$build/page_template.c")
  cmake --build "$build" >/dev/null 2>&1
  [ "$(stat -c %y "$build/page_template.c")" = "$before" ] || fault "$1: the page is built again for nothing"
  cmake -DSCALE_PAGE=OFF "$build" >/dev/null
  cmake --build "$build" >/dev/null 2>&1
  ! has_page "$build" || fault "$1: there is a page with SCALE_PAGE=OFF"
  before=$(stat -c %y "$build/page_template.c")
  cmake --build "$build" >/dev/null 2>&1
  [ "$(stat -c %y "$build/page_template.c")" = "$before" ] || fault "$1: without a page it is built again for nothing"
  rm -rf "$build" && : >"$work/calls"
  cmake -G "$1" -S "$work/release" -B "$build" -DNPM="$work/npm" -DNODE="$work/node" >/dev/null
  cmake --build "$build" >"$work/said" 2>&1 || { fault "$1: a release does not build"; cat "$work/said"; }
  has_page "$build" || fault "$1: the release's page is not taken"
  [ "$(calls)" = 0 ] || fault "$1: npm is called for a release"
}
found=no
if command -v ninja >/dev/null; then try Ninja; found=yes; fi
if command -v make >/dev/null; then try "Unix Makefiles"; found=yes; fi
[ $found = yes ] || { echo "there is neither ninja nor make"; exit 77; }
exit $status
