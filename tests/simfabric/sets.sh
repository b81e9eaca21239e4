# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Port sets that MADs write into switches with adaptive routing: kept, shown, in the history and in a snapshot that heddle
# proves; traffic follows them, also while a link of a set is down, as counters of ports tell.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
for program in perfquery jq perl; do
	command -v "$program" >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 0
	}
done

# smps <REQUESTS: status and bytes of each answer; another program than opensm asks
smps() {
	perl "$top_srcdir/tests/simfabric/smp.pl" "$IBSIM_SOCKNAME" "$SIM_HOST"
}

# set_bytes PORT...: a set of ports in ARGroupTable
set_bytes() {
	perl -e 'my @b = (0) x 32; $b[31 - int($_ / 8)] |= 1 << $_ % 8 for @ARGV; printf "%02x" x 32, @b' "$@"
}

# entries LID STATE: Sets of all AR LFT blocks of a switch, whose LIDs behind one of ${up[@]} get STATE and group 0
entries() {
	local last=$(((top + 16) / 16 - 1))
	for block in $(seq 0 $last); do
		echo "get $1 0xff23 $block"
	done | smps | perl -e '
		my ($lid, $state, %up) = (shift, shift, map { $_ => 1 } @ARGV);
		while (<STDIN>) {
			my @ports = map { ($_ >> 16) & 255 } unpack("N16", pack("H*", (split)[1]));
			printf "set %s 0xff23 %d %s\n", $lid, $n++, join "", map { sprintf "%s%02x0000", $up{$_} ? $state : "80", $_ } @ports;
		}' "$@" "${up[@]}"
}

# info ON: AdaptiveRoutingInfo with one subgroup and 1 ms of ageing
info() {
	printf '000001%02x%08x%08x%08x%08x' "$1" 0 0 0 1000
}

# sent: what left each of ${up[@]} of the first leaf, on one line; 72 words of each packet with a MAD are left out
sent() {
	for port in "${up[@]}"; do
		on_fabric perfquery -x "$leaf" "$port"
	done | tr -s :. ' ' | awk '/^PortXmitData / { words = $2 } /^PortXmitPkts / { printf "%d ", (words - 72 * $2) / 184 } END { print "" }'
}

# since BEFORE AFTER: which of the ports sent more than a tenth of the packets, "1" or "0" each
since() {
	awk -v before="$1" -v after="$2" 'BEGIN {
		n = split(before, b, " "); split(after, a, " ")
		for (i = 1; i <= n; i++)
			all += a[i] - b[i]
		for (i = 1; i <= n; i++)
			printf "%s%d", (i > 1 ? " " : ""), (a[i] - b[i] > all / 10)
		print ""
	}'
}

at=$scratch/opensm
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" --ar --history "$scratch/history" || exit
configure "$at" "routing_engine updn"
ok "opensm starts" start_opensm "$at"
settled "$at"
ok "opensm stops" stop_opensm
on_fabric ibnetdiscover >"$scratch/live.net"
# switches with hosts: LID, and the ports to other switches
awk '/^Switch/ { name = $3; lid = $0; sub(/.* lid /, "", lid); sub(/ .*/, "", lid); hosts = 0; ports = "" }
	/^\[/ && name { port = $1; gsub(/[][]|\(.*/, "", port); if ($2 ~ /^"S-/) ports = ports " " port; else hosts++ }
	/^$/ && name { if (hosts) print lid ports; name = "" }
	END { if (name && hosts) print lid ports }' "$scratch/live.net" >"$scratch/leaves"
is "leaves and their uplinks" "$(awk '{ print NF }' "$scratch/leaves" | sort | uniq -c | tr -s ' ')" " 4 5"
top=$(sed -nE 's/.*[ (]lid ([0-9]+).*/\1/p' "$scratch/live.net" | sort -n | tail -n 1)
read -ra up < <(head -n 1 "$scratch/leaves")
leaf=${up[0]}
name=$(awk -v lid="$leaf" '/^Switch/ && $0 ~ " lid " lid " " { split($0, part, "\""); print part[2] }' "$scratch/live.net")
up=("${up[@]:1}")

# What a switch has, and refuses
is "capabilities" "$(echo "get $leaf 0xff17 4" | smps | cut -c 1-28)" "0x0 000020060000000000000008"
is "no private LFTs" "$(printf "get $leaf 0xff1%d 0\n" 0 1 2 4 | smps | cut -d ' ' -f 1 | xargs)" "0xc 0xc 0xc 0xc"
is "a port that it does not have" "$(echo "set $leaf 0xff21 0 $(set_bytes 60)" | smps | cut -d ' ' -f 1)" 0x1c
is "a table of another LFT" "$(echo "set $leaf 0xff23 0x1000000" | smps | cut -d ' ' -f 1)" 0x1c

# Sets of all leaves: hosts' packets go up by any port
while read -r lid ports; do
	read -ra up <<<"$ports"
	{
		# shellcheck disable=SC2086 # several ports
		echo "set $lid 0xff21 0 $(set_bytes $ports)"
		entries "$lid" 40
		echo "set $lid 0xff20 0 $(info 1)"
	} >"$scratch/requests"
	smps <"$scratch/requests" >"$scratch/answers"
	is "sets of LID $lid are taken" "$(cut -d ' ' -f 1 "$scratch/answers" | sort | uniq -c | tr -s ' ')" " $(wc -l <"$scratch/requests") 0x0"
done <"$scratch/leaves"
read -ra up < <(head -n 1 "$scratch/leaves" | cut -d ' ' -f 2-)
like "DumpAR shows them" "$(answer '.*adaptive routing is on' DumpAR)" "group 0: ${up[*]}"
before=$(sent)
said=$(answer packets "Traffic run 40us shift:4 0.9 packet=1KiB")
like "traffic goes on" "$said" "traffic is over"
is "all ports carry packets" "$(since "$before" "$(sent)")" "1 1 1 1"
like "none is lost" "$said" " 0 dropped .* 0 lost"

# One MAD later, two of them do
echo "set $leaf 0xff21 0 $(set_bytes "${up[2]}" "${up[3]}")" | smps >/dev/null
before=$(sent)
answer packets "Traffic run 40us shift:4 0.9 packet=1KiB" >/dev/null
is "a set of two ports" "$(since "$before" "$(sent)")" "0 0 1 1"
echo "set $leaf 0xff21 0 $(set_bytes "${up[@]}")" | smps >/dev/null

# One port, of which ar.dump cannot tell
echo "set $leaf 0xff21 0 $(set_bytes "${up[2]}")" | smps >/dev/null
like "a set of one port" "$(answer AR DumpSets)" "^error: .* has one port for LID"
echo "set $leaf 0xff21 0 $(set_bytes "${up[@]}")" | smps >/dev/null

# A snapshot that heddle proves
read_snapshot "$scratch/snapshot"
answer AR DumpSets >/dev/null
sed -n '/^AR tables of/,$p' "$fabric_log" >"$scratch/snapshot/ar.dump"
check=$(heddle check --scope hosts "$scratch/snapshot" 2>"$scratch/notes")
is "heddle proves what was read back" "$? $(sed -n 's/^verdict *//p' <<<"$check" | cut -d ';' -f 1)" "0 hosts sound"
like "and shows the sets" "$(heddle show "$scratch/snapshot" ar "$name" 2>/dev/null)" "0  ${up[*]}"

# A link of a set fails: the switch leaves it out by itself
answer unlinked "Unlink \"$name\"[${up[1]}]" >/dev/null
before=$(sent)
said=$(answer packets "Traffic run 40us shift:4 0.5 packet=1KiB")
is "the others take over" "$(since "$before" "$(sent)")" "1 0 1 1"
like "hosts send as before" "$said" "hosts: 16 of 16 up"
console "ReLink \"$name\"[${up[1]}]"

# VL2VL, and what is only kept
printf '%s\n' "set $leaf 0xff91 0 000001" "set $leaf 0xff92 0 0000000300000005" "set $leaf 0x1e 0x102 $(printf '%016x%08x%08x' 4 0x2000 7)" |
	smps >"$scratch/answers"
is "the others' answers" "$(cut -c 1-20 "$scratch/answers" | xargs)" "0x0 0000010100000000 0x0 0000000b0f000005 0x0 0000000000000004"
answer '.*adaptive routing' "DumpAR \"$name\"" >/dev/null
wait_until 10 eval "grep -q 'hierarchy 1 of port 2' '$fabric_log'"
like "they are shown" "$(tail -n 5 "$fabric_log")" "VL2VL"
like "and numbers" "$(tail -n 5 "$fabric_log")" "turbo path 3, req_delay 5"
like "and hierarchies" "$(tail -n 5 "$fabric_log")" "hierarchy 1 of port 2: template 0x4, levels 0x7 0x0"

# An LFT alone ends it
lft=$(echo "get $leaf 0x19 0" | smps)
is "a Set of the LFT" "$(echo "set $leaf 0x19 0 ${lft#* }" | smps | cut -d ' ' -f 1)" 0x0
is "switches it off" "$(echo "get $leaf 0xff20 0" | smps | cut -c 11-12)" 00
stop_fabric

# The history
is "the history has them" "$(grep -oE '^ar (on|set|vl2vl|turbo|hierarchy) ' "$scratch/history" | sort | uniq -c | tr -s ' ' | paste -sd ,)" \
	" 1 ar hierarchy , 5 ar on , 8 ar set , 1 ar turbo , 1 ar vl2vl "
check=$(heddle check --history "$scratch/history" 2>"$scratch/refused")
is "heddle gives no verdict on them" $? 2
like "but says what it proves" "$check" "adaptive routing +[0-9]+ records change it: not proved"
like "and from where on it cannot" "$(cat "$scratch/refused")" "history:$(grep -n -m 1 '^ar on 0 1' "$scratch/history" | cut -d : -f 1): from here on .* chooses ports"
is "in JSON, too" "$(heddle check --history "$scratch/history" --json 2>/dev/null | jq '.adaptive > 8 and .sound == null')" true
finish
