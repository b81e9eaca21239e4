#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# All runs that are not there yet, the comparison with the paper, and the figures: run.sh [-j N] [--heddle HEDDLE] [--seeds N] [PART...]
# (run.py --help). Exit status 1 where a verdict changed.
set -eu
here=$(dirname "$0")
"$here/run.py" "$@"
"$here/draw.py"
"$here/compare.py"
"$here/readings.py"
