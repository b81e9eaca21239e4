#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Packets that choose their paths, against theory and against FOGSim:
#
#	experiments/adaptive/check.sh [HEDDLE] [--all]
#
# prints each row and stops at the first that is wrong, with exit status 1. --all has the 1,056 hosts too, which
# takes some minutes. What is compared, and what differs and why, is in experiments/adaptive/README.md.
here=$(cd "$(dirname "$0")" && pwd)
heddle=${1:-heddle}
exec python3 "$here/check.py" "$heddle" "${@:2}"
