// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "check/walk.h"
#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/check_oracle.h"

/*
 * Switches 0 .. n - 1 in a circle: port 1 leads to the next, port 2 to the previous, port 3 to an
 * adapter. LIDs are 1 .. n for the switches; adapters follow with 2^lmc each.
 */
struct circle {
	unsigned n;
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_check_result result;
};

static void make_circle(struct circle *c, unsigned n, unsigned vls, unsigned lmc)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_error err = { 0 };
	unsigned first = n + 1;
	uint32_t id;

	assert_non_null(builder);
	memset(c, 0, sizeof(*c));
	c->n = n;
	while (first & ((1u << lmc) - 1))
		first++;
	for (unsigned i = 0; i < 2 * n; i++) {
		struct hd_node_spec spec = { .type = i < n ? HD_SWITCH : HD_CA,
					     .guid = 0x100 * (i + 1),
					     .n_ports = i < n ? 4 : 1 };

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		for (unsigned p = 1; p <= spec.n_ports; p++)
			hd_builder_port(builder, id, p)->vls = (uint8_t)vls;
		hd_builder_port(builder, id, i >= n)->lid =
			(uint16_t)(i < n ? i + 1 : first + ((i - n) << lmc));
		hd_builder_port(builder, id, i >= n)->lmc = (uint8_t)(i < n ? 0 : lmc);
	}
	for (unsigned i = 0; i < n; i++) {
		assert_hd_ok(hd_builder_link(builder, i, 1, (i + 1) % n, 2, &err), err);
		assert_hd_ok(hd_builder_link(builder, i, 3, n + i, 1, &err), err);
	}
	assert_hd_ok(hd_builder_finish(builder, &c->fabric, &err), err);
	assert_hd_ok(hd_tables_new(c->fabric, &c->tables, &err), err);
}

static void free_circle(struct circle *c)
{
	hd_check_clear(&c->result);
	hd_tables_free(c->tables);
	hd_fabric_free(c->fabric);
}

/* Links clockwise from switch @a to @b. */
static unsigned clockwise(const struct circle *c, unsigned a, unsigned b)
{
	return (b + c->n - a) % c->n;
}

/* Routes all LIDs, or those with the low bit @odd: round the circle or the short way. */
static void route_circle(struct circle *c, bool short_way, int odd)
{
	hd_for_each_lid(lid, c->fabric) {
		const struct hd_lid *place = &c->fabric->lids[lid];

		if (place->port == HD_NONE || (odd >= 0 && (int)(lid & 1) != odd))
			continue;
		for (unsigned s = 0; s < c->n; s++) {
			unsigned distance = clockwise(c, s, place->via_switch);

			hd_lft(c->tables, s)[lid] = s == place->via_switch ? place->via_port
						    : short_way && distance > c->n - distance ? 2
											      : 1;
		}
	}
}

static void check_circle(struct circle *c, const struct hd_check_options *options)
{
	struct hd_error err = { 0 };

	hd_check_clear(&c->result);
	assert_hd_ok(hd_check(c->tables, options, &c->result, &err), err);
}

/* What was found of the worst kind. */
static const struct hd_check_finding *found(const struct circle *c)
{
	return &c->result.found[c->result.failure];
}

/* Agrees with walking every flow. */
static void compare_circle(const struct circle *c, const struct hd_check_options *options)
{
	const struct hd_check_options defaults = { 0 };
	char buffer[1024];
	const char *wrong = compare_with_oracle(c->tables, options ? options : &defaults, buffer,
						sizeof(buffer));

	if (wrong)
		fail_msg("%s", wrong);
}

static uint32_t switch_port(const struct circle *c, unsigned s, unsigned port)
{
	return hd_port_index(c->fabric, s, port);
}

static uint32_t adapter_port(const struct circle *c, unsigned i)
{
	return hd_port_index(c->fabric, c->n + i, 1);
}

static void test_ring_has_a_credit_loop(void **state)
{
	struct circle c;
	char text[512];
	bool seen[5] = { false };

	make_circle(&c, 5, 1, 0);
	route_circle(&c, false, -1);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_true(c.result.reachable);
	assert_int_equal(c.result.n_witness, 5);
	assert_int_equal(c.result.sls, 1);
	assert_int_equal(c.result.vls, 1);
	assert_int_equal(c.result.max_hops, 4);
	/* 5 links round, 5 from and 5 to adapters */
	assert_int_equal(c.result.channels, 15);
	/* round; from adapter to the next switch; from the previous to the adapter; not back */
	assert_int_equal(c.result.dependencies, 15);
	for (unsigned i = 0; i < 5; i++) {
		const struct hd_witness *a = &c.result.witness[i];
		const struct hd_witness *b = &c.result.witness[(i + 1) % 5];
		uint32_t s = c.fabric->ports[a->port].node;

		assert_int_equal(a->port, switch_port(&c, s, 1));
		assert_int_equal(b->port, switch_port(&c, (s + 1) % 5, 1));
		assert_int_equal(a->vl, 0);
		assert_false(seen[s]);
		seen[s] = true;
		assert_true(flow_takes_both(c.tables, &a->flow, a->port, a->vl, b->port, b->vl));
	}
	assert_non_null(strstr(hd_check_summary(&c.result, c.fabric, text, sizeof(text)),
			       "credit loop of 5 channels"));
	compare_circle(&c, NULL);
	free_circle(&c);
}

/* VL = SL; SL 1 for the short ways that cross from the last switch to the first or back. */
static void set_dateline(struct circle *c)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_tables_set_sl_rows(c->tables, c->n, &err), err);
	for (unsigned s = 0; s < c->n; s++) {
		c->tables->sl_row_of_port[switch_port(c, s, 0)] = s;
		c->tables->sl_row_of_port[adapter_port(c, s)] = s;
		hd_for_each_lid(lid, c->fabric) {
			unsigned d = c->fabric->lids[lid].via_switch;
			unsigned distance = clockwise(c, s, d);
			bool crosses = distance <= c->n - distance ? s > d : s < d;

			c->tables->sl_rows[s * c->tables->lft_stride + lid] = crosses && s != d;
		}
	}
}

static void test_dateline_is_sound(void **state)
{
	const struct hd_check_options all = { .all_sls = true }, reversed = { .reversed_sl = true };
	struct circle c;
	char text[512];

	make_circle(&c, 5, 2, 0);
	route_circle(&c, true, -1);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	set_dateline(&c);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	assert_true(c.result.reachable);
	assert_int_equal(c.result.n_witness, 0);
	assert_int_equal(c.result.sls, 2);
	assert_int_equal(c.result.vls, 2);
	assert_int_equal(c.result.max_hops, 2);
	assert_non_null(strstr(hd_check_summary(&c.result, c.fabric, text, sizeof(text)),
			       "sound: 2 SLs, 2 VLs"));
	/* the short way back crosses too */
	check_circle(&c, &reversed);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	/* an application that picks its own SL undoes it */
	check_circle(&c, &all);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(c.result.sls, 16);
	assert_int_equal(c.result.n_witness, 5);
	compare_circle(&c, NULL);
	compare_circle(&c, &reversed);
	compare_circle(&c, &all);
	free_circle(&c);
}

static void test_reversed_sl_closes_a_loop(void **state)
{
	const struct hd_check_options reversed = { .reversed_sl = true };
	struct hd_error err = { 0 };
	struct circle c;

	make_circle(&c, 3, 2, 0);
	route_circle(&c, false, -1);
	assert_hd_ok(hd_tables_set_sl_rows(c.tables, 2, &err), err);
	/* what goes on behind switch 2 to switch 1 has SL 1; from 1 to 2 it is SL 0 */
	c.tables->sl_row_of_port[switch_port(&c, 2, 0)] = 1;
	c.tables->sl_row_of_port[adapter_port(&c, 2)] = 1;
	hd_for_each_lid(lid, c.fabric)
		if (c.fabric->lids[lid].via_switch == 1)
			c.tables->sl_rows[c.tables->lft_stride + lid] = 1;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	check_circle(&c, &reversed);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(c.result.n_witness, 3);
	compare_circle(&c, NULL);
	compare_circle(&c, &reversed);
	free_circle(&c);
}

static void test_drops(void **state)
{
	struct circle c;
	char text[512];
	size_t row;

	make_circle(&c, 5, 4, 0);
	route_circle(&c, true, -1);
	set_dateline(&c);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);

	/* SL 0 from switch 1's adapter to switch 2: to LIDs of switches 2 and 3 */
	row = hd_sl2vl_index(c.tables, 1, 3, 1);
	c.tables->sl2vl[row] = hd_row_set(c.tables->sl2vl[row], 0, HD_VL_DROP);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_DROPPED);
	assert_false(c.result.reachable);
	assert_int_equal(found(&c)->n, 4);
	assert_int_equal(found(&c)->flow.source, adapter_port(&c, 1));
	assert_int_equal(found(&c)->flow.lid, 3);
	assert_int_equal(found(&c)->flow.sl, 0);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 1));
	assert_non_null(strstr(hd_check_summary(&c.result, c.fabric, text, sizeof(text)),
			       "dropped packets: 4 times"));
	compare_circle(&c, NULL);

	/* VL 4 is beyond the link's four */
	c.tables->sl2vl[row] = hd_row_set(c.tables->sl2vl[row], 0, 4);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_DROPPED);
	assert_int_equal(found(&c)->n, 4);
	/* VL 3 is not, unless fewer are asked for */
	c.tables->sl2vl[row] = hd_row_set(c.tables->sl2vl[row], 0, 3);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	assert_int_equal(c.result.vls, 4);
	check_circle(&c, &(struct hd_check_options){ .max_vls = 3 });
	assert_int_equal(c.result.failure, HD_CHECK_DROPPED);
	compare_circle(&c, &(struct hd_check_options){ .max_vls = 3 });

	/* an SL that no flow uses may be dropped */
	c.tables->sl2vl[row] = hd_row_set(c.tables->sl2vl[row], 7, HD_VL_DROP);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);

	/* the adapter's own row: to the six LIDs that it reaches on SL 0, less its own */
	row = hd_sl2vl_host_index(c.tables, c.n + 2, 1);
	c.tables->sl2vl[row] = hd_row_all(HD_VL_DROP);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_DROPPED);
	assert_int_equal(found(&c)->n, 9);
	assert_int_equal(found(&c)->port, adapter_port(&c, 2));
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void test_no_path_sl_is_no_flow(void **state)
{
	struct circle c;

	make_circle(&c, 5, 1, 0);
	route_circle(&c, false, -1);
	/* only neighbours talk */
	set_dateline(&c);
	for (unsigned s = 0; s < 5; s++)
		hd_for_each_lid(lid, c.fabric)
			c.tables->sl_rows[s * c.tables->lft_stride + lid] =
				clockwise(&c, s, c.fabric->lids[lid].via_switch) == 1 ? 0
										      : HD_NO_SL;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	/* routes count, flows or not */
	assert_int_equal(c.result.max_hops, 4);
	hd_lft(c.tables, 0)[4] = HD_NO_PATH;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void test_holes(void **state)
{
	struct circle c;

	make_circle(&c, 4, 8, 0);
	route_circle(&c, true, -1);
	/* LID 7 is the adapter of switch 2; clockwise from 0 over 1 */
	hd_lft(c.tables, 1)[7] = HD_NO_PATH;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	assert_false(c.result.reachable);
	assert_int_equal(found(&c)->n, 1);
	assert_int_equal(found(&c)->flow.lid, 7);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 0));
	compare_circle(&c, NULL);
	/* a port without a link, a port that is not there, another's adapter, port 0 of another */
	hd_lft(c.tables, 1)[7] = 4;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 4));
	hd_lft(c.tables, 1)[7] = 5;
	check_circle(&c, NULL);
	assert_int_equal(found(&c)->n, 1);
	hd_lft(c.tables, 1)[7] = 3;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 3));
	hd_lft(c.tables, 1)[7] = 0;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	compare_circle(&c, NULL);
	/* a switch that does not know itself */
	hd_lft(c.tables, 1)[7] = 1;
	hd_lft(c.tables, 2)[3] = HD_NO_PATH;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	assert_int_equal(found(&c)->flow.lid, 3);
	assert_int_equal(found(&c)->n, 1);
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void test_forward_loop(void **state)
{
	struct circle c;
	char text[512];

	make_circle(&c, 5, 8, 0);
	route_circle(&c, true, -1);
	/* to the adapter of switch 2: 3 and 4 send to each other, 0 goes there, 1 does not */
	hd_lft(c.tables, 3)[8] = 1;
	hd_lft(c.tables, 4)[8] = 2;
	hd_lft(c.tables, 0)[8] = 2;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_FORWARD_LOOP);
	assert_int_equal(found(&c)->n, 2);
	assert_int_equal(found(&c)->flow.lid, 8);
	assert_non_null(strstr(hd_check_summary(&c.result, c.fabric, text, sizeof(text)),
			       "forwarding loop: 2 times (6 flows)"));
	compare_circle(&c, NULL);
	/* the circle, and not the way into it */
	assert_int_equal(c.result.n_loop, 2);
	for (int i = 0; i < 2; i++) {
		const struct hd_hop *hop = &c.result.loop[i];

		assert_true(hop->node == 3 || hop->node == 4);
		assert_int_equal(hop->in, hop->node == 3 ? 1 : 2);
		assert_int_equal(hop->out, hop->node == 3 ? 1 : 2);
	}
	assert_int_not_equal(c.result.loop[0].node, c.result.loop[1].node);
	/* a hole beside it hides nothing */
	hd_lft(c.tables, 1)[9] = HD_NO_PATH;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	assert_int_equal(c.result.n_looping, 6);
	assert_int_equal(c.result.n_loop, 2);
	hd_check_summary(&c.result, c.fabric, text, sizeof(text));
	assert_non_null(strstr(text, "no path: 1 time,"));
	assert_non_null(strstr(text, "; forwarding loop: 2 times (6 flows), first from "));
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void set_mft(struct circle *c, const struct hd_mft_entry *entries, size_t n)
{
	free(c->tables->mft);
	c->tables->mft = malloc(n * sizeof(*entries));
	assert_non_null(c->tables->mft);
	memcpy(c->tables->mft, entries, n * sizeof(*entries));
	c->tables->n_mft = n;
}

static void test_multicast(void **state)
{
	/* three trees, each a line over two of the three links, to adapters and port 0s */
	const struct hd_mft_entry trees[] = {
		{ 0xC000, 0, { 1 << 1 | 1 << 3 } }, { 0xC000, 1, { 1 << 1 | 1 << 2 } },
		{ 0xC000, 2, { 1 << 2 | 1 << 3 } }, { 0xC001, 0, { 1 << 2 | 1 << 0 } },
		{ 0xC001, 1, { 1 << 1 | 1 << 3 } }, { 0xC001, 2, { 1 << 2 | 1 << 1 } },
		{ 0xC002, 0, { 1 << 1 | 1 << 2 } }, { 0xC002, 1, { 1 << 2 | 1 << 3 } },
		{ 0xC002, 2, { 1 << 1 | 1 << 3 } },
	};
	const struct hd_mft_entry loop[] = {
		{ 0xC007, 0, { 1 << 1 | 1 << 2 | 1 << 3 } },
		{ 0xC007, 1, { 1 << 1 | 1 << 2 } },
		{ 0xC007, 2, { 1 << 1 | 1 << 2 } },
	};
	struct circle c;

	make_circle(&c, 3, 8, 0);
	route_circle(&c, true, -1);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	/* two of the trees still leave one dependency of each circle out */
	set_mft(&c, trees, 6);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	compare_circle(&c, NULL);
	set_mft(&c, trees, 9);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(c.result.n_witness, 3);
	for (int i = 0; i < 3; i++)
		assert_true(c.result.witness[i].flow.lid >= 0xC000);
	compare_circle(&c, NULL);
	compare_circle(&c, &(struct hd_check_options){ .all_sls = true });
	/* packets of a circle */
	set_mft(&c, loop, 3);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_FORWARD_LOOP);
	assert_int_equal(found(&c)->n, 3);
	assert_int_equal(found(&c)->flow.lid, 0xC007);
	assert_int_equal(found(&c)->flow.source, adapter_port(&c, 0));
	assert_int_equal(c.result.n_loop, 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct hd_hop *hop = &c.result.loop[i], *next = &c.result.loop[(i + 1) % 3];
		uint32_t peer = c.fabric->ports[switch_port(&c, hop->node, hop->out)].peer;

		assert_int_equal(peer, switch_port(&c, next->node, next->in));
	}
	compare_circle(&c, NULL);
	/* which nobody sends */
	set_mft(&c, loop + 1, 2);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	/* SL 0 is dropped behind switch 1 */
	set_mft(&c, trees, 3);
	c.tables->sl2vl[hd_sl2vl_index(c.tables, 1, 2, 1)] = hd_row_all(HD_VL_DROP);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_DROPPED);
	assert_int_equal(found(&c)->n, 1);
	assert_int_equal(found(&c)->flow.lid, 0xC000);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 0));
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void test_scope_of_hosts(void **state)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	struct circle c;

	/* hosts go the short way; to switches packets go round the circle */
	make_circle(&c, 3, 8, 0);
	route_circle(&c, true, -1);
	for (uint32_t lid = 1; lid <= 3; lid++)
		for (unsigned s = 0; s < 3; s++)
			hd_lft(c.tables, s)[lid] = lid == s + 1 ? 0 : 1;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(c.result.max_hops, 2);
	check_circle(&c, &hosts);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	assert_int_equal(c.result.n_witness, 0);
	assert_int_equal(c.result.max_hops, 1);
	compare_circle(&c, &hosts);
	/* a switch that nobody reaches */
	for (unsigned s = 0; s < 3; s++)
		hd_lft(c.tables, s)[2] = HD_NO_PATH;
	check_circle(&c, &hosts);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	compare_circle(&c, &hosts);
	/* a host that nobody reaches */
	hd_lft(c.tables, 0)[5] = HD_NO_PATH;
	check_circle(&c, &hosts);
	assert_int_equal(c.result.failure, HD_CHECK_NO_PATH);
	compare_circle(&c, &hosts);
	free_circle(&c);
}

static void test_starved(void **state)
{
	struct hd_vlarb vlarb = { .n_low = 2, .low = { { 0, 64 }, { 1, 0 } } };
	struct hd_error err = { 0 };
	struct circle c;
	char text[512];

	/* SL 0 takes VL 1 at switches; adapters and their links take VL 0 */
	make_circle(&c, 3, 8, 0);
	route_circle(&c, true, -1);
	for (unsigned s = 0; s < 3; s++)
		for (unsigned out = 1; out <= 2; out++)
			for (unsigned in = 0; in <= 3; in++)
				c.tables->sl2vl[hd_sl2vl_index(c.tables, s, in, out)] =
					hd_row_all(1);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	assert_int_equal(c.result.vlarb_gap.n, 6);
	assert_int_equal(c.result.vlarb_gap.first, switch_port(&c, 0, 1));
	/* VL 1 has an entry, with weight 0 */
	assert_hd_ok(hd_tables_set_vlarb(c.tables, switch_port(&c, 1, 1), &vlarb, &err), err);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_STARVED);
	assert_false(c.result.reachable);
	assert_int_equal(found(&c)->n, 1);
	assert_int_equal(found(&c)->port, switch_port(&c, 1, 1));
	assert_int_equal(found(&c)->vl, 1);
	assert_int_equal(found(&c)->flow.source, switch_port(&c, 1, 0));
	assert_int_equal(found(&c)->flow.lid, 3);
	assert_int_equal(c.result.vlarb_gap.n, 5);
	hd_check_summary(&c.result, c.fabric, text, sizeof(text));
	assert_non_null(strstr(text, "starved VLs: 1 time, first from "));
	assert_non_null(strstr(text, "on VL 1"));
	compare_circle(&c, NULL);
	/* one in the high table serves it, whatever the limit */
	vlarb.n_high = 1;
	vlarb.high[0] = (struct hd_vlarb_entry){ 1, 1 };
	assert_hd_ok(hd_tables_set_vlarb(c.tables, switch_port(&c, 1, 1), &vlarb, &err), err);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	/* that of an adapter, and empty tables */
	memset(&vlarb, 0, sizeof(vlarb));
	assert_hd_ok(hd_tables_set_vlarb(c.tables, adapter_port(&c, 2), &vlarb, &err), err);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_STARVED);
	assert_int_equal(found(&c)->port, adapter_port(&c, 2));
	assert_int_equal(found(&c)->flow.source, adapter_port(&c, 2));
	compare_circle(&c, NULL);
	free_circle(&c);
	/* nothing to arbitrate on a link with one VL */
	make_circle(&c, 3, 1, 0);
	route_circle(&c, true, -1);
	assert_hd_ok(hd_tables_set_vlarb(c.tables, adapter_port(&c, 2), &vlarb, &err), err);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	compare_circle(&c, NULL);
	free_circle(&c);
}

static void test_lmc(void **state)
{
	struct circle c;

	/* base LIDs the short way on a circle of three; the others all round */
	make_circle(&c, 3, 8, 1);
	route_circle(&c, true, -1);
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_SOUND);
	assert_int_equal(c.result.max_hops, 1);
	route_circle(&c, false, 1);
	/* switches' LIDs are odd and even */
	for (uint32_t lid = 1; lid <= 3; lid++)
		for (unsigned s = 0; s < 3; s++)
			hd_lft(c.tables, s)[lid] = lid == s + 1                     ? 0
						   : clockwise(&c, s, lid - 1) == 1 ? 1
										    : 2;
	check_circle(&c, NULL);
	assert_int_equal(c.result.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(c.result.n_witness, 3);
	assert_int_equal(c.result.max_hops, 2);
	for (int i = 0; i < 3; i++)
		assert_int_equal(c.result.witness[i].flow.lid & 1, 1);
	compare_circle(&c, NULL);
	free_circle(&c);
}

/* Two switches with two links between them and one adapter each, which has two ports. */
static void test_parallel_links(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_check_result result;
	struct hd_load load;
	struct hd_error err = { 0 };
	uint32_t id;

	for (unsigned n = 0; n < 4; n++) {
		struct hd_node_spec spec = { .type = n < 2 ? HD_SWITCH : HD_CA,
					     .guid = 0x10 * (n + 1),
					     .n_ports = n < 2 ? 4 : 2 };

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		hd_builder_port(builder, n, n >= 2)->lid = (uint16_t)(1 + n);
	}
	hd_builder_port(builder, 2, 2)->lid = 5;
	hd_builder_port(builder, 3, 2)->lid = 6;
	for (unsigned p = 1; p <= 2; p++) {
		assert_hd_ok(hd_builder_link(builder, 0, p, 1, p, &err), err);
		assert_hd_ok(hd_builder_link(builder, 0, p + 2, 2, p, &err), err);
		assert_hd_ok(hd_builder_link(builder, 1, p + 2, 3, p, &err), err);
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	/* LIDs 3 and 5 behind switch 0, 4 and 6 behind switch 1: a link for each */
	memcpy(hd_lft(tables, 0), (uint8_t[]){ 255, 0, 1, 3, 1, 4, 2 }, 7);
	memcpy(hd_lft(tables, 1), (uint8_t[]){ 255, 1, 0, 1, 3, 2, 4 }, 7);
	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	assert_int_equal(result.max_hops, 1);
	assert_int_equal(result.channels, 4 + 4 + 4);
	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	assert_int_equal(load.n_flows, 12);
	assert_int_equal(load.n_lost, 0);
	assert_int_equal(load.total_hops, 8);
	for (unsigned s = 0; s < 2; s++)
		for (unsigned p = 1; p <= 4; p++)
			assert_int_equal(hd_load_port(&load, hd_port_index(fabric, s, p)),
					 p <= 2 ? 2 : 3);
	hd_load_clear(&load);
	hd_check_clear(&result);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Fabrics of @n_switches and @n_adapters (all linked to switch 0, or to each other without). */
static void check_bare(unsigned n_switches, unsigned n_adapters, bool with_lids, int expected_ret,
		       enum hd_check_failure expected)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_check_options options = { 0 };
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_check_result result;
	struct hd_error err = { 0 };
	char buffer[1024];
	uint32_t id;

	for (unsigned n = 0; n < n_switches + n_adapters; n++) {
		struct hd_node_spec spec = { .type = n < n_switches ? HD_SWITCH : HD_CA,
					     .guid = n + 1,
					     .n_ports = n < n_switches ? 4 : 1 };

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		if (with_lids)
			hd_builder_port(builder, n, n >= n_switches)->lid = (uint16_t)(2 * n + 1);
		if (n < n_switches)
			continue;
		if (n_switches)
			assert_hd_ok(hd_builder_link(builder, 0, n - n_switches + 1, n, 1, &err),
				     err);
		else if (n % 2)
			assert_hd_ok(hd_builder_link(builder, n - 1, 1, n, 1, &err), err);
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].via_switch != HD_NONE)
			hd_lft(tables, fabric->lids[lid].via_switch)[lid] =
				fabric->lids[lid].via_port;
	assert_int_equal(hd_check(tables, NULL, &result, &err), expected_ret);
	if (expected_ret == 0)
		assert_int_equal(result.failure, expected);
	else
		assert_hd_says(err, "no linked end port has a LID");
	assert_null(compare_with_oracle(tables, &options, buffer, sizeof(buffer)));
	hd_check_clear(&result);
	options.scope = HD_CHECK_HOSTS;
	assert_null(compare_with_oracle(tables, &options, buffer, sizeof(buffer)));
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void test_bare_fabrics(void **state)
{
	check_bare(0, 0, true, HD_EINVAL, 0);
	check_bare(1, 3, false, HD_EINVAL, 0);
	/* adapters without a link are no end ports */
	check_bare(0, 1, true, HD_EINVAL, 0);
	check_bare(0, 2, true, 0, HD_CHECK_SOUND);
	check_bare(0, 4, true, 0, HD_CHECK_NO_PATH);
	check_bare(1, 0, true, 0, HD_CHECK_SOUND);
	check_bare(1, 4, true, 0, HD_CHECK_SOUND);
	check_bare(2, 0, true, 0, HD_CHECK_NO_PATH);
	check_bare(2, 2, true, 0, HD_CHECK_NO_PATH);
}

/* Takes the LFTs of some switches away, as a dump does that lacks them. */
static void forget_some(struct hd_tables *tables, struct hd_random *random)
{
	const uint32_t n = tables->fabric->n_switches;

	tables->lft_unknown = calloc(n + (size_t)1, sizeof(*tables->lft_unknown));
	assert_non_null(tables->lft_unknown);
	for (uint32_t s = 0; s < n; s++) {
		if (hd_random_u32(random) % 4)
			continue;
		tables->lft_unknown[s] = true;
		tables->n_lft_unknown++;
		memset(hd_lft(tables, s), HD_NO_PATH, tables->lft_stride);
	}
}

/* Random small fabrics with all sorts of tables, against walking every flow. */
static void test_oracle(void **state)
{
	unsigned n_by_failure[HD_CHECK_NOT_COVERED + 1] = { 0 }, n_cycles = 0;

	for (unsigned seed = 0; seed < 4000; seed++) {
		struct hd_random random;
		struct check_case c;
		uint8_t data[4096];
		char buffer[1024];

		hd_random_init(&random, 1, seed);
		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)hd_random_u32(&random);
		if (make_check_case((struct bytes){ data, sizeof(data), 0 }, &c)) {
			struct hd_check_result result;
			const char *wrong;

			if (seed % 4 == 3)
				forget_some(c.tables, &random);
			wrong = compare_with_oracle(c.tables, &c.options, buffer, sizeof(buffer));
			if (wrong)
				fail_msg("seed %u: %s", seed, wrong);
			if (hd_check(c.tables, &c.options, &result, NULL) == 0)
				n_by_failure[result.failure]++;
			n_cycles += result.n_witness > 0;
			hd_check_clear(&result);
		}
		clear_check_case(&c);
	}
	/* all outcomes were there to compare */
	for (int failure = 0; failure <= HD_CHECK_NOT_COVERED; failure++)
		assert_true(n_by_failure[failure] >= 50);
	assert_true(n_cycles >= 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring_has_a_credit_loop),
		cmocka_unit_test(test_dateline_is_sound),
		cmocka_unit_test(test_reversed_sl_closes_a_loop),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_no_path_sl_is_no_flow),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_forward_loop),
		cmocka_unit_test(test_multicast),
		cmocka_unit_test(test_scope_of_hosts),
		cmocka_unit_test(test_starved),
		cmocka_unit_test(test_lmc),
		cmocka_unit_test(test_parallel_links),
		cmocka_unit_test(test_bare_fabrics),
		cmocka_unit_test(test_oracle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
