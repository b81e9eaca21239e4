# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm with a class file, beside what heddle computes offline. Sourced after tests/opensm/lib.sh and
# tests/simfabric/lib.sh. shellcheck shell=bash
#
#	run NAME KIND SPEC ENGINE CLASSES CAPACITY  opensm on a fabric, compared; it goes on until `end`. Of the caller's:
#					CONFIGURATION, lines of opensm.conf; OPTIONS, more of event_plugin_options;
#					SHARES, what the log says of them; WISHES=yes: for all_records, a partition and
#					a QoS class for each class, in order from 1; ONCE=yes: opensm ends as soon as
#					the subnet is up, and nothing is asked of it; SLS=yes: the path SLs of all
#					pairs are read, for `unchanged`, a query for each pair
#	compare NAME SNAPSHOT         OpenSM's dumps and what nodes hold
#	sweep NAME [COMMAND...]       the next heavy sweep, after COMMAND
#	unchanged NAME [COMMAND...]   a sweep, after COMMAND, that changes nothing; with SLS=yes, as `run` had it
#	reclassed NAME CLASSES        a sweep after which all have tables of another class file
#	records NAME CLASSES PAIR...  path records for an SL, the class's, of LIDs "SOURCE DESTINATION"
#	all_records NAME CLASSES      of some pairs, for an SL, a partition and a QoS class, and without a wish; a sweep
#	ask_all NAME WAYS CLASSES     the same by WAYS
#	no_loops NAME CLASSES         ibdmchk, with each class's SLs
#
# Class files in $scratch: five, mixed (BE and BK on common lanes), four (they are one), other; queued, three of which
# two have queue rules of their own.

at=$scratch/opensm
file=$scratch/classes
# shellcheck disable=SC2034 # for the scripts
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
cat >"$scratch/queued" <<'END'
[class VO] share = 20%  packet = 128   queues = dbbm:2
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512   queues = xordet:2
END

# compare NAME SNAPSHOT: OpenSM's dumps and what nodes hold against a snapshot
compare() {
	local name=$1 snapshot=$2 dump options=()
	[ -n "${SLS-}" ] || options=(--no-path-sls)
	for dump in opensm-vlarb.dump classes.ini path-sl.dump $(cd "$snapshot" && ls path-sl-*.dump); do
		same "$name: $dump" "$at/dump/$dump" "$snapshot/$dump"
	done
	rm -rf "$scratch/live"
	ok "$name: the fabric is read" on_fabric heddle dump "${options[@]}" -o "$scratch/live"
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
		mapfile -t vls < <(sed -n "/^# $table/,/^# [^$table]/p" <<<"$tables" | grep '^VL' | grep -oE '0x[0-9A-Fa-f]+')
		mapfile -t weights < <(sed -n "/^# $table/,/^# [^$table]/p" <<<"$tables" | grep '^WEIGHT' | grep -oE '0x[0-9A-Fa-f]+')
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

# sweep NAME [COMMAND...]: the next heavy sweep, after COMMAND
sweep() {
	local sweeps
	sweeps=$(routings "$at")
	"${@:2}"
	kill -HUP "$opensm_pid"
	ok "$1: swept" wait_log "$at" 'tables configured' $((sweeps + 1))
	settled "$at"
}

# ways_to_wish: a partition and a QoS class for each class of the snapshot, by its first SL
ways_to_wish() {
	local sl number=0
	echo 'Default=0x7fff, ipoib: ALL=full;' >"$scratch/wish.partitions"
	printf 'qos-levels\n\tqos-level\n\t\tname: DEFAULT\n\t\tsl: 0\n\tend-qos-level\n' >"$scratch/wish.levels"
	printf 'end-qos-levels\nqos-match-rules\n' >"$scratch/wish.rules"
	while read -r sl; do
		number=$((number + 1))
		echo "p$number=0x000$number, sl=$sl, defmember=full: ALL;" >>"$scratch/wish.partitions"
		printf '\tqos-level\n\t\tname: q%d\n\t\tsl: %d\n\tend-qos-level\n' $number "$sl" >>"$scratch/wish.levels"
		printf '\tqos-match-rule\n\t\tqos-class: %d\n\t\tqos-level-name: q%d\n\tend-qos-match-rule\n' \
			$number $number >>"$scratch/wish.rules"
	done < <(sed -nE 's/^sl = ([0-9]+).*/\1/p' "$scratch/snapshot/classes.ini")
	echo 'end-qos-match-rules' | cat "$scratch/wish.levels" "$scratch/wish.rules" - >"$scratch/wish.policy"
}

# offline: the snapshot of `run`'s arguments, for the class file of now
offline() { # ENGINE CAPACITY
	rm -rf "$scratch/snapshot"
	heddle route "$scratch/net" -e "$1" --max-vls 8 --classes "$file" --vlarb-cap "$2" --lmc 0 -o "$scratch/snapshot" \
		>/dev/null
}

run() {
	local name=$1 kind=$2 spec=$3 arguments=() wishes=()
	engine=$4
	cap=$6
	cp "$scratch/$5" "$file"
	[ "$kind" = ibsim ] || arguments=(--vlarb-cap "$cap")
	heddle topo "$spec" -o "$scratch/net" >/dev/null
	offline "$engine" "$cap"
	[ -z "${WISHES-}" ] || {
		ways_to_wish
		rm -f "$scratch/policy"
		wishes=("partition_config_file $scratch/wish.partitions" "qos_policy_file $scratch/policy")
	}
	start_fabric "$kind" "$scratch/net" "${arguments[@]}" || return
	rm -rf "$at"
	configure "$at" "routing_engine ${engine%%:*}" "event_plugin_options classes=$file${OPTIONS:-}" "max_op_vls 4" \
		"${CONFIGURATION[@]}" "${wishes[@]}"
	if [ -n "${ONCE-}" ]; then
		ok "$name: opensm" opensm_once "$at"
	else
		ok "$name: opensm" start_opensm "$at"
		settled "$at"
	fi
	is "$name: configured" "$(tables_configured "$at")" "${engine%%:*}"
	like "$name: proved" "$(grep 'heddle: engine' "$at/log")" ' sound: .*[2-5] classes, shares '"${SHARES:-exact}"
	compare "$name" "$scratch/snapshot"
	# the first switch, and a host
	sample "$name" "$(sed -nE 's/^Switch.* lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net" | head -n 1)" 3
	sample "$name" "$(sed -nE 's/^\[1\].*# lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net" | head -n 1)" 1
}

end() {
	stop_opensm
	stop_fabric
}

# unchanged NAME [COMMAND...]: a sweep, after which all is as before
unchanged() {
	rm -rf "$scratch/before"
	cp -r "$scratch/live" "$scratch/before"
	sweep "$1" "${@:2}"
	compare "$1" "$scratch/snapshot"
	is "$1: changes nothing" "$(diff -r -x snapshot.json "$scratch/before" "$scratch/live" 2>&1)" ""
}

# reclassed NAME CLASSES: another class file, and the sweep that reads it
reclassed() {
	sweep "$1" cp "$scratch/$2" "$file"
	offline "$engine" "$cap"
	compare "$1" "$scratch/snapshot"
}

# no_loops NAME CLASSES
no_loops() {
	local class
	for class in $2; do
		like "$1: ibdmchk with the SLs of class $class" "$(ibdmchk_verdict "$at" -c "path-sl-$class.dump")" \
			'^no credit loops found'
	done
}

# record ARGUMENT...: the SL of a path record, or nothing
record() {
	on_fabric saquery PR "$@" 2>/dev/null | sed -nE 's/^\s*sl\.+(0x[0-9A-Fa-f]+)$/\L\1/p' | head -n 1
}

# wanted CLASS SOURCE DESTINATION: the SL in the class's dump, of LIDs
wanted() {
	local guid
	guid=$(awk -v lid="$2" '
		/^(Ca|Hca|Switch)/ { match($0, /"[HS]-[0-9a-f]+"/); guid = "0x" substr($0, RSTART + 3, RLENGTH - 4) }
		/^(Switch|\[1\])/ { match($0, / lid [0-9]+ /); if (substr($0, RSTART + 5) + 0 == lid) { print guid; exit } }
		' "$scratch/live/fabric.net")
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

# hosts_to_ask: pairs "SOURCE DESTINATION" of hosts' LIDs: the first and the last, and back, and others between
hosts_to_ask() {
	local lids
	mapfile -t lids < <(sed -nE 's/^\[1\].*# lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net" | sort -n)
	echo "${lids[0]} ${lids[-1]}"
	echo "${lids[-1]} ${lids[0]}"
	echo "${lids[${#lids[@]} / 3]} ${lids[${#lids[@]} / 2]}"
}

# ask_all NAME WAYS CLASSES: the SL of some pairs in each class by all of WAYS, words of --sl --pkey --qos_class
ask_all() {
	local name=$1 class pair sl number pairs way got pair_wanted
	mapfile -t pairs < <(hosts_to_ask)
	for pair in "${pairs[@]}"; do
		number=0
		for class in $3; do
			number=$((number + 1))
			got='' pair_wanted=''
			# shellcheck disable=SC2086
			sl=$(wanted $class $pair)
			for way in $2; do
				local -A asked=([--sl]=$((sl)) [--pkey]=$((0x8000 + number)) [--qos_class]=$number)
				got+=" $(record --slid "${pair% *}" --dlid "${pair#* }" "$way" "${asked[$way]}")"
				pair_wanted+=" $sl"
			done
			is "$name: class $class from ${pair/ / to } by $2" "$got" "$pair_wanted"
			[ $number != 1 ] ||
				is "$name: without a wish from ${pair/ / to }" "$(record --slid "${pair% *}" --dlid "${pair#* }")" "$sl"
		done
	done
}

# all_records NAME CLASSES, which are in the order of the class file. A policy goes before partitions and refuses
# other SLs than its own, so it comes with a sweep.
all_records() {
	ask_all "$1" "--sl --pkey" "$2"
	sweep "$1, with a policy" cp "$scratch/wish.policy" "$scratch/policy"
	ask_all "$1" --qos_class "$2"
}
