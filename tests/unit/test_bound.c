// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What VL arbitration guarantees, and how long packets wait at most: cases computed by hand. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "vlarb/bound.h"
#include "vlarb/waits.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "vlarb/guarantee.h"
#include "vlarb/vlarb.h"
#include "topologies/topology.h"

/* Fills a table from "vl:weight" pairs. */
static void fill(struct hd_vlarb_entry *entries, uint8_t *n, const unsigned (*pairs)[2],
		 unsigned n_pairs)
{
	*n = (uint8_t)n_pairs;
	for (unsigned i = 0; i < n_pairs; i++)
		entries[i] = (struct hd_vlarb_entry){ .vl = (uint8_t)pairs[i][0],
						      .weight = (uint8_t)pairs[i][1] };
}

static void assert_near(double got, double wanted)
{
	if (fabs(got - wanted) > 1e-9 * (1 + fabs(wanted)))
		fail_msg("%.9f, not %.9f", got, wanted);
}

static void assert_lane(const struct hd_guarantee *guarantee, unsigned vl, double rate,
			double latency)
{
	assert_near(guarantee->rate[vl], rate);
	assert_near(guarantee->latency[vl], latency);
}

static void longest_gaps(void **state)
{
	static const uint8_t packet[HD_MAX_VLS] = { 2, 4, 8, 16 };
	static const unsigned pairs[][2] = { { 0, 16 }, { 2, 80 }, { 1, 48 }, { 3, 16 } };
	struct hd_vlarb vlarb = { 0 };
	struct hd_guarantee guarantee;

	fill(vlarb.low, &vlarb.n_low, pairs, 4);
	hd_vlarb_guarantee(&vlarb, 0xf, packet, &guarantee);
	assert_lane(&guarantee, 0, .1, 144);
	assert_lane(&guarantee, 1, .3, 112);
	assert_lane(&guarantee, 2, .5, 80);
	assert_lane(&guarantee, 3, .1, 144);
	/* VLs that nobody uses take nothing */
	hd_vlarb_guarantee(&vlarb, 0x9, packet, &guarantee);
	assert_lane(&guarantee, 0, .5, 16);
	assert_near(guarantee.rate[2], 0);
}

/*
 * Turns of 2 and 1 before gaps of 6 and 7: from the end of the first turn to the begin of the one
 * after the next 14 units pass, in which one is sent, for which 3 in 16 need 16 / 3.
 */
static void uneven_turns(void **state)
{
	static const uint8_t packet[HD_MAX_VLS] = { 1, 1 };
	static const unsigned pairs[][2] = { { 0, 2 }, { 1, 6 }, { 0, 1 }, { 1, 7 } };
	struct hd_vlarb vlarb = { 0 };
	struct hd_guarantee guarantee;

	fill(vlarb.low, &vlarb.n_low, pairs, 4);
	hd_vlarb_guarantee(&vlarb, 3, packet, &guarantee);
	assert_lane(&guarantee, 0, 3 / 16., 14 - 16 / 3.);
}

static void both_tables(void **state)
{
	static const uint8_t packet[HD_MAX_VLS] = { 2, 4, 8 };
	static const unsigned high[][2] = { { 0, 2 } }, low[][2] = { { 1, 8 }, { 2, 8 } };
	struct hd_vlarb vlarb = { 0 };
	struct hd_guarantee guarantee;

	fill(vlarb.high, &vlarb.n_high, high, 1);
	fill(vlarb.low, &vlarb.n_low, low, 2);
	/* packet by packet: one of 2 before each of 4, 4 and 8; one of up to 8 before each of 2 */
	hd_vlarb_guarantee(&vlarb, 7, packet, &guarantee);
	assert_lane(&guarantee, 0, .2, 8);
	assert_lane(&guarantee, 1, 8 / 22., 12);
	assert_lane(&guarantee, 2, 8 / 22., 14);
	/* 64 units in whole packets before each; 64 of 72 */
	vlarb.high_limit = 1;
	assert_int_equal(hd_vlarb_most_between(&vlarb, 7, packet), 64);
	hd_vlarb_guarantee(&vlarb, 7, packet, &guarantee);
	assert_lane(&guarantee, 0, 64 / 72., 8);
	assert_near(guarantee.rate[1], 8 / (16. + 3 * 64));
	vlarb.high_limit = HD_VLARB_NO_LIMIT;
	hd_vlarb_guarantee(&vlarb, 7, packet, &guarantee);
	assert_lane(&guarantee, 0, 1, 8);
	assert_near(guarantee.rate[1], 0);
	assert_near(guarantee.rate[2], 0);
}

/* 0 -> 1 -> 2, and 3 -> 2. */
static size_t first[] = { 0, 1, 2, 2, 3 };
static uint32_t targets[] = { 1, 2, 2 };
static const struct hd_digraph chain = { .n = 4, .n_edges = 3, .first = first, .targets = targets };

static void set_channels(struct hd_wait_channel *channels, double need)
{
	for (unsigned i = 0; i < 4; i++)
		channels[i] = (struct hd_wait_channel){ .rate = .5,
							.latency = 10,
							.need = i == 2 ? 2 * need : need,
							.burst = 100,
							.n_flows = i == 2 ? 2 : 1 };
	channels[0].n_senders = channels[3].n_senders = 1;
}

static void waits_in_order(void **state)
{
	struct hd_wait_channel channels[4];
	struct hd_error err;

	set_channels(channels, .25);
	assert_hd_ok(hd_waits_find(&chain, false, channels, &err), err);
	assert_near(channels[0].wait, 10 + 100 / .5);
	assert_near(channels[3].wait, 210);
	/* the burst has grown by what came while it waited */
	assert_near(channels[1].wait, 10 + (100 + .25 * 210) / .5);
	assert_near(channels[2].before, 210 + 315);
	assert_int_equal(channels[2].n_senders, 2);
	assert_near(channels[2].wait, 10 + (2 * 100 + .5 * 525) / .5);
	/* all that comes while the next link waits, or all that the link can carry */
	assert_near(hd_waits_buffer(&channels[0], 315, 100), 100 + .25 * 210 + .25 * 315);
	assert_near(hd_waits_buffer(&channels[0], 315, .1), 100 + 31.5);
}

static void waits_in_any_order(void **state)
{
	struct hd_wait_channel channels[4];
	struct hd_error err;

	set_channels(channels, .125);
	assert_hd_ok(hd_waits_find(&chain, true, channels, &err), err);
	/* until all that has come is sent: 100 + .125 t = .5 (t - 10) */
	assert_near(channels[0].wait, 105 / .375);
	assert_near(channels[1].wait, (105 + .125 * 280) / .375);
	set_channels(channels, .25);
	assert_hd_ok(hd_waits_find(&chain, true, channels, &err), err);
	assert_true(isinf(channels[2].wait));
	assert_true(isfinite(channels[1].wait));
}

static void no_bounds(void **state)
{
	struct hd_wait_channel channels[4];
	struct hd_error err;

	set_channels(channels, .3);
	assert_hd_ok(hd_waits_find(&chain, false, channels, &err), err);
	assert_true(isfinite(channels[1].wait));
	assert_true(isinf(channels[2].wait));
	/* and nothing is known behind a channel without a guarantee */
	set_channels(channels, .1);
	channels[0].rate = 0;
	assert_hd_ok(hd_waits_find(&chain, false, channels, &err), err);
	assert_true(isinf(channels[0].wait));
	assert_true(isinf(channels[1].wait));
	assert_true(isinf(channels[2].wait));
	assert_true(isfinite(channels[3].wait));
	targets[1] = 0;
	assert_int_equal(hd_waits_find(&chain, false, channels, &err), HD_EREFUSED);
	targets[1] = 2;
}

/* A tree of two levels, whose links send 25 bytes per ns, with its tables of classes. */
static struct hd_tables *make_tree(struct hd_fabric **fabric)
{
	static const char text[] = "[class VO] share = 10%  packet = 128\n"
				   "[class VI] share = 30%  packet = 256\n"
				   "[class CL] share = 50%  packet = 512\n"
				   "[class BE] share = 5%  packet = 1024  lanes = rest\n"
				   "[class BK] share = 5%  packet = 1024  lanes = rest\n";
	struct hd_classes classes;
	struct hd_route_request request = { .classes = &classes };
	struct hd_tables *tables;
	struct hd_fabric *bare;
	struct hd_error err;

	assert_hd_ok(hd_classes_parse("classes", text, strlen(text), &classes, &err), err);
	assert_hd_ok(hd_topology_build("tree:k=4,n=2", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_route(hd_engine_find("dmodc"), *fabric, &request, &tables, &err), err);
	return tables;
}

/*
 * VO in a tree of 16 hosts, of which four are at a leaf: a link of a host, 4 hosts to 3 others each
 * up, 12 hosts to one down, 15 to one. Every link has 5120 bytes between turns, 204.8 ns, and a
 * rate of 2.5; each of 15 pairs needs 1 / 6.
 */
static void bounds_of_a_tree(void **state)
{
	struct hd_bound_traffic traffic = { .load = 1 };
	struct hd_fabric *fabric;
	struct hd_tables *tables = make_tree(&fabric);
	const double latency = 204.8, rate = 2.5;
	const double host = latency + 128 / rate;
	const double up = latency + (4 * 128 + 2 * host) / rate;
	const double down = latency + (12 * 128 + 2 * (host + up)) / rate;
	const double last = latency + (15 * 128 + 2.5 * (host + up + down)) / rate;
	struct hd_bound bound;
	struct hd_error err;

	assert_hd_ok(hd_bound_find(tables, &traffic, &bound, &err), err);
	assert_int_equal(bound.unknown, HD_NONE);
	assert_near(bound.list[0].wait, host + up + down + last);
	assert_near(bound.list[0].need, 1);
	/* a link that ends before the last one */
	assert_near(bound.list[0].bytes, 12 * 128 + 2 * (host + up + down) + 2 * last);
	/* classes that share lanes wait alike, for one another */
	assert_near(bound.list[3].wait, bound.list[4].wait);
	/* less is sent at once: gaps are what is left */
	traffic.burst = 1;
	traffic.load = .01;
	assert_hd_ok(hd_bound_find(tables, &traffic, &bound, &err), err);
	assert_true(bound.list[0].wait > 4 * latency);
	assert_true(bound.list[0].wait < 4 * latency * 1.05);
	/* a link that is slower than hosts' links: more than it has */
	traffic = (struct hd_bound_traffic){ .load = 1 };
	hd_for_each_switch(s, fabric)
		hd_for_each_number(n, fabric, s)
			if (hd_peer_node(fabric, s, n) < fabric->n_switches)
				fabric->ports[hd_port_index(fabric, s, n)].speed = HD_EDR;
	assert_hd_ok(hd_bound_find(tables, &traffic, &bound, &err), err);
	assert_near(bound.list[0].need, 1.6);
	assert_true(isinf(bound.list[0].wait));
	fabric->ports[bound.list[0].needed.port].speed = HD_SPEED_UNKNOWN;
	assert_hd_ok(hd_bound_find(tables, &traffic, &bound, &err), err);
	assert_int_not_equal(bound.unknown, HD_NONE);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longest_gaps),       cmocka_unit_test(uneven_turns),
		cmocka_unit_test(both_tables),        cmocka_unit_test(waits_in_order),
		cmocka_unit_test(waits_in_any_order), cmocka_unit_test(no_bounds),
		cmocka_unit_test(bounds_of_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
