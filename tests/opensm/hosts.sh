# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An independent judge of what hosts send one another: ibdmchk looks at pairs of adapters only, and
# heddle check must say the same of them, whatever it says of switches' own traffic. Stock opensm with
# its own engines, on a generated leaf and spine fabric of the irregular kind that real ones are, and
# on the recordings of real ones, where these are present. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}
. "$top_srcdir/tests/lib/recordings.sh"
loops=0
sound=0

# scope_of FILE SCOPE: "yes|no yes|no", reachable and without a credit loop, from heddle check --json
scope_of() {
	python3 -c 'import json, sys
scope = json.load(open(sys.argv[1]))[sys.argv[2]]
print(*("yes" if good else "no" for good in (scope["reachable"], not scope["witness"])))' "$1" "$2"
}

# judged NAME ENGINE [LINE...]: opensm on the fabric that runs, and both judges on its dumps. The file
# $at/json is what heddle says; $at/hosts is "yes yes" and the like. An engine that gives up is no case.
judged() {
	local name="$1, $2" engine=$2 status wanted
	shift 2
	at=$scratch/judged
	rm -rf "$at"
	configure "$at" "event_plugin_name (null)" "routing_engine $engine" "$@"
	opensm_once "$at"
	status=$?
	if [ "$status" != 0 ] || [ "$(tables_configured "$at")" != "$engine" ]; then
		skip "$name" "OpenSM's $engine does not route it"
		return 1
	fi
	on_fabric ibnetdiscover >"$at/dump/fabric.net"
	wanted=$(ibdmchk_verdict "$at" | sed 's/^no credit.*/yes/; s/^credit.*/no/')
	heddle check --quiet --json "$at/dump" >"$at/json"
	scope_of "$at/json" hosts >"$at/hosts"
	# where paths are missing, ibdmchk looks no further
	if grep -q 'missing paths' "$at/ibdmchk.log"; then
		wanted="no ${wanted:-$(cut -d ' ' -f 2 "$at/hosts")}"
	else
		wanted="yes $wanted"
	fi
	is "$name: heddle agrees with ibdmchk on hosts" "$(<"$at/hosts")" "$wanted"
	case $wanted in
	"yes yes") sound=$((sound + 1)) ;;
	*no) loops=$((loops + 1)) ;;
	esac
}

# judge NAME NETFILE ENGINE...: each of OpenSM's engines on what ibsim or simfabric make of the netfile
judge() {
	local name=$1 netfile=$2 kind started=
	shift 2
	for kind in ibsim simfabric; do
		start_fabric $kind "$netfile" >/dev/null && started=1 && break
		stop_fabric
	done
	if [ -z "$started" ]; then
		skip "$name" "neither ibsim nor simfabric reads it"
		return
	fi
	for engine; do
		judged "$name" "$engine"
	done
	stop_fabric
}

# Leaves and spines with two cables where there is one, of which some are missing, and as in fabrics
# with SHARP an adapter in every switch, spines included. irregular SEED AGGREGATION(0|1)
irregular() {
	awk -v seed="$1" -v aggregation="$2" '
	function guid(kind, n) { return sprintf("%04x%012x", kind, n) }
	function add(node, port, line) { ports[node] = ports[node] "[" port "]" line "\n" }
	function cable(a, b) {
		add("S" a, ++used[a], "\t\"S-" guid(1, b) "\"[" used[b] + 1 "]")
		add("S" b, ++used[b], "\t\"S-" guid(1, a) "\"[" used[a] "]")
	}
	function host(s, name) {
		hosts[n_hosts] = name
		add("S" s, ++used[s], "\t\"H-" guid(2, 16 * n_hosts) "\"[1]")
		add("H" n_hosts++, 1, "(" guid(2, 16 * n_hosts + 1) ")\t\"S-" guid(1, s) "\"[" used[s] "]")
	}
	BEGIN {
		srand(seed)
		leaves = 9
		spines = 4
		for (leaf = 0; leaf < leaves; leaf++) {
			for (spine = 0; spine < spines; spine++)
				for (copy = 0; copy < 2; copy++)
					if (rand() > 0.3)
						cable(leaf, leaves + spine)
			n = 2 + int(rand() * 4)
			for (i = 0; i < n; i++)
				host(leaf, "host-" leaf "-" i)
		}
		for (s = 0; s < leaves + spines; s++)
			if (aggregation)
				host(s, "Aggregation Node")
		for (s = 0; s < leaves + spines; s++)
			printf "Switch\t%d \"S-%s\"\t# \"%s %d\" base port 0 lid 0 lmc 0\n%s\n", 40, guid(1, s),
				s < leaves ? "leaf" : "spine", s, ports["S" s]
		for (h = 0; h < n_hosts; h++)
			printf "Ca\t1 \"H-%s\"\t# \"%s\"\n%s\n", guid(2, 16 * h), hosts[h], ports["H" h]
	}'
}

for seed in 1 2; do
	for aggregation in 0 1; do
		irregular $seed $aggregation >"$scratch/irregular.net"
		judge "irregular fabric $seed, aggregation nodes $aggregation" "$scratch/irregular.net" \
			minhop updn sssp dor
	done
done
ok "some of that had credit loops among hosts" test "$loops" -gt 0
ok "some of that had none" test "$sound" -gt 0

# Switches that hosts' engines leave out
heddle topo tree:k=4,n=3 -o "$scratch/tree.net" >/dev/null
start_fabric ibsim "$scratch/tree.net"
judged "tree" ftree
is "tree: OpenSM's ftree serves hosts" "$(<"$at/hosts")" "yes yes"
is "tree: and not switches" "$(scope_of "$at/json" all)" "no yes"
not_ok "tree: so says the exit status" 1 heddle check "$at/dump"
ok "tree: in the scope of hosts it is sound" heddle check --scope hosts "$at/dump"
stop_fabric

if [ -z "$recordings" ]; then
	skip "recordings of real fabrics" "there are none beside the source tree (HEDDLE_SHARED says where)"
	finish
	exit
fi

# Not those that no subnet manager could bring up: a lone adapter.
for netfile in "$recordings"/*.net "$recordings"/*/*.net; do
	grep -q '^Switch' "$netfile" || continue
	judge "${netfile#"$recordings"/}" "$netfile" minhop updn sssp
done

# A SuperPOD's spines as roots leave pairs of adapters out. Without its aggregation nodes no loop is
# left among hosts; with switches there is one.
superpod=$recordings/superpod-gb200.net
sed -nE 's/^Switch[^"]*"S-([0-9a-f]+)".*IBSPINE.*/0x\1/p' "$superpod" >"$scratch/roots"
start_fabric ibsim "$superpod"
judged "SuperPOD, spines as roots" updn "root_guid_file $scratch/roots" &&
	is "SuperPOD, spines as roots: pairs are left out" "$(cut -d ' ' -f 1 "$at/hosts")" no
stop_fabric
awk '/^[a-z]+=/ { head = head $0 "\n"; next }
     /^Ca/ && /Aggregation Node/ { head = ""; left_out = 1; next }
     /^(Ca|Switch)/ { printf "%s", head; head = ""; left_out = 0 }
     /^\[/ && /Aggregation Node/ { next }
     !left_out' "$superpod" >"$scratch/superpod.net"
start_fabric ibsim "$scratch/superpod.net"
judged "SuperPOD without aggregation nodes" minhop
is "SuperPOD without aggregation nodes: hosts" "$(<"$at/hosts")" "yes yes"
is "SuperPOD without aggregation nodes: with switches" "$(scope_of "$at/json" all)" "yes no"
like "SuperPOD without aggregation nodes: in words" "$(heddle check --quiet "$at/dump")" \
	'verdict +hosts sound; with switches: credit loop of 4 channels'
stop_fabric
finish
