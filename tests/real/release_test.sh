#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A release: the tarball, built without git and npm by plain make and as Debian packages; both used, neither installed on
# this machine.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null && git -C "$root" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: no git checkout"; exit 77; }
[ -s "$SCALE_BUILD/runner/page/page.html" ] || command -v npm >/dev/null ||
  { echo "skipped: no page in this build, and no npm to make one"; exit 77; }

version=$("$bin/scale-run" --version | sed 's/.* //')
"$root/packaging/dist" "$SCALE_BUILD" "$version" >tarball
tar -xf "$(cat tarball)"
rm -f "$(cat tarball)"
release=$work/scale-run-$version
for file in runner/page/page.html docs/man/scale-run-report.1 docs/man/scale-cc.1 debian/rules README.md; do
  [ -s "$release/$file" ] || fail "not in the tarball: $file"
done

# All programs of the system, but git and npm.
mkdir path
ln -s /usr/bin/* path/
rm -f path/git* path/npm* path/npx* path/node*
PATH=$work/path
export PATH
unset SCALE_CLANG SCALE_WRAPPER SCALE_PROFILE_DIR
jobs=$(nproc)

# try PREFIX LIBDIR: what is installed there, used (another test moves and removes it)
try() {
  rm -rf try && mkdir try
  PATH=$1/bin:$PATH CMAKE_PREFIX_PATH=$1 PKG_CONFIG_PATH=$1/$2/pkgconfig \
    quietly try.log sh "$release/tests/cli/install/try.sh" "$work/try" page
}

cd "$release"
quietly "$work/make.log" cmake -B build -G "Unix Makefiles" -DSCALE_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$work/prefix"
quietly "$work/make.log" make -C build -j "$jobs" install
cd "$work"
try "$work/prefix" lib
make -C "$release/build" uninstall >make.log 2>&1
left=$(find "$work/prefix" -type f)
[ -z "$left" ] || fail "make uninstall left $left"
rm -rf "$release/build"
echo "make install: works"

if command -v dh >/dev/null; then
  cd "$release"
  DEB_BUILD_OPTIONS="nocheck parallel=$jobs" quietly "$work/debian.log" dpkg-buildpackage -us -uc -b
  cd "$work"
  if command -v lintian >/dev/null; then # nothing of this is uploaded, so nothing is closed by it
    quietly lintian.log lintian --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning,info ./*.changes
  fi
  # Both are installed side by side: dpkg refuses a file that two packages have.
  both=$(for package in scale-run scale-cc; do dpkg-deb -c "$package"_*.deb | sed -n 's,^-.* \./,,p'; done | sort | uniq -d)
  [ -z "$both" ] || fail "both packages have $both"
  mkdir root
  for package in scale-run scale-cc; do
    dpkg-deb -x "$package"_*.deb root
  done
  dpkg-deb -f scale-run_*.deb Depends | grep -q -e clang -e LLVM && fail "scale-run depends on a compiler"
  dpkg-deb -f scale-cc_*.deb Depends | grep -q clang-19 || fail "scale-cc does not depend on clang-19"
  try "$work/root/usr" "lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
  echo "Debian packages: work"
fi
