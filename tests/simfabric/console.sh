# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The console, at its socket and on standard input. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
command -v perl >/dev/null || {
	echo "1..0 # SKIP perl is not installed"
	exit 0
}
spec=dragonfly:a=4,p=2,h=2

ok "start" start_simfabric "$spec"
is "ready" "$(cat "$simfabric_out")" "simfabric: ready, 72 hosts, 36 switches, socket $IBSIM_SOCKNAME"
is "one command" "$(console 'Unlink "H-00000"[1]')" 'unlinked "H-00000"[1]'
is "two commands" "$(console 'Relink "H-00000"' 'Attached')" 'linked again "H-00000": 1 links
#  0 clients'
like "what is wrong" "$(console 'Unlink "H-00000"[9]')" '^error: "H-00000" has no port 9'
is "all nodes" "$(console Dump | grep -c nodeguid)" 108
is "the last line lacks its end" "$(printf 'Verbose' | perl -MSocket -e '
	socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un(shift)) or die;
	syswrite $s, "Verbose"; shutdown $s, 1; print while <$s>;' "$scratch/console")" "verbose level is 0"
like "a line that is too long" "$(console "$(printf %05000d 1)")" "^error: "
start=$EPOCHREALTIME
is "Wait" "$(console 'Wait 300ms' Verbose)" "waiting 0.3 s
verbose level is 0"
ok "Wait waits" test $((${EPOCHREALTIME/[.,]/} - ${start/[.,]/})) -ge 300000
is "many at once" "$(for _ in $(seq 20); do console Verbose & done | sort | uniq -c | tr -s ' ')" " 20 verbose level is 0"
console 'Wait 5' >/dev/null &
waiting=$!
is "who waits is not in the way" "$(console Verbose)" "verbose level is 0"
kill $waiting
is "Quit" "$(console Quit)" bye
ok "it has ended" wait_until 10 sh -c '! kill -0 "$1" 2>/dev/null' sh "$simfabric_pid"
wait "$simfabric_pid"
is "with status 0" $? 0
simfabric_pid=
ok "the socket is gone" test ! -e "$scratch/console"

printf 'Verbose 1\nWait 0.1s\nnonsense\nQuit\n' | timeout 20 simfabric -s "sf-$$-in" --console - "$spec" >"$scratch/out"
is "standard input: status" "${PIPESTATUS[1]}" 0
is "standard input" "$(cat "$scratch/out")" "simfabric: ready, 72 hosts, 36 switches, socket sf-$$-in
verbose level is 1
waiting 0.1 s
error: no command 'nonsense' (Help lists them)
bye"
# what would never end, or never come, holds nobody up
ok "start" start_simfabric "$spec"
mkfifo "$scratch/fifo"
like "a FIFO" "$(console "!$scratch/fifo")" '^error: .*fifo: not a regular file'
like "no end" "$(console '!/dev/zero')" '^error: /dev/zero: not a regular file'
truncate -s 2M "$scratch/long"
like "too long" "$(console "!$scratch/long")" '^error: .*long: larger than 1048576 bytes'
for ((depth = 0; depth < 5; depth++)); do
	for ((line = 0; line < 100; line++)); do
		echo "!$scratch/many$((depth + 1))"
	done >"$scratch/many$depth"
done
echo Verbose >"$scratch/many5"
like "too many, of files in files" "$(console "!$scratch/many0" | tail -n 1)" 'more than 65536 lines'

# the same for what Traffic reads, wherever the name of a file stands; what the shell hands to a command is no exception
truncate -s 65M "$scratch/huge"
for each in "$scratch/fifo:not a regular file" "/dev/zero:not a regular file" "-:No such file" \
	"$scratch:Is a directory" "/dev/stdin:" "/proc/self/fd/0:" "$scratch/huge:larger than"; do
	file=${each%%:*}
	like "a trace from $file" "$(console "Traffic run 1us trace:$file 0" | tail -n 1)" "^error: $file: ${each#*:}"
	like "with its key" "$(console "Traffic run 1us trace:file=$file 0" | tail -n 1)" "^error: $file: ${each#*:}"
	like "a VEF trace from $file" "$(console "Traffic run 1us vef:$file 0" | tail -n 1)" "^error: $file: ${each#*:}"
	like "path SLs from $file" "$(console "Traffic run 1us uniform 0.1 path_sl=$file" | tail -n 1)" "^error: "
done
like "the console answers" "$(console Verbose)" "verbose level is 0"
like "too fast" "$(console 'Flap "G0S0"[3] 1us 1us' 'Flap "G0S0"[3] 1ns 1ns')" '^error: .*1 ms each'
for ((switch = 0; switch < 36; switch++)); do
	echo "Flap \"G$((switch / 4))S$((switch % 4))\"[3] 1ms 1ms"
done >"$scratch/flaps"
console "!$scratch/flaps" >"$scratch/out"
like "as fast as can be, everywhere" "$(tail -n 1 "$scratch/out")" 'flaps: 0.001 s up'
is "the console answers" "$(console Verbose)" "verbose level is 0"
ok "SIGTERM ends it" timeout 20 sh -c 'kill "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done' sh "$simfabric_pid"
wait "$simfabric_pid" 2>/dev/null
simfabric_pid=

printf 'Verbose\nQuit\n' >"$scratch/commands"
ok "a file as standard input" timeout 20 simfabric -q -s "sf-$$-in" --console - "$spec" <"$scratch/commands"
printf 'Dump\nDump\nQuit\n' | timeout 20 simfabric -q -s "sf-$$-in" --console - "$spec" | (sleep 0.5; grep -c nodeguid) >"$scratch/out"
is "a slow reader gets all" "$(cat "$scratch/out")" 216

# Names that would talk to the terminal: a title, C1, a change of direction, no UTF-8.
heddle topo "$spec" -o "$scratch/plain.net" >/dev/null
sed $'s/# "H-000/# "\x1B]0;\x07\xC2\x9B31m\xE2\x80\xAE\x9B-0/; s/# "G0S/# "\x1B[2J\xC2\x85G0S/' \
	"$scratch/plain.net" >"$scratch/hostile.net"
host=$'"\x1B]0;\x07\xC2\x9B31m\xE2\x80\xAE\x9B-000"'
printf '%s\n' Dump "Dump $host" "Route $host G1S1" "Unlink $host" "Relink ${host}[1]" "Relink ${host}[7]" \
	$'Down "\x1B[2J\xC2\x85G0S0"' "Baselid $host 3" $'\x1B[2J' $'Traffic start \x1B[2J 1' Quit |
	timeout 20 simfabric -q -s "sf-$$-names" --console - "$scratch/hostile.net" >"$scratch/out" 2>&1
like "Dump names them" "$(cat "$scratch/out")" $'\nCa 1 "\\?]0;\\?\\?31m\\?\\?-000"'
like "so does Unlink" "$(cat "$scratch/out")" $'\nunlinked "\\?]0;\\?\\?31m\\?\\?-000": 1 links'
is "nothing that a terminal obeys" "$(grep -avP '^(\t|[ -~])*$' "$scratch/out" | cat -v)" ""

# Who sees the socket can connect: it has its name when somebody listens.
at_once() { # looks for the socket from before it is made, without a pause
	perl -MSocket -e '
		my ($path, $n) = @ARGV;
		for my $round (1 .. $n) {
			my $pid = fork // die "fork: $!\n";
			if (!$pid) {
				open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null";
				exec "simfabric", "-q", "-s", "$ENV{IBSIM_SOCKNAME}-$round", "--console", $path, "mesh:2x2";
				exit 127;
			}
			my ($end, $refused) = (time + 30, 0);
			for (;;) {
				socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
				connect $s, sockaddr_un($path) and syswrite($s, "Quit\n"), last;
				$!{ENOENT} or print("round $round: $!\n"), $refused = 1;
				last if $refused || time > $end;
			}
			kill TERM => $pid if $refused || time > $end;
			waitpid $pid, 0;
			print "round $round: status $?\n" if $?;
			exit 1 if $refused || time > $end;
			-e $path and print("round $round: the socket stays\n"), exit 1;
		}
		print "connected\n";' "$scratch/at-once" "$1"
}
is "connected as soon as the socket is there" "$(at_once 500)" "connected"
is "nothing else is left" "$(compgen -G "$scratch/at-once*")" ""
touch "$scratch/at-once"
like "what is there stays" "$(simfabric -q -s "$IBSIM_SOCKNAME-taken" --console "$scratch/at-once" "$spec" 2>&1 </dev/null)" "at-once: .*in use"
ok "as it is" test -f "$scratch/at-once" -a ! -s "$scratch/at-once"
is "port sets: a switch has none at first" "$(printf 'DumpAR G1S1\nQuit\n' | timeout 20 simfabric --ar -q -s "sf-$$-ar" --console - "$spec" | sed 1d)" \
	"0 groups, 0 lids dumped
#	adaptive routing is off

bye"
like "port sets: without --ar" "$(printf 'DumpAR\nQuit\n' | timeout 20 simfabric -q -s "sf-$$-ar" --console - "$spec")" "^error: switches have no adaptive"
heddle topo mesh:2x2 -o "$scratch/plain.net" >/dev/null
sed 's/4x[A-Z]*/4xXDR/' "$scratch/plain.net" >"$scratch/xdr.net"
is "XDR is a rate of its own" "$(printf 'Dump\nQuit\n' | timeout 20 simfabric -q -s "sf-$$-ar" --console - "$scratch/xdr.net" |
	grep -c '4x  212.5G Init')" 16
finish
