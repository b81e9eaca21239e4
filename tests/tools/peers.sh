# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The performance model agrees with cycle-accurate simulators. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"

# means of two seeds stay within the same limits, and crossbars without speed-up exceed them in eight rows of twenty
ok "FOGSim and BookSim2" env SEEDS=2 "$top_srcdir/experiments/peers/all.sh" "$top_builddir/heddle" switches
not_ok "no such part" 2 "$top_srcdir/experiments/peers/all.sh" "$top_builddir/heddle" fog
ok "BookSim2's router" "$top_srcdir/experiments/peers/booksim.py" --seeds 1 --only 'bit reversal' "$top_builddir/heddle"
ok "... and its ways up a tree" "$top_srcdir/experiments/peers/booksim.py" --seeds 1 --only 4-ary "$top_builddir/heddle"
finish
