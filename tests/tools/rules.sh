#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle check --rules
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle route pgft:m=4x4,w=1x2 -e dmodc -o tree >/dev/null
rules() {
	printf '%s\n' "$@" >rules
}

rules '[set storage]' 'nodes = H-0000[0-3], H-0000[67]' \
	'[rule near]' 'to = storage' 'max_hops = 2' \
	'[rule even]' 'max_load = 1.25' 'sl = 0' \
	'[rule safe]' 'to = storage' 'together = yes' 'min_spines = 1' 'survive = any'
prints "all that a site wants" rules-kept heddle check tree --rules rules

rules '[set storage]' 'nodes = H-0000[0-3]' '[set gone]' 'nodes = gone*' 'at_least = 2' \
	'[set spine]' 'nodes = L1S0' \
	'[rule near]' 'to = storage' 'max_hops = 1' 'avoid = spine' 'avoid = gone' \
	'[rule even]' 'max_flows = 40' \
	'[rule safe]' 'from = storage' 'survive = link' 'disjoint = links'
prints "all that can be wrong" rules-violated heddle check tree --rules rules
prints "in JSON" rules-violated.json heddle check tree --rules rules --json
json "keys of an example" "sorted(j['demands'][1]['examples'][0])" \
	"['destination', 'lid', 'number', 'part', 'path', 'source', 'text']" heddle check tree --rules rules --json

# SARIF: what 2.1.0 requires, and what readers need to show a result beside the file
not_ok "SARIF" 1 heddle check tree --rules rules --sarif out.sarif
is "SARIF is as the standard says" "$(python3 - rules 2>&1 <<'X'
import json, sys
log = json.load(open("out.sarif"))
assert log["version"] == "2.1.0" and log["$schema"].startswith("https://"), "head"
assert set(log) <= {"$schema", "version", "runs"}, "keys"
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "heddle" and driver["version"], "driver"
ids = [rule["id"] for rule in driver["rules"]]
assert all(rule["shortDescription"]["text"] for rule in driver["rules"]), "rules"
assert len(set(ids)) == len(ids), "ids once"
lines = open(sys.argv[1]).read().split("\n")
for result in run["results"]:
    assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"}, "result"
    assert ids[result["ruleIndex"]] == result["ruleId"], "rule"
    assert result["level"] == "error" and result["message"]["text"], "message"
    (place,) = result["locations"]
    for place in [place] + result.get("relatedLocations", []):
        physical = place["physicalLocation"]
        assert physical["artifactLocation"]["uri"] == "rules", "uri"
        line = lines[physical["region"]["startLine"] - 1]
        key = result["ruleId"].split("/")[1].split("-")[0]
        assert key in line or line.startswith("[set gone]"), (key, line)
        for port in place.get("logicalLocations", []):
            assert port["name"] and port["kind"] == "resource", "port"
        names = [port["name"] for port in place.get("logicalLocations", [])]
        assert len(set(names)) == len(names), "ports once"
    assert all(place["message"]["text"] for place in result.get("relatedLocations", [])), "examples"
print(len(run["results"]), "results;", [p["name"] for p in run["results"][1]["locations"][0]["logicalLocations"]])
X
)" "5 results; ['H-00004[1]', 'L0S1[5]', 'L1S0[1]', 'L0S0[1]', 'H-00000[1]']"
cp rules 'a rule%'
heddle check tree --rules 'a rule%' --sarif - >both 2>/dev/null
like "a name in a URI" "$(cat both)" '"uri": "a%20rule%25"'
heddle check tree --rules "$PWD/rules" --sarif out.sarif >/dev/null
like "a name from the root" "$(cat out.sarif)" "\"uri\": \"file://$PWD/rules\""

# Engines instead of a snapshot
rules '[rule even]' 'max_load = 1.25'
ok "an engine's tables" heddle check pgft:m=4x4,w=1x2 -e dmodc --rules rules

# What the user does wrong
rules '[rule near]' 'max_hop = 3'
says "an unknown word" "rules:2: rules have no key 'max_hop': from, to," heddle check tree --rules rules
rules '[rule near]' '' 'to = storage'
says "an unknown set" "rules:3: to: no \[set storage\] before this line" heddle check tree --rules rules
rules '[rule near]' '[rule near]'
says "a section twice" "rules:2: rule near once more, after line 1" heddle check tree --rules rules
rules '[rule near]' 'max_hops = -3'
says "a negative number" "rules:2: max_hops: '-3' is not a number" heddle check tree --rules rules
rules '[rule near]' 'stay_in = group'
says "a fabric without groups" "rules:2: this fabric has no groups" heddle check tree --rules rules
says "no such file" "none: No such file" heddle check tree --rules none
truncate -s 1G long
says "a line of 1 GB" "long: " heddle check tree --rules long
printf '[rule near]\nmax_hops = 3%0300d\n' 0 >rules
says "a long line" "rules:2: a line of more than 197 characters" heddle check tree --rules rules
printf '[rule near]\nmax_hops = 3\0\n' >rules
says "a NUL byte" "rules:2: a NUL byte" heddle check tree --rules rules
rules '[rule near]' 'max_hops = 2'
says "SARIF without rules" "--sarif goes with --rules" heddle check tree --sarif x
says "rules and a proof of mixtures" "--rules goes with none of" heddle check tree --rules rules --between tree
says "rules and a history" "--history goes with" heddle check tree --rules rules --history x
says "SARIF that cannot be written" "no/x" heddle check tree --rules rules --sarif no/x

# Switches without tables: no verdict
mkdir part
cp tree/* part
python3 - part/opensm-lfts.dump <<'X'
import re, sys
text = open(sys.argv[1]).read()
parts = re.split(r'(?m)^(?=Unicast lids)', text)
open(sys.argv[1], 'w').write(''.join(p for p in parts if 'L1S0' not in p.split('\n')[0]))
X
heddle check part --rules rules >out 2>err
is "paths without a verdict" "$? $(tail -n 1 err | grep -c 'the LFTs of 1 of 6 switches are missing: [0-9]* paths have no verdict')" "2 1"

# Several LIDs, and port sets
heddle route pgft:m=4x4,w=1x2 --lmc 1 -e dmodc -o lids >/dev/null
rules '[rule safe]' 'disjoint = switches' 'survive = any' 'min_spines = 1'
ok "two LIDs over two spines" heddle check lids --rules rules
heddle route mesh:3x3,p=2 -e hdor:ar=minimal -o sets >/dev/null
rules '[rule short]' 'max_hops = 4' '[set center]' 'nodes = S1.1' '[rule around]' 'avoid = center'
like "every choice counts" "$(heddle check sets --rules rules)" 'port sets +every choice counts'

# Nothing that names say gets into the terminal
sed 's/H-00000/a\x1b[31mb/' tree/fabric.net >odd.net
mkdir odd
cp tree/opensm-lfts.dump odd
rules '[rule near]' 'max_hops = 1'
is "names are printable" "$(heddle check odd --fabric odd.net --rules rules 2>&1 | grep -c $'\x1b')" 0

# The example files: on fabrics as they are for, and on such with a fault
examples=$top_srcdir/contrib/rules
name() {
	python3 - "$@" <<'X'
import re, sys
spec, out = sys.argv[1:3]
names = dict(pair.split("=", 1) for pair in sys.argv[3:])
text = open(spec).read()
for old, new in names.items():
    text = re.sub(old, lambda m: eval(new, {"n": int(m[1])}), text)
open(out, "w").write(text)
X
}
heddle topo pgft:m=4x4x4,w=1x4x4 -o tree.net >/dev/null
name tree.net named.net 'H-(\d{5})=("stor%02d" if n % 16 in (0, 5, 10) else "node%02d") % n'
heddle route named.net -e dmodc -o named >/dev/null
ok "fat-tree.rules" heddle check named --rules "$examples/fat-tree.rules"

name tree.net same.net 'H-(\d{5})=("stor%02d" if n % 8 == 0 else "node%02d") % n'
like "D-mod-K sends what is in equal ports over one spine" \
	"$(heddle check same.net -e dmodc --rules "$examples/fat-tree.rules")" \
	"rule storage-survives: 32 of 56 ports use fewer than 2 spines"

heddle topo pgft:m=4x8,w=1x4,rails=4 -o rails.net >/dev/null
name rails.net gpus.net 'H-(\d{5})="%s%02d mlx5_%d" % ("stor" if n // 4 % 4 == 3 else "gpu", n // 4, n % 4)'
heddle route gpus.net -e dmodc -o gpus >/dev/null
ok "rail-optimised.rules" heddle check gpus --rules "$examples/rail-optimised.rules"
# two adapters of a host have changed places
sed 's/"gpu00 mlx5_0"/"gpu00 mlx5_X"/; s/"gpu00 mlx5_1"/"gpu00 mlx5_0"/; s/mlx5_X/mlx5_1/' gpus.net >wrong.net
heddle route wrong.net -e dmodc -o wrong >/dev/null
like "cables in the wrong rail" "$(heddle check wrong --rules "$examples/rail-optimised.rules")" \
	"rule rails: [0-9]+ of [0-9]+ paths leave their rail.*gpu00 mlx5_"

heddle topo dragonfly:a=4,p=2,h=2 -o dragonfly.net >/dev/null
name dragonfly.net io.net 'H-(\d{5})=("io%02d" if n < 2 else "node%02d") % n'
heddle route io.net -e dla -o io >/dev/null
heddle check io --rules "$examples/dragonfly.rules" >out
is "dragonfly.rules: minimal paths pass the switch of I/O nodes" "$? $(grep -c 'rule' out) $(grep -c 'rule quiet.*set io-switches' out)" "1 2 1"
not_ok "and other routes leave groups" 1 heddle check io.net -e updn --rules "$examples/dragonfly.rules"
finish
