# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes through stock opensm on trees, tori and a dragonfly: tables of every port and path records of every
# class, by request, partition and policy, are those that heddle computes offline, at every capacity of VL
# arbitration tables, on simfabric and on ibsim; a second sweep changes nothing, another class file all tables.
# Path records of the large fabrics of their kinds are in classes.sh.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh" || exit 99
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
. "$top_srcdir/tests/simfabric/classes-lib.sh"
require_fabric
CONFIGURATION=()
sed 's/= 10%/= 20%/; s/= 50%/= 40%/' "$scratch/five" >"$scratch/other-five"
sed 's/= 10%/= 20%/; s/= 50%/= 30%/' "$scratch/four" >"$scratch/other-four"

# capacities SPEC ENGINE CLASSES CAPACITY...: on simfabric, and with 8 on ibsim. Neither path records nor the size of
# the fabric depend on the capacity: the large fabrics are in classes.sh.
capacities() {
	local cap kind
	for cap in "${@:4}" ibsim; do
		kind=simfabric
		[ "$cap" != ibsim ] || kind=ibsim cap=8
		# five classes in 4 + 4 entries, packet by packet, have no exact table
		[ "$3$cap" != five4 ] || SHARES='within 0.0667'
		ONCE=yes run "$1 on $kind, capacity $cap" $kind "$1" "$2" "$3" "$cap"
		unset SHARES
		end
	done
}

# stock SPEC ENGINE CLASSES NAMES OTHER: on ibsim, whose capacity is 8, and where OTHER is another class file
stock() {
	WISHES=yes SLS=yes run "$1 on ibsim" ibsim "$1" "$2" "$3" 8
	all_records "$1 on ibsim" "$4"
	no_loops "$1 on ibsim" "$4"
	SLS=yes unchanged "$1 on ibsim, a further sweep"
	reclassed "$1 on ibsim, another class file" "$5"
	ask_all "$1 on ibsim, another class file" --qos_class "$4"
	end
}

# queue rules of classes: one layer of 2 + 1 + 2 queues; two of 2 + 1 + 1
WISHES=yes run "queues of classes" simfabric tree:k=4,n=3 dmodc queued 8
is "queues of classes: SLs" "$(sed -n 's/^sl = //p' "$at/dump/classes.ini" | xargs)" "0-3 4-7 8-11"
all_records "queues of classes" "VO VI CL"
no_loops "queues of classes" "VO VI CL"
end
sed -i '/CL/s/queues.*//' "$scratch/queued"
ONCE=yes run "queues of one class on ibsim" ibsim dragonfly:a=4,p=2,h=2 dla queued 8
is "queues of one class: SLs" "$(sed -n 's/^sl = //p' "$at/dump/classes.ini" | xargs)" "0-1 2-3 4-5"
no_loops "queues of one class" "VO VI CL"
end

capacities tree:k=4,n=3 dmodc five 4 16 40 64
capacities torus:5x5 hdor four 4 16 40 64
OPTIONS=" ties=split" capacities torus:6x5x4 hdor:ties=split four 4 8 16 40
stock dragonfly:a=4,p=2,h=2 dla mixed "$names" other
stock tree:k=4,n=3 dmodc five "$names" other-five
stock torus:8x8 hdor four "VO VI CL BE" other-four
finish
