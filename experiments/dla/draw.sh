#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Draws figures from the CSV files beside this script:
#
#	experiments/dla/draw.sh FIGURE...      figure-FIGURE.svg, of 10 to 12 and 14 to 19
#	experiments/dla/draw.sh points FIGURE  what it draws: PANEL ENGINE X Y HALF-WIDTH, and (not of 12) how many runs
#	                                       were never steady
#	experiments/dla/draw.sh table FIGURE   Y at full load and, after a stroke, the greatest Y, as a Markdown table;
#	                                       with ~ where a run was never steady
#	experiments/dla/draw.sh table-1        improvement by VOQs, as a Markdown table
#
# Y is accepted load, the mean over seeds with half the 95% confidence interval; under hot spots (16, 19) of the
# hosts that are none: the spots' links are full, whatever the load, and are taken off.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
engines='dla d3r lash updn dfsssp sssp-df minhop-df'

# "VOQ BUFFER ENGINE LOAD MEAN HALF-WIDTH UNSTEADY" of the points of a CSV file
means() {
	awk -F, '
		function cell(name) { return $(column[name]) }
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			gsub(/"[^"]*"/, "-") # specs have commas
			key = cell("switch.voq") " " cell("switch.buffer") + 0 " " cell("routing.snapshot") " " cell("traffic.load")
			if (!(key in n))
				keys[++n_keys] = key
			unsteady[key] += cell("steady") != 1
			n[key]++; sum[key] += cell("accepted"); squares[key] += cell("accepted") ^ 2
		}
		END {
			split("12.706 4.303 3.182 2.776", student, " ")
			for (i = 1; i <= n_keys; i++) {
				key = keys[i]; k = n[key]; mean = sum[key] / k
				variance = k > 1 ? (squares[key] / k - mean ^ 2) * k / (k - 1) : 0
				print key, mean, (k > 1 && variance > 0 ? student[k - 1] * sqrt(variance / k) : 0), unsteady[key]
			}
		}' "$1"
}

sizes() { # FIGURE
	case $1 in
	14 | 15 | 16) echo 72 342 1056 2550 ;;
	17 | 18 | 19) echo 144 684 2112 5100 ;;
	esac
}

points() { # FIGURE
	local hosts
	case $1 in
	10) means "$here/figures-10-11.csv" | awk '$1 == "no" { print $2, $3, $4, $5, $6, $7 }' ;;
	11) means "$here/figures-10-11.csv" | awk '$1 == "yes" { print $2, $3, $4, $5, $6, $7 }' ;;
	12)
		means "$here/figure-12-table-1.csv" | awk '
			{ y[$1, $2, $3] = $5; half[$1, $2, $3] = $6; buffers[$2]; engines[$3] }
			function factor(panel, e, b, over, under,    f) {
				if (!y[over] || !y[under])
					return
				f = y[over] / y[under]
				print panel, e, b, f, over == under ? 0 : f * sqrt((half[over] / y[over]) ^ 2 + (half[under] / y[under]) ^ 2)
			}
			END {
				for (b in buffers)
					for (e in engines) {
						factor("a", e, b, "no" SUBSEP b SUBSEP e, "no" SUBSEP 1 SUBSEP e)
						factor("b", e, b, "yes" SUBSEP b SUBSEP e, "yes" SUBSEP 1 SUBSEP e)
						factor("c", e, b, "yes" SUBSEP b SUBSEP e, "no" SUBSEP b SUBSEP e)
					}
			}' | sort -k 1,2 -k 3n
		;;
	16 | 19)
		for hosts in $(sizes "$1"); do
			[ ! -e "$here/figure-$1-$hosts.csv" ] || means "$here/figure-$1-$hosts.csv" | awk -v hosts="$hosts" '
				BEGIN { spots = int(log(int(0.06 * hosts)) / log(2) + 1e-9) }
				{ print hosts, $3, $4, ($5 * hosts - spots) / (hosts - spots), $6, $7 }'
		done
		;;
	*)
		for hosts in $(sizes "$1"); do
			[ ! -e "$here/figure-$1-$hosts.csv" ] || means "$here/figure-$1-$hosts.csv" | awk -v hosts="$hosts" '
				{ print hosts, $3, $4, $5, $6, $7 }'
		done
		;;
	esac
}

table() { # FIGURE
	points "$1" | awk -v order="$engines" '
		!($1 in seen) { seen[$1] = 1; panels[++n] = $1 }
		function cell(y, unsteady) { return sprintf("%.3f%s", y, unsteady ? "~" : "") }
		{ if ($4 > best[$1, $2]) { best[$1, $2] = $4; of_best[$1, $2] = cell($4, $6) } }
		$3 == 1 { full[$1, $2] = cell($4, $6) }
		END {
			printf "| engine |"
			for (i = 1; i <= n; i++)
				printf " %s |", panels[i]
			printf "\n|---|"
			for (i = 1; i <= n; i++)
				printf "---:|"
			print ""
			m = split(order, engine, " ")
			for (e = 1; e <= m; e++) {
				printf "| `%s` |", engine[e]
				for (i = 1; i <= n; i++)
					if ((panels[i], engine[e]) in full)
						printf " %s / %s |", full[panels[i], engine[e]], of_best[panels[i], engine[e]]
					else
						printf " |"
				print ""
			}
		}'
}

table_1() {
	echo "| engine | least | median | greatest | paper |  |  |"
	echo "|---|---:|---:|---:|---:|---:|---:|"
	points 12 | awk '$1 == "c" { print $2, $4 }' | sort -k 1,1 -k 2n | awk '
		BEGIN {
			paper["dla"] = "1.356 1.428 1.448"; paper["d3r"] = "1.628 2.373 2.596"
			paper["lash"] = "1.179 1.288 1.420"; paper["updn"] = "1.347 1.412 1.471"
			paper["dfsssp"] = "1.059 1.126 1.165"; paper["sssp-df"] = "1.283 1.298 1.324"
			paper["minhop-df"] = "1.242 1.251 1.275"
		}
		function flush() {
			if (!n)
				return
			median = n % 2 ? y[(n + 1) / 2] : (y[n / 2] + y[n / 2 + 1]) / 2
			split(paper[engine], p, " ")
			printf "| `%s` | %.3f | %.3f | %.3f | %s | %s | %s |\n", engine, y[1], median, y[n], p[1], p[2], p[3]
		}
		$1 != engine { flush(); n = 0; engine = $1 }
		{ y[++n] = $2 }
		END { flush() }'
}

# gnuplot's commands for one figure, whose points are in $work/points
commands() { # FIGURE
	local panel engine title separator index=0 panels
	local -A types=([dla]=7 [d3r]=2 [lash]=9 [updn]=11 [dfsssp]=3 [sssp-df]=6 [minhop-df]=4)
	local -A colors=([dla]=#1f77b4 [d3r]=#ff7f0e [lash]=#2ca02c [updn]=#d62728 [dfsssp]=#9467bd
		[sssp-df]=#8c564b [minhop-df]=#e377c2)
	panels=$(awk '!seen[$1]++ { print $1 }' "$work/points")
	local -i n
	n=$(wc -w <<<"$panels")
	local rows=2 columns=2
	[ "$n" -le 4 ] || columns=3
	[ "$1" != 12 ] || rows=1 columns=3
	echo "set terminal svg size $((columns * 400)),$((rows * 320)) font 'sans,11' background 'white'"
	echo "set multiplot layout $rows,$columns"
	# bars without strokes at their ends are a quarter less, packed
	echo "set errorbars 0; set grid lc rgb '#dddddd'; set key top left samplen 1.5 font ',10'; set ylabel offset 1"
	for panel in $panels; do
		case $1 in
		10 | 11) title="buffers of $panel packets per VL" ;;
		12)
			local -A titles=([a]="without VOQs, beside 1 packet" [b]="with VOQs, beside 1 packet"
				[c]="VOQs beside none")
			title=${titles[$panel]}
			;;
		*) title="$panel hosts" ;;
		esac
		echo "set title '$title'"
		if [ "$1" = 12 ]; then
			echo "set logscale x 2; set xrange [0.9:36]; set xtics (1, 2, 4, 8, 16, 32)"
			echo "set xlabel 'packets per VL'; set ylabel 'accepted at full load, factor'"
		else
			echo "set xrange [0:1.02]; set yrange [0:1.02]; set xlabel 'load'; set ylabel 'accepted'"
		fi
		printf 'plot '
		separator=
		for engine in $engines; do
			awk -v panel="$panel" -v engine="$engine" '$1 == panel && $2 == engine { print $3, $4, $5 }' \
				"$work/points" >"$work/$index"
			if [ -s "$work/$index" ]; then
				printf "%s'%s' with yerrorlines pt %d ps 0.6 lc rgb '%s' title '%s'" \
					"$separator" "$work/$index" "${types[$engine]}" "${colors[$engine]}" "$engine"
				separator=', '
			fi
			index=$((index + 1))
		done
		echo
	done
}

case ${1-} in
points) points "$2"; exit ;;
table) table "$2"; exit ;;
table-1) table_1; exit ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for figure in "$@"; do
	points "$figure" >"$work/points"
	commands "$figure" | gnuplot >"$work/svg"
	mv "$work/svg" "$here/figure-$figure.svg"
	"$here/../runs.py" pixels "$here/figure-$figure.svg"
done
