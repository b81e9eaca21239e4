#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# AR tables of random fabrics, and those of dfplus:ar=valiant on small Dragonfly+, with private LFTs and VL2VL: heddle check
# agrees with brute force (tests/lib/ar_prover.py, tests/lib/ar_tables.py).
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

fabrics=40
[ "${HEDDLE_LONG_TESTS-}" ] && fabrics=2000
ok "heddle and brute force agree on $fabrics fabrics" \
	python3 "$top_srcdir/tests/lib/ar_prover.py" "$fabrics"

mutations=5
[ "${HEDDLE_LONG_TESTS-}" ] && mutations=200
heddle topo dragonflyplus:leaves=2,spines=2,hosts=1,h=1 --fail-links 1 --seed 3 -o degraded.net >/dev/null
for fabric in dragonflyplus:leaves=2,spines=2,hosts=1,h=1 dragonflyplus:leaves=2,spines=1,hosts=2,h=2 degraded.net; do
	for options in ar=valiant ar=valiant,ar_state=static; do
		rm -rf tables
		ok "$fabric: dfplus:$options" heddle route "$fabric" -e "dfplus:$options" --plain -o tables
		like "$fabric: brute force agrees" \
			"$(python3 "$top_srcdir/tests/lib/ar_tables.py" --mutations "$mutations" tables 2>&1)" "switches: sound, [1-9][0-9]* states"
	done
done
finish
