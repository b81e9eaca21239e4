# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# parx in stock OpenSM: with lmc 2 the fabric holds what heddle computes, on a HyperX that is whole and on one without
# links and a switch.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

same_as_route whole hyperx:6x4,p=2 parx "--lmc 2" "lmc 2"
stop_fabric
heddle topo hyperx:6x4,p=2 --fail-links 9 --fail-switches 1 --seed 2 -o "$scratch/degraded.net" >/dev/null
same_as_route degraded "$scratch/degraded.net" parx "--lmc 2" "lmc 2"
stop_fabric
finish
