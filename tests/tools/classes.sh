#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes on the command line: routes, proofs, snapshots, what differs, what is refused.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
cat >five <<END
[class VO] share = 10%  packet = 128
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512
[class BE] share = 5%   packet = 1024   lanes = rest
[class BK] share = 5%   packet = 1024   lanes = rest
END
sed 's/lanes = rest//' five >apart
sed 's/= 50%/= 40%/; s/\(BE.*\)= 5%/\1= 15%/' five >other

ok "five classes with dla" heddle route $dragonfly -e dla --max-vls 8 --classes five -o five.tables
like "their SLs and VLs" "$(heddle show five.tables resources)" "class BK +5%, packets of 1024 bytes, SLs 4, VLs 6, 7"
ok "are proved again" heddle check five.tables
ok "with any SL" heddle check five.tables --all-sls
ok "with SLs of the other direction" heddle check five.tables --reversed-sl
json "in JSON" "[(c['name'], c['sls'], c['vls']) for c in j['classes']][3], j['share_error'], j['sls']" \
	"(('BE', [3], [6, 7]), 0.0, 5)" heddle route $dragonfly -e dla --max-vls 8 --classes five --json
like "an SL for each class" "$(cat five.tables/path-sl-CL.dump)" "0x[0-9a-f]* [0-9]* 2"
like "a path of a class" "$(heddle show five.tables path H-00000 H-00071 --class CL)" ", SL 2: .*H-00000 +- +1 +4"
like "and without one" "$(heddle show five.tables path H-00000 H-00071)" ", SL 0: .*H-00000 +- +1 +0"
says "no such class" "no service class 'XX'" heddle show five.tables path H-00000 H-00071 --class XX
says "an SL and a class" "sl or --class" heddle show five.tables path H-00000 H-00071 --class CL --sl 2
says "a class of load" "class goes with 'path' only" heddle show five.tables load --class CL
is "the class file of a snapshot gives the same tables" "$(
	heddle route $dragonfly -e dla --max-vls 8 --classes five.tables/classes.ini -o again >/dev/null
	diff -r five.tables again 2>&1
)" ""
ok "nothing differs" heddle diff five.tables again
heddle route $dragonfly -e dla --max-vls 8 --classes other -o other.tables >/dev/null
not_ok "other shares differ" 1 heddle diff five.tables other.tables
like "and are told" "$(heddle diff five.tables other.tables)" "class CL: SLs from 2, now from 2; 50%, now 40%"
like "one class more or less" "$(
	heddle route $dragonfly -e dla -o none >/dev/null
	heddle diff none five.tables
)" "class VO added"
for cap in 4 8 16 40 64; do
	like "capacity $cap: exact" "$(heddle route $dragonfly -e dla --max-vls 8 --classes five --vlarb-cap $cap)" \
		"shares +exact at every port"
done
like "the nearest has its error" "$(
	printf '[class a] share = 33.3%%\n[class b] share = 66.7%%\n' >odd
	heddle route tree:k=4,n=2 -e dmodc --classes odd
)" "shares +within 0\.000[0-9] of the class file, worst at "
ok "engine heddle" heddle route $dragonfly -e heddle --max-vls 8 --classes five
ok "failures" heddle faults tree:k=4,n=2 -e dmodc --classes five --links 1 --sample 5

# high priority: a packet of two units before each of the others
cat >urgent <<END
[class VO] share = 25%  packet = 128   priority = high
[class VI] share = 25%  packet = 256
[class CL] share = 40%  packet = 512
[class BE] share = 10%  packet = 1024
END
ok "a class of high priority" heddle route $dragonfly -e dla --max-vls 8 --classes urgent -o urgent.tables
like "in the other table" "$(heddle show urgent.tables vlarb G0S0 1)" "high +0:2 .*low +2:20 4:64 2:20 6:16.*limit 0"
ok "starves nobody" heddle qos show urgent.tables
is "and is kept in the snapshot" "$(
	heddle route $dragonfly -e dla --max-vls 8 --classes urgent.tables/classes.ini -o again >/dev/null
	diff -r urgent.tables again 2>&1
)" ""
sed 's/   priority = high//' urgent >calm
heddle route $dragonfly -e dla --max-vls 8 --classes calm -o calm.tables >/dev/null
like "another priority differs" "$(heddle diff calm.tables urgent.tables)" "class VO: .*; low priority, now high"
like "and is told" "$(heddle show urgent.tables resources)" "class VO +25%, packets of 128 bytes, high priority, SLs 0"
sed '/VO/s/25%/10%/; s/= 40%/= 55%/' urgent >little
like "too little for it" "$(heddle route $dragonfly -e dla --max-vls 8 --classes little 2>&1)" \
	"with limit 0 high priority leaves 0.[0-9]+ of a link to the others, whose shares are 0.9000"

# in the model
cat >sim.ini <<END
[fabric] topology = $dragonfly
[routing] engine = dla
classes = five
max_vls = 8
[traffic] load = 0.3
[run] warmup = 20us  measure = 50us
[switch] scheduler = rr, sbt, sbt-literal, dtable, vlarb
[plot] x = switch.scheduler
y = accepted[VO], latency_p99[BK]
END
ok "the classes of a file are traffic" heddle sim sim.ini --csv sim.csv --plot sim.svg
is "each sends its share" "$(python3 - <<'PYTHON'
import csv
shares = {'VO': .1, 'VI': .3, 'CL': .5, 'BE': .05, 'BK': .05}
rows = list(csv.DictReader(open('sim.csv')))
print(len(rows), all(abs(float(r[f'accepted[{c}]']) - .3 * s) < .01 for r in rows for c, s in shares.items()))
PYTHON
)" "5 True"
like "and is drawn" "$(cat sim.svg)" 'accepted\[VO\]'
ok "a snapshot has them, too" heddle sim five.tables -s run.warmup=20us -s run.measure=50us
like "with columns" "$(cat .out)" 'latency_mean\[CL\] '
ok "but not where none are asked for" heddle sim five.tables -s run.warmup=20us -s run.measure=50us -s traffic.classes=none
is "then without columns" "$(grep -cF '[' .out)" 0
ok "a sweep of them is resumed" heddle sim sim.ini --csv sim.csv --resume
printf '[traffic a]\nshare = 25%%\n[traffic b]\nshare = 60%%\n' >bad.ini
says "classes of traffic: shares" "bad.ini:1: traffic.classes: the shares of 2 classes sum to 85%, not to 100%" heddle sim bad.ini
printf '[traffic a]\nclass = gold\n' >bad.ini
says "classes of traffic: no such service class" "bad.ini:1: traffic.classes: class a: the tables have no service class 'gold'" heddle sim bad.ini
printf '[traffic a]\n[traffic a]\n' >bad.ini
says "classes of traffic: one twice" "bad.ini:1: traffic.classes: class a once more" heddle sim bad.ini
printf '[traffic a]\npacket = 4 KiB\n' >bad.ini
says "classes of traffic: blanks" "bad.ini:2: packet: a class of traffic has one value, without blanks" heddle sim bad.ini
says "weights of other classes" "switch.weights: 3 weights of 5 service classes" heddle sim sim.ini -s switch.scheduler=sbt -s 'switch.weights=1 2 3'
says "a DTable that does not have the shares" "class BE: a share of 0.05000, where 8 of 128 entries with k=1 and w=8 have 0.06250" \
	heddle sim sim.ini -s switch.scheduler=dtable -s switch.dtable=128,16,8,1
# in-ports that propose a packet choose its VL
for scheduler in vlarb sbt dtable; do
	says "$scheduler by in-ports" "switch.scheduler: with switch.allocator = input the in-ports choose the VLs" \
		heddle sim sim.ini -s switch.scheduler=$scheduler -s switch.allocator=input
done
says "an arbiter by in-ports" "switch.arbiter: with switch.allocator = input the in-ports choose the VLs" \
	heddle sim $dragonfly -e dla -s switch.arbiter=vl -s switch.allocator=input
says "classes by in-ports" "scheduler vlarb: with allocator input the in-ports choose the VLs" \
	heddle sim $dragonfly -e dla -s routing.max_vls=8 -s routing.classes=five -s switch.allocator=input
ok "but by turns" heddle sim sim.ini -s switch.scheduler=rr -s switch.allocator=input --no-time
says "a class file that is not there" "nowhere: No such file" heddle sim sim.ini -s routing.classes=nowhere
says "classes and VCs" "packets that choose their VCs are of no service class" \
	heddle sim sim.ini -s switch.scheduler= -s routing.adaptive=olm -s routing.vcs=hop:3/2

not_ok "five classes on a torus" 1 heddle route torus:8x8 -e hdor --classes apart
like "with the arithmetic" "$(heddle route torus:8x8 -e hdor --classes apart 2>&1)" \
	"5 service classes x 4 flow classes x 1 queues \(single\) need 20 SLs, of which there are 16"
like "VLs, too" "$(heddle route $dragonfly -e dla --classes apart --max-vls 8 2>&1)" \
	"5 lanes of classes x 2 layers x 1 queues \(single\) need 10 VLs, of which there are 8"

bad() {
	printf '%b' "$2" >bad
	says "$1" "bad:$3" heddle route $dragonfly -e dla --classes bad
}
bad "shares that do not sum to 100%" '[class a]\nshare = 50%\n[class b]\nshare = 49%' "3: the shares of 2 classes sum to 99%, not to 100%"
bad "a packet above the MTU" '[class a]\nshare = 100%\npacket = 8192' "3: packet: 8192 bytes are more than the MTU, 4096"
bad "a class twice" '[class a] share = 50%\n[class a] share = 50%' "2: class a once more, after line 1"
bad "an SL that two classes claim" '[class a] share = 50%  sl = 1\n[class b] share = 50%  sl = 1' "2: classes a and b both claim SL 1"
bad "a priority that there is not" '[class a] share = 100%  priority = top' "1: priority: 'top' is neither high nor low"
bad "no limit" '[class a] share = 50%  priority = high  limit = 255\n[class b] share = 50%' "1: limit: 255 is no limit"
bad "a limit of low priority" '[class a] share = 50%  limit = 2\n[class b] share = 50%' "1: class a has a limit, but no priority = high"
bad "lanes of two priorities" '[class a] share = 50%  priority = high\n[class b] share = 50%  lanes = a' "2: classes a and b share lanes, and differ in priority"
bad "lanes of two queue rules" '[class a] share = 50%  queues = dbbm:2\n[class b] share = 50%  lanes = a  queues = single' "2: classes a and b share lanes, and have other queues: dbbm:2, single"
bad "no file of classes" 'hello' "1: neither \[section\] nor key = value"
printf '[class a] share = 50%%\n[class b] share = 50%%  queues = nonsense:2\n' >bad
says "a queue rule that there is not" "class b \(line 2\): there is no queue rule 'nonsense'" heddle route $dragonfly -e dla --classes bad
printf '[class a] share = 50%%\n[class b] share = 50%%  queues = dbbm:3\n' >queued
printf '[class a] share = 60%%\n[class b] share = 40%%\n' >pair
printf '[class b] share = 40%%\n[class a] share = 60%%\n' >swapped
ok "queues of one class" heddle route $dragonfly -e dla --classes queued -o queued.tables
ok "they are proved" heddle check queued.tables
ok "and read again" heddle route $dragonfly -e dla --classes queued.tables/classes.ini -o again
same "which changes nothing" queued.tables/opensm-sl2vl.dump again/opensm-sl2vl.dump

# lanes of tables with classes stay, too, though files do not say which VLs are whose
heddle topo $dragonfly --fail-links 1 --seed 2 -o less.net >/dev/null
like "lanes of classes stay with dla" "$(heddle route less.net -e dla --max-vls 8 --classes five --previous five.tables)" \
	"lanes +reassigned by the engine; the old path SLs stay safe"
ok "three lanes each" heddle route $dragonfly -e df-sssp --classes pair -o pair.tables
like "they stay with df-sssp" "$(heddle route less.net -e df-sssp --classes pair --previous pair.tables -o less.tables)" "lanes +kept"
ok "they are proved" heddle check less.tables
heddle topo $dragonfly --fail-links 1 --seed 1 -o less.net >/dev/null
like "without them, routes need more SLs here" "$(heddle route less.net -e df-sssp --classes pair)" "SLs +8"
like "lanes stay all the same" "$(heddle route less.net -e df-sssp --classes pair --previous pair.tables -o less.tables)" \
	"lanes +kept.*SLs +6"
for class in a b; do
	same "with the path SLs of class $class" less.tables/path-sl-$class.dump pair.tables/path-sl-$class.dump
done
like "lanes of other classes do not" "$(heddle route less.net -e df-sssp --classes swapped --previous pair.tables)" \
	"lanes +SLs and VLs reassigned: the service classes have changed"

says "no file" "gone: .*No such file" heddle route $dragonfly -e dla --classes gone
cp -r five.tables broken
sed -i 's/sl = 2-2/sl = 1-1/' broken/classes.ini
says "a snapshot whose classes share SLs" "classes.ini:.*both claim SL 1" heddle check broken

finish
