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
for option in $(simfabric --help | grep -o -E '^ +(-[A-Za-z?], )?--[a-z0-9-]+' | grep -o -E -e '--[a-z0-9-]+'); do
	[ "$option" = --usage ] && continue
	ok "simfabric(1): $option" grep -q -E -e "Fl -${option#--}( |\$)" "$top_srcdir/man/simfabric.1"
done
for command in $(timeout 20 simfabric -q -s "sf-$$-help" --console - dragonfly:a=4,p=2,h=2 <<<$'Help\nQuit' |
	sed -n 's/^  \([A-Z][A-Za-z]*\) .*/\1/p' | grep -v Start); do
	ok "simfabric(1): $command" grep -q -E "Ic $command( |\$)" "$top_srcdir/man/simfabric.1"
done
if command -v mandoc >/dev/null; then
	is "simfabric(1): lint" "$(mandoc -Tlint -W warning "$top_srcdir/man/simfabric.1" 2>&1)" ""
else
	skip "simfabric(1): lint" "no mandoc"
fi
completed() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _simfabric 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$top_srcdir/completions/simfabric" "$@" | paste -s -d ' '
}
is "completion of an option" "$(completed simfabric --switch)" --switch-vls
is "completion of its value" "$(completed simfabric --switch-vls 1)" "1 15"
like "completion of a fabric" "$(completed simfabric drag)" "dragonfly:"
is "completion stops at --" "$(completed simfabric x -- --)" ""
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
