# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the scripts that test the heddle command share, beside tests/lib/tap.sh.
# shellcheck shell=bash
#
#	unusable NAME COMMAND...         passes when COMMAND exits 2 with one line on stderr that begins
#	                                 with "heddle", and nothing on stdout
#	says NAME REGEX COMMAND...       the same, and the line matches REGEX
#	prints NAME REFOUT COMMAND...    passes when COMMAND prints what tests/tools/refout/REFOUT has, on
#	                                 stdout, and exits as its first line says ("status 0")
#	json NAME FILTER WANTED COMMAND  passes when COMMAND's JSON output, through the Python
#	                                 expression FILTER on j, is WANTED
# REFOUT_UPDATE=1 writes the refout files anew.

# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# shellcheck disable=SC2034 # for the scripts
dragonfly=dragonfly:a=4,p=2,h=2
refout=$top_srcdir/tests/tools/refout

unusable() {
	says "$1" '' "${@:2}"
}

says() {
	local name=$1 regex=$2 status said
	shift 2
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	mapfile said <"$scratch/.err" # each with its end of line
	if [ "$status" = 2 ] && [ "${#said[@]}" = 1 ] && [[ ${said[0]} == *$'\n' ]] && [ ! -s "$scratch/.out" ] &&
		[[ ${said[0]%$'\n'} =~ ^heddle.*$regex ]]; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name"
		{
			echo "$* exited with $status and ${#said[@]} lines on stderr; wanted /$regex/"
			head -n 5 "$scratch/.out" "$scratch/.err"
		} | tap_explain
	fi
}

prints() {
	local name=$1 wanted=$refout/$2 got=$scratch/.got
	shift 2
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	echo "status $?" >"$got"
	cat "$scratch/.out" >>"$got"
	[ "${REFOUT_UPDATE:-}" = 1 ] && cp "$got" "$wanted"
	same "$name" "$got" "$wanted"
}

json() {
	local name=$1 filter=$2 wanted=$3
	shift 3
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	# -S: json is Python's own, and looking for what others have installed is a sixth of the time
	is "$name" "$(python3 -S -c "import json, sys
j = json.load(open(sys.argv[1]))
print(($filter))" "$scratch/.out" 2>&1)" "$wanted"
}
