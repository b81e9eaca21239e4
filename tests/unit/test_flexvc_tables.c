// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * FlexVC within the layers of engines: which qualify, the flow that is named where layers fall, a
 * range that is too high, and runs at load 1.
 */
#include "simfabric/adaptive/proof.h"
#include "simfabric/adaptive/ways.h"
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
	unsigned n = hd_way_up_to_tables(view, offers);

	(void)routed;
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
} cases[] = {
	{ SMALL, "dla", 0, true, false },
	{ SMALL, "df-minhop", 0, true, false },
	{ SMALL, "df-sssp", 0, true, false },
	{ SMALL, "d3r", 0, true, false },
	{ SMALL, "dfval", 2, true, false },
	{ SMALL, "updn", 0, true, true },
	{ MEDIUM, "dla", 0, true, false },
	{ MEDIUM, "df-minhop", 0, true, false },
	{ "torus:4x4", "hdor", 0, true, true }, /* two links of a ring at most */
	{ "torus:8x8", "hdor", 0, true, false },
	{ "torus:4x4x4", "hdor", 0, true, true },
	{ "mesh:4x4", "hdor", 0, true, true },
	/* whose tables have cycles as they are */
	{ SMALL, "minhop", 0, false, false },
};

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
		assert_hd_ok(choose(&c, "minimal", NULL, "flexvc", &err), err);
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
	if (!strstr(text, "layers do not ascend on the way from H-") ||
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
	vl = hd_way_tables_vl(view, port);
	assert_int_equal(n, vl ? 2 : 1);
	assert_int_equal(offers[0].vcs, 1u << vl);
	assert_true(offers[0].is_escape);
	assert_int_equal(offers[0].ports, hd_port_bit(port));
	if (vl)
		assert_int_equal(offers[1].vcs | offers[0].vcs, (2u << vl) - 1);
	return vl;
}

static void test_offers(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;
	unsigned most = 0;

	(void)state;
	make_case(&c, SMALL, "df-sssp", 0);
	assert_hd_ok(choose(&c, "minimal", NULL, "flexvc", &err), err);
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
	assert_true(most > 0);
	clear(&c);
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
		assert_hd_ok(choose(&c, "minimal", NULL, "flexvc", &err), err);
		share = go(&c, 600, false, HD_OK);
		if (share < 0.1)
			fail_msg("%s, %s: %f", cases[i].spec, cases[i].engine, share);
		clear(&c);
	}
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
	clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engines),  cmocka_unit_test(test_falling_layers),
		cmocka_unit_test(test_offers),   cmocka_unit_test(test_runs),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
