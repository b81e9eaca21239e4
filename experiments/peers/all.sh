#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle beside all other simulators:
#
#	[BOOKSIM2=CLONE] [FOGSIM=PROGRAM] [ATLAHS=CLONE] [HTSIM=PROGRAM] [SEEDS=N] experiments/peers/all.sh HEDDLE [PART...]
#
# PART: switches (FOGSim, BookSim2: load and latency), booksim (its router), fogsim (paths that packets choose), md1 (waiting at
# hosts: theory), goal (LogGOPSim), htsim (speed); without, all of them, which takes some ten minutes. A peer whose variable
# says where it is runs beside heddle; without, its recorded values count, and goal and htsim, which have none, are left out.
# SEEDS: so many of heddle in switches, whose scenarios have 3 or 5. `booksim.py --commands` and `fogsim.py --commands` print the
# command lines. Exit 1 where a part differs by more than it may, 2 without any part.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] && [ "${1#-}" = "$1" ] || {
	sed -n '3,/^set/s/^#[ \t]\{0,1\}//p' "$0" >&2
	exit 2
}
heddle=$1
shift
status=0 ran=0

# part NAME WORD-OF-PEER COMMAND...: "-" needs no peer
part() {
	echo "== $1"
	if [ -z "$2" ]; then
		echo "left out: the variable that says where it is is not set"
		return
	fi
	ran=1
	"${@:3}" || status=1
}

[ $# -gt 0 ] || set -- switches booksim fogsim md1 goal htsim
for name; do
	case $name in
	switches) part "$name" - bash "$here/compare.sh" "$heddle" ${SEEDS:+-s "run.seeds=1..$SEEDS"} ;;
	booksim) part "$name" - "$here/booksim.py" ${BOOKSIM2:+--booksim2 "$BOOKSIM2"} --seeds 3 "$heddle" ;;
	fogsim) part "$name" - "$here/fogsim.py" ${FOGSIM:+--fogsim "$FOGSIM"} "$heddle" ;;
	md1) part "$name" - "$here/md1.py" "$heddle" ;;
	goal) part "$name" "${ATLAHS-}" "$here/goal.py" "${ATLAHS-}" "$heddle" ;;
	htsim) part "$name" "${HTSIM-}" "$here/../../bench/bench_htsim.py" "${HTSIM-}" "$heddle" ;;
	*)
		echo "all.sh: '$name' is none of switches, booksim, fogsim, md1, goal, htsim" >&2
		exit 2
		;;
	esac
done
[ "$ran" = 1 ] || status=2
exit "$status"
