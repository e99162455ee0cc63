#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Thresholds stand in tuning.def alone, are all in use, and docs/thresholds.md shows them.
set -eu
cd "$(dirname "$0")/../../.."
print=$SCALE_BUILD/tests/cli/thresholds
status=0
fault() { echo "$1"; status=1; }

"$print" | diff docs/thresholds.md - || fault "docs/thresholds.md is out of date: $print > docs/thresholds.md"

for table in */tuning.def; do
  folder=${table%/*}
  for name in $(sed -n 's/^SC_TUNING[_A-Z]*(\(SC_[A-Z0-9_]*\),.*/\1/p' "$table"); do
    grep -rqw --include='*.[ch]' "$name" regress profiles transitions runner || fault "$table: $name is not used"
  done
  # Beside the code stay mathematical constants, the precision of a double, versions and numbers of formats.
  found=$(grep -rnE 'static const (double|float) [a-zA-Z_]+ = |^#define SC_[A-Z_0-9]+ +[0-9.]+$' --include='*.[ch]' "$folder" |
          grep -vE ' (linear|golden|rounding|thinnest|VALUE_STEPS) = | = 0x1p|SC_SPECIAL_STEP|SC_ORDER_EXPONENTIAL|_VERSION|SC_SAMPLER_REGS') ||
          true
  [ -z "$found" ] || fault "thresholds that belong into $table:
$found"
done
exit $status
