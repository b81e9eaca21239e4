#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Jobs side by side: where they are placed, how much slower they are than alone, bad input.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99

# jobs PLACE: the scenario of two jobs on a dragonfly of 72 hosts
jobs() {
	cat <<END
[fabric]
topology = dragonfly:a=4,p=2,h=2
[routing]
engine = dla
[run]
warmup = 0
measure = 1s
[job train]
pattern = collective:allreduce,size=256KiB,repeat=3
hosts = 30
place = $1
[job moe]
pattern = collective:alltoall,size=256KiB,repeat=4
hosts = 32
place = random:3
start = 100us
END
}

# cells FILE COLUMN...: of the first row
cells() {
	python3 -c 'import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
print(*[row[c] for c in sys.argv[2:]])' "$@"
}

for place in blocks random:5 fragmented:30% rails topology; do
	jobs $place >jobs.ini
	ok "$place" heddle sim jobs.ini --no-time --csv "$place.csv" --json "$place.json"
	is "all of both jobs arrives" "$(cells "$place.csv" 'packets[train]' 'packets[moe]')" "15660 7936"
done
is "jobs that share no link are as fast as alone" "$(cells topology.csv 'slowdown[train]' 'slowdown[moe]')" "1 1"
like "jobs at random are slower" "$(cells random:5.csv 'slowdown[train]' 'slowdown[moe]')" '^1\.[0-9]+ 1\.[1-9]'
like "a job in fragments is slower" "$(cells fragmented:30%.csv 'repetition[train]')" '^[0-9]{6}'
first="j['points'][0]['runs'][0]['details']['collectives']"
json "JSON has both" "[(c['class'], c['ranks'], c['repetition_alone'] > 0) for c in $first]" \
	"[('train', 30, True), ('moe', 32, True)]" cat random:5.json
json "the second begins later" "${first}[1]['repetitions'][0]['begin']" 100000.0 cat random:5.json

# A job alone takes as long as the same operation without jobs.
jobs blocks | sed '/^\[job moe\]/,$d' >one.ini
ok "one job" heddle sim one.ini --csv one.csv
ok "its operation" heddle sim dragonfly:a=4,p=2,h=2 -e dla -s run.warmup=0 -s run.measure=1s \
	-s traffic.pattern=collective:allreduce,size=256KiB,repeat=3,hosts=0..29 --csv plain.csv
is "the same time" "$(cells one.csv makespan)" "$(cells plain.csv makespan)"
is "alone is nothing to compare" "$(cells one.csv 'slowdown[train]')" ""

# A file may begin with a job, whatever its name.
sed -n '/^\[job/,$p' jobs.ini >begins
ok "a scenario that begins with a job" heddle sim begins -s fabric.topology=dragonfly:a=4,p=2,h=2 -e dla -s run.warmup=0 \
	-s run.measure=1s

# By topology: whole groups first, and lists beside it
jobs topology | sed 's/hosts = 30/hosts = 16/; s/hosts = 32/hosts = 0..7/; /random:3/d' >groups.ini
ok "a job of two groups, by topology" heddle sim groups.ini --csv groups.csv
is "a job in a group of its own is not slower" "$(cells groups.csv 'slowdown[train]' 'slowdown[moe]')" "1 1"

# A job that fits into a group is in one: no packet crosses more than a link between switches.
hops() { # PLACE: the most links that a packet of a job of eight hosts crosses, where another job has four hosts of group 0
	printf '%s\n' '[job a]' 'pattern = collective:barrier' 'hosts = 0..3' '[job b]' 'pattern = collective:alltoall,size=4KiB' \
		'hosts = 8' "place = $1" >hops.ini
	heddle sim hops.ini -s fabric.topology=dragonfly:a=4,p=2,h=2 -e dla -s run.warmup=0 -s run.measure=1ms --csv hops.csv >.out
	cells hops.csv hops_max
}
is "by topology" "$(hops topology)" 3
is "in blocks" "$(hops blocks)" 5
is "at random" "$(hops random:1)" 5

# By rails: nodes with an adapter on each switch of a rail group. ring PLACE HOSTS LIST FABRIC: the same time as on these hosts in
# their order, beside a job on LIST
ring() {
	local operation=collective:allgather,algorithm=ring,size=256KiB source=fabric.topology=$4
	[[ $4 != *.net ]] || source=fabric.file=$4
	printf '%s\n' "[job a]" "pattern = collective:barrier" "hosts = $3" "[job b]" "pattern = $operation" "hosts = ${2%%:*}" \
		"place = $1" >rails.ini
	heddle sim rails.ini -s "$source" -e heddle -s run.warmup=0 -s run.measure=1s --csv rails.csv >.out || cat .out
	sed "s/^hosts = ${2%%:*}\$/hosts = ${2#*:}/; /^place/d" rails.ini >listed.ini
	heddle sim listed.ini -s "$source" -e heddle -s run.warmup=0 -s run.measure=1s --csv listed.csv >.out ||
		cat .out
	python3 - <<'PY'
import csv
a, b = (next(csv.DictReader(open(f))) for f in ('rails.csv', 'listed.csv'))
print([c for c in a if c in b and a[c] != b[c] and c not in ('traffic.classes', 'wall_s', 'seed')])
PY
}
rails=pgft:m=4x4x4,w=1x4x4,p=1x1x1,rails=4
is "a node of four rails is whole" "$(ring rails 8:4+5+6+7+8+9+10+11 0..1 $rails)" '[]'
is "the smallest group" "$(ring rails 7:16+17+18+19+20+21+22 0..9 $rails)" '[]'
is "groups of two switches" "$(ring rails:2 4:2+3+6+7 0+1+4+5+8+9+12+13 $rails)" '[]'
is "of a tree: a host of each switch of a pod" "$(ring rails 6:18+22+26+30+19+23 0..17 tree:k=4,n=3)" '[]'
heddle topo $rails -o rails.net >/dev/null
python3 - <<'PY'
import re
text = open('rails.net').read()
text = re.sub(r'"H-(\d{5})"', lambda m: f'"n{int(m[1]) // 4:02} mlx5_{int(m[1]) % 4}"', text)
open('names.net', 'w').write(text)
PY
is "machines of four adapters" "$(ring rails 6:0+1+2+3+8+9 5+6 names.net)" '[]'
is "no group has enough" "$(ring rails 6:18+19+20+22+21+23 0..17 tree:k=2,n=5)" '[]'

# Computing by communicating: exact on a crossbar, where a ring of 8 takes 14 (a + S / 8 b)
ratio() { # JOB'S KEYS...
	printf '%s\n' '[job a]' 'hosts = 0..7' "$@" >ratio.ini
	heddle sim ratio.ini -s fabric.topology=tree:k=8,n=1 -e dmodc -s run.warmup=0 -s run.measure=1s --csv ratio.csv >.out &&
		cells ratio.csv repetition
}
ring='pattern = collective:allreduce,algorithm=ring,size=256KiB,repeat=3'
communication=$((14 * (112 + 8192)))
least=$((7 * 262144 / 16))
is "no computing" "$(ratio "$ring" 'ratio = 0')" $communication
is "as long as communicating" "$(ratio "$ring" 'ratio = 1')" $((least + communication))
is "3:1" "$(ratio "$ring" 'ratio = 3:1')" $((3 * least + communication))
is "1:4" "$(ratio "$ring" 'ratio = 1:4')" $((least / 4 + communication))
is "an all-to-all, half" "$(ratio 'pattern = collective:alltoall,algorithm=pairwise,size=256KiB' 'ratio = 0.5')" \
	$((7 * 8192 / 2 + 7 * (112 + 8192)))
is "training: nodes of two, an all-gather and a reduce-scatter among four" \
	"$(ratio 'pattern = training:tp=2,layers=1,parameters=256KiB,activation=64KiB' 'ratio = 2')" \
	$((3 * 4 * 65536 / 8 / 4 + 2 * 2 * 3 * 32768 / 4 + 6 * (112 + 8192)))
for bad in 1:0 -1 many 1:x 2e6; do
	says "ratio = $bad" "ratio: '$bad' is no ratio" ratio "$ring" "ratio = $bad"
done
says "computing twice" 'ratio: compute says it already' ratio "$ring,compute=1us" 'ratio = 2'
says "a barrier has no data" 'ratio: links carry no data' ratio 'pattern = collective:barrier' 'ratio = 2'
says "a trace has its own times" "no option 'ratio'" ratio 'pattern = trace:ping.trace' 'ratio = 2'
says "not without hosts" 'ratio is for jobs' heddle sim tree:k=8,n=1 -s traffic.classes='a ratio=1'
says "too few rails" 'rails: 1 is not in 2' heddle sim tree:k=8,n=1 -s traffic.classes='a pattern=collective:barrier hosts=4 place=rails:1'

# A trace as a job, beside uniform traffic
printf '0 0 1 4096\n10 1 0 4096 received 0\n' >ping.trace
ok "a trace" heddle sim tree:k=4,n=2 -e dmodc -s run.warmup=0 -s run.measure=100us --csv trace.csv -s \
	traffic.classes='app pattern=trace:ping.trace,ticks=1000 hosts=2 place=random:1 then rest pattern=uniform load=0.1'
like "it arrives" "$(cells trace.csv 'packets[app]' 'last_arrival[app]')" '^2 [23][0-9]{3}'

for bad in "hosts = 30:hosts = 60:hosts: 12 are left of the 32 that the job wants" "hosts = 30:hosts = 1:hosts: 1 is not in 2" \
	"hosts = 30:hosts = 70..72:place: a list of hosts says it already" "place = blocks:place = near:place: 'near' is none of blocks" \
	"place = blocks:place = fragmented:'' is no share of hosts" "place = blocks:place = fragmented\:99%:others leave only" \
	"hosts = 30::job train" "start = 100us:start = 1:start: '1' is no time"; do
	IFS=: read -r from to why <<<"${bad//\\:/@}"
	jobs blocks | sed "s/$from/$(sed 's/@/:/' <<<"$to")/" >bad.ini
	[ "$to" ] || why='place is for jobs, with hosts'
	says "$to: $why" "$why" heddle sim bad.ini --csv never.csv
done
ok "nothing is written" test ! -e never.csv

finish
