# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What service classes get of a link where hosts of all classes send to one: counters of ports, as perfquery reads
# them, of traffic by the VL arbitration that stock opensm wrote.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
command -v perfquery >/dev/null || {
	echo "1..0 # SKIP perfquery is not installed"
	exit 0
}
at=$scratch/opensm
hosts=$scratch/hosts

cat >"$scratch/five" <<'END'
[class VO] share = 10%  packet = 128
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512
[class BE] share = 5%   packet = 1024
[class BK] share = 5%   packet = 1024
END
sed '/BE\|BK/s/$/  lanes = rest/' "$scratch/five" >"$scratch/mixed"

# data OPTION LID PORT: what the port sent (-X) or got (-S), in words; counters of SLs are those of the VLs with their
# numbers. (--vlopdata counts packets of one opcode, and perfquery asks for opcode 0.)
data() {
	on_fabric perfquery "$@" 2>/dev/null | sed -nE 's/^(Xmt|Rcv)DataSL([0-9]+):\.+([0-9]+)$/\2 \3/p' | sort
}

# shares BEFORE AFTER VL...: the parts of the VLs, in per cent, with a decimal
shares() {
	join "$1" "$2" | awk -v vls="${*:3}" '
		{ got[$1] = $3 - $2 }
		END { n = split(vls, of, " "); for (i = 1; i <= n; i++) all += got[of[i]]
			for (i = 1; i <= n; i++) printf "%s%.1f", (i > 1) ? " " : "", 100 * got[of[i]] / all }'
}

# within NAME GOT WANTED: each within a point
within() {
	local off
	off=$(paste -d ' ' <(xargs -n 1 <<<"$2") <(xargs -n 1 <<<"$3") |
		awk 'NF != 2 || $1 - $2 > 1 || $2 - $1 > 1 { bad = 1 } END { print bad + 0 }')
	is "$1: $2" "$off" 0
}

# measure NAME VLS WANTED: shares at the port of a host that all others send to, on the SLs of $scratch/sls
measure() {
	local name=$1 vls=$2 wanted=$3 said spot lid switch port
	sed -nE 's/^\[1\](\([0-9a-f]+\))?\s+"S-[^"]*"\[([0-9]+)\].*# lid ([0-9]+) lmc [0-9]+ ".*" lid ([0-9]+) .*/\3 \4 \2/p' \
		"$scratch/live.net" >"$hosts"
	while read -r lid switch port; do
		data -S "$lid" 1 >"$scratch/received.$lid"
		data -X "$switch" "$port" >"$scratch/sent.$lid"
	done <"$hosts"
	said=$(answer packets "Traffic run 3ms hotspot:sources=$(($(wc -l <"$hosts") - 1)),destinations=1 0 packet=128 switch.buffer=64KiB path_sl=$scratch/sls")
	like "$name: traffic" "$said" 'packets: [1-9][0-9]{3,} generated'
	while read -r lid switch port; do
		data -S "$lid" 1 >"$scratch/now"
		# the one that got nearly all
		if [ "$(join "$scratch/received.$lid" "$scratch/now" | awk '{ n += $3 - $2 } END { print (n > 100000) }')" = 1 ]; then
			spot=$lid
			within "$name: received" "$(shares "$scratch/received.$lid" "$scratch/now" "$vls")" "$wanted"
			data -X "$switch" "$port" >"$scratch/now"
			within "$name: sent" "$(shares "$scratch/sent.$lid" "$scratch/now" "$vls")" "$wanted"
		fi
	done <"$hosts"
	ok "$name: one host got all" test -n "${spot-}"
	stop_opensm
	stop_fabric
}

# run NAME SPEC ENGINE CLASSES CAPACITY VLS WANTED: by the plug-in's tables
run() {
	local name=$1 file=$scratch/classes
	cp "$scratch/$4" "$file"
	heddle topo "$2" -o "$scratch/net" >/dev/null
	start_fabric simfabric "$scratch/net" --vlarb-cap "$5" || return
	rm -rf "$at"
	configure "$at" "routing_engine $3" "event_plugin_options classes=$file" "max_op_vls 4"
	ok "$name: opensm" start_opensm "$at"
	settled "$at"
	# hosts in turn are of the classes
	awk 'FNR == 1 { file++ } !/^0x/ { next } !($1 in class) { class[$1] = n++ % (ARGC - 1) }
		file == class[$1] + 1' "$at"/dump/path-sl-*.dump >"$scratch/sls"
	on_fabric ibnetdiscover >"$scratch/live.net"
	measure "$name" "$6" "$7"
}

# own NAME CAPACITY WANTED OPTION...: by the options that heddle qos plan makes of RR, SBT and DTable, and an engine of
# OpenSM's own, which has one lane; hosts in turn are on the SLs 0 to 4
own() {
	local name=$1 cap=$2 wanted=$3
	shift 3
	ok "$name: options" heddle qos plan "$scratch/distant" "$@" --vlarb-cap "$cap" -o opensm
	cp "$scratch/.out" "$scratch/options"
	heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
	start_fabric simfabric "$scratch/net" --vlarb-cap "$cap" || return
	rm -rf "$at"
	configure "$at" "routing_engine updn" "$(cat "$scratch/options")" "max_op_vls 4"
	ok "$name: opensm" start_opensm "$at"
	settled "$at"
	is "$name: updn configured" "$(tables_configured "$at")" updn
	on_fabric ibnetdiscover >"$scratch/live.net"
	heddle route "$scratch/live.net" -e updn -o "$scratch/lids" >/dev/null
	awk '!/^0x/ { next } !($1 in class) { class[$1] = n++ % 5 } { $3 = class[$1]; print }' "$scratch/lids/path-sl.dump" >"$scratch/sls"
	rm -rf "$scratch/lids"
	measure "$name" "0 1 2 3" "$wanted"
}

run "a lane each, 16 entries" tree:k=4,n=2 dmodc five 16 "0 1 2 3 4" "10 30 50 5 5"
# with two layers, of which links to hosts have one
run "dragonfly, 8 entries" dragonfly:a=4,p=2,h=2 "dla" mixed 8 "0 2 4 6" "10 30 50 10"
sed 's/VO]/VO] distance = 2 /; s/VI]/VI] distance = 4 /; s/CL]/CL] distance = 8 /; s/\(B.\)]/\1] distance = 16 /' \
	"$scratch/mixed" >"$scratch/distant"
# packets of 2, 4, 8 and 16 units in turn; 10, 30, 50 and 5 + 5 packets of them
own "RR" 8 "6.7 13.3 26.7 53.3" --rr
own "SBT" 16 "2.9 17.1 57.1 22.9" --sbt
own "DTable of 32 entries" 64 "10 30 50 10" --dtable 32,16,8,2
finish
