# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What other programs take: alerts of Prometheus, a dashboard of Grafana, units of systemd.
prometheusdatadir = $(pkgdatadir)/prometheus
dist_prometheusdata_DATA = contrib/prometheus/heddle.alerts.yml contrib/prometheus/heddle.alerts.test.yml
grafanadatadir = $(pkgdatadir)/grafana
dist_grafanadata_DATA = contrib/grafana/heddle.json
systemddatadir = $(pkgdatadir)/systemd
dist_systemddata_DATA = contrib/systemd/heddle-watch.service contrib/systemd/heddle-watch-once.service \
	contrib/systemd/heddle-watch.timer
EXTRA_DIST += docs/watch.md
