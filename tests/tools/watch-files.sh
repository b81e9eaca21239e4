#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What stands beside heddle watch: alerts of Prometheus, a dashboard of Grafana, units of systemd, metrics in the documents.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

contrib=$top_srcdir/contrib

# names FILE...: of metrics, those of the units aside
names() {
	grep -ohE '\bheddle_[a-z0-9_]+' "$@" | sort -u
}

# the calls that write them; tests/opensm/watch.sh holds the same against a page
sed -nE 's/.*\b(head|one)\(stream, "([a-z0-9_]+)".*/heddle_\2/p' "$top_srcdir/tools/watch/metrics.c" | sort -u >"$scratch/written"
ok "there are metrics" test "$(wc -l <"$scratch/written")" -ge 30
names "$contrib/prometheus/heddle.alerts.yml" "$contrib/grafana/heddle.json" >"$scratch/used"
same "alerts and dashboard use each metric, and no other" "$scratch/used" "$scratch/written"
names "$top_srcdir/docs/watch.md" >"$scratch/told"
same "docs/watch.md has each metric, and no other" "$scratch/told" "$scratch/written"
names "$contrib/prometheus/heddle.alerts.test.yml" | grep -vxFf "$scratch/written" >"$scratch/unknown"
is "the test of the alerts names no other" "$(cat "$scratch/unknown")" ""
# alerts NAME of alerts, and those with a test
sed -n 's/^ *- alert: //p' "$contrib/prometheus/heddle.alerts.yml" | sort >"$scratch/alerts"
sed -n 's/^ *- alertname: //p' "$contrib/prometheus/heddle.alerts.test.yml" | sort -u >"$scratch/tested"
same "each alert has a test" "$scratch/tested" "$scratch/alerts"

if command -v promtool >/dev/null; then
	ok "alerts are well-formed" promtool check rules "$contrib/prometheus/heddle.alerts.yml"
	ok "alerts fire when they should" promtool test rules "$contrib/prometheus/heddle.alerts.test.yml"
else
	skip "alerts" "promtool is not installed"
fi

ok "the dashboard is one" python3 -c 'import json, sys
board = json.load(open(sys.argv[1]))
panels = board["panels"]
assert board["title"] and board["uid"] and len({panel["id"] for panel in panels}) == len(panels)
for panel in panels:
    place = panel["gridPos"]
    assert place["x"] + place["w"] <= 24, panel["title"]
    assert panel["targets"] and all(target["expr"] and target["legendFormat"] for target in panel["targets"]), panel["title"]
boxes = [tuple(panel["gridPos"][k] for k in "xywh") for panel in panels]
for i, (x, y, w, h) in enumerate(boxes):
    for u, v, k, l in boxes[:i]:
        assert x >= u + k or u >= x + w or y >= v + l or v >= y + h, "panels overlap"
' "$contrib/grafana/heddle.json"
# expressions of the dashboard, by promtool, as rules
if command -v promtool >/dev/null; then
	python3 -c 'import json, sys
print("groups:\n  - name: dashboard\n    rules:")
for panel in json.load(open(sys.argv[1]))["panels"]:
    for target in panel["targets"]:
        name = "p%d_%s" % (panel["id"], target["refId"])
        print("      - record: heddle:%s\n        expr: %s" % (name, json.dumps(target["expr"].replace("$__rate_interval", "5m"))))
' "$contrib/grafana/heddle.json" >"$scratch/dashboard.yml"
	ok "its expressions are well-formed" promtool check rules "$scratch/dashboard.yml"
fi

# units name programs where the packages have them
if command -v systemd-analyze >/dev/null; then
	mkdir "$scratch/units"
	for unit in "$contrib"/systemd/*; do
		sed "s,/usr/bin/heddle,$(command -v true)," "$unit" >"$scratch/units/${unit##*/}"
	done
	is "units are well-formed" "$(systemd-analyze verify --man=no "$scratch"/units/* 2>&1)" ""
else
	skip "units" "systemd-analyze is not installed"
fi
for unit in "$contrib"/systemd/*.service; do
	arguments=$(sed -n 's/^Environment="HEDDLE_WATCH_[A-Z_]*=\(.*\)"$/\1/p' "$unit")
	[[ $unit != *-once* ]] || arguments="--once $arguments"
	heddle watch --help >/dev/null 2>&1 || continue
	# shellcheck disable=SC2086
	says "${unit##*/}: heddle knows its options" "no arguments, not 'x'" heddle watch $arguments x
done
finish
