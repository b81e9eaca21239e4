# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An independent judge (tests/lib/judge.py) of what switches hold while stock OpenSM with the plug-in changes tables: links,
# switches and hosts that fail and return, several at once, and subnet managers that take over from one another.
# With HEDDLE_LONG_TESTS: it also judges plug-ins with a planted fault (experiments/changes/mutants.py).
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
judged=$top_srcdir/experiments/changes/judged.py

for study in "torus:4x4 hdor,updn,any" "dragonfly:a=2,p=1,h=1 d3r" "tree:k=2,n=3 dmodc,updn"; do
	ok "$study: every round is sound, and heddle agrees" \
		python3 "$judged" "$top_builddir" ${study% *} "${study#* }" --changes 6 --try
done
# without rounds, the judge has something to object to
status=0
for seed in 1 2 3 4 5; do
	python3 "$judged" "$top_builddir" torus:4x4 updn transition=off --changes 6 --seed $seed --try >"$scratch/off" 2>&1 || status=$?
	[ $status = 0 ] || break
done
is "transition=off: some change is unsound" $status 1
[ $status = 1 ] || tap_explain <"$scratch/off"
if [ "${HEDDLE_LONG_TESTS-}" ]; then
	ok "every planted fault is found" python3 "$top_srcdir/experiments/changes/mutants.py" "$top_builddir"
fi
finish
