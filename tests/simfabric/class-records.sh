# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes through stock opensm on trees, tori and a dragonfly: tables of every port and path records of every
# class, by request, partition and policy, are those that heddle computes offline, at every capacity of VL
# arbitration tables, on simfabric and on ibsim; a second sweep changes nothing, another class file all tables.
# The large fabrics of their kinds are in classes.sh.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh" || exit 99
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
. "$top_srcdir/tests/simfabric/classes-lib.sh"
require_fabric
CONFIGURATION=()
sed 's/= 10%/= 20%/; s/= 50%/= 40%/' "$scratch/five" >"$scratch/other-five"
sed 's/= 10%/= 20%/; s/= 50%/= 30%/' "$scratch/four" >"$scratch/other-four"

# capacities SPEC ENGINE CLASSES: on simfabric. Path records do not depend on the capacity.
capacities() {
	local cap
	for cap in 4 16 40 64; do
		# five classes in 4 + 4 entries, packet by packet, have no exact table
		[ "$3$cap" != five4 ] || SHARES='within 0.0667'
		run "$1, capacity $cap" simfabric "$1" "$2" "$3" $cap
		unset SHARES
		end
	done
}

# stock SPEC ENGINE CLASSES NAMES OTHER: on ibsim, whose capacity is 8, and where OTHER is another class file
stock() {
	WISHES=yes run "$1 on ibsim" ibsim "$1" "$2" "$3" 8
	all_records "$1 on ibsim" "$4"
	no_loops "$1 on ibsim" "$4"
	unchanged "$1 on ibsim, a further sweep"
	reclassed "$1 on ibsim, another class file" "$5"
	ask_all "$1 on ibsim, another class file" --qos_class "$4"
	end
}

capacities tree:k=4,n=3 dmodc five
capacities torus:8x8 hdor four
stock dragonfly:a=4,p=2,h=2 dla mixed "$names" other
stock tree:k=4,n=3 dmodc five "$names" other-five
stock torus:8x8 hdor four "VO VI CL BE" other-four
finish
