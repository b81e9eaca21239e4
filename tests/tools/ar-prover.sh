#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# AR tables of random fabrics: heddle check agrees with brute force (tests/lib/ar_prover.py).
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

fabrics=40
[ "${HEDDLE_LONG_TESTS-}" ] && fabrics=2000
ok "heddle and brute force agree on $fabrics fabrics" \
	python3 "$top_srcdir/tests/lib/ar_prover.py" "$fabrics"
finish
