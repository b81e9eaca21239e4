#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables whose entries are sets of ports, beside LFTs with and without queues:
#
#	experiments/ar/run.sh [HEDDLE [DIRECTORY]]
#
# writes ar.csv to DIRECTORY (this one) and prints the tables of README.md, in two minutes of a core.
here=$(cd "$(dirname "$0")" && pwd)
heddle=${1:-heddle}
csv=${2:-$here}/ar.csv

# All match input first, as switches that choose do. A port has 16 packets of buffer for each layer,
# whatever the number of queues.
common=(-s switch.allocator=input -s run.seeds=1..3 -s run.warmup=250us -s run.measure=auto -s run.longest=35ms --no-time)
columns=accepted,latency_mean,network_latency_p99,out_of_order,steady,window

run() { # FABRIC PATTERN LOAD VARIANT ARGUMENTS: its rows
	"$heddle" sim "$1" -s traffic.pattern="$2" -s traffic.load="$3" "${common[@]}" "${@:5}" --csv - 2>/dev/null |
		python3 -c "import csv, sys
for row in csv.DictReader(line for line in sys.stdin if ',' in line):
    print(*sys.argv[1:5], row['seed'], *(row[column] for column in sys.argv[5].split(',')), sep=',')" \
			"${1//,/ }" "$2" "$3" "$4" $columns >>"$csv"
}

variants() { # FABRIC PATTERN LOAD ENGINE OPTION
	local sets=(-s routing.engine="$4" -s routing.options=ar="$5")
	local queues=(-s routing.queues=xordet:4 -s switch.buffer=4packets)

	run "$1" "$2" "$3" LFT -s routing.engine="$4"
	run "$1" "$2" "$3" "LFT xordet:4" -s routing.engine="$4" "${queues[@]}"
	run "$1" "$2" "$3" free "${sets[@]}" -s routing.adaptive=ar:free
	run "$1" "$2" "$3" "free xordet:4" "${sets[@]}" -s routing.adaptive=ar:free "${queues[@]}"
	run "$1" "$2" "$3" "bounded 30us" "${sets[@]}" -s routing.adaptive=ar:bounded,age=30us
	run "$1" "$2" "$3" "bounded 3us" "${sets[@]}" -s routing.adaptive=ar:bounded,age=3us
}

echo "fabric,traffic,load,variant,seed,$columns" >"$csv"
while read -r fabric engine option patterns; do
	for pattern in $patterns; do
		variants "$fabric" "${pattern%@*}" "${pattern#*@}" "$engine" "$option"
		variants "$fabric" "${pattern%@*}" 1 "$engine" "$option"
	done
done <<'END'
tree:k=4,n=3               updn yes            uniform@0.15 bitreverse@0.05
hyperx:4x4,p=4             hdor negative-first uniform@0.3  shift:20@0.1     transpose@0.2
mesh:8x8                   hdor negative-first uniform@0.15 shift:27@0.1     transpose@0.1
dragonfly:a=4,p=2,h=4,g=3  dla  trunks         uniform@0.5  adversarial:1@0.5
dragonfly:a=4,p=2,h=2,g=5  dla  owners         uniform@0.4  adversarial:1@0.15
END
exec python3 "$here/table.py" "$csv"
