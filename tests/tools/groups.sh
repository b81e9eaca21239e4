#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# VCs in groups: proofs, runs, refusals with their arithmetic, crossbars.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

short="-s run.clock=cycles -s run.warmup=1000 -s run.measure=2000 -s traffic.load=0.3"

check() {
	heddle check torus:8x8 -e hdor --adaptive minimal "$@"
}

run() {
	# shellcheck disable=SC2086
	heddle sim torus:8x8 -e hdor $short "$@"
}

for groups in single,1 xordet,2 xordet,4 xordet,8; do
	like "$groups with an escape that has datelines" "$(check --vcs "groups:$groups vcs=8 escape")" "verdict +sound"
	like "$groups with an escape that has bubbles" \
		"$(check --vcs "groups:$groups vcs=8 escape" -l single --bubble)" "verdict +sound"
	not_ok "$groups without bubbles" 1 check --vcs "groups:$groups vcs=8 escape" -l single
done
for rule in voqsw,5 iodet,4 xordet,4; do # no SL tells these groups apart: -q voqsw:5 and iodet:4 need more than 16
	for fabric in torus:8x8 mesh:8x8 torus:4x4x4 hyperx:4x4; do
		like "groups of $rule on $fabric, by the tables' ways" "$(heddle check $fabric -e hdor --vcs "groups:$rule")" \
			"adaptive +minimal:tables.*verdict +sound"
	done
	# by the coordinate modulo 4, no packet follows one of its queue around a ring of 8
	[ $rule = iodet,4 ] || not_ok "groups of $rule on rings without bubbles" 1 heddle check torus:8x8 -e hdor -l single --vcs "groups:$rule"
	ok "and with" heddle check torus:8x8 -e hdor -l single --bubble --vcs "groups:$rule"
done
not_ok "all ways without an escape" 1 heddle check torus:8x8 -e hdor --adaptive minimal:all --vcs groups:xordet,4
not_ok "an escape by tables that are not proved" 1 \
	heddle check torus:8x8 -e minhop --adaptive minimal --vcs "groups:xordet,4 escape"
like "and why" "$(heddle check torus:8x8 -e minhop --adaptive minimal --vcs "groups:xordet,4 escape")" \
	"why +minimal: packets can wait for one another in a circle of 4 buffers"
says "a run of that" "routing.vcs: an escape by tables that are not proved: minimal: packets can wait for one another in a circle" \
	heddle sim torus:8x8 -e minhop -s run.clock=cycles -s routing.adaptive=minimal -s "routing.vcs=groups:xordet,4 escape"

for groups in single,1,vcs=4 dbbm,4 bbq,8 xordet,16 iodet,4 voqsw,5; do
	like "$groups, the tables' ways" "$(run -s routing.layers=single -s switch.bubble=yes -s "routing.vcs=groups:$groups" --csv - --no-time)" "0.29"
done
like "XORADAP" "$(run -s routing.layers=single -s switch.bubble=yes -s routing.adaptive=minimal -s "routing.vcs=groups:xordet,4 vcs=8 escape" --csv -)" "0.29"

says "groups that are no power of two" "3 groups: xordet needs a power of two" check --vcs groups:xordet,3
says "groups that do not divide the VCs" "9 VCs in 4 groups: 9 = 4 x 2 \+ 1" check --vcs "groups:xordet,4 vcs=9"
says "too many VCs" "33 VCs: a port may have 32" check --vcs "groups:single,1 vcs=33"
says "too many with the escape" "31 VCs of groups and 2 of the escape make 33, and a port may have 32" \
	check --vcs "groups:single,1 vcs=31 escape"
says "another routing" "dal goes on VCs by hop alone" heddle check torus:8x8 -e hdor --adaptive dal --vcs groups:single,1
says "bubbles without rings" "this fabric has none: it is no torus" \
	heddle check mesh:4x4 -e hdor --adaptive minimal --vcs groups:single,1 --bubble
says "bubbles for VCs that are in no groups" "with bubble flow control packets that choose have VCs by groups" \
	heddle check torus:8x8 -e hdor --adaptive minimal --vcs hop:8 --bubble
says "a buffer of less than two packets" "two packets do not fit the buffer, as switch.bubble needs" \
	run -s switch.bubble=yes -s "routing.vcs=groups:xordet,4" -s "switch.buffer=1 packets"
says "layers without an engine" "--layers goes with --engine" heddle check snapshot --layers single

# a sequence for each group
dragonfly=dragonfly:a=4,p=2,h=2
like "groups by hop" "$(heddle check $dragonfly -e dla --adaptive olm --vcs groups:xordet,4)" \
	"groups:xordet,4 vcs=4 hop=l g l g l.*verdict +sound"
like "with another sequence" "$(heddle check $dragonfly -e dla --adaptive olm --vcs "groups:xordet,2 hop=4/2")" \
	"vcs=2 hop=l g l l g l.*verdict +sound"
not_ok "one that is too short" 1 heddle check $dragonfly -e dla --adaptive valiant --vcs "groups:xordet,2 hop=3/2"
for routing in minimal olm valiant trunk; do
	ok "groups by hop: $routing runs" heddle sim $dragonfly -e dla -s routing.adaptive=$routing -s "routing.vcs=groups:xordet,2 hop=4/2" \
		-s traffic.load=0.3 -s run.warmup=5us -s run.measure=10us
done
says "sequences and bubbles" "with bubble flow control groups have no sequences" \
	heddle check torus:4x4 -e hdor -l single --bubble --adaptive minimal --vcs "groups:xordet,2 hop=4"
says "groups that hang on links" "voqsw hangs on links" heddle check $dragonfly -e dla --adaptive olm --vcs groups:voqsw,9
says "an escape for nothing" "olm goes by a sequence, which needs no escape" \
	heddle check $dragonfly -e dla --adaptive olm --vcs "groups:xordet,2 escape"

like "crossbars are counted" "$(heddle list vcs --complexity n=3,v=16,g=4 | tr -s ' ' | tr '\n' ';')" \
	"fully adaptive 17 8670 8670; OODET 16 4800 4800; IODET 16 3360 3360; XORADAP 17 2910 2910; XORDET, DBBM, BBQ 16 480 480"
says "groups that divide nothing" "g=5: groups divide the 16 VCs" heddle list vcs --complexity n=3,v=16,g=5
says "no dimensions" "option 'n' must be given" heddle list vcs --complexity v=16
says "crossbars of other things" "--complexity goes with vcs alone" heddle list queues --complexity n=3,v=16

finish
