# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle-lids.so and a stub of libibverbs: which LIDs and SLs connections and datagrams get. It shows nothing of adapters.
# shellcheck shell=bash source-path=SCRIPTDIR disable=SC2016
. "${top_srcdir:-.}/tests/lib/tap.sh"
library=$top_builddir/libheddle-lids.so
program=$top_builddir/tests/lids/program
asan=$(ldd "$library" | awk '/lib(clang_rt\.)?asan/ && $3 ~ /^\// { print $3 ":" }')

snapshot=$scratch/snapshot
heddle route --quiet kns:k=4,n=2 -e osha -q dbbq:2 -o "$snapshot" >/dev/null
sls=$snapshot/path-sl.dump
own() { # COLUMN: of the first host's line
	grep -m 1 '^# port' "$sls" | cut -d ' ' -f "$1"
}
export STUB_PORT STUB_NODE STUB_LID STUB_LMC=1
STUB_PORT=$(own 3)
STUB_LID=$(own 5)
STUB_NODE=$(sed -nE 's/^\[1\].*"(H-[0-9a-f]*)"\[1\]\('"$(printf %x "$STUB_PORT")"'\).*/\1/p' "$snapshot/fabric.net" | sed 's/^H-/0x/')
export HEDDLE_LIDS=$sls HEDDLE_NETWORKS=

# sl LID: the SL from this host, by the dump
sl() {
	awk -v node="$STUB_NODE" -v lid="$1" '$1 == node && $2 == lid { print $3 }' "$sls"
}
run() {
	# shellcheck disable=SC2086
	env LD_LIBRARY_PATH="$top_builddir/tests/lids" LD_PRELOAD="$asan$library" "$program" "$@" 2>"$scratch/err"
}
# counts WHAT LID FILE: how often it went there, with the SL of that LID
counts() {
	grep -c "^$1 .*dlid $2 sl $(sl "$2")\$" "$3"
}

ok "the stub alone" env LD_LIBRARY_PATH="$top_builddir/tests/lids" "$program" 22
mapfile -t there < <(grep '^# port' "$sls" | sed 1d | cut -d ' ' -f 5)
lid=${there[5]}
ok "a host's SLs differ by LID" test "$(sl "$lid")" != "$(sl $((lid + 1)))"
ok "a program to a host" run "$lid"
run "$lid" >"$scratch/out"
for i in 0 1; do
	is "LID $((lid + i)): two of four connections" "$(counts rtr $((lid + i)) "$scratch/out")" 2
	is "LID $((lid + i)): three of six datagrams" "$(counts 'post [0-9]*' $((lid + i)) "$scratch/out")" 3
	is "LID $((lid + i)): one of two by the extended queue pair" "$(counts 'wr [0-9]*' $((lid + i)) "$scratch/out")" 1
	is "LID $((lid + i)): one handle" "$(counts ah $((lid + i)) "$scratch/out")" 1
	is "LID $((lid + i)): it is destroyed" "$(grep -c "^gone dlid $((lid + i))\$" "$scratch/out")" 1
done
ok "in turn" awk '/^rtr/ { if ($3 == last) bad = 1; last = $3 } END { exit bad }' "$scratch/out"
is "nothing is said" "$(cat "$scratch/err")" ""
# threads take turns together: which of them sends or connects next is nobody's to say
PROGRAM_THREADS=16 run "$lid" >"$scratch/out"
both() { # LID
	grep -cE "^(rtr|post [0-9]*|wr [0-9]*) .*dlid $1 sl $(sl "$1")\$" "$scratch/out"
}
is "16 threads at once: half of 192 connections and datagrams to either LID" "$(both "$lid") $(both $((lid + 1)))" "96 96"
is "every handle is destroyed" "$(grep -c '^gone ' "$scratch/out")" "$(grep -c '^ah ' "$scratch/out")"
HEDDLE_LIDS_VERBOSE=1 run "$lid" >/dev/null
is "with HEDDLE_LIDS_VERBOSE: a line for each connection" "$(grep -c '^libheddle-lids: connection to LID' "$scratch/err")" 4
run $((lid + 1)) "$(sl $((lid + 1)))" >"$scratch/out"
is "from the second LID too" "$(counts rtr "$lid" "$scratch/out") $(counts rtr $((lid + 1)) "$scratch/out")" "2 2"

# What stays as it is, and a line that says why where something does not fit
unchanged() { # NAME LID SL [REGEX]
	run "$2" "$3" >"$scratch/out"
	is "$1: LIDs and SLs stay" "$(grep -E 'dlid' "$scratch/out" | sed -E 's/.*(dlid)/\1/' | grep -v "^dlid $2\$" | sort -u)" "dlid $2 sl $3"
	if [ $# -gt 3 ]; then
		like "$1: a line" "$(cat "$scratch/err")" "^libheddle-lids: $4"
		is "$1: one" "$(wc -l <"$scratch/err")" 1
	else
		is "$1: no line" "$(cat "$scratch/err")" ""
	fi
}
switch=$(sed -nE 's/^Switch.* lid ([0-9]+) lmc 0.*/\1/p' "$snapshot/fabric.net" | head -n 1)
unchanged "a switch, which has one LID" "$switch" 0
unchanged "the port itself" "$STUB_LID" 0
unchanged "a multicast group" 49160 0
unchanged "an SL of the program's own" "$lid" 9
STUB_ETHERNET=1 unchanged "RoCE" "$lid" 0
STUB_LMC=2 unchanged "another LMC" "$lid" 0 "path SLs of LID $STUB_LID and LMC 1, but the port has LID $STUB_LID and LMC 2"
STUB_LID=99 unchanged "older LIDs" "$lid" 0 "path SLs of LID [0-9]+ and LMC 1, but the port has LID 99"
STUB_PORT=0x123 STUB_NODE=0x122 unchanged "another host's file" "$lid" 0 ".*nothing of port 0x0*123"
HEDDLE_LIDS='' unchanged "no file named" "$lid" 0 "HEDDLE_LIDS does not name"
HEDDLE_LIDS=$scratch/none unchanged "no such file" "$lid" 0 ".*none: cannot be read"
echo '0x1 2' >"$scratch/broken"
HEDDLE_LIDS=$scratch/broken unchanged "a broken file" "$lid" 0 ".*broken:1: expected"
HEDDLE_LIDS=$snapshot run "$lid" >"$scratch/out"
is "a directory" "$(counts rtr "$lid" "$scratch/out")" 2

# The agent's page: a time that is fresh, one that is not
page() { # AGE-NS PREFERRED
	perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e '
		print pack("LLQQSCCCx3S16", 2, 0x314E6448, int(clock_gettime(CLOCK_MONOTONIC) * 1e9) - $ARGV[0], 60e9, 2, 1, 2, $ARGV[1], (0) x 16)
	' "$1" "$2" >"$scratch/page"
}
export HEDDLE_NETWORKS=$scratch/page
page 0 1
run "$lid" >"$scratch/out"
is "the agent prefers network 1: connections" "$(counts rtr $((lid + 1)) "$scratch/out")" 4
is "datagrams" "$(counts 'post [0-9]*' $((lid + 1)) "$scratch/out")" 6
page 0 0
run "$lid" >"$scratch/out"
is "the agent prefers network 0" "$(counts rtr "$lid" "$scratch/out") $(counts 'wr [0-9]*' "$lid" "$scratch/out")" "4 2"
page 130000000000 0
run "$lid" >"$scratch/out"
is "its choice is two intervals old: in turn" "$(counts rtr "$lid" "$scratch/out")" 2
page 0 255
run "$lid" >"$scratch/out"
is "it prefers none: in turn" "$(counts rtr "$lid" "$scratch/out")" 2
# somebody removed the page, and the agent made another
page 0 1
mv "$scratch/page" "$scratch/next"
page 0 255
PROGRAM_PAGE=$scratch/next run "$lid" >"$scratch/out"
is "another page while the program runs" "$(sed -nE 's/^rtr .*dlid ([0-9]+) .*/\1/p' "$scratch/out" | sort -n | uniq -c | tr -s ' ')" " 2 $lid
 6 $((lid + 1))"
# somebody shortens it: the program goes on, and takes turns when it has looked
for size in 0 63; do
	page 0 1
	PROGRAM_CUT=$size run "$lid" >"$scratch/out"
	is "cut to $size bytes while the program runs: status" $? 0
	is "cut to $size bytes: in turn in the end" "$(sed -nE 's/^rtr .*dlid ([0-9]+) .*/\1/p' "$scratch/out" | tail -n 4 | sort -n | uniq -c | tr -s ' ')" " 2 $lid
 2 $((lid + 1))"
done
page 0 1
is "a page is 64 bytes" "$(wc -c <"$scratch/page")" 64

# Programs without libibverbs do not notice.
if [ -z "$asan" ] && grep -q __asan_init "$library"; then
	skip "other programs" "they lack the sanitizer's runtime"
else
	is "other programs" "$(env LD_PRELOAD="$asan$library" uname -s)" Linux
fi
finish
