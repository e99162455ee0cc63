#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of static functions, lengths of functions, and what files say they are for.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/statics.py" "$here/../../.."
