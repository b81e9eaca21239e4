#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The application graph500 in a scenario: columns, JSON, threads, remarks, bad input; and the fit of its equations.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
whole=(-s run.warmup=0ns -s run.measure=1s)
search=graph500:scale=16,root=10
ok "a search" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s traffic.pattern=$search --quiet --no-time --csv one.csv --json one.json
json "JSON: levels" "[l['edges'] for l in j['points'][0]['runs'][0]['details']['application']['levels']][0]" 10 cat one.json
json "all edges are explored, from both ends" \
	"sum(l['edges'] for l in j['points'][0]['runs'][0]['details']['application']['levels'])" 2097152 cat one.json
json "levels follow one another" \
	"all(a['end'] <= b['end'] and a['begin'] < b['begin'] for a, b in zip(*[(l, l[1:]) for l in
	[j['points'][0]['runs'][0]['details']['application']['levels']]][0]))" True cat one.json
# a search that never ends has no makespan, and its row says so
ok "a window that is too short" heddle sim dragonfly:a=4,p=2,h=2 -s run.warmup=0ns -s run.measure=1us -s traffic.pattern=$search \
	--no-time --csv short.csv
like "it is said" "$(<"$scratch/.err")" 'in 1 of 1 runs the application or operation did not come to its end'
# cell FILE COLUMN: of the first row
cell() {
	python3 -c 'import csv, sys
print(next(csv.DictReader(open(sys.argv[1])))[sys.argv[2]])' "$1" "$2"
}
is "it has no makespan" "$(cell short.csv makespan)" ""
is "nor a use of the network" "$(cell short.csv network_use)" ""
like "a whole one has" "$(cell one.csv network_use)" '^0\.[1-9]'

# three seeds by one thread and by three: the same numbers
ok "one thread" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s traffic.pattern=graph500:scale=15,hosts=random:20 \
	-s run.seeds=1..3 -j 1 --quiet --no-time --csv threads1.csv
ok "three" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s traffic.pattern=graph500:scale=15,hosts=random:20 \
	-s run.seeds=1..3 -j 3 --quiet --no-time --csv threads3.csv
ok "threads change nothing" cmp threads1.csv threads3.csv

# cycles
ok "time in cycles" heddle sim dragonfly:a=4,p=2,h=2 -s run.clock=cycles -s run.warmup=0 -s run.measure=1000000 -s link.bandwidth=1 \
	-s traffic.packet=64 -s switch.buffer='4 packets' -s traffic.pattern=graph500:scale=12,root=10,query=0.1 --quiet --no-time --csv -
says "no time in cycles" "query: '1.5ns' is no number of cycles" \
	heddle sim dragonfly:a=4,p=2,h=2 -s run.clock=cycles -s traffic.pattern=graph500:scale=12

like "a graph beyond the fit is told of" \
	"$(heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s traffic.pattern=graph500:scale=12,root=10 2>&1 >/dev/null)" \
	'^heddle: graph500: scale 12 is outside of what the fitted equations were fitted to, 15 \.\. 20$'
is "once" "$(heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s traffic.pattern=graph500:scale=12,root=10 -s run.seeds=1..2 2>&1 \
	>/dev/null | grep -c outside)" 1

for bad in "hosts=0:two at least take part" "hosts=70..72:there is no host 72: there are 72" \
	"hosts=0..71+6:host 6 is named twice" \
	"query=0ns:0ns is not above 0" "hosts=random:73:there are 72, not 73" "scale=41:41 is not in 1..40" \
	"scale=26,root=0:0 is not in 1..2147483648"; do
	says "${bad%:*}" "${bad##*:}" heddle sim dragonfly:a=4,p=2,h=2 -s "traffic.pattern=graph500:${bad%:*}" --csv never.csv
	ok "nothing is written" test ! -e never.csv
done

ok "levels fitted are levels measured" python3 "$top_srcdir/bench/kronecker.py" "$top_srcdir/bench/kronecker.csv"
fit=$(tr -d ' \t' <"$scratch/.out")
like "level 1" "$fit" 'otherscales:level1:349classes,meanerror2\.5%,within18%99\.7%'
missing=
while read -r row; do
	tr -d ' \t\n' <"$top_srcdir/sim/traffic/graph500_equations.c" | grep -qF "$row" || missing+=" $row"
done < <(sed -n '/^fitted_share/,/^fittedscales/p' <<<"$fit" | grep '^{')
is "the source has the factors of the fit" "$missing" ""

finish
