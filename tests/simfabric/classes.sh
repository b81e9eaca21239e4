# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes through stock opensm: what ports hold is what heddle computes offline, bit for bit, at every
# capacity of VL arbitration tables; path records of each class, by request, partition and policy; further
# sweeps; class files that change and vanish.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh" || exit 99
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
. "$top_srcdir/tests/simfabric/classes-lib.sh"
require_fabric
dragonfly=dragonfly:a=4,p=2,h=2

CONFIGURATION=()
for cap in 4 8 16 40 64; do
	SLS=
	[ $cap != 8 ] || SLS=yes
	run "capacity $cap" simfabric $dragonfly dla mixed $cap
	case $cap in
	8)
		records "capacity $cap" "$names" "40 90" "90 40" "2 41"
		no_loops "capacity $cap" "$names"
		is "an SL that no class has is refused" "$(record --slid 40 --dlid 90 --sl 9)" ""
		is "and told, once" "$(record --slid 41 --dlid 90 --sl 10)$(grep -c 'SL 9 is requested, but no class has it: path records get class VO' "$at/log") $(grep -c 'but no class has it' "$at/log")" "1 1"
		;;&
	8 | 64)
		unchanged "capacity $cap: a second sweep"
		SLS=
		reclassed "capacity $cap: another class file" other
		sweep "capacity $cap: no class file" rm "$file"
		compare "capacity $cap: no class file" "$scratch/snapshot"
		sweep "capacity $cap: still no class file" true
		is "capacity $cap: that is told once" "$(grep -c "classes: $file: .*: the old classes stay" "$at/log")" 1
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
reclassed "high priority: a larger limit" larger
like "high priority: it is larger" "$(heddle show "$scratch/snapshot" vlarb G0S0 3)" "limit 4 KiB"
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

# routes that need more SLs when a link fails: those of classes stay
printf '[class a] share = 40%%\n[class b] share = 60%%\n' >"$scratch/pair"
run "a link fails" simfabric $dragonfly df-sssp pair 8
changed "a link fails" df-sssp console 'Unlink "G0S0"[3]'
like "a link fails: that is said" "$(grep 'heddle: engine' "$at/log" | tail -n 1)" "2 classes, shares exact; lanes stayed, "
same "a link fails: SLs of classes" "$at/dump/classes.ini" "$scratch/snapshot/classes.ini"
for class in a b; do
	same "a link fails: path SLs of class $class" "$at/dump/path-sl-$class.dump" "$scratch/snapshot/path-sl-$class.dump"
done
on_fabric ibnetdiscover >"$scratch/less.net"
cp -r "$scratch/snapshot" "$scratch/whole"
ok "a link fails: routed offline" heddle route "$scratch/less.net" -e df-sssp --max-vls 8 --classes "$file" --vlarb-cap 8 \
	--previous "$scratch/whole" -o "$scratch/snapshot"
compare "a link fails" "$scratch/snapshot"
end

# packets of 1024 bytes, and links with an MTU of 512
cp "$scratch/mixed" "$file"
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

# links of one VL, whose ports have no VL arbitration at all
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
cp "$scratch/pair" "$file"
start_fabric simfabric "$scratch/net" --switch-vls 1 --host-vls 1 || exit
rm -rf "$at"
configure "$at" "routing_engine dmodc" "event_plugin_options classes=$file"
ok "one VL: opensm" start_opensm "$at"
settled "$at"
refused='2 lanes of classes x 1 layers x 1 queues \(single\) need 2 VLs, of which H-00000\[1\] needs 2 and has 1$'
like "one VL: two lanes are refused" "$(refusals "$at")" "engine dmodc refuses: $refused"
is "one VL: capacities" "$(on_fabric smpquery portinfo 1 1 2>/dev/null | sed -n 's/^VLArb.*Cap:\.*//p' | xargs)" "0 0"
rm -rf "$scratch/live"
ok "one VL: the fabric is read" on_fabric heddle dump -o "$scratch/live"
not_ok "one VL: refused offline" 1 heddle route "$scratch/live" -e dmodc --classes "$file"
like "one VL: with the same numbers" "$(cat "$scratch/.err")" "$refused"
sed 's/$/  lanes = all/' "$scratch/pair" >"$file"
kill -HUP "$opensm_pid"
ok "one VL: common lanes are routed" wait_log "$at" 'dmodc tables configured'
settled "$at"
like "one VL: and proved" "$(grep 'heddle: engine' "$at/log" | tail -n 1)" ' sound: 2 SLs, 1 VL.* 2 classes, shares exact'
is "one VL: an SL for each class" "$(sed -n 's/^sl = //p' "$at/dump/classes.ini" | xargs)" "0-0 1-1"
rm -rf "$scratch/live"
ok "one VL: the fabric is read again" on_fabric heddle dump --no-path-sls -o "$scratch/live"
ok "one VL: sound" heddle check "$scratch/live"
ok "one VL: nothing starves" heddle qos show "$scratch/live"
ok "one VL: routed offline" heddle route "$scratch/live" -e dmodc --classes "$file" -o "$scratch/snapshot"
same "one VL: LFTs" "$scratch/live/opensm-lfts.dump" "$scratch/snapshot/opensm-lfts.dump"
same "one VL: SL2VL" "$scratch/live/opensm-sl2vl.dump" "$scratch/snapshot/opensm-sl2vl.dump"
end

# no class file from the beginning
rm "$file"
start_fabric simfabric "$scratch/net" || exit
configure "$at" "routing_engine dla" "event_plugin_options classes=$file"
(launch "$at") &
opensm_pid=$!
ok "no file at all: it is said" wait_log "$at" 'heddle: ATTENTION: strict: classes: '
is "no file at all: nobody routes" "$(tables_configured "$at")" ""
like "no file at all: dla refuses" "$(refusals "$at")" "classes: $file: .*No such file"
end

# large NAME CLASSES: further sweeps of large fabrics, half a minute each
large() {
	[ -n "${HEDDLE_LONG_TESTS-}" ] || {
		skip "$1: further sweeps" "HEDDLE_LONG_TESTS is not set"
		return
	}
	sed 's/= 50%/= 40%/; /VO/s/= 10%/= 20%/' "$scratch/$2" >"$scratch/other-$2"
	SLS=yes unchanged "$1: a second sweep"
	reclassed "$1: another class file" "other-$2"
}

WISHES=yes SLS=${HEDDLE_LONG_TESTS-} run "8-ary 3-tree" simfabric tree:k=8,n=3 dmodc five 8
all_records "8-ary 3-tree" "$names"
# ibdmchk takes five times as long as OpenSM: of large fabrics the first class and the last, at least
no_loops "8-ary 3-tree" "${HEDDLE_LONG_TESTS:+$names }VO BK"
large "8-ary 3-tree" five
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
no_loops torus "${HEDDLE_LONG_TESTS:+VI CL }VO BE"
end
CONFIGURATION=()
split=torus:6x5x4
[ -z "${HEDDLE_LONG_TESTS-}" ] || split=torus:8x8x4
WISHES=yes SLS=${HEDDLE_LONG_TESTS-} OPTIONS=" ties=split" run "torus with halves split" simfabric "$split" hdor:ties=split four 64
all_records "torus with halves split" "VO VI CL BE"
no_loops "torus with halves split" "${HEDDLE_LONG_TESTS:+VI CL }VO BE"
large "torus with halves split" four
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
