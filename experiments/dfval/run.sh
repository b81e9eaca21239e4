#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What dfval brings under adversarial traffic, the tables of docs/lanes.md, as adversarial.csv beside this script:
#
#	experiments/dfval/run.sh [HOSTS...]      without HOSTS, 72 342 1056; rows of other sizes stay
#
# ADV+1, VOQs, run.measure=auto from a warm-up of 2 ms; `window` is the length of the last window in ns, and where
# `steady` is 0 the run had not become steady when the next window would have ended after run.longest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/adversarial.csv
columns=accepted,source_min,source_jain,saturated,steady,window

# hosts, topology, engine, its options, LMC, VLs (0: as many as there are), load, run.longest
rows='
72    dragonfly:h=2  dla    -            0  0  1    64ms
72    dragonfly:h=2  dfval  -            1  0  1    64ms
72    dragonfly:h=2  dfval  -            2  0  1    64ms
72    dragonfly:h=2  dfval  -            3  0  1    64ms
72    dragonfly:h=2  dfval  -            4  0  1    64ms
72    dragonfly:h=2  dfval  minimal=off  3  0  1    64ms
72    dragonfly:h=2  dfval  -            1  3  1    64ms
72    dragonfly:h=2  dfval  -            2  3  1    64ms
72    dragonfly:h=2  dfval  -            3  3  1    64ms
72    dragonfly:h=2  dfval  -            4  3  1    64ms
72    dragonfly:h=2  dfval  minimal=off  3  3  1    64ms
72    dragonfly:h=2  dfval  -            4  0  0.5  64ms
342   dragonfly:h=3  dla    -            0  0  1    64ms
342   dragonfly:h=3  dfval  -            1  0  1    64ms
342   dragonfly:h=3  dfval  -            2  0  1    64ms
342   dragonfly:h=3  dfval  -            3  0  1    64ms
342   dragonfly:h=3  dfval  -            4  0  1    64ms
342   dragonfly:h=3  dfval  minimal=off  3  0  1    64ms
342   dragonfly:h=3  dfval  -            4  3  1    64ms
342   dragonfly:h=3  dfval  -            4  0  0.5  64ms
1056  dragonfly:h=4  dfval  -            4  0  1    32ms
1056  dragonfly:h=4  dfval  -            5  0  1    32ms
1056  dragonfly:h=4  dfval  -            5  0  0.5  32ms'

# the columns above of the one row of CSV on standard input; what is quoted may hold commas
results() {
	python3 -c '
import csv, sys
row = next(csv.DictReader(sys.stdin))
print(",".join(row[column] for column in sys.argv[1].split(",")))' "$columns"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=${*:-72 342 1056}
echo "hosts,engine,options,lids,vls,load,longest,$columns" >"$work/csv"
while read -r hosts topology engine options lmc vls load longest; do
	[ -n "$hosts" ] || continue
	[ "$options" != - ] || options=
	prefix=$hosts,$engine,$options,$((1 << lmc)),$vls,$load,$longest
	if [[ " $wanted " != *" $hosts "* ]]; then
		grep -e "^$prefix," "$out" >>"$work/csv"
		continue
	fi
	echo "$hosts hosts: $engine $options, LMC $lmc, load $load" >&2
	set=()
	[ "$vls" = 0 ] || set=(-s routing.max_vls="$vls")
	[ "$lmc" = 0 ] || set+=(-s routing.lmc="$lmc")
	heddle sim --quiet --no-time "$topology" -e "$engine" -s routing.options="$options" "${set[@]}" -s switch.voq=yes \
		-s traffic.pattern=adversarial -s traffic.load="$load" -s run.warmup=2ms -s run.measure=auto \
		-s run.longest="$longest" --csv "$work/run.csv" >/dev/null
	echo "$prefix,$(results <"$work/run.csv")" >>"$work/csv"
done <<<"$rows"
mv "$work/csv" "$out"
