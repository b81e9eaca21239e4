#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables that stock OpenSM gives a fabric, as a snapshot:
#
#	experiments/capture.sh [--hosts] FABRIC ENGINE SNAPSHOT [LINE...]
#
# OpenSM runs on simfabric with routing engine ENGINE, with QoS, and with LINEs in its opensm.conf. LFTs and SL2VL
# tables are its own dumps; path SLs, which it does not dump, are what its SA answers for every source;
# VL arbitration comes from there too. FABRIC is a netfile or spec. Fails where OpenSM fell back to another engine.
#
# With --hosts, path SLs are those between adapters, so that "heddle check" judges the data that hosts send one
# another and not management to and from switches, to which OpenSM's engines give no lanes of their own.
set -eu -o pipefail
PATH=$PATH:/usr/sbin:/sbin
self=$(realpath "$0")
rule='#--------------------------------------------------------'

fail() {
	echo "capture.sh: $*" >&2
	exit 1
}

# "LID GUID KIND" of every end port: an adapter's port goes by its node's GUID where it is the only one,
# for that is what ibdmchk looks for
end_ports() {
	awk '
		function flush() {
			for (i = 1; i <= n; i++)
				print lid[i], "0x" (n == 1 ? node : port[i]), is_switch ? "switch" : "host"
		}
		/^(Switch|Ca|Rt)\t/ {
			flush(); n = 0
			split($0, part, "\""); node = part[2]; sub(/^[A-Z]-/, "", node)
			is_switch = /^Switch/
			if (is_switch) { match($0, /lid [0-9]+/); lid[++n] = substr($0, RSTART + 4, RLENGTH - 4) }
		}
		/^\[[0-9]+\]\(/ && !is_switch {
			match($0, /\([0-9a-f]+\)/)
			port[++n] = sprintf("%16s", substr($0, RSTART + 1, RLENGTH - 2)); gsub(/ /, "0", port[n])
			match($0, /# lid [0-9]+/); lid[n] = substr($0, RSTART + 6, RLENGTH - 6)
		}
		END { flush() }' fabric.net
}

# With "hosts", a switch has an SL to itself alone, and the others none to it.
path_sls() { # all | hosts
	local lid guid kind
	end_ports >end-ports
	# shellcheck disable=SC2094 # which is only read
	while read -r lid guid kind; do
		echo "source $guid $lid"
		[ "$1 $kind" = "hosts switch" ] ||
			saquery -t 60000 -p --slid "$lid" </dev/null || fail "no paths from LID $lid"
	done <end-ports | awk -v which="$1" -F'[.]+' '
		FILENAME == "end-ports" { split($0, part, " "); is_switch[part[1]] = part[3] == "switch"; next }
		/^source / {
			split($0, part, " ")
			if (which == "hosts" && is_switch[part[3]])
				print part[2], part[3], 0
			next
		}
		/\tdlid\./ { lid = $2 }
		/\tsl\./ && !(which == "hosts" && is_switch[lid]) {
			print part[2], lid, index("0123456789abcdef", tolower(substr($2, 3))) - 1
		}' end-ports - >path-sl.dump
}

# Entries of weight 0, with which OpenSM fills tables, say nothing and are left out.
vl_arbitration() {
	saquery VLAR >vlar && saquery PIR >pir || return
	awk -v rule="$rule" '
		FILENAME == "fabric.net" && /^(Switch|Ca)\t/ {
			kind = /^Switch/ ? "Switch" : "Channel Adapter"
			split($0, part, "\""); guid = part[2]; sub(/^[A-Z]-/, "", guid)
			name = part[4]
			if (kind == "Switch") {
				match($0, /lid [0-9]+/)
				title[substr($0, RSTART + 4, RLENGTH - 4)] = kind " 0x" guid
				label[substr($0, RSTART + 4, RLENGTH - 4)] = name
			}
		}
		FILENAME == "fabric.net" && /^\[[0-9]+\]\(/ && kind != "Switch" {
			match($0, /\([0-9a-f]+\)/)
			guid = sprintf("%16s", substr($0, RSTART + 1, RLENGTH - 2)); gsub(/ /, "0", guid)
			match($0, /# lid [0-9]+/)
			title[substr($0, RSTART + 6, RLENGTH - 6)] = kind " 0x" guid
			label[substr($0, RSTART + 6, RLENGTH - 6)] = name
		}
		FILENAME == "fabric.net" { next }
		{ split($0, field, /[.]+/); value = field[2] }
		/EndPortLid|^\t+LID\./ { lid = value }
		/PortNum|^\t+Port\./ { port = value }
		/[Vv][Ll]_?[Hh]igh_?[Ll]imit/ { limit[lid, port] = value + 0 }
		/^\t+Block/ { block = value; line = 0 }
		/VL    :/ { n = split($0, vl, /[:|]/) }
		/Weight:/ {
			split($0, weight, /[:|]/)
			for (i = 2; i <= n; i++)
				if (weight[i] + 0)
					entry[lid, port, block > 2] = entry[lid, port, block > 2] sprintf(" %d:%d", vl[i], weight[i])
			if (port + 0 && !((lid, port) in seen)) {
				seen[lid, port] = 1
				ports[lid] = ports[lid] " " port
			}
		}
		END {
			for (lid in ports) {
				if (!(lid in title))
					continue
				printf "%s, base LID %d, \"%s\"\n#port table limit : VL:weight ...\n%s\n", title[lid], lid, label[lid], rule
				n = split(ports[lid], list, " ")
				for (i = 1; i <= n; i++) {
					printf "%-4d high %3d :%s\n", list[i], limit[lid, list[i]], entry[lid, list[i], 1]
					printf "%-4d low      :%s\n", list[i], entry[lid, list[i], 0]
				}
				print rule "\n"
			}
		}' fabric.net pir vlar >opensm-vlarb.dump
}

# With OpenSM on the fabric: run by simfabric, in the directory to fill
on_fabric() {
	local engine=$1 which=$2 opensm used
	mkdir cache
	OSM_CACHE_DIR=$PWD/cache OSM_TMP_DIR=$PWD/cache opensm -F opensm.conf -f log -D 0x43 \
		--dump_files_dir "$PWD" >/dev/null 2>&1 &
	opensm=$!
	# shellcheck disable=SC2064 # the process as it is now
	trap "kill -KILL $opensm" EXIT
	until grep -q 'SUBNET UP' log 2>/dev/null; do
		kill -0 "$opensm" 2>/dev/null || fail "opensm ended: $(tail -n 1 log)"
		sleep 0.1
	done
	used=$(sed -n 's/.*osm_ucast_mgr_process: \(.*\) tables configured.*/\1/p' log | tail -n 1)
	[ "$used" = "$engine" ] || fail "opensm used '$used' in the place of '$engine'"
	ibnetdiscover >fabric.net
	path_sls "$which"
	vl_arbitration
}

if [ "${1-}" = --on-fabric ]; then
	on_fabric "$2" "$3"
	exit
fi
which=all
[ "${1-}" != --hosts ] || { which=hosts; shift; }
[ $# -ge 3 ] || fail "usage: capture.sh [--hosts] FABRIC ENGINE SNAPSHOT [LINE...]"
fabric=$1 engine=$2 snapshot=$3
shift 3
[ ! -e "$snapshot" ] || fail "$snapshot is there"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in"
heddle topo "$fabric" -o "$work/net" >/dev/null
printf '%s\n' "routing_engine $engine" "qos TRUE" "max_wire_smps 32" "force_log_flush TRUE" \
	"sweep_interval 0" "$@" \
	>"$work/in/opensm.conf"
(cd "$work/in" && simfabric --quiet --wrapper own ../net -- bash "$self" --on-fabric "$engine" "$which")
mkdir -p "$snapshot"
mv "$work/in"/{fabric.net,opensm-lfts.dump,opensm-sl2vl.dump,opensm-vlarb.dump,path-sl.dump} "$snapshot"
printf '{ "format": "heddle snapshot", "version": 1, "engine": "%s", "source": "%s", "options": "%s" }\n' \
	"$engine" "$fabric" "$*" >"$snapshot/snapshot.json"
