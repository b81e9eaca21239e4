// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Queue rules that go by switches: vftree by the leaf of a destination, voqsw by the next switch's
 * out-port.
 */
#include "fabric/builder.h"
#include "tests/unit/queue_case.h"

/* One switch with @n hosts, LIDs and routes included. */
static void setup_star(struct fixture *f, unsigned n)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_node_spec spec = { .type = HD_SWITCH, .guid = 1, .n_ports = (uint8_t)n };
	struct hd_fabric *bare;
	struct hd_error err;
	uint32_t id;

	*f = (struct fixture){ 0 };
	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	for (unsigned h = 1; h <= n; h++) {
		spec = (struct hd_node_spec){ .type = HD_CA, .guid = 0x100 + 2 * h, .n_ports = 1 };
		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		assert_hd_ok(hd_builder_link(builder, id, 1, 0, h, &err), err);
	}
	assert_hd_ok(hd_builder_finish(builder, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &f->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_tables_new(f->fabric, &f->tables, &err), err);
	hd_for_each_lid(lid, f->fabric)
		if (f->fabric->lids[lid].port != HD_NONE)
			hd_lft(f->tables, 0)[lid] = f->fabric->lids[lid].via_port;
}

/* Queues by leaf: @n_leaves of @n_hosts each; leaves with the same parents have different ones. */
static void assert_by_leaf(const char *spec, const char *text, uint32_t n_leaves, uint32_t n_hosts)
{
	struct hd_queueing queueing = { 0 };
	uint32_t count[HD_MAX_SLS] = { 0 }, n_siblings = 0;
	struct hd_queues queues;
	struct hd_error err;
	struct fixture f = { .fabric = build_fabric(spec, 0) };
	uint8_t *queue_of;

	assert_hd_ok(hd_tables_new(f.fabric, &f.tables, &err), err);
	assert_hd_ok(hd_queues_parse(text, &queues, &err), err);
	assert_hd_ok(hd_queueing_build(&queues, f.tables, &f.structure, &queueing, &err), err);
	assert_int_equal(queueing.n_classes, queues.n_queues);
	queue_of = malloc(f.fabric->n_switches);
	assert_non_null(queue_of);
	memset(queue_of, 0xFF, f.fabric->n_switches);
	hd_for_each_end_node(n, f.fabric) {
		uint32_t leaf = hd_peer_node(f.fabric, n, 1);
		uint8_t queue =
			queueing.class_of[f.fabric->ports[hd_port_index(f.fabric, n, 1)].lid];

		if (queue_of[leaf] == 0xFF)
			count[queue]++;
		else
			assert_int_equal(queue_of[leaf], queue);
		queue_of[leaf] = queue;
	}
	for (unsigned i = 0; i < queues.n_queues; i++)
		assert_int_equal(count[i], (n_leaves + queues.n_queues - 1 - i) / queues.n_queues);
	/* the children of a switch, as far as there are queues for them */
	hd_for_each_switch(s, f.fabric) {
		unsigned seen = 0, n = 0;

		hd_for_each_number(number, f.fabric, s) {
			uint32_t child = hd_peer_node(f.fabric, s, number);

			if (child >= f.fabric->n_switches || queue_of[child] == 0xFF ||
			    queue_of[s] != 0xFF)
				continue;
			seen |= 1u << queue_of[child];
			n++;
		}
		n_siblings += n > 1;
		assert_int_equal(__builtin_popcount(seen),
				 n < queues.n_queues ? n : queues.n_queues);
	}
	assert_int_equal(f.fabric->n_nodes - f.fabric->n_switches, n_leaves * n_hosts);
	assert_true(n_siblings > 0 || strncmp(spec, "tree", 4) != 0);
	free(queue_of);
	hd_queueing_clear(&queueing);
	hd_tables_free(f.tables);
	hd_fabric_free(f.fabric);
}

static void vftree_is_by_leaf(void **state)
{
	assert_by_leaf("tree:k=4,n=3", "vftree:4", 16, 4);
	assert_by_leaf("tree:k=4,n=3", "vftree:2", 16, 4);
	assert_by_leaf("tree:k=3,n=3", "vftree:3", 9, 3);
	assert_by_leaf("tree:k=8,n=2", "vftree:8", 8, 8);
	assert_by_leaf("pgft:m=4x4x3,w=1x4x2", "vftree:4", 12, 4);
	assert_by_leaf("mesh:3x3,p=2", "vftree:4", 9, 2);
}

/* On the link to a switch the VL is that of the out-port there, modulo the queues. */
static void voqsw_on_one_switch(void **state)
{
	static const struct {
		unsigned ports, queues;
	} known[] = { { 8, 8 }, { 8, 4 }, { 24, 4 }, { 5, 3 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct fixture f;
		char text[16];

		setup_star(&f, known[i].ports);
		snprintf(text, sizeof(text), "voqsw:%u", known[i].queues);
		apply(&f, text);
		for (unsigned from = 1; from <= known[i].ports; from++)
			for (unsigned to = 1; to <= known[i].ports; to++) {
				uint32_t source = hd_port_index(f.fabric, from, 1);
				uint32_t lid = f.fabric->ports[hd_port_index(f.fabric, to, 1)].lid;
				unsigned sl = hd_path_sl(f.tables, source, lid);
				size_t row = hd_sl2vl_host_index(f.tables, from, 1);

				assert_int_equal(hd_row_vl(f.tables->sl2vl[row], sl),
						 (to - 1) % known[i].queues);
			}
		teardown(&f);
	}
}

/* Two switches of four hosts and a link: what the first tells apart, the second must, too. */
static void voqsw_beyond_one_switch(void **state)
{
	uint32_t size[] = { 8, 8 };
	struct hd_queueing queueing;
	struct hd_error err;
	struct fixture f;

	setup(&f, "mesh:2,p=4", 0, (uint32_t[]){ 2 }, 1);
	route_in_order(&f);
	apply(&f, "voqsw:5");
	for (uint32_t from = 2; from < f.fabric->n_nodes; from++)
		for (uint32_t to = 2; to < f.fabric->n_nodes; to++) {
			uint32_t source = hd_port_index(f.fabric, from, 1);
			uint32_t lid = f.fabric->ports[hd_port_index(f.fabric, to, 1)].lid;
			uint32_t s = hd_peer_node(f.fabric, from, 1);
			unsigned sl = hd_path_sl(f.tables, source, lid), vl;

			vl = hd_row_vl(f.tables->sl2vl[hd_sl2vl_host_index(f.tables, from, 1)], sl);
			assert_int_equal(vl, hd_lft(f.tables, s)[lid] - 1);
			if (hd_peer_node(f.fabric, to, 1) == s)
				continue;
			vl = hd_row_vl(f.tables->sl2vl[hd_sl2vl_index(f.tables, s, 1, 5)], sl);
			assert_int_equal(vl, hd_lft(f.tables, 1 - s)[lid] - 1);
		}
	teardown(&f);

	setup(&f, "mesh:8x8", 0, size, 2);
	route_in_order(&f);
	assert_int_equal(queues(&f, "voqsw:4", &queueing, &err), HD_EREFUSED);
	assert_hd_says(err, "more than 16 sets of destinations");
	hd_queueing_clear(&queueing);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vftree_is_by_leaf),
		cmocka_unit_test(voqsw_on_one_switch),
		cmocka_unit_test(voqsw_beyond_one_switch),
	};

	return cmocka_run_group_tests_name("queues by switch", tests, NULL, NULL);
}
