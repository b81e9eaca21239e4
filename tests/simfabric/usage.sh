# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What simfabric refuses, with one line and status 2. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"

# refused NAME REGEX ARGUMENT...
refused() {
	local name=$1 says=$2
	shift 2
	not_ok "$name" 2 timeout 20 simfabric "$@"
	like "$name: says so" "$(cat "$scratch/.err")" "^simfabric: $says"
	is "$name: in one line" "$(wc -l <"$scratch/.err")" 1
}

spec=dragonfly:a=4,p=2,h=2
ok "help" simfabric --help
like "help has examples" "$(cat "$scratch/.out")" "simfabric dragonfly:a=4,p=2,h=2 -- opensm -o"
ok "version" simfabric --version
refused "no fabric" "no FABRIC given"
refused "two fabrics" "one FABRIC, not also 'b'" a b
refused "no command" "no COMMAND after --" "$spec" --
refused "no such file" "/nonexistent: " /nonexistent
refused "bad spec" "dragonfly: a: 'x' is not a number" dragonfly:a=x
echo 'Switch what' >"$scratch/bad.net"
refused "malformed netfile" "$scratch/bad.net:1: " "$scratch/bad.net"
for option in "--switch-vls 3" "--host-vls 0" "--mtu 1000" "--vlarb-cap 65" "--vlarb-cap 0" \
	"--trap-repeat 5" "--seed x" "--listen 0" "--listen 99999" "--listen nowhere:7070"; do
	# shellcheck disable=SC2086
	refused "$option" "${option%% *}: " $option "$spec"
done
refused "no such host" "no node is named 'nobody'" --host nobody "$spec" -- true
refused "host without a command" "--host is about a COMMAND" --host H-00000 "$spec"
refused "console and command share standard input" "standard input is COMMAND's" --console - "$spec" -- true
refused "two read standard input" "only one of" --console - -
refused "no such script" "/nonexistent: " --script /nonexistent "$spec"
printf '# fine\n1s Unlink "G0S0"[1]\n2s Unlink "nobody"\n' >"$scratch/script"
refused "bad script" "$scratch/script:3: no node is named 'nobody'" --script "$scratch/script" "$spec"
refused "no such wrapper" "/nonexistent: " --wrapper /nonexistent "$spec" -- true
refused "long name" "a socket name has" -s "$(printf %090d 1)" "$spec"
refused "console in no directory" "/nonexistent/console: " --console /nonexistent/console "$spec"
ok "one runs" start_simfabric "$spec"
refused "name in use" "socket name '$IBSIM_SOCKNAME' is in use" -s "$IBSIM_SOCKNAME" "$spec"
refused "console in use" "$scratch/console: " -s "$IBSIM_SOCKNAME-2" --console "$scratch/console" "$spec"
ok "the other still answers" console Attached
finish
