#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cmake --install: into a folder that stands for the system's root, moved from there to another place, used there, and
# taken away again.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
for part in bin/scale-run bin/scale-cc lib/scale/scale-pass.so lib/scale/libscale-rt.a; do
  [ -e "$SCALE_BUILD/$part" ] || { echo "skipped: no $part"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0
fault() { echo "FAULT: $*"; status=1; }

# The build folder's list of what was installed is left as it was: others may need it.
manifest=$SCALE_BUILD/install_manifest.txt
[ -e "$manifest" ] && cp -p "$manifest" manifest.before
DESTDIR=$work/stage cmake --install "$SCALE_BUILD" --prefix /opt/tools >log 2>&1 || { cat log; exit 1; }
mv "$manifest" manifest
[ -e manifest.before ] && mv manifest.before "$manifest"

tools=stage/opt/tools
lib=$(dirname "$(cd $tools && echo lib*/scale lib/*/scale | tr ' ' '\n' | grep -v '\*' | head -n 1)")
for file in bin/scale-run bin/scale-cc bin/scale-c++ include/scale/annotate.h "$lib/scale/scale-pass.so" \
  "$lib/scale/libscale-rt.a" libexec/scale/scale-keeper "$lib/scale/scale.cmake" "$lib/scale/include/scale/annotate.h" "$lib/pkgconfig/scale.pc" \
  "$lib/pkgconfig/scale-instrument.pc" "$lib/cmake/Scale/ScaleConfig.cmake" share/man/man1/scale-run.1 \
  share/man/man1/scale-run-report.1 share/man/man1/scale-cc.1 share/man/man1/scale-c++.1 \
  share/bash-completion/completions/scale-run share/zsh/site-functions/_scale-run \
  share/fish/vendor_completions.d/scale-run.fish share/scale/probes/redis.json share/scale/probe-set.schema.json \
  share/scale/report.schema.json share/scale/workload.rng share/scale/examples/cmark/ordered-list.xml \
  share/doc/scale-run/README.md share/doc/scale-run/workload.md; do
  [ -s "$tools/$file" ] || fault "not installed: $file"
done
find stage -type f ! -path '*/opt/tools/*' | grep . && fault "files outside of the prefix"
for verb in $("$tools/bin/scale-run" --help=man | sed -n 's/^\.BR scale\\-run\\-\([a-z]*\) (1)$/\1/p'); do
  [ -s "$tools/share/man/man1/scale-run-$verb.1" ] || fault "no man page of $verb"
done
# Nothing that is installed names the folder it was built in, or the prefix it is no longer in.
grep -rlIF -e "$SCALE_BUILD" -e "$root" -e /opt/tools "$tools" && fault "these files name a path of the build"

mkdir elsewhere && mv "$tools" "elsewhere/moved"
moved="$work/elsewhere/moved"
mkdir try
(
  PATH=$moved/bin:$PATH
  CMAKE_PREFIX_PATH=$moved PKG_CONFIG_PATH=$moved/$lib/pkgconfig
  export PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH
  unset SCALE_CLANG SCALE_WRAPPER SCALE_PROFILE_DIR
  sh "$here/try.sh" "$work/try"
) >log 2>&1 || { cat log; fault "what is installed does not work"; }
"$moved/bin/scale-run" doctor >log 2>&1
grep -q "$moved/$lib/scale/scale-pass.so" log || fault "doctor does not find the pass: $(cat log)"

mkdir -p stage/opt && mv "$moved" "$tools" && touch "$tools/share/man/man1/other.1"
DESTDIR=$work/stage cmake -DMANIFEST="$work/manifest" -P "$root/packaging/uninstall.cmake" >log 2>&1 || { cat log; fault "uninstall"; }
left=$(find stage \( -type f -o -type l \) ! -name other.1)
[ -z "$left" ] || fault "left by uninstall: $left"
[ -e "$tools/share/man/man1/other.1" ] || fault "uninstall removed a file that is not ours"
left=$(find "$tools" -iname '*scale*')
[ -z "$left" ] || fault "folders left by uninstall: $left"
exit $status
