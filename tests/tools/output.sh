#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Output that does not fit, that nobody reads, that may not be written: exit 2, one line, and nothing
# half-written.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
heddle route $dragonfly -e dla -o snapshot >/dev/null || exit 99
heddle route $dragonfly -e dla -q xordet:4 -o other >/dev/null || exit 99

# into a pipe whose reader is gone
into_closed_pipe() {
	local status
	exec 3> >(:)
	wait $!
	"$@" >&3
	status=$?
	exec 3>&-
	return $status
}

into_full() {
	"$@" >/dev/full
}

into_nothing() {
	"$@" >&-
}

commands=(
	"--help"
	"list engines"
	"topo $dragonfly"
	"topo $dragonfly --json"
	"topo $dragonfly -o -"
	"route $dragonfly -e dla"
	"check snapshot"
	"check snapshot --json"
	"show snapshot load"
	"show snapshot path H-00000 H-00071"
	"diff snapshot other"
	"diff snapshot other --pairs -"
)
for command in "${commands[@]}"; do
	# shellcheck disable=SC2086
	{
		says "$command: disk full" '<stdout>: cannot write' into_full heddle $command
		says "$command: stdout closed" '<stdout>: cannot write' into_nothing heddle $command
		says "$command: nobody reads" '<stdout>: cannot write.*Broken pipe' \
			into_closed_pipe heddle $command
	}
done

# no file becomes stdout by accident
heddle topo $dragonfly -o closed.net >&- 2>/dev/null
like "a closed stdout does not end up in files" "$(head -n 1 closed.net 2>/dev/null || echo '#')" \
	'^(#|vendid|$)'
heddle topo $dragonfly -o plain.net >/dev/null
ok "the netfile is whole or absent" bash -c '[ ! -e closed.net ] || cmp closed.net plain.net'
rm -f closed.net plain.net

# A limit on the size of files stands for a full disk.
limited() {
	(
		trap '' XFSZ
		ulimit -f 4
		"$@"
	)
}

mkdir full
before=$(find . ! -name '.*' | sort)
says "topo: netfile on a full disk" 'full/x.net: cannot write' \
	limited heddle topo $dragonfly -o full/x.net
says "route: snapshot on a full disk" 'full/x: .*cannot write.*: File too large$' limited heddle route $dragonfly -e dla -o full/x
says "diff: pairs on a full disk" 'full/x.csv: cannot write' \
	limited heddle diff snapshot other --pairs full/x.csv
is "nothing half-written" "$(find . ! -name '.*' | sort)" "$before"
cp -r snapshot kept
unusable "route: replacing a snapshot on a full disk" limited heddle route $dragonfly -e dla -o kept
ok "the snapshot that was there stays" diff -r snapshot kept
rm -rf kept

says "topo: no such directory" 'nowhere/x.net: cannot write' heddle topo $dragonfly -o nowhere/x.net
unusable "route: no such directory" heddle route $dragonfly -e dla -o nowhere/x
says "diff: no such directory" 'nowhere/x.csv: cannot write' \
	heddle diff snapshot other --pairs nowhere/x.csv
says "topo: into a device" '/dev/full: cannot write' heddle topo $dragonfly -o /dev/full
ok "the device is still there" test -c /dev/full
touch file
unusable "route: the snapshot is a file" heddle route $dragonfly -e dla -o file
mkdir mine
touch mine/letter
unusable "route: a directory with other things" heddle route $dragonfly -e dla -o mine
ok "which stay" test -e mine/letter
if [ "$(id -u)" = 0 ]; then
	skip "unwritable directory" "root may write everywhere"
else
	mkdir locked
	chmod 555 locked
	unusable "topo: unwritable directory" heddle topo $dragonfly -o locked/x.net
	unusable "route: unwritable directory" heddle route $dragonfly -e dla -o locked/x
fi

# A symbolic link stays, and what it names is written, as cp and sort -o do.
mkdir links
echo old >links/there
chmod 640 links/there
ln -s there links/link
ln -s links/link chain
ln -s links/new dangling
ln -s loop loop
heddle topo $dragonfly -o links/plain >/dev/null || exit 99
ok "topo: through links" heddle topo $dragonfly -o chain
ok "topo: through a link to nothing" heddle topo $dragonfly -o dangling
is "the links stay" "$(readlink chain links/link dangling | paste -s)" $'links/link\tthere\tlinks/new'
same "the first file is written" links/there links/plain
same "the second file is written" links/new links/plain
is "a file that is replaced keeps its mode" "$(stat -c %a links/there)" 640
says "topo: a link to itself" 'loop: cannot write: Too many levels' heddle topo $dragonfly -o loop
is "nothing temporary is left" "$(find . -name '*.heddle-*')" ""
if [ "$(id -u)" = 0 ]; then
	mkdir sticky
	chmod 1777 sticky
	echo mine >victim
	ln -s ../victim sticky/out
	chown -h nobody sticky/out
	says "topo: another's link in a directory for all" 'sticky/out: cannot write: Permission denied' \
		heddle topo $dragonfly -o sticky/out
	is "its target stays" "$(cat victim)" mine
	touch theirs
	chown nobody theirs
	heddle topo $dragonfly -o theirs >/dev/null
	is "a file that is replaced keeps its owner" "$(stat -c %U theirs)" nobody
	skip "a file without permission" "root may write everywhere"
else
	echo mine >fixed
	chmod 444 fixed
	says "topo: a file without permission" 'fixed: cannot write: Permission denied' heddle topo $dragonfly -o fixed
	is "which stays" "$(cat fixed)" mine
fi

# /dev/stdout is the descriptor, whatever it is: a file, a pipe. Nothing in /dev is replaced.
heddle topo $dragonfly >report || exit 99
cat links/plain report >both
ok "topo: /dev/stdout into a file" bash -c "heddle topo $dragonfly -o /dev/stdout >both.file"
same "has the netfile, then the report" both.file both
heddle topo $dragonfly -o /dev/fd/3 3>third >/dev/null
same "a descriptor of the shell" third links/plain
heddle topo $dragonfly -o /dev/stdout | cat >both.pipe
same "topo: /dev/stdout into a pipe" both.pipe both
ok "/dev/stdout is still a link" test -L /dev/stdout
says "topo: a descriptor that is closed" '/dev/fd/9: cannot write: Bad file descriptor' \
	heddle topo $dragonfly -o /dev/fd/9
says "route: a snapshot on standard output" 'a snapshot is a directory' heddle route $dragonfly -e dla -o -
ok "makes no directory of that name" test ! -e ./-

# What a killed process leaves is removed by the next that writes the same, and nothing else is.
mkdir left
killed() { # SIGNAL PATH COMMAND...: killed while it writes to PATH
	local signal=$1 path=$2 i
	shift 2
	"$@" >/dev/null 2>&1 &
	for ((i = 0; i < 2000; i++)); do
		compgen -G "$path.heddle-*" >/dev/null && break
		sleep 0.005
	done
	kill "-$signal" $!
	wait $! 2>/dev/null
	ended=$?
	compgen -G "$path.heddle-*" >/dev/null
}
ok "a killed process leaves something" killed KILL left/s heddle route dragonfly:a=16,p=8,h=8 -e dla -o left/s
cp left/s.heddle-*/fabric.net left/x.net.heddle-0123abcd
touch left/x.net.heddle-keepthis
not_ok "SIGTERM leaves nothing" 1 killed TERM left/t heddle route dragonfly:a=16,p=8,h=8 -e dla -o left/t
is "and ends the command" "$ended $(compgen -G 'left/t*')" "143 "
ok "the next run" heddle topo $dragonfly -o left/x.net
heddle route $dragonfly -e dla -o left/s >/dev/null
is "has removed what a killed one left" "$(cd left && echo *heddle*)" "x.net.heddle-keepthis"
(umask 027 && heddle topo $dragonfly -o left/u.net && heddle route $dragonfly -e dla -o left/u) >/dev/null
is "files have the permissions that the umask leaves" "$(stat -c %a left/u.net left/u left/u/path-sl.dump | paste -s)" \
	$'640\t750\t640'

finish
