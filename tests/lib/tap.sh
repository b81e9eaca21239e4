# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Test scripts source this: TAP on stdout, a scratch directory that goes away, and the tools of the
# build under test first in PATH. shellcheck shell=bash
#
#	ok NAME COMMAND...             passes when COMMAND exits 0
#	not_ok NAME STATUS COMMAND...  passes when COMMAND exits with STATUS
#	is NAME GOT WANTED             passes when the two strings are equal
#	like NAME GOT REGEX            passes when GOT matches the extended regular expression
#	same NAME FILE FILE            passes when the files are equal
#	skip NAME REASON
#	wait_until SECONDS COMMAND...
#	wait_lines SECONDS N REGEX FILE  until N lines of the file match the extended regular expression
#	pause SECONDS                  sleeps
#	on_one_processor               this script and all that it starts from now on
#	finish                         last line of every script

set -u
: "${top_srcdir:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir}"
export top_srcdir top_builddir
PATH=$top_builddir:$top_builddir/tools:$top_builddir/simfabric:$PATH:/usr/sbin:/sbin
# In memory, where there is room: each program on an emulated fabric makes and removes hundreds of files, and ext4 spends
# more on inodes that were just removed than these programs on all else.
make_scratch() {
	local memory=/dev/shm directory
	if [ -z "${TMPDIR-}" ] && [ "$(df -Pk "$memory" 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 2097152 ] 2>/dev/null &&
		directory=$(mktemp -d "$memory/heddle-test.XXXXXX" 2>/dev/null); then
		printf '#!/bin/sh\n' >"$directory/may-run" && chmod +x "$directory/may-run" && "$directory/may-run" 2>/dev/null &&
			rm "$directory/may-run" && echo "$directory" && return
		rm -rf "$directory"
	fi
	mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX"
}
scratch=$(make_scratch) || exit 99
# Debian's Python, whose modules packages.txt names. Starting that of a version manager takes five times as long.
[ ! -x /usr/bin/python3 ] || { mkdir "$scratch/.bin" && ln -s /usr/bin/python3 "$scratch/.bin/" && PATH=$scratch/.bin:$PATH; }
# A pipe into which nobody writes: whoever waits for a line of it sleeps without a process.
exec {tap_silence}<> <(:)
tap_cleanup=()
tap_count=0
tap_failed=0

# on_exit COMMAND...: run when the script ends, last first
on_exit() {
	tap_cleanup=("$(printf '%q ' "$@")" "${tap_cleanup[@]}")
}

tap_at_exit() {
	local status=$? command
	for command in "${tap_cleanup[@]}"; do
		eval "$command"
	done
	rm -rf "$scratch"
	exit "$status"
}
trap tap_at_exit EXIT

# pause SECONDS
pause() {
	read -r -t "$1" -u "$tap_silence" _ || :
}

# wait_until SECONDS COMMAND...: until it succeeds, for so long at most
wait_until() {
	local tries=$(($1 * 20))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		pause 0.05
	done
}

# wait_lines SECONDS N REGEX FILE: `tail` and `grep` sleep until something is written. To look again and again would start
# a process each time, which reads the whole file.
wait_lines() {
	local lines follower found
	found=$(grep -cE "$3" "$4" 2>/dev/null)
	[ "${found:-0}" -lt "$2" ] || return 0
	exec {lines}< <(exec tail -n +1 -s 0.05 -F "$4" 2>/dev/null)
	follower=$!
	found=$(timeout "$1" grep -cE -m "$2" "$3" <&"$lines")
	exec {lines}<&-
	kill "$follower"
	[ "${found:-0}" -ge "$2" ]
}

# Daemons that ask and answer one another datagram by datagram wake each other thousands of times a second. To wake a
# process of another processor, which sleeps, costs a virtual machine more than all that the process then does; so such a
# script stays on one, as far as possible on one that no other has taken. What computes in threads has as many as before.
on_one_processor() {
	local list each processors=() chosen
	list=$(taskset -cp $$ 2>/dev/null) || return 0
	for each in $(tr ',' ' ' <<<"${list##*: }"); do
		mapfile -t -O "${#processors[@]}" processors < <(seq "${each%-*}" "${each#*-}")
	done
	[ ${#processors[@]} -gt 1 ] || return 0
	export OMP_NUM_THREADS=${OMP_NUM_THREADS:-${#processors[@]}}
	for chosen in "${processors[@]}"; do
		# held until the last process of this script ends; it may be another user's
		{ exec {taken_processor}>>"${TMPDIR:-/tmp}/heddle-processor-$chosen.lock"; } 2>/dev/null || continue
		flock -n "$taken_processor" && break
		exec {taken_processor}>&-
		chosen=
	done
	taskset -cp "${chosen:-${processors[$$ % ${#processors[@]}]}}" $$ >/dev/null
}

tap_result() { # STATUS NAME
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		tap_failed=$((tap_failed + 1))
	fi
}

tap_explain() {
	sed 's/^/# /'
}

ok() {
	not_ok "$1" 0 "${@:2}"
}

not_ok() {
	local name=$1 wanted=$2 status
	shift 2
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	if [ "$status" = "$wanted" ]; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name"
		{
			echo "$* exited with $status, not $wanted"
			tail -n 20 "$scratch/.out" "$scratch/.err"
		} | tap_explain
	fi
}

is() {
	if [ "$2" = "$3" ]; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		printf 'got:    %s\nwanted: %s\n' "$2" "$3" | tap_explain
	fi
}

like() {
	if [[ $2 =~ $3 ]]; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		printf 'got:    %s\nwanted: /%s/\n' "$2" "$3" | tap_explain
	fi
}

same() {
	if cmp -s "$2" "$3"; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		diff "$2" "$3" 2>&1 | head -n 20 | tap_explain
	fi
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

finish() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
}
