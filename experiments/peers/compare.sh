#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The performance model beside cycle-accurate simulators, in configurations that match:
#
#	experiments/peers/compare.sh [HEDDLE [ARGUMENT...]]
#
# runs PEER.ini, with these arguments of `heddle sim`, and prints it beside PEER.csv, what the peer measured. Exit 1 where accepted load differs
# by more than 3% (5% in saturation) or mean latency, below 80% of the peer's saturation, by more than 5%.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
heddle=${1:-heddle}
results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0

printf '%-15s %5s  %9s %9s %7s  %9s %9s %7s\n' peer load accepted here differ latency here differ
for peer in fogsim booksim2 booksim2-torus booksim2-torus8; do
	"$heddle" sim --quiet "$here/$peer.ini" "${@:2}" --csv - >"$results"
	awk -F, -v peer="$peer" '
		function number(name) { return $(column[name]) }
		function differ(a, b) { return (b - a) / a }
		FNR == 1 { delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
		FNR == NR {
			n++; load[n] = number("load") + 0; accepted[n] = number("accepted"); latency[n] = number("latency")
			saturation = accepted[n] > saturation ? accepted[n] : saturation
			next
		}
		{
			gsub(/"[^"]*"/, "-") # specs have commas
			key = number("traffic.load") + 0
			runs[key]++; a[key] += number("accepted"); l[key] += number("latency_mean")
		}
		END {
			for (i = 1; i <= n; i++) {
				key = load[i]
				here = a[key] / runs[key]; slow = l[key] / runs[key]
				da = differ(accepted[i], here); dl = differ(latency[i], slow)
				saturated = accepted[i] < 0.97 * load[i]
				light = load[i] < 0.8 * saturation
				bad = da * da > (saturated ? 0.05 : 0.03) ^ 2 || light && dl * dl > 0.05 ^ 2
				printf "%-15s %5g  %9.4f %9.4f %6.1f%%  ", peer, load[i], accepted[i], here, 100 * da
				if (saturated)
					printf "%9s %9s %7s", "-", "-", "-"
				else
					printf "%9.1f %9.1f %6.1f%%", latency[i], slow, 100 * dl
				print bad ? "  too much" : ""
				failed += bad
			}
			exit failed > 0
		}' "$here/$peer.csv" "$results" || status=1
done
exit "$status"
