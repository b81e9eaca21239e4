// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * FlexVC within the layers of engines: which qualify, the flow that is named where layers fall, a
 * range that is too high, and runs at load 1.
 */
#include "sim/adaptive/proof.h"
#include "sim/adaptive/ways.h"
#include "sim/model/state.h"
#include "tests/unit/adaptive_case.h"

/* As make_shape(), by an engine. */
static void make_case(struct chosen *c, const char *spec, const char *engine, unsigned lmc)
{
	memset(c, 0, sizeof(*c));
	make_lmc(&c->setting, spec, engine, lmc, 8, 1);
	c->setting.options.count_waits = false;
	find_shape(c, spec);
}

/* Whether minimal on flexvc is sound, and what is said of it in @text. */
static bool prove(const struct chosen *c, char *text, size_t size)
{
	struct hd_error err = { 0 };
	struct hd_proof proof;
	bool is_sound;

	assert_hd_ok(hd_proof_make(c->routed, &proof, &err), err);
	is_sound = proof.is_sound;
	assert_true(proof.states > 0);
	hd_proof_describe(c->routed, &proof, text, size);
	hd_proof_clear(&proof);
	return is_sound;
}

static unsigned raised_may(const struct hd_routed *routed, const struct hd_view *view,
			   const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = hd_way_up_to_tables(view, routed->vcs.in_front, offers);

	(void)header;
	if (!n)
		return 0;
	offers[n] = offers[0];
	offers[n].vcs = offers[0].vcs << 1;
	offers[n].is_escape = false;
	return n + 1;
}

static const struct {
	const char *spec, *engine;
	unsigned lmc;
	bool is_sound, raised_is_sound;
	const char *vcs; /* NULL: "flexvc" */
} cases[] = {
	{ SMALL, "dla", 0, true, false, NULL },
	{ SMALL, "df-minhop", 0, true, false, NULL },
	{ SMALL, "df-sssp", 0, true, false, NULL },
	{ SMALL, "d3r", 0, true, false, NULL },
	{ SMALL, "dfval", 2, true, false, NULL },
	{ SMALL, "updn", 0, true, true, NULL },
	{ MEDIUM, "dla", 0, true, false, NULL },
	{ MEDIUM, "df-minhop", 0, true, false, NULL },
	{ "torus:4x4", "hdor", 0, true, true, NULL }, /* two links of a ring at most */
	{ "torus:8x8", "hdor", 0, true, false, NULL },
	{ "torus:4x4x4", "hdor", 0, true, true, NULL },
	{ "mesh:4x4", "hdor", 0, true, true, NULL },
	/* whose tables have cycles as they are */
	{ SMALL, "minhop", 0, false, false, NULL },
	/* the same layers behind others; one layer has nothing to climb to here either */
	{ "torus:4x4", "hdor", 0, true, true, "flexvc:vcs=4" },
	{ "torus:8x8", "hdor", 0, true, false, "flexvc:vcs=4" },
	{ "torus:8x8", "hdor", 0, true, false, "flexvc:vcs=32" },
	{ "torus:4x4x4", "hdor", 0, true, true, "flexvc:vcs=4" },
	{ "torus:5x5x5", "hdor", 0, true, false, "flexvc:vcs=4" },
	{ "mesh:4x4", "hdor", 0, true, true, "flexvc:vcs=4" },
	{ "kns:k=8,n=2", "hdor", 0, true, true, NULL },
	{ "kns:k=8,n=2", "hdor", 0, true, true, "flexvc:vcs=4" },
	{ "kns:k=8,n=2", "minhop", 0, false, false, "flexvc:vcs=4" },
	{ SMALL, "dla", 0, true, false, "flexvc:vcs=8" },
	{ SMALL, "df-sssp", 0, true, false, "flexvc:vcs=8" },
	{ SMALL, "d3r", 0, true, false, "flexvc:vcs=8" },
	{ SMALL, "minhop", 0, false, false, "flexvc:vcs=8" },
};

static const char *vcs_of(size_t i)
{
	return cases[i].vcs ? cases[i].vcs : "flexvc";
}

/* Engines, and the same with every range a VL too high: one layer alone has nothing to climb to. */
static void test_engines(void **state)
{
	struct hd_error err = { 0 };
	struct hd_routing raised;
	char text[1024];
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_case(&c, cases[i].spec, cases[i].engine, cases[i].lmc);
		assert_hd_ok(choose(&c, "minimal", NULL, vcs_of(i), &err), err);
		if (prove(&c, text, sizeof(text)) != cases[i].is_sound)
			fail_msg("%s, %s: %s", cases[i].spec, cases[i].engine, text);
		raised = *c.routed->routing;
		raised.may = raised_may;
		c.routed->routing = &raised;
		if (prove(&c, text, sizeof(text)) != cases[i].raised_is_sound)
			fail_msg("%s, %s, raised: %s", cases[i].spec, cases[i].engine, text);
		clear(&c);
	}
}

/* Each hop's VL taken from above: tables are as sound as before, and layers fall. */
static void test_falling_layers(void **state)
{
	struct hd_error err = { 0 };
	struct hd_tables *tables;
	char text[1024];
	struct chosen c;

	(void)state;
	make_case(&c, SMALL, "df-minhop", 0);
	tables = (struct hd_tables *)c.setting.tables;
	for (size_t i = 0; i < tables->sl2vl_first[c.setting.fabric->n_nodes]; i++)
		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
			unsigned vl = hd_row_vl(tables->sl2vl[i], sl);

			if (vl < 3)
				tables->sl2vl[i] = hd_row_set(tables->sl2vl[i], sl, 2 - vl);
		}
	hd_shape_free(c.shape);
	hd_structure_clear(&c.structure);
	find_shape(&c, SMALL);
	assert_hd_ok(choose(&c, "minimal", NULL, "flexvc", &err), err);
	assert_false(prove(&c, text, sizeof(text)));
	if (!strstr(text, "layers do not ascend on the path from H-") ||
	    !strstr(text, "is followed by VL"))
		fail_msg("'%s' names no flow", text);
	clear(&c);
}

/* What a packet is offered: the tables' VL, which is returned, and those below. */
static unsigned check_offers(const struct chosen *c, const struct hd_view *view)
{
	const struct hd_header header = { .via = HD_NONE };
	struct hd_offer offers[HD_MAX_OFFERS];
	unsigned n, port, vl;

	if (c->shape->forwarding.class_of[view->passage->lid] >= c->shape->n_targets)
		return 0;
	n = c->routed->routing->may(c->routed, view, &header, offers);
	if (!n)
		return 0;
	port = hd_way_tables_port(view);
	vl = hd_way_tables_vl(view, port) + c->routed->vcs.in_front;
	assert_int_equal(n, vl ? 2 : 1);
	assert_int_equal(offers[0].vcs, 1u << vl);
	assert_true(offers[0].is_escape);
	assert_int_equal(offers[0].ports, hd_port_bit(port));
	if (vl)
		assert_int_equal(offers[1].vcs | offers[0].vcs, (2u << vl) - 1);
	return vl;
}

/* With @vcs the highest VL of all is @wanted. */
static void check_all_offers(const char *vcs, unsigned wanted)
{
	struct hd_error err = { 0 };
	struct chosen c;
	unsigned most = 0;

	make_case(&c, SMALL, "df-sssp", 0);
	assert_hd_ok(choose(&c, "minimal", NULL, vcs, &err), err);
	for (uint32_t i = 0; i < c.shape->n_switches * (uint32_t)HD_MAX_SLS * 4; i++)
		for (uint16_t lid = 1; lid <= c.setting.fabric->top_lid; lid++) {
			const struct hd_passage passage = { .lid = lid,
							    .in = (uint8_t)(i % 4),
							    .sl = (uint8_t)(i / 4 % HD_MAX_SLS) };
			const struct hd_view view = { .shape = c.shape,
						      .at = i / 4 / HD_MAX_SLS,
						      .passage = &passage };
			unsigned vl = check_offers(&c, &view);

			most = vl > most ? vl : most;
		}
	assert_int_equal(most, wanted);
	clear(&c);
}

static void test_offers(void **state)
{
	(void)state;
	check_all_offers("flexvc", 2);
	check_all_offers("flexvc:vcs=3", 2);
	check_all_offers("flexvc:vcs=8", 7);
	check_all_offers("flexvc:vcs=32", 31);
}

/* Buffers of one packet, load 1. */
static void test_runs(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;
	double share;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!cases[i].is_sound || strcmp(cases[i].spec, MEDIUM) == 0 ||
		    strcmp(cases[i].engine, "updn") == 0)
			continue;
		make_case(&c, cases[i].spec, cases[i].engine, cases[i].lmc);
		assert_hd_ok(choose(&c, "minimal", NULL, vcs_of(i), &err), err);
		share = go(&c, 600, false, HD_OK);
		if (share < 0.1)
			fail_msg("%s, %s: %f", cases[i].spec, cases[i].engine, share);
		clear(&c);
	}
}

/* Hosts' VCs by the tables' layers: each of two layers has half of the VCs. */
static void test_hosts_vcs(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	for (unsigned vcs = 1; vcs <= 5; vcs++) {
		struct packet packet = { .message.size = 8 };
		const unsigned each = vcs / 2;

		make_case(&c, SMALL, "d3r", 0);
		assert_hd_ok(choose(&c, "minimal", NULL, "flexvc:vcs=8", &err), err);
		c.setting.options.host_vc = &hd_host_vc_tables;
		c.setting.options.links[HD_LINK_TERMINAL].vcs = vcs > 1 ? vcs : 2;
		c.setting.options.routed = c.routed;
		begin(&c.setting, 0.5, 10);
		for (unsigned vl = 0; vl < 2; vl++) {
			packet.out_vl = (uint8_t)vl;
			assert_int_equal(hd_host_vc_tables.choose(c.setting.model, &packet, 3, vcs),
					 3 + vl * each);
		}
		clear(&c);
	}
	make_case(&c, SMALL, "dla", 0);
	assert_hd_ok(choose(&c, "minimal", NULL, "hop:2/1", &err), err);
	c.setting.options.host_vc = &hd_host_vc_tables;
	c.setting.options.routed = c.routed;
	assert_int_equal(hd_model_new(c.setting.tables, &c.setting.options,
				      &(const struct hd_model_user){ 0 }, &c.setting.model, &err),
			 HD_EINVAL);
	assert_hd_says(err, "hosts' VCs by the tables' layers go with flexvc");
	clear(&c);
}

static void test_refusals(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_case(&c, SMALL, "dla", 0);
	assert_int_equal(choose(&c, "valiant", NULL, "flexvc", &err), HD_EINVAL);
	assert_non_null(strstr(err.text, "valiant goes on VCs by hop or flexvc:L/G"));
	assert_int_equal(choose(&c, "minimal", NULL, "tables", &err), HD_EINVAL);
	assert_int_equal(choose(&c, "valiant", NULL, "flexvc:vcs=8", &err), HD_EINVAL);
	assert_int_equal(choose(&c, "minimal", NULL, "flexvc:vcs=1", &err), HD_EINVAL);
	assert_hd_says(err, "flexvc:vcs=1: the tables have 2 layers, and a VC each");
	assert_int_equal(choose(&c, "minimal", NULL, "flexvc:vcs=33", &err), HD_EINVAL);
	assert_hd_says(err, "33 VCs: a port may have 32");
	assert_int_equal(choose(&c, "minimal", NULL, "flexvc:vcs=x", &err), HD_EINVAL);
	assert_hd_says(err, "is no VC rule");
	clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engines),   cmocka_unit_test(test_falling_layers),
		cmocka_unit_test(test_offers),    cmocka_unit_test(test_runs),
		cmocka_unit_test(test_hosts_vcs), cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
