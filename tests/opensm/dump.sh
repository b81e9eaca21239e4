# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle dump: what a live fabric holds is what was computed for it, read back through either library.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
heddle dump --help >/dev/null 2>&1 || {
	echo "1..0 # SKIP heddle is built without libibnetdisc"
	exit 0
}

# as_computed NAME KIND 'ROUTE ARGUMENTS' [LINE...]: a dump equals the snapshot that heddle route writes
as_computed() {
	local name=$1 kind=$2 arguments=$3 at=$scratch/$1 file
	shift 3
	heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
	start_fabric "$kind" "$scratch/net" || tap_result 1 "$name: $kind"
	configure "$at" "routing_engine dla" "$@"
	ok "$name: opensm" start_opensm "$at"
	# shellcheck disable=SC2086
	ok "$name: route" heddle route dragonfly:a=4,p=2,h=2 -e dla $arguments -o "$at/wanted"
	ok "$name: dump" on_fabric heddle dump -o "$at/live"
	for file in opensm-lfts.dump opensm-sl2vl.dump opensm-vlarb.dump path-sl.dump; do
		same "$name: $file" "$at/live/$file" "$at/wanted/$file"
	done
	ok "$name: nothing differs" heddle diff "$at/wanted" "$at/live"
	ok "$name: sound" heddle check "$at/live"
}

as_computed ibsim ibsim "-q xordet:4" "event_plugin_options queues=xordet:4"

# a multicast tree, as OpenSM dumps it
hosts=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net" | awk 'NR % 7 == 1')
for host in $hosts; do
	SIM_HOST=$host on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff
done
sweeps=$(grep -c 'SUBNET UP' "$scratch/ibsim/log")
kill -HUP "$opensm_pid"
wait_log "$scratch/ibsim" 'SUBNET UP' $((sweeps + 1))
ok "multicast: dump" on_fabric heddle dump --no-path-sls -o "$scratch/multicast"
ok "multicast: there is a tree" test -s "$scratch/multicast/opensm.mcfdbs"
same "multicast: as OpenSM dumps it" "$scratch/multicast/opensm.mcfdbs" "$scratch/ibsim/dump/opensm.mcfdbs"
ok "no path SLs were asked for" test ! -e "$scratch/multicast/path-sl.dump"

# refused and failed dumps leave nothing
not_ok "a directory that holds something else" 2 on_fabric heddle dump -o "$scratch"
ok "opensm stops" stop_opensm
not_ok "without a subnet administration" 2 on_fabric heddle dump --timeout 100 --tries 1 -o "$scratch/none"
ok "nothing is left" test ! -e "$scratch/none"
stop_fabric

as_computed simfabric simfabric "-q xordet:4" "event_plugin_options queues=xordet:4"
ok "simfabric: opensm stops" stop_opensm
stop_fabric
as_computed lmc simfabric "--lmc 1" "lmc 1"
ok "lmc: opensm stops" stop_opensm
stop_fabric

# the library of simfabric, whose long answers give a source's paths at once
cat >"$scratch/session" <<-END
	env LD_LIBRARY_PATH="$plugin_directory" opensm -F "$scratch/lmc/opensm.conf" -f "$scratch/own.log" >/dev/null 2>&1 &
	opensm=\$!
	for i in \$(seq 300); do
		grep -qs 'SUBNET UP' "$scratch/own.log" && break
		sleep 0.1
	done
	heddle dump -o "$scratch/own"
	status=\$?
	kill \$opensm
	wait
	exit \$status
END
if [ -z "$opensm_preload" ]; then
	ok "own library: dump" env OSM_CACHE_DIR="$scratch" OSM_TMP_DIR="$scratch" \
		timeout 100 simfabric "$scratch/net" --wrapper own -- bash "$scratch/session"
	ok "own library: nothing differs" heddle diff "$scratch/lmc/wanted" "$scratch/own"
fi

# nobody has a LID yet: there are no paths to ask for
ok "no LIDs: dump" timeout 100 simfabric mesh:2x2 -q -- heddle dump -o "$scratch/no-lids"
ok "no LIDs: the fabric is there" test -s "$scratch/no-lids/fabric.net"
finish
