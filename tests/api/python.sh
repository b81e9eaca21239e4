#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The Python package on the library of the build: its tests with what is there and without, types, the tour.
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

if [ -n "${sanitizers-}" ]; then
	skip "the Python package" "a library with sanitizers needs a program that has them"
	finish
	exit
fi
# Debian's, which has Debian's modules
python=/usr/bin/python3
[ -x "$python" ] || python=python3
package=$top_srcdir/bindings/python
export PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 HEDDLE_LIBRARY=$top_builddir/libheddle.so.0

has() { "$python" -c "import $1" 2>/dev/null; }

run_tests() { # NAME, and the modules to do without
	HEDDLE_TEST_WITHOUT=$2 "$python" "$top_srcdir/tests/api/test_heddle.py" >"$scratch/tests" 2>&1
	tap_result $? "$1: $(sed -n 's/^Ran \([0-9]* tests\).*/\1/p' "$scratch/tests")"
	grep -qx 'OK.*' "$scratch/tests" || tail -n 30 "$scratch/tests" | tap_explain
}

for module in numpy networkx; do
	has "$module" || skip "with $module" "no python3-$module"
done
run_tests "with the modules that are there" ""
run_tests "without numpy and networkx" "numpy networkx"

if command -v mypy >/dev/null; then
	ok "types" mypy --strict --cache-dir="$scratch/mypy" "$package/heddle"
else
	skip "types" "no mypy"
fi

ok "the tour" "$python" "$package/examples/tour.py" "$scratch"
for picture in loads fabric accepted; do
	ok "the tour draws $picture.svg" "$python" -c 'import sys, xml.dom.minidom
sys.exit(len(xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName(sys.argv[2])) < 2)' \
		"$scratch/$picture.svg" "$([ $picture = fabric ] && echo circle || echo polyline)"
done

# every function of the header has a signature, and each part of the package a docstring
ok "all functions have signatures" "$python" -c '
import re, sys
from heddle import _native
declared = set(re.findall(r"\b(heddle_\w+)\(", re.sub(r"/\*.*?\*/", "", open(sys.argv[1]).read(), flags=re.S)))
sys.exit(str(declared ^ set(_native._signatures)) if declared != set(_native._signatures) else 0)' \
	"$top_srcdir/include/heddle/heddle.h"
ok "all that is public has a docstring" "$python" -c '
import heddle, inspect, sys
short = {"NodeType", "ShapeKind"}
bare = [name for name in heddle.__all__ if name not in short and not inspect.getdoc(getattr(heddle, name))]
bare += [f"{kind.__name__}.{name}" for kind in (heddle.Fabric, heddle.Tables) for name, member in vars(kind).items()
         if not name.startswith("_") and callable(member) and not member.__doc__]
sys.exit(str(bare) if bare else 0)'
# what the structs take in C and here
cat >"$scratch/sizes.c" <<'C'
#include <stdio.h>
#include "heddle/heddle.h"
#define SIZE(c, python) printf("%s %zu\n", python, sizeof(struct heddle_##c))
int main(void)
{
	SIZE(error, "Error");
	SIZE(open_request, "OpenRequest");
	SIZE(new_node, "NewNode");
	SIZE(new_link, "NewLink");
	SIZE(lid_request, "LidRequest");
	SIZE(fail_request, "FailRequest");
	SIZE(fabric_info, "FabricInfo");
	SIZE(node, "Node");
	SIZE(port, "Port");
	SIZE(shape, "Shape");
	SIZE(engine, "Engine");
	SIZE(route_request, "RouteRequest");
	SIZE(tables_info, "TablesInfo");
	SIZE(table_query, "TableQuery");
	SIZE(hop, "Hop");
	SIZE(check_request, "CheckRequest");
	SIZE(channel, "Channel");
	SIZE(check_result, "CheckResult");
	SIZE(load_result, "LoadResult");
	SIZE(diff_result, "DiffResult");
	SIZE(round, "Round");
	SIZE(round_sets, "RoundSets");
	SIZE(change_result, "ChangeResult");
	SIZE(sim_request, "SimRequest");
	SIZE(column, "Column");
	return 0;
}
C
if cc -I"$top_srcdir/include" "$scratch/sizes.c" -o "$scratch/sizes" 2>/dev/null; then
	"$scratch/sizes" >"$scratch/sizes.c.txt"
	"$python" -c 'import ctypes, sys
from heddle import _native
for line in sys.stdin:
    name = line.split()[0]
    print(name, ctypes.sizeof(getattr(_native, name)))' <"$scratch/sizes.c.txt" >"$scratch/sizes.py.txt"
	same "structs have the sizes that they have in C" "$scratch/sizes.py.txt" "$scratch/sizes.c.txt"
else
	skip "structs have the sizes that they have in C" "no C compiler"
fi

finish
