#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Manual pages: clean, complete, and their examples run.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

pages=("$top_srcdir"/man/heddle*.[157] "$top_builddir/man/heddle-scenario.5")

if command -v mandoc >/dev/null; then
	for page in "${pages[@]}" "$top_srcdir"/man/{lib,osm}heddle*.[378] "$top_srcdir"/man/simfabric*.[17]; do
		is "${page##*/}: lint" "$(mandoc -Tlint -W warning "$page" 2>&1)" ""
	done
else
	skip "lint" "no mandoc"
fi

subcommands="topo plan route check show diff faults sim qos convert list"
heddle dump --version >/dev/null 2>&1 && subcommands+=" dump watch agent"
for sub in $subcommands; do
	page=$top_srcdir/man/heddle-$sub.1
	ok "heddle-$sub(1) is there" test -f "$page"
	for option in $(heddle $sub --help | grep -o -E '^ +(-[A-Za-z?], )?--[a-z0-9-]+' |
		grep -o -E -e '--[a-z0-9-]+'); do
		case $option in
		--help | --usage | --version | --verbose | --quiet | --strict | --node-name-map) page=$top_srcdir/man/heddle.1 ;;
		*) page=$top_srcdir/man/heddle-$sub.1 ;;
		esac
		[ "$option" = --usage ] && continue
		ok "$sub: $option is documented" grep -q -E -e "Fl -${option#--}( |\$)" "$page"
	done
done
for kind in engines layers queues; do
	for name in $(heddle list $kind | awk '{ print $1 }'); do
		ok "heddle-engines(7) has $name" grep -q "^\.It Cm $name\$" "$top_srcdir/man/heddle-engines.7"
	done
done

for key in $(sed -n '/^## Options/,/^## /s/^| `\([a-z_]*\)`.*/\1/p' "$top_srcdir/docs/opensm.md"); do
	ok "osmheddle(8) has $key" grep -q "^\.It Cm $key Ns" "$top_srcdir/man/osmheddle.8"
done

page=$top_builddir/man/heddle-scenario.5
# the end of a key's text, from the table of keys
defaults() {
	heddle list scenario --json | python3 -c '
import json, sys
def value(option):
    unit = option["unit"]
    return (option["default"] or "empty") + (f" (unit: {unit})" if unit else "")
for key in json.load(sys.stdin)["scenario"]:
    plain, *cycles = map(value, key["options"])
    print(key["name"], f"Default: {plain}" + "".join(f"; with cycles: {c}" for c in cycles) + ".")'
}
while read -r name default; do
	got=$(sed -n "/^\.It Cm ${name//./\\.}\$/,/^Default.*\.\$\|^with cycles/p" "$page" | sed -n '/^Default/,$p' | paste -s -d ' ')
	is "heddle-scenario(5): $name and its default" "$got" "$default"
done < <(defaults)
for name in $(heddle list results | awk '{ print $1 }'); do
	ok "heddle-sim(1) has $name" grep -qxF ".It Cm $name" "$top_srcdir/man/heddle-sim.1"
done

# what Debian's libraries read beyond buffers and do not free is not ours to judge
printf 'interceptor_via_lib:libumad2sim\n' >"$scratch/asan.suppressions"
printf 'leak:libibnetdisc\n' >"$scratch/lsan.suppressions"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}suppressions=$scratch/asan.suppressions
export LSAN_OPTIONS=suppressions=$scratch/lsan.suppressions:print_suppressions=0

# An example is a line ".Dl $ COMMAND" of the section EXAMPLES; a comment "status N" before it says
# what it exits with, other than 0.
for page in "${pages[@]}"; do
	mkdir -p "$scratch/run"
	cd "$scratch/run" || exit 99
	count=0
	status=0
	while IFS= read -r line; do
		case $line in
		'.\" status '*) status=${line##* } ;;
		".Dl \$ "*)
			not_ok "${page##*/}: ${line#.Dl }" "$status" bash -o pipefail -c "${line#.Dl \$ }"
			count=$((count + 1))
			status=0
			;;
		esac
	done < <(sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/p' "$page")
	ok "${page##*/} has examples" test "$count" -gt 0
	cd "$scratch" || exit 99
	rm -rf run
done

finish
