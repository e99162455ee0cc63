#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms of the house: who may include and call whom (rooms.txt), and no circles of files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/rooms.py" "$here/../../.." "$SCALE_BUILD"
