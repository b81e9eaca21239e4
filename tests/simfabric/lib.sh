# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The same work on two emulated fabrics, ibsim (the reference) and simfabric (the candidate).
# HD_CANDIDATE=ibsim compares ibsim with itself: what differs then says nothing about simfabric.
# Sourced after tests/opensm/lib.sh. shellcheck shell=bash
#
#	on_both DIRECTORY NETFILE COMMAND...  starts each fabric, runs COMMAND with DIRECTORY/SIDE, stops it;
#					simfabric with the arguments ${simfabric_arguments[@]}
#	same_dumps NAME DIRECTORY             OpenSM's dumps and what the nodes hold are equal
#	same_outputs NAME DIRECTORY FILE      so is one FILE
#	read_back DIRECTORY                   reads LFTs and SL2VL tables of the fabric that runs
#	answer LAST-LINE COMMAND...           what simfabric's console says, down to the line that begins so

# shellcheck disable=SC2034 # also for the scripts that source this
reference=ibsim
candidate=${HD_CANDIDATE:-simfabric}
simfabric_arguments=()

require_both() {
	require_fabric
	command -v "$candidate" >/dev/null && return
	echo "1..0 # SKIP $candidate is not built"
	exit 0
}

# Two directories, also when both sides are ibsim.
on_both() {
	local directory=$1 netfile=$2 side kind arguments
	shift 2
	for side in reference candidate; do
		kind=${!side}
		arguments=()
		[ "$kind" = ibsim ] || arguments=("${simfabric_arguments[@]}")
		mkdir -p "$directory/$side"
		start_fabric "$kind" "$netfile" "${arguments[@]}" || tap_result 1 "${directory##*/}: $kind starts"
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

# What is left out of every comparison. Two runs on one fabric differ in
#	the time at which ibnetdiscover and others ran, and process numbers of libibmad's warnings
#	sminfo's activity count, which goes on while opensm runs
#	what ports transmitted and received: which of several ways OpenSM's directed routes take
#	depends on the order of answers
# ibsim and simfabric differ in
#	MkeyLeasePeriod: 4089 on ibsim, which nobody has set
#	SubnetTimeout, LocalPhysErr, OverrunErr, and LinkWidthEnabled and LinkSpeedEnabled of adapters:
#	simfabric keeps what OpenSM sets, ibsim does not
#	RespTimeVal, which nobody sets: the node's choice
#	LinkWidthSupported and LinkSpeedSupported: ibsim's ports could all be 12x and QDR, whatever their links have,
#	and iblinkinfo says so
comparable() {
	sed -E -e '/^# Topology file: generated on/d' \
		-e 's/^ibwarn: \[[0-9]+\]/ibwarn: /' \
		-e 's/activity count [0-9]+/activity count/' \
		-e 's/^(Port(Unicast|Multicast)?(Xmit|Rcv)(Data|Pkts):\.+)[0-9]+/\1/' \
		-e 's/\[Port(Unicast|Multicast)?(Xmit|Rcv)(Data|Pkts) == [^]]*\]//g' \
		-e '/^\s*(MkeyLeasePeriod|SubnetTimeout|LocalPhysErr|OverrunErr|RespTimeVal):/d' \
		-e '/^\s*Link(Width|Speed)(Ext)?(Enabled|Supported):/d' \
		-e 's/ \( ?Could be [^)]*\)/ ( )/' \
		"$@"
}

# What is left out of one command's output besides, as arguments of comparable:
#	LocalPort, asked by LID: simfabric says through which port the question came (14.2.5.3, 14.2.5.6),
#	ibsim says 0; asked of the SA: through which OpenSM's question came, of several ways
left_out() { # COMMAND
	case $1 in
	"saquery PIR "*) echo '-e/^\s*LocalPort:/d' ;;
	"smpquery "*" -D" | "smpquery -D"*) ;;
	"smpquery nodeinfo "* | "smpquery portinfo "*) echo "-e/^LocalPort:/d" ;;
	esac
}

# same_outputs NAME DIRECTORY FILE [SED ARGUMENT...]: FILE under both of DIRECTORY's sides
same_outputs() {
	local name=$1 directory=$2 file=$3 side
	shift 3
	for side in reference candidate; do
		comparable "$@" <"$directory/$side/$file" >"$directory/$side/$file.compared" || break
	done
	same "$name" "$directory/candidate/$file.compared" "$directory/reference/$file.compared"
}

same_dumps() {
	local name=$1 directory=$2 file
	ok "$name: LFTs and SL2VL tables were read" test -s "$directory/candidate/lfts" -a -s "$directory/candidate/sl2vl"
	for file in dump/{opensm-lfts,opensm-sl2vl,opensm-vlarb,opensm-lid-matrix,path-sl}.dump \
		dump/opensm.{fdbs,mcfdbs} dump/opensm-subnet.lst lfts sl2vl live.net; do
		[ -e "$directory/reference/$file" ] || [ -e "$directory/candidate/$file" ] || continue
		same_outputs "$name: ${file#dump/}" "$directory" "$file"
	done
}

answer() {
	local last=$1 before
	shift
	before=$(wc -l <"$fabric_log")
	console "$*"
	wait_until 60 eval "tail -n +$((before + 1)) '$fabric_log' | grep -qE '^(error|$last)'" || echo "# no answer to $*"
	tail -n +$((before + 1)) "$fabric_log"
}
