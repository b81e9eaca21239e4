# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Recorded fabrics of real clusters stand beside the source tree, not in it. $recordings: the directory
# that has them; empty where there is none. HEDDLE_SHARED names the one above it.
# Sourced after tests/lib/tap.sh. shellcheck shell=bash

# shellcheck disable=SC2034 # for the scripts that source this
recordings=
for above in "${HEDDLE_SHARED:-$top_srcdir/../shared}" "$top_srcdir/../../shared"; do
	[ -n "$recordings" ] || [ ! -d "$above/reference/real" ] || recordings=$above/reference/real
done
