# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The same work on two emulated fabrics, ibsim (the reference) and simfabric (the candidate).
# HD_CANDIDATE=ibsim compares ibsim with itself: what differs then says nothing about simfabric.
# Sourced after tests/opensm/lib.sh. shellcheck shell=bash
#
#	on_both DIRECTORY NETFILE COMMAND...  starts each fabric, runs COMMAND with DIRECTORY/KIND, stops it
#	same_dumps NAME DIRECTORY             OpenSM's dumps and what the nodes hold are equal
#	same_outputs NAME DIRECTORY FILE      so is one FILE
#	read_back DIRECTORY                   reads LFTs and SL2VL tables of the fabric that runs

# shellcheck disable=SC2034 # also for the scripts that source this
reference=ibsim
candidate=${HD_CANDIDATE:-simfabric}

require_both() {
	require_fabric
	command -v "$candidate" >/dev/null && return
	echo "1..0 # SKIP $candidate is not built"
	exit 0
}

# Two directories, also when both sides are ibsim.
on_both() {
	local directory=$1 netfile=$2 side kind
	shift 2
	for side in reference candidate; do
		kind=${!side}
		mkdir -p "$directory/$side"
		start_fabric "$kind" "$netfile" || tap_result 1 "${directory##*/}: $kind starts"
		"$@" "$directory/$side"
		stop_opensm
		stop_fabric
	done
}

read_back() {
	on_fabric ibnetdiscover >"$1/live.net"
	read_lfts >"$1/lfts"
	read_sl2vl >"$1/sl2vl"
}

# What is left out of every comparison, and why:
#	the time at which ibnetdiscover and others ran, and process numbers of libibmad's warnings
#	sminfo's activity count, which goes on while opensm runs
#	what ports transmitted and received: which of several ways OpenSM's directed routes take
#	depends on the order of answers
comparable() {
	sed -E -e '/^# Topology file: generated on/d' \
		-e 's/^ibwarn: \[[0-9]+\]/ibwarn: /' \
		-e 's/activity count [0-9]+/activity count/' \
		-e 's/^(Port(Unicast|Multicast)?(Xmit|Rcv)(Data|Pkts):\.+)[0-9]+/\1/' \
		-e 's/\[Port(Unicast|Multicast)?(Xmit|Rcv)(Data|Pkts) == [^]]*\]//g'
}

# same_outputs NAME DIRECTORY FILE: FILE under both of DIRECTORY's sides; neither may be missing
same_outputs() {
	local side
	for side in reference candidate; do
		comparable <"$2/$side/$3" >"$2/$side/$3.compared" || break
	done
	same "$1" "$2/candidate/$3.compared" "$2/reference/$3.compared"
}

same_dumps() {
	local name=$1 directory=$2 file
	for file in dump/{opensm-lfts,opensm-sl2vl,opensm-vlarb,opensm-lid-matrix,path-sl}.dump \
		dump/opensm.{fdbs,mcfdbs} dump/opensm-subnet.lst lfts sl2vl live.net; do
		[ -e "$directory/reference/$file" ] || [ -e "$directory/candidate/$file" ] || continue
		same_outputs "$name: ${file#dump/}" "$directory" "$file"
	done
}
