#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libyaml 0.2.5 (CMake): scanning n opening brackets is quadratic in yaml_parser_fetch_more_tokens.
. "$(dirname "$0")/lib.sh"
fetch libyaml 0.2.5
quietly cmake.log cmake -S libyaml -B build -G Ninja -DCMAKE_C_COMPILER="$bin/scale-cc" -DCMAKE_BUILD_TYPE=Release \
  -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=OFF
quietly ninja.log ninja -C build
quietly driver.log "$bin/scale-cc" -O2 -Ilibyaml/include -o driver "$here/libyaml_driver.c" build/libyaml.a
DRIVER=$work/driver
export DRIVER
study yaml-brackets 80000
judge yaml-brackets yaml_parser_fetch_more_tokens 2
control yaml-list
