#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle faults
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

# survives SETS ARGUMENT...: every set is connected, routed and proved, no link has more than twice
# the flows of the busiest one before
survives() {
	json "${*:2}: all $1 routed, balance kept" \
		"j['sets'], j['routed'], j['disconnected'], j['worst_load']['max'] <= 2, j['sls'] <= 16, j['vls'] <= 8" \
		"($1, $1, 0, True, True, True)" heddle faults "${@:2}" --json
}

# every single link and switch
survives 90 $dragonfly -e dla
survives 36 $dragonfly -e dla --switches 1
if [ -z "${sanitizers-}" ]; then
	survives 456 dragonfly:a=6,p=3,h=3 -e dla
	survives 114 dragonfly:a=6,p=3,h=3 -e dla --switches 1
	# detours that do not fit beside two lanes for every hop
	json "dfval: 15 of 1,452 links with less than its usual lanes" "j['routed']" 1 \
		heddle faults dragonfly:h=4 -e dfval --lmc 1 --links 1% --sample 1 --seed 2 --json
fi
survives 90 $dragonfly -e dfval --lmc 1
survives 36 $dragonfly -e dfval --lmc 1 --switches 1
for engine in hdor osha; do
	survives 32 kns:k=4,n=2 -e $engine
	survives 24 kns:k=4,n=2 -e $engine --switches 1
	survives 128 kns:k=8,n=2 -e $engine
	survives 80 kns:k=8,n=2 -e $engine --switches 1
	survives 128 torus:8x8 -e $engine
	survives 64 torus:8x8 -e $engine --switches 1
	survives 192 torus:4x4x4 -e $engine
	survives 64 torus:4x4x4 -e $engine --switches 1
done
survives 50 torus:5x5 -e hdor:order=x+y+x-y-
survives 25 torus:5x5 -e hdor:order=x+y+x-y- --switches 1
survives 24 mesh:4x4 -e hdor:order=y-x-x+y+
json "dla keeps to one SL without a link or a switch" \
	"j['sls'], j['one_sl'], j['vls']" "(1, 90, 2)" heddle faults $dragonfly -e dla --json
json "samples of 1% of the links, 1,056 hosts" "j['links'], j['routed']" "(15, 12)" \
	heddle faults dragonfly:a=8,p=4,h=4 -e dla --links 1% --sample 12 --json

# what is printed, and that it is the same for any number of threads
like "text" "$(heddle faults $dragonfly -e dla)" \
	'failures +all 90 sets of 1 link.*disconnected +0.*routed +90 of 90 .*SLs +1 at most.*worst link.*LFT entries'
like "a sample" "$(heddle faults $dragonfly -e dla --links 2 --switches 1 --sample 20 --seed 7)" \
	'failures +20 samples of 2 links and 1 switch, seed 7'
like "what a sample says of all sets" "$(heddle faults $dragonfly -e dla --links 2 --sample 300)" \
	'300 samples of 2 links, seed 1, of 4005 sets in all.*of all sets +disconnected at most 1.22%, refused at most 1.22%, unsound at most 1.22%.*busier than the worst link here at most 0.994%; each with 95% confidence'
not_ok "all sets say it themselves" 1 grep -q "of all sets" <(heddle faults dragonfly:a=3,p=1,h=1 -e dla --links 2 --sample 153)
json "a share with two bounds" \
	"[round(j['share_of_all']['refused'][k], 4) for k in ('least', 'most')], j['refused'], j['all_sets']" \
	"([0.4572, 0.8811], 14, 276)" heddle faults mesh:4x4 -e hdor --max-vls 1 --links 2 --sample 20 --json
json "no time for all" "j['sets'] < j['all_sets'] and j['sampled'] and j['share_of_all']['busier']['most'] > 0" True \
	heddle faults dragonfly:a=8,p=4,h=4 -e dla --links 2 --time 10ms --json
json "time for all" "j['sets'], j['all_sets'], j['sampled'], j['share_of_all']" "(153, 153, False, None)" \
	heddle faults dragonfly:a=3,p=1,h=1 -e dla --links 2 --time 1h --json
json "more sets than there is a number for" "j['all_sets'], j['sets']" "(None, 2)" \
	heddle faults $dragonfly -e dla --links 40 --sample 2 --json
strip() {
	python3 -c 'import json, sys; j = json.load(sys.stdin); del j["seconds"]; print(j)'
}
heddle faults $dragonfly -e dla --links 3 --sample 50 -j 1 --json | strip >one
heddle faults $dragonfly -e dla --links 3 --sample 50 -j 3 --json | strip >three
same "any number of threads" one three
heddle faults $dragonfly -e dla --links 3 --sample 50 --seed 2 --json | strip >other
not_ok "another seed" 1 cmp -s one other
json "a sample of more than there are is all" "j['sampled'], j['sets']" "(False, 90)" \
	heddle faults $dragonfly -e dla --sample 1000 --json
json "pairs of links" "j['links'], j['sets']" "(2, 153)" \
	heddle faults dragonfly:a=3,p=1,h=1 -e dla --links 2 --json

# what it does not survive
not_ok "one VL is too few for detours: status" 1 heddle faults mesh:4x4 -e hdor --max-vls 1
like "and why" "$(heddle faults mesh:4x4 -e hdor --max-vls 1)" \
	'routed +12 of 24 .*refused +12.*Refused: 12 sets, first without S[0-9.]+\[[0-9]\]: credit loops: '
json "what is disconnected is no refusal" "j['disconnected'], j['refused']" "(3, 0)" \
	heddle faults mesh:4 -e hdor --json
not_ok "an engine that refuses the intact fabric" 1 heddle faults torus:4x4 -e dla

says "no links" "nothing is to fail" heddle faults $dragonfly -e dla --links 0
says "more links than there are" "links between switches to fail" \
	heddle faults $dragonfly -e dla --links 91
says "more than all" "switches to fail" heddle faults $dragonfly -e dla --switches 101%
says "too many sets" "take a --sample" heddle faults $dragonfly -e dla --links 20
says "no unit of time" "--time" heddle faults $dragonfly -e dla --time 5
says "no time" "leaves no time" heddle faults $dragonfly -e dla --time 0
says "no engine" "no engine given" heddle faults $dragonfly
says "no fabric" "no FABRIC given" heddle faults -e dla
says "no number" "" heddle faults $dragonfly -e dla --links many

finish
