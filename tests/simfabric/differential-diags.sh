# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# infiniband-diags and the tools of ibutils say the same of simfabric as of ibsim, after the same
# OpenSM has brought it up and three hosts have joined a multicast group.
#
# Not compared, since they do not work on ibsim at all:
#	ibdiagnet, ibdiagpath      crash under umad2sim
#	ibstatus                   reads /sys itself
#	ibping, ibsysstat, vendstat  nobody answers their classes
#	ibportstate of a switch    asks its peer by a combined route, which ibsim loses
#	perfquery -c, -X, -S, -T and the congestion ones
#	                           unsupported attributes; at the SM's own port ibsim hands them to
#	                           opensm, which crashes
#	table queries of saquery   need RMPP: only what fits one MAD is right
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_both

# Commands of any fabric, then those of switches and of all nodes by LID
whole_fabric() {
	cat <<-END
		ibnetdiscover
		ibnetdiscover -p
		ibnetdiscover -l
		ibnetdiscover -g
		ibnetdiscover -f
		ibnetdiscover -H
		ibnetdiscover -S
		ibnetdiscover -R
		iblinkinfo
		iblinkinfo -l
		iblinkinfo -p
		iblinkinfo --down
		iblinkinfo --switches-only
		ibqueryerrors
		ibqueryerrors --details
		ibqueryerrors --counters
		ibqueryerrors --data
		ibnodes
		ibhosts
		ibswitches
		ibrouters
		ibidsverify
		ibstat
		ibstat -l
		ibstat -s
		ibstat -p
		ibaddr
		sminfo
		dump_lfts
		dump_lfts -a
		dump_mfts
		dump_fts
		dump_fts -M
		saquery -c
		saquery -g
		saquery -s
		perfquery
		perfquery -x
		smpquery nodeinfo 0 -D
		smpquery portinfo 0 -D
	END
}

of_switches() { # LID...
	local lid port
	for lid; do
		cat <<-END
			smpquery switchinfo $lid
			perfquery -l $lid
			ibroute $lid
			ibroute -a $lid
			ibroute -n $lid
			ibroute -M $lid
			ibroute -M -a $lid
			saquery SWIR $lid
			saquery LFTR $lid/0
			smpdump $lid 0x12
			smpdump $lid 0x19
			smpdump $lid 0x19 1
			smpdump $lid 0x1b
		END
		for port in 0 1 3; do
			cat <<-END
				smpquery portinfo $lid $port
				smpquery sl2vl $lid $port
				smpquery vlarb $lid $port
				smpquery pkeys $lid $port
				perfquery $lid $port
				perfquery -x $lid $port
				perfquery -D $lid $port
				perfquery -E $lid $port
				perfquery --oprcvcounters $lid $port
				perfquery --flowctlcounters $lid $port
				perfquery --vloppackets $lid $port
				perfquery --vlopdata $lid $port
				perfquery --vlxmitflowctlerrors $lid $port
				perfquery --vlxmitcounters $lid $port
				saquery PIR $lid/$port
				saquery SL2VL $lid/1/$port
				saquery VLAR $lid/$port/1
			END
		done
	done
}

of_nodes() { # LID...
	local lid
	for lid; do
		cat <<-END
			smpquery nodeinfo $lid
			smpquery nodedesc $lid
			smpquery portinfo $lid
			smpquery pkeys $lid
			smpquery sl2vl $lid
			smpquery vlarb $lid
			smpquery guidinfo $lid
			smpquery mlnxextportinfo $lid
			smpdump $lid 0x10
			smpdump $lid 0x14
			smpdump $lid 0x16
			smpdump $lid 0x17
			smpdump $lid 0x18 0x10000
			perfquery -a $lid
			perfquery -r $lid 1
			perfquery -R $lid 1
			perfquery $lid 1
			ibaddr $lid
			ibaddr -g $lid
			ibtracert 1 $lid
			ibtracert $lid 1
			ibtracert -n 1 $lid
			saquery NR $lid
			saquery -p --slid 1 --dlid $lid
			saquery --smkey 1 PKTR $lid/1/0
			saquery GIR $lid/0
			saquery LR $lid/1
		END
	done
}

join_three() { # DIRECTORY: the first, the last and one between join; then the tables are settled
	local host hosts
	hosts=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$net")
	for host in $(awk '{ line[NR] = $0 } END { print line[1], line[int(NR / 2)], line[NR] }' <<<"$hosts"); do
		SIM_HOST=$host on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff
	done
	kill -HUP "$opensm_pid"
	wait_log "$1" 'SUBNET UP' 2
}

# Commands from standard input, one file each: what is said, and the exit status
run_all() { # DIRECTORY
	local count=0 command status
	mkdir -p "$1/outputs"
	while read -r command; do
		count=$((count + 1))
		# shellcheck disable=SC2086
		surely_on_fabric $command </dev/null >"$1/outputs/$count" 2>"$1/stderr"
		status=$?
		{
			cat "$1/stderr"
			echo "exit status $status"
		} >>"$1/outputs/$count"
	done <"$commands"
}

diagnose() { # DIRECTORY
	configure "$1" "routing_engine $engine" "lmc ${lmc:-0}" "partition_config_file $scratch/partitions"
	ok "$name: opensm" start_opensm "$1"
	ok "$name: three hosts join" join_three "$1"
	run_all "$1"
	on_fabric ibnetdiscover --cache "$1/cache" >/dev/null
	on_fabric dump_fts >"$1/lfts.dump"
	on_fabric check_lft_balance -v -l "$1/lfts.dump" -i "$1/cache" >"$1/balance" 2>/dev/null
	ok "$name: opensm stops" stop_opensm
	read_back "$1"
}

# compare NAME NETFILE ENGINE, with the commands in $commands
compare() {
	local name=$1 net=$2 engine=$3 count=0 command
	local at=$scratch/$name
	on_both "$at" "$net" diagnose
	same_dumps "$name" "$at"
	while read -r command; do
		count=$((count + 1))
		tail -n 1 "$at/reference/outputs/$count" | grep -qx 'exit status 0' || echo "$command"
	done <"$commands" >"$at/failed"
	same "$name: every command works on $reference" "$at/failed" /dev/null
	ok "$name: there is a multicast tree to compare" grep -rqi '^0xc000 .*x' "$at/candidate/outputs"
	count=0
	while read -r command; do
		count=$((count + 1))
		# shellcheck disable=SC2046
		same_outputs "$name: $command" "$at" "outputs/$count" $(left_out "$command")
	done <"$commands"
	judged "$name" "$at"
}

# ibdmchk, check_lft_balance and heddle say the same of what was dumped and read.
judged() { # NAME DIRECTORY
	local side
	for side in reference candidate; do
		ibdmchk_verdict "$2/$side" >/dev/null
		heddle check --quiet --fabric "$2/$side/live.net" "$2/$side/dump" >"$2/$side/heddle"
	done
	if command -v ibdmchk >/dev/null; then
		same_outputs "$1: ibdmchk" "$2" ibdmchk.log
	else
		skip "$1: ibdmchk" "it is not installed"
	fi
	same_outputs "$1: check_lft_balance" "$2" balance
	same_outputs "$1: heddle check" "$2" heddle
}

echo 'Default=0x7fff, ipoib: ALL=full;' >"$scratch/partitions"
opensm_log_flags=0x47
commands=$scratch/commands
# ibsim has no wildcard form of SL2VL tables, and SwitchInfo says so
simfabric_arguments=(--no-optimized-sl2vl)

heddle topo tree:k=2,n=2 -o "$scratch/tree.net" >/dev/null
{
	whole_fabric
	of_nodes 1 2 6 # an adapter, a switch, an adapter
	of_switches 2
	echo "ibtracert -m 0xc000 1 8"
	echo "ibtracert -G 0x0002000000000001 0x0002000000000031"
	echo "ibaddr -G 0x0002000000000031"
	echo "ibfindnodesusing 0x0001000000000000 3"
	echo "smpquery -D nodeinfo 0,1,3,2,1"
	echo "smpquery -D portinfo 0,1,3 2"
	echo "smpdump -D 0,1,3 0x11"
	echo "smpquery -G nodeinfo 0x0002000000000031"
	echo "ibportstate 1 1"
	echo "ibportstate -D 0,1 2"
	echo "sminfo 1"
	echo "saquery --src-to-dst 1:8"
} >"$commands"
compare tree "$scratch/tree.net" ftree
ok "check_lft_balance says something" grep -q '^Switch Port Usage' "$scratch/tree/candidate/balance"

whole_fabric >"$commands"
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/dragonfly.net" >/dev/null
compare dragonfly "$scratch/dragonfly.net" dla

# adapters of several ports, some of them not linked, a router, enhanced port 0, cables in parallel;
# without the name that has quotes in it, where ibsim ends it
sed 's/ "rear"//' "$top_srcdir/tests/data/netfiles/ibsim-odd.net" >"$scratch/odd.net"
compare odd "$scratch/odd.net" minhop
lmc=2
compare odd-lmc "$scratch/odd.net" minhop
finish
