#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Random histories: heddle check --history agrees with the judge (tests/lib/judge.py), and after failures heddle check --between with
# both; what the judge does with bad files.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
judge=$top_srcdir/tests/lib/judge.py
corpus=$top_srcdir/tests/fuzz/corpus/history

histories=60 changes=60
[ "${HEDDLE_LONG_TESTS-}" ] && histories=3000 changes=3000
ok "heddle and the judge agree on $histories histories" python3 "$top_srcdir/tests/lib/random_histories.py" "$histories"
ok "heddle check --between, too, on $changes changes after failures" \
	python3 "$top_srcdir/tests/lib/random_changes.py" --seed 7 "$changes"
ok "sound" python3 "$judge" --each "$corpus/mesh"
# LID 4 goes from either switch to the other one
sed 's/^lft 4 255 1$/lft 4 255 2/' "$corpus/mesh" >loop
not_ok "a loop" 1 python3 "$judge" loop
sed 's/^lft 4 255 1$/lft 4 254 1/' "$corpus/mesh" >old
not_ok "an old value that the node did not hold" 2 python3 "$judge" old
not_ok "no history" 2 python3 "$judge" "$corpus/none"
finish
