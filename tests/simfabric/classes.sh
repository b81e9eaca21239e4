# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes through stock opensm: what ports hold is what heddle computes offline, bit for bit, at every
# capacity of VL arbitration tables; path records of each class, by request, partition and policy; further
# sweeps; class files that change and vanish.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh" || exit 99
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
dragonfly=dragonfly:a=4,p=2,h=2
at=$scratch/opensm
file=$scratch/classes
names="VO VI CL BE BK"

cat >"$scratch/five" <<'END'
[class VO] share = 10%  packet = 128
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512
[class BE] share = 5%   packet = 1024
[class BK] share = 5%   packet = 1024
END
sed '/BE\|BK/s/$/  lanes = rest/' "$scratch/five" >"$scratch/mixed"
sed '/BK/d; s/= 5% /= 10%/' "$scratch/five" >"$scratch/four"
sed 's/= 10%/= 20%/; s/= 50%/= 40%/' "$scratch/mixed" >"$scratch/other"

# compare NAME SNAPSHOT: OpenSM's dumps and what nodes hold against a snapshot
compare() {
	local name=$1 snapshot=$2 dump
	for dump in opensm-vlarb.dump classes.ini path-sl.dump $(cd "$snapshot" && ls path-sl-*.dump); do
		same "$name: $dump" "$at/dump/$dump" "$snapshot/$dump"
	done
	rm -rf "$scratch/live"
	ok "$name: the fabric is read" on_fabric heddle dump -o "$scratch/live"
	same "$name: VL arbitration of every port" "$scratch/live/opensm-vlarb.dump" "$snapshot/opensm-vlarb.dump"
	same "$name: SL2VL of every port" "$scratch/live/opensm-sl2vl.dump" "$snapshot/opensm-sl2vl.dump"
	same "$name: LFTs" "$scratch/live/opensm-lfts.dump" "$snapshot/opensm-lfts.dump"
}

# held LID PORT: both VL arbitration tables without what follows the last weight, and the limit in KiB, as heddle show
# prints them, by smpquery
held() {
	local tables table vls weights i limit
	tables=$(on_fabric smpquery vlarb "$1" "$2" 2>/dev/null)
	limit=$(on_fabric smpquery portinfo "$1" "$2" 2>/dev/null | sed -n 's/^VLHighLimit:\.*//p')
	for table in High Low; do
		mapfile -t vls < <(sed -n "/^# $table/,/^# [^$table]/p" <<<"$tables" | grep '^VL' | grep -oE '0x[0-9a-f]+')
		mapfile -t weights < <(sed -n "/^# $table/,/^# [^$table]/p" <<<"$tables" | grep '^WEIGHT' | grep -oE '0x[0-9a-f]+')
		for i in "${!vls[@]}"; do
			printf ' %d:%d' "${vls[i]}" "${weights[i]}"
		done | sed -E "s/( [0-9]+:0)+\$//; s/^\$/ none/; s/^/${table,,}/"
		echo
	done
	echo "limit $((limit * 4)) KiB"
}

# sample NAME LID PORT: a port as smpquery reads it, against the snapshot
sample() {
	local guid
	guid=$(on_fabric smpquery nodeinfo "$2" 2>/dev/null | sed -n 's/^Guid:\.*//p')
	is "$1: smpquery vlarb and portinfo of $2 $3" "$(held "$2" "$3")" \
		"$(heddle show "$scratch/snapshot" vlarb "$guid" "$3" | sed '1d; s/  */ /g')"
	[ "$3" = 1 ] || is "$1: smpquery sl2vl of $2 $3" \
		"$(on_fabric smpquery sl2vl "$2" "$3" 2>/dev/null | sed -n 's/^ports: in  2, out.*: //p' | tr -s ' |' ' ' | xargs)" \
		"$(heddle show "$scratch/snapshot" sl2vl "$guid" 2 "$3" | xargs | cut -d ' ' -f 3-)"
}

# sweep NAME COMMAND...: the next heavy sweep, after COMMAND
sweep() {
	local sweeps
	sweeps=$(routings "$at")
	"${@:2}"
	kill -HUP "$opensm_pid"
	ok "$1: swept" wait_log "$at" 'tables configured' $((sweeps + 1))
	settled "$at"
}

# run NAME KIND SPEC ENGINE CLASSES CAPACITY [ROUTE ARGUMENT...]: opensm on a fabric, compared; it goes on
run() {
	local name=$1 kind=$2 spec=$3 engine=$4 cap=$6 arguments=()
	cp "$scratch/$5" "$file"
	[ "$kind" = ibsim ] || arguments=(--vlarb-cap "$cap")
	heddle topo "$spec" -o "$scratch/net" >/dev/null
	start_fabric "$kind" "$scratch/net" "${arguments[@]}" || return
	rm -rf "$at"
	configure "$at" "routing_engine ${engine%%:*}" "event_plugin_options classes=$file${OPTIONS:-}" "max_op_vls 4" \
		"${CONFIGURATION[@]}"
	ok "$name: opensm" start_opensm "$at"
	settled "$at"
	is "$name: configured" "$(tables_configured "$at")" "${engine%%:*}"
	like "$name: proved" "$(grep 'heddle: engine' "$at/log")" ' sound: .*[45] classes, shares '"${SHARES:-exact}"
	rm -rf "$scratch/snapshot"
	heddle route "$scratch/net" -e "$engine" --max-vls 8 --classes "$file" --vlarb-cap "$cap" --lmc 0 \
		-o "$scratch/snapshot" >/dev/null
	compare "$name" "$scratch/snapshot"
	# the first switch, and a host
	sample "$name" "$(sed -nE 's/^Switch.* lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net" | head -n 1)" 3
	sample "$name" "$(sed -nE 's/^\[1\].*# lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net" | head -n 1)" 1
}

end() {
	stop_opensm
	stop_fabric
}

# record ARGUMENT...: the SL of a path record, or nothing
record() {
	on_fabric saquery PR "$@" 2>/dev/null | sed -nE 's/^\s*sl\.+(0x[0-9A-Fa-f]+)$/\L\1/p' | head -n 1
}

# wanted CLASS SOURCE DESTINATION: the SL in the class's dump, of LIDs
wanted() {
	local guid
	guid=$(on_fabric smpquery nodeinfo "$2" 2>/dev/null | sed -n 's/^Guid:\.*//p')
	printf '0x%x\n' "$(awk -v guid="$guid" -v lid="$3" '$1 == guid && $2 == lid { print $3 }' "$scratch/snapshot/path-sl-$1.dump")"
}

# records NAME CLASSES PAIR...: path records of each class for pairs "SOURCE DESTINATION", asked for by the class's
# SL for the pair, which has to be granted
records() {
	local name=$1 class pair sl
	shift
	for class in $1; do
		for pair in "${@:2}"; do
			# shellcheck disable=SC2086
			sl=$(wanted $class $pair)
			is "$name: class $class from ${pair/ / to }" "$(record --slid "${pair% *}" --dlid "${pair#* }" --sl $((sl)))" "$sl"
		done
	done
}

CONFIGURATION=()
for cap in 4 8 16 40 64; do
	run "capacity $cap" simfabric $dragonfly dla mixed $cap
	case $cap in
	8)
		records "capacity $cap" "$names" "40 90" "90 40" "2 41"
		for name in $names; do
			like "ibdmchk with the SLs of class $name" "$(ibdmchk_verdict "$at" -c "path-sl-$name.dump")" '^no credit loops found'
		done
		is "an SL that no class has is refused" "$(record --slid 40 --dlid 90 --sl 9)" ""
		is "and told, once" "$(record --slid 41 --dlid 90 --sl 10)$(grep -c 'SL 9 is asked for, which no class has: class VO' "$at/log") $(grep -c 'which no class has' "$at/log")" "1 1"
		;;&
	8 | 64)
		cp -r "$scratch/live" "$scratch/before"
		sweep "capacity $cap: a second sweep" true
		compare "capacity $cap: a second sweep" "$scratch/snapshot"
		is "capacity $cap: changes nothing" "$(diff -r -x snapshot.json "$scratch/before" "$scratch/live" 2>&1)" ""
		rm -rf "$scratch/before"
		sweep "capacity $cap: another class file" cp "$scratch/other" "$file"
		rm -rf "$scratch/snapshot"
		heddle route "$scratch/net" -e dla --max-vls 8 --classes "$file" --vlarb-cap $cap --lmc 0 -o "$scratch/snapshot" >/dev/null
		compare "capacity $cap: another class file" "$scratch/snapshot"
		sweep "capacity $cap: no class file" rm "$file"
		compare "capacity $cap: no class file" "$scratch/snapshot"
		sweep "capacity $cap: still no class file" true
		is "capacity $cap: that is told once" "$(grep -c "classes: $file: .*: the classes of before stay" "$at/log")" 1
		;;
	esac
	end
done

# a packet of high priority before each of the others: 38 of 158 units, for .25
cat >"$scratch/urgent" <<'END'
[class VO] share = 25%  packet = 128   priority = high
[class VI] share = 25%  packet = 256
[class CL] share = 40%  packet = 512
[class BE] share = 10%  packet = 1024
END
# a site's limit, and one that has changed
CONFIGURATION=("qos_high_limit 3")
SHARES='within 0.0095' run "high priority" simfabric $dragonfly dla urgent 8
sed '/BE/s/10%/5%/; s/25%  packet = 128/75%  packet = 2048/; s/= [24][05]%/= 10%/; s/packet = .*[24]$/packet = 2048/; s/packet = 256/packet = 2048/' \
	"$scratch/urgent" >"$scratch/larger"
sweep "high priority: a larger limit" cp "$scratch/larger" "$file"
rm -rf "$scratch/snapshot"
heddle route "$scratch/net" -e dla --max-vls 8 --classes "$file" --vlarb-cap 8 --lmc 0 -o "$scratch/snapshot" >/dev/null
like "high priority: it is larger" "$(heddle show "$scratch/snapshot" vlarb G0S0 3)" "limit 4 KiB"
compare "high priority: a larger limit" "$scratch/snapshot"
end
CONFIGURATION=()

# three entries in each of two tables, for eight lanes
cp "$scratch/mixed" "$file"
start_fabric simfabric "$scratch/net" --vlarb-cap 3 || exit
configure "$at" "routing_engine dla,heddle-updn" "event_plugin_options dla.max_vls=8 classes=$file" "max_op_vls 4"
ok "three entries: opensm" start_opensm "$at"
like "three entries: dla refuses" "$(refusals "$at")" '8 VLs are in use, and VL arbitration has room for 3 \+ 3'
is "three entries: the next engine routes" "$(tables_configured "$at")" heddle-updn
end

# packets of 1024 bytes, and links with an MTU of 512
start_fabric simfabric "$scratch/net" --mtu 512 || exit
configure "$at" "routing_engine dla,heddle-updn" "event_plugin_options dla.max_vls=8 classes=$file" "max_op_vls 4"
ok "a smaller MTU: opensm" start_opensm "$at"
like "a smaller MTU: refused" "$(refusals "$at")" 'class BE has packets of 1024 bytes, and the link of .* an MTU of 512'
end
# without a size, packets are as large as links allow
sed 's/ packet = [0-9]*//' "$scratch/mixed" >"$file"
start_fabric simfabric "$scratch/net" --mtu 512 || exit
configure "$at" "routing_engine dla" "event_plugin_options dla.max_vls=8 classes=$file" "max_op_vls 4"
ok "packets of any size: opensm" start_opensm "$at"
is "packets of any size: configured" "$(tables_configured "$at")" dla
end

# no class file from the beginning
rm "$file"
start_fabric simfabric "$scratch/net" || exit
configure "$at" "routing_engine dla" "event_plugin_options classes=$file"
ok "no file at all: opensm" start_opensm "$at"
like "no file at all: dla refuses" "$(refusals "$at")" "classes: $file: .*No such file"
end

run "8-ary 3-tree" simfabric tree:k=8,n=3 dmodc five 8
end
# OpenSM's own engines, by the options that heddle qos plan makes
heddle qos plan "$scratch/five" --vlarb-cap 16 -o opensm --policy "$scratch/own-policy" >"$scratch/options"
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" --vlarb-cap 16 || exit
rm -rf "$at"
configure "$at" "routing_engine updn" "$(cat "$scratch/options")"
ok "own engines: opensm" start_opensm "$at"
settled "$at"
rm -rf "$scratch/live"
ok "own engines: the fabric is read" on_fabric heddle dump -o "$scratch/live"
like "own engines: the table" "$(heddle show "$scratch/live" vlarb L0S0 1)" \
	"low .*0:4 1:24 0:4 2:80 0:4 1:24 0:4 3:16 0:4 1:24 0:4 2:80 0:4 1:24 0:4 4:16"
like "own engines: SLs" "$(heddle show "$scratch/live" sl2vl L0S0 1 5)" "0 +1 +2 +3 +4 +0 +0"

for class in 0 1 2 3 4; do
	is "own engines: QoS class $class" "$(record --slid 22 --dlid 24 --qos_class $class)" "0x$class"
done
end

# SLs that partitions and policies ask for name classes
cat >"$scratch/partitions" <<'END'
Default=0x7fff, ipoib: ALL=full;
fast=0x0001, sl=8, defmember=full: ALL;
END
CONFIGURATION=("partition_config_file $scratch/partitions")
run "torus" simfabric torus:8x8 hdor four 8
for pair in "66 120" "120 66" "70 93"; do
	# shellcheck disable=SC2086
	is "by partition, ${pair/ / to }" "$(record --slid "${pair% *}" --dlid "${pair#* }" --pkey 0x8001)" "$(wanted CL $pair)"
done
records "torus" "VO VI CL BE" "66 120" "120 66" "70 93"
for name in VO VI CL BE; do
	like "torus: ibdmchk with the SLs of class $name" "$(ibdmchk_verdict "$at" -c "path-sl-$name.dump")" "^no credit loops found"
done
end
CONFIGURATION=()
OPTIONS=" ties=split" run "torus with halves split" simfabric torus:8x8x4 hdor:ties=split four 64
end

cat >"$scratch/policy" <<'END'
qos-levels
	qos-level
		name: DEFAULT
		sl: 0
	end-qos-level
	qos-level
		name: bulk
		sl: 7
	end-qos-level
end-qos-levels
qos-match-rules
	qos-match-rule
		qos-class: 7
		qos-level-name: bulk
	end-qos-match-rule
end-qos-match-rules
END
# a policy goes before partitions
CONFIGURATION=("qos_policy_file $scratch/policy" "qos_vlarb_low 0:4,1:4")
run "ibsim" ibsim torus:3x5 hdor four 8
like "what has no effect is named" "$(grep 'without effect' "$at/log")" \
	'SL2VL tables and VL arbitration of its own; without effect: qos_vlarb_low$'
is "two SLs for each class" "$(sed -n 's/^sl = //p' "$at/dump/classes.ini" | xargs)" "0-1 2-3 4-5 6-7"
for pair in "18 30" "30 18" "19 25"; do
	# shellcheck disable=SC2086
	{
		is "by policy, ${pair/ / to }" "$(record --slid "${pair% *}" --dlid "${pair#* }" --qos_class 7)" "$(wanted BE $pair)"
		is "without a wish, ${pair/ / to }" "$(record --slid "${pair% *}" --dlid "${pair#* }")" "$(wanted VO $pair)"
	}
done
end
finish
