// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Builder, look-up, LID assignment and faults. */
#include "tests/unit/unit.h"

#include "fabric/builder.h"
#include "fabric/distances.h"
#include "fabric/fabric_changed.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "fabric/link_rate.h"
#include "fabric/netfile.h"
#include "tests/unit/same_fabric.h"
#include "tests/unit/spec_fabric.h"

static uint32_t add(struct hd_builder *builder, enum hd_node_type type, uint64_t guid,
		    unsigned n_ports, const char *name)
{
	struct hd_node_spec spec = { .type = type, .guid = guid, .n_ports = n_ports, .name = name };
	struct hd_error err;
	uint32_t id;

	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	return id;
}

static void join(struct hd_builder *builder, uint32_t a, unsigned m, uint32_t b, unsigned n)
{
	struct hd_error err;

	assert_hd_ok(hd_builder_link(builder, a, m, b, n, &err), err);
}

/*
 * Two switches joined twice, hosts "a" and "b" on the first, "c" with both ports on the two; all
 * with LIDs. Added in an order that is not the canonical one.
 */
static struct hd_fabric *small(void)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t c = add(builder, HD_CA, 0x30, 2, "c"), t = add(builder, HD_SWITCH, 0x202, 6, "t");
	uint32_t a = add(builder, HD_CA, 0x10, 1, "a"), s = add(builder, HD_SWITCH, 0x201, 6, "s");
	uint32_t b = add(builder, HD_CA, 0x20, 2, "b");

	join(builder, s, 1, a, 1);
	join(builder, b, 2, s, 2);
	join(builder, s, 3, c, 1);
	join(builder, c, 2, t, 1);
	join(builder, s, 4, t, 4);
	join(builder, s, 5, t, 6);
	join(builder, t, 6, s, 5); /* the same once more */
	hd_builder_port(builder, s, 0)->lid = 1;
	hd_builder_port(builder, t, 0)->lid = 2;
	hd_builder_port(builder, a, 1)->lid = 4;
	hd_builder_port(builder, a, 1)->lmc = 2;
	hd_builder_port(builder, b, 2)->lid = 8;
	hd_builder_port(builder, c, 1)->lid = 10;
	hd_builder_port(builder, c, 2)->lid = 11;
	hd_builder_port(builder, c, 2)->vls = 4;
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	return fabric;
}

static void order_is_canonical(void **state)
{
	static const char *const names[] = { "s", "t", "a", "b", "c" };
	struct hd_fabric *fabric = small();

	assert_int_equal(fabric->n_nodes, 5);
	assert_int_equal(fabric->n_switches, 2);
	assert_int_equal(fabric->n_links, 6);
	assert_int_equal(fabric->n_ports, 7 + 7 + 2 + 3 + 3);
	for (uint32_t n = 0; n < 5; n++)
		assert_string_equal(hd_node_name(fabric, n), names[n]);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		assert_int_equal(hd_port_index(fabric, port->node, port->number), p);
		if (port->peer != HD_NONE)
			assert_int_equal(fabric->ports[port->peer].peer, p);
	}
	assert_int_equal(hd_peer_node(fabric, 0, 5), 1);
	assert_int_equal(hd_peer_node(fabric, 0, 6), HD_NONE);
	/* port 1 of b is not linked; its GUID is still one that a user may say */
	assert_int_equal(fabric->n_endports, 7);
	for (uint32_t i = 1; i < fabric->n_endports; i++)
		assert_true(fabric->ports[fabric->endports[i - 1]].guid <
			    fabric->ports[fabric->endports[i]].guid);
	hd_fabric_free(fabric);
}

static void lids_lead_to_switches(void **state)
{
	struct hd_fabric *fabric = small();

	assert_int_equal(fabric->top_lid, 11);
	assert_int_equal(fabric->lids[0].port, HD_NONE);
	assert_int_equal(fabric->lids[3].port, HD_NONE);
	assert_int_equal(fabric->lids[2].via_switch, 1);
	assert_int_equal(fabric->lids[2].via_port, 0);
	for (uint32_t lid = 4; lid < 8; lid++) {
		assert_int_equal(fabric->lids[lid].port, hd_port_index(fabric, 2, 1));
		assert_int_equal(fabric->lids[lid].via_switch, 0);
		assert_int_equal(fabric->lids[lid].via_port, 1);
	}
	assert_int_equal(fabric->lids[11].via_switch, 1);
	assert_int_equal(hd_link_vls(fabric, hd_port_index(fabric, 1, 1)), 4);
	assert_int_equal(hd_link_vls(fabric, hd_port_index(fabric, 0, 1)), 8);
	assert_int_equal(hd_link_vls(fabric, hd_port_index(fabric, 0, 6)), 0);
	hd_fabric_free(fabric);
}

static void nodes_are_found_by_what_users_say(void **state)
{
	static const struct {
		const char *what;
		uint32_t node;
	} found[] = { { "t", 1 },
		      { "a", 2 },
		      { "4", 2 },
		      { "7", 2 },
		      { "0xb", 4 },
		      { "1", 0 },
		      { "S-0000000000000202", 1 },
		      { "H-0000000000000030", 4 } };
	static const char *const lost[] = { "",
					    "x",
					    "3",
					    "12",
					    "49151",
					    "0x99999",
					    "0",
					    "-1",
					    "s ",
					    "S-",
					    "S-202",
					    "S-0000000000000030",
					    "H-0000000000000202",
					    "S-0000000000000909",
					    "S-0x00000000000202" };
	struct hd_fabric *fabric = small();
	struct hd_error err;
	uint32_t node;
	char label[32];

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		assert_hd_ok(hd_fabric_find(fabric, found[i].what, &node, &err), err);
		assert_int_equal(node, found[i].node);
	}
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++)
		assert_int_equal(hd_fabric_find(fabric, lost[i], &node, &err), HD_ENOTFOUND);
	/* a number up to the highest LID is a LID */
	assert_int_equal(hd_fabric_find(fabric, "0x202", &node, &err), HD_ENOTFOUND);
	assert_hd_says(err, "LID 514");
	assert_int_equal(hd_fabric_find_node(fabric, 0x202), 1);
	assert_int_equal(hd_fabric_find_node(fabric, 0x30), 4);
	assert_int_equal(hd_fabric_find_node(fabric, 0x31), HD_NONE);
	assert_int_equal(hd_fabric_find_port(fabric, 0x32), hd_port_index(fabric, 4, 2));
	assert_int_equal(hd_fabric_find_port(fabric, 0x201), hd_port_index(fabric, 0, 0));
	assert_int_equal(hd_fabric_find_port(fabric, 0x30), HD_NONE);
	assert_int_equal(hd_fabric_find_port(fabric, UINT64_MAX), HD_NONE);
	assert_string_equal(
		hd_port_label(fabric, hd_port_index(fabric, 4, 2), label, sizeof(label)), "c[2]");
	hd_fabric_free(fabric);
}

static void guids_and_ambiguous_names_are_found(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t node;
	char label[64];

	add(builder, HD_SWITCH, 0x0002c90200400001, 4, "twin");
	add(builder, HD_SWITCH, 0x0002c90200400002, 4, "twin");
	add(builder, HD_CA, 0x0002c90300100000, 2, "");
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_int_equal(hd_fabric_find(fabric, "twin", &node, &err), HD_ENOTFOUND);
	assert_hd_says(err, "several nodes are named 'twin': give a GUID or LID: 'twin' (0x");
	assert_hd_says(err, "several nodes");
	assert_hd_ok(hd_fabric_find(fabric, "0x2c90200400002", &node, &err), err);
	assert_int_equal(node, 1);
	assert_hd_ok(hd_fabric_find(fabric, "0x0002c90300100002", &node, &err), err);
	assert_int_equal(node, 2);
	assert_string_equal(
		hd_port_label(fabric, hd_port_index(fabric, 2, 1), label, sizeof(label)),
		"0x0002c90300100000[1]");
	hd_fabric_free(fabric);
}

static void builder_refuses_nodes(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	char name[HD_MAX_NAME + 2];
	struct hd_node_spec spec = { .type = HD_SWITCH, .guid = 1, .n_ports = 255 };
	struct hd_error err;
	uint32_t id;

	assert_int_equal(hd_builder_add(builder, &spec, &id, &err), HD_ERANGE);
	spec.n_ports = 0;
	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	spec.type = HD_CA;
	assert_int_equal(hd_builder_add(builder, &spec, &id, &err), HD_ERANGE);
	spec.n_ports = 254;
	memset(name, 'n', sizeof(name) - 1);
	name[HD_MAX_NAME + 1] = '\0';
	spec.name = name;
	assert_int_equal(hd_builder_add(builder, &spec, &id, &err), HD_ERANGE);
	assert_hd_says(err, "longer than 255");
	name[HD_MAX_NAME] = '\0';
	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	assert_int_equal(id, 1);
	assert_null(hd_builder_port(builder, 1, 255));
	assert_null(hd_builder_port(builder, 2, 0));
	hd_builder_free(builder);
	hd_builder_free(NULL);
	hd_fabric_free(NULL);
}

static void builder_refuses_links(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	uint32_t s = add(builder, HD_SWITCH, 1, 4, "s"), t = add(builder, HD_SWITCH, 2, 4, "t");
	struct hd_error err;

	assert_int_equal(hd_builder_link(builder, s, 0, t, 1, &err), HD_ERANGE);
	assert_int_equal(hd_builder_link(builder, s, 1, t, 5, &err), HD_ERANGE);
	assert_hd_says(err, "'t' has no port 5");
	assert_int_equal(hd_builder_link(builder, s, 1, 7, 1, &err), HD_ERANGE);
	assert_int_equal(hd_builder_link(builder, s, 1, s, 1, &err), HD_EINVAL);
	assert_hd_says(err, "itself");
	join(builder, s, 1, t, 1);
	assert_int_equal(hd_builder_link(builder, t, 2, s, 1, &err), HD_EINVAL);
	assert_hd_says(err, "'s' port 1 is linked to 't' port 1 as well as to 't' port 2");
	assert_int_equal(hd_builder_link(builder, s, 2, t, 1, &err), HD_EINVAL);
	join(builder, s, 2, s, 3); /* a cable within a switch is odd, not wrong */
	hd_builder_free(builder);
}

/* Finishes a switch 0x201 and an adapter 0x101 with one link, changed by @change. */
static int finish_changed(void (*change)(struct hd_builder *), struct hd_error *err)
{
	struct hd_builder *builder = hd_builder_new();
	uint32_t s = add(builder, HD_SWITCH, 0x201, 4, "s"), h = add(builder, HD_CA, 0x101, 2, "h");
	struct hd_fabric *fabric;
	int ret;

	join(builder, s, 1, h, 1);
	change(builder);
	ret = hd_builder_finish(builder, &fabric, err);
	assert_true((ret == 0) == (fabric != NULL));
	hd_fabric_free(fabric);
	return ret;
}

static void nothing(struct hd_builder *builder)
{
	(void)builder;
}

static void zero_node_guid(struct hd_builder *builder)
{
	add(builder, HD_SWITCH, 0, 1, "z");
}

static void twin_switch(struct hd_builder *builder)
{
	add(builder, HD_SWITCH, 0x201, 1, "z");
}

static void adapter_with_switch_guid(struct hd_builder *builder)
{
	add(builder, HD_CA, 0x201, 1, "z");
}

static void zero_port_guid(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->guid = 0;
}

static void twin_port_guid(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->guid = 0x201;
}

static void unlinked_port_guid(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 2)->guid = 0x201;
}

static void high_lid(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->lid = 0xC000;
}

static void high_lid_range(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->lid = 0xBFFF;
	hd_builder_port(builder, 1, 1)->lmc = 1;
}

static void high_lmc(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->lid = 256;
	hd_builder_port(builder, 1, 1)->lmc = 8;
}

static void overlapping_lids(struct hd_builder *builder)
{
	hd_builder_port(builder, 1, 1)->lid = 4;
	hd_builder_port(builder, 1, 1)->lmc = 2;
	hd_builder_port(builder, 0, 0)->lid = 7;
}

static void builder_checks_the_whole(void **state)
{
	struct hd_error err;

	assert_hd_ok(finish_changed(nothing, &err), err);
	assert_int_equal(finish_changed(zero_node_guid, &err), HD_EINVAL);
	assert_hd_says(err, "a node has GUID 0");
	assert_int_equal(finish_changed(twin_switch, &err), HD_EINVAL);
	assert_hd_says(err, "belongs to two nodes");
	assert_int_equal(finish_changed(adapter_with_switch_guid, &err), HD_EINVAL);
	assert_hd_says(err, "a switch and to an end node");
	assert_int_equal(finish_changed(zero_port_guid, &err), HD_EINVAL);
	assert_hd_says(err, "a port has GUID 0");
	assert_int_equal(finish_changed(twin_port_guid, &err), HD_EINVAL);
	assert_hd_says(err, "belongs to two ports");
	assert_hd_ok(finish_changed(unlinked_port_guid, &err), err);
	assert_int_equal(finish_changed(high_lid, &err), HD_ERANGE);
	assert_int_equal(finish_changed(high_lid_range, &err), HD_ERANGE);
	assert_hd_says(err, "h[1]: LID 49151 with LMC 1");
	assert_int_equal(finish_changed(high_lmc, &err), HD_ERANGE);
	assert_int_equal(finish_changed(overlapping_lids, &err), HD_EINVAL);
	assert_hd_says(err, "LID 7 belongs to");
	assert_int_equal(finish_changed(overlapping_lids, NULL), HD_EINVAL);
}

static void lids_are_assigned_in_reversed_byte_order(void **state)
{
	struct hd_fabric *fabric, *assigned;
	struct hd_builder *builder = hd_builder_new();
	struct hd_error err;
	uint32_t s = add(builder, HD_SWITCH, 0x0100, 8, "s");
	uint32_t z = add(builder, HD_CA, 0x0200, 1, "z"), y = add(builder, HD_CA, 0x0102, 2, "y");
	uint32_t r = add(builder, HD_ROUTER, 0x0300, 2, "r");

	join(builder, s, 1, z, 1); /* 0x0201 */
	join(builder, s, 2, y, 2); /* 0x0104 */
	join(builder, s, 3, r, 2); /* 0x0302 */
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);

	/* y sorts first by name; reversed, the others are 0001.. (s), 0102.. (z), 0203.. (r) */
	assert_hd_ok(hd_fabric_assign_lids(fabric, HD_NONE, 2, &assigned, &err), err);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x104)].lid, 4);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x104)].lmc, 2);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x100)].lid, 8);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x100)].lmc, 0);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x201)].lid, 12);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x302)].lid, 16);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x103)].lid, 0);
	assert_int_equal(assigned->top_lid, 19);
	hd_fabric_free(assigned);

	assert_hd_ok(hd_fabric_assign_lids(fabric, hd_fabric_find_port(fabric, 0x302), 0, &assigned,
					   &err),
		     err);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x302)].lid, 1);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x100)].lid, 2);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x201)].lid, 3);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x104)].lid, 4);
	hd_fabric_free(assigned);
	hd_fabric_free(fabric);
}

static void lids_need_a_subnet_manager(void **state)
{
	struct hd_fabric *fabric = small(), *assigned;
	struct hd_error err;

	assert_int_equal(hd_fabric_assign_lids(fabric, HD_NONE, 8, &assigned, &err), HD_ERANGE);
	assert_null(assigned);
	assert_int_equal(hd_fabric_assign_lids(fabric, fabric->n_ports, 0, &assigned, &err),
			 HD_EINVAL);
	assert_int_equal(
		hd_fabric_assign_lids(fabric, hd_port_index(fabric, 0, 1), 0, &assigned, &err),
		HD_EINVAL);
	assert_int_equal(
		hd_fabric_assign_lids(fabric, hd_port_index(fabric, 3, 1), 0, &assigned, &err),
		HD_EINVAL);
	assert_hd_says(err, "b[1] has no link");
	hd_fabric_free(fabric);
}

static void lids_run_out(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric, *assigned;
	struct hd_error err;

	/* 383 ranges of 128 LIDs lie in 128 .. 0xBFFF, but the switches need LIDs too */
	for (uint32_t i = 0; i < 2; i++)
		add(builder, HD_SWITCH, 0x1000 + i, 254, "s");
	join(builder, 0, 254, 1, 254);
	for (uint32_t i = 0; i < 383; i++)
		join(builder, i / 253, i % 253 + 1, add(builder, HD_CA, 0x10000 + 2 * i, 1, "h"),
		     1);
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_int_equal(hd_fabric_assign_lids(fabric, HD_NONE, 7, &assigned, &err), HD_ERANGE);
	assert_hd_says(err, "more than 49151 LIDs");
	assert_hd_ok(hd_fabric_assign_lids(fabric, HD_NONE, 6, &assigned, &err), err);
	hd_fabric_free(assigned);
	assert_hd_ok(hd_fabric_assign_most_lids(fabric, HD_NONE, 7, &assigned, &err), err);
	assert_int_equal(assigned->ports[hd_fabric_find_port(assigned, 0x10001)].lmc, 6);
	hd_fabric_free(assigned);
	hd_fabric_free(fabric);
}

static void lids_reach_what_is_connected(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric, *assigned;
	struct hd_error err;
	uint32_t s = add(builder, HD_SWITCH, 0x301, 4, "s"),
		 t = add(builder, HD_SWITCH, 0x302, 4, "t");
	uint32_t h = add(builder, HD_CA, 0x101, 2, "h");

	join(builder, s, 1, h, 1);
	join(builder, h, 2, t, 1); /* packets do not pass an adapter */
	add(builder, HD_SWITCH, 0x303, 4, "alone");
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(fabric, HD_NONE, 0, &assigned, &err), err);
	assert_int_equal(assigned->top_lid, 2);
	assert_int_equal(assigned->ports[hd_port_index(assigned, 1, 0)].lid, 0);
	hd_fabric_free(assigned);
	assert_hd_ok(hd_fabric_assign_lids(fabric, hd_port_index(fabric, 2, 0), 0, &assigned, &err),
		     err);
	assert_int_equal(assigned->top_lid, 1);
	assert_int_equal(assigned->lids[1].via_switch, 2);
	hd_fabric_free(assigned);
	hd_fabric_free(fabric);
	builder = hd_builder_new();
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(fabric, HD_NONE, 0, &assigned, &err), err);
	assert_int_equal(assigned->top_lid, 0);
	hd_fabric_free(assigned);
	hd_fabric_free(fabric);
}

static void links_fail(void **state)
{
	struct hd_fabric *fabric = small(), *left;
	const uint32_t links[] = { hd_port_index(fabric, 0, 4), hd_port_index(fabric, 0, 2),
				   hd_port_index(fabric, 1, 1) };
	struct hd_error err;
	uint32_t node;

	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, NULL, 0, &left, &err), err);
	assert_null(fabric_difference(fabric, left));
	hd_fabric_free(left);

	/* b loses its only link and goes, c has another */
	assert_hd_ok(hd_fabric_without(fabric, links, 3, NULL, 0, &left, &err), err);
	assert_int_equal(left->n_nodes, 4);
	assert_int_equal(left->n_links, 3);
	assert_int_equal(hd_fabric_find(left, "b", &node, &err), HD_ENOTFOUND);
	assert_hd_ok(hd_fabric_find(left, "c", &node, &err), err);
	assert_int_equal(hd_peer_node(left, node, 2), HD_NONE);
	assert_int_equal(left->ports[hd_port_index(left, node, 1)].lid, 10);
	assert_int_equal(left->ports[hd_port_index(left, node, 2)].lid, 11);
	assert_int_equal(left->ports[hd_port_index(left, node, 2)].vls, 4);
	assert_int_equal(left->lids[11].via_switch, HD_NONE);
	assert_int_equal(left->lids[8].port, HD_NONE);
	assert_int_equal(hd_peer_node(left, 0, 5), 1);
	assert_int_equal(hd_peer_node(left, 0, 4), HD_NONE);
	hd_fabric_free(left);
	hd_fabric_free(fabric);
}

static void switches_fail(void **state)
{
	struct hd_fabric *fabric = small(), *left;
	const uint32_t both[] = { 0, 1 }, s = 0, a = 2, beyond = 5;
	uint32_t unlinked = hd_port_index(fabric, 0, 6), no_port = fabric->n_ports;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, &s, 1, &left, &err), err);
	assert_int_equal(left->n_switches, 1);
	assert_int_equal(left->n_nodes, 2);
	assert_string_equal(hd_node_name(left, 0), "t");
	assert_string_equal(hd_node_name(left, 1), "c");
	assert_int_equal(left->n_links, 1);
	assert_int_equal(left->ports[hd_port_index(left, 0, 0)].lid, 2);
	hd_fabric_free(left);
	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, both, 2, &left, &err), err);
	assert_int_equal(left->n_nodes, 0);
	hd_fabric_free(left);

	assert_int_equal(hd_fabric_without(fabric, NULL, 0, &a, 1, &left, &err), HD_EINVAL);
	assert_hd_says(err, "'a' is no switch");
	assert_null(left);
	assert_int_equal(hd_fabric_without(fabric, NULL, 0, &beyond, 1, &left, &err), HD_EINVAL);
	assert_int_equal(hd_fabric_without(fabric, &unlinked, 1, NULL, 0, &left, &err), HD_EINVAL);
	assert_hd_says(err, "s[6] has no link");
	assert_int_equal(hd_fabric_without(fabric, &no_port, 1, NULL, 0, &left, &err), HD_EINVAL);
	hd_fabric_free(fabric);
}

static void switches_without_links_stay(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric, *left;
	struct hd_error err;
	uint32_t s = add(builder, HD_SWITCH, 1, 2, "s"), t = add(builder, HD_SWITCH, 2, 2, "t"),
		 link;

	join(builder, s, 1, t, 1);
	add(builder, HD_CA, 0x10, 1, "never linked");
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	link = hd_port_index(fabric, 1, 1);
	assert_hd_ok(hd_fabric_without(fabric, &link, 1, NULL, 0, &left, &err), err);
	assert_int_equal(left->n_switches, 2);
	assert_int_equal(left->n_nodes, 3);
	assert_int_equal(left->n_links, 0);
	hd_fabric_free(left);
	hd_fabric_free(fabric);
}

/* A line of 300 switches, and a pair of others. */
static void distances_are_counted(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	uint64_t counts[HD_UNREACHABLE], expected[HD_UNREACHABLE + 1] = { 0 };
	struct hd_fabric *fabric;
	struct hd_error err;
	uint8_t *distances;

	for (uint32_t i = 0; i < 302; i++) {
		uint32_t s = add(builder, HD_SWITCH, i + 1, 2, "");

		if (i && i != 300)
			join(builder, s - 1, 2, s, 1);
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_hd_ok(hd_switch_distances(fabric, &distances, &err), err);
	assert_hd_ok(hd_switch_distance_counts(fabric, counts, &err), err);
	for (size_t i = 0; i < 302 * 302; i++)
		expected[distances[i]]++;
	assert_int_equal(expected[0], 302);
	assert_int_equal(counts[0], 0);
	for (unsigned d = 1; d < HD_UNREACHABLE; d++) {
		assert_int_equal(counts[d], expected[d]);
		assert_int_equal(counts[d], 2 * (300 - d) + (d == 1 ? 2 : 0));
	}
	free(distances);
	hd_fabric_free(fabric);
}

static void more_than_the_lids_is_refused(void **state)
{
	for (uint32_t more = 0; more < 2; more++) {
		struct hd_builder *builder = hd_builder_new();
		struct hd_fabric *fabric;
		struct hd_error err;
		uint32_t first = add(builder, HD_SWITCH, 1, 2, "");

		for (uint32_t i = 2; i < HD_MAX_LID; i++)
			add(builder, HD_SWITCH, i, 1, "");
		for (uint32_t i = 0; i <= more; i++)
			join(builder, first, i + 1, add(builder, HD_CA, HD_MAX_LID + i, 1, ""), 1);
		add(builder, HD_CA, HD_MAX_LID + 2, 1, "never linked");
		assert_int_equal(hd_builder_finish(builder, &fabric, &err), more ? HD_ERANGE : 0);
		if (more)
			assert_hd_says(err, "49152 switches and linked end ports");
		hd_fabric_free(fabric);
	}
}

static void codes_of_vls(void **state)
{
	static const unsigned vls[] = { 1, 2, 4, 8, 15 };

	(void)state;
	for (unsigned code = 1; code <= 5; code++) {
		assert_int_equal(hd_vlcap_vls(code), vls[code - 1]);
		assert_int_equal(hd_vlcap_code(vls[code - 1]), code);
	}
	assert_int_equal(hd_vlcap_vls(0), 0);
	assert_int_equal(hd_link_mbps(4, HD_QDR), 32000);
	assert_int_equal(hd_link_mbps(4, HD_NDR), 400000);
	assert_int_equal(hd_link_mbps(0, HD_NDR), 0);
	assert_int_equal(hd_link_mbps(4, HD_SPEED_UNKNOWN), 0);
	assert_int_equal(hd_link_mbps(4, HD_XDR + 1), 0);
	for (unsigned code = 6; code < 16; code++)
		assert_int_equal(hd_vlcap_vls(code), 0);
	assert_int_equal(hd_vlcap_code(0), 0);
	assert_int_equal(hd_vlcap_code(3), 0);
	assert_int_equal(hd_vlcap_code(16), 0);
}

/* What is not known of a rate is left out. */
static void rates_in_words(void **state)
{
	char text[16];

	(void)state;
	assert_string_equal(hd_rate_text(4, HD_HDR, text, sizeof(text)), "4xHDR");
	assert_string_equal(hd_rate_text(4, HD_SPEED_UNKNOWN, text, sizeof(text)), "4x");
	assert_string_equal(hd_rate_text(0, HD_HDR, text, sizeof(text)), "HDR");
	assert_string_equal(hd_rate_text(0, HD_SPEED_UNKNOWN, text, sizeof(text)), "unknown");
}

/* What routes depend on is seen to change; names are not among that. */
static void changes_are_seen(void **state)
{
	struct hd_fabric *one = build_fabric("tree:k=2,n=2", 0), *other;

	(void)state;
	other = build_fabric("tree:k=2,n=2", 0);
	assert_true(hd_same_fabric(one, other));
	other->ports[other->endports[0]].lmc++;
	assert_false(hd_same_fabric(one, other));
	other->ports[other->endports[0]].lmc--;
	other->nodes[1].enhanced_port0 = !other->nodes[1].enhanced_port0;
	assert_false(hd_same_fabric(one, other));
	other->nodes[1].enhanced_port0 = !other->nodes[1].enhanced_port0;
	other->ports[1].peer = HD_NONE;
	assert_false(hd_same_fabric(one, other));
	hd_fabric_free(other);
	other = build_fabric("tree:k=2,n=3", 0);
	assert_false(hd_same_fabric(one, other));
	hd_fabric_free(other);
	hd_fabric_free(one);
}

/* Between two switches, some exit is nearer by one, and none by more; the bits say so, too. */
static void check_exits(const char *spec, unsigned n_exits)
{
	struct hd_fabric *fabric = build_fabric(spec, 0);
	struct hd_exits exits;
	struct hd_error err;
	uint8_t *distances;

	assert_hd_ok(hd_switch_distances(fabric, &distances, &err), err);
	hd_for_each_switch(s, fabric) {
		hd_exits_find(fabric, distances, s, &exits);
		assert_int_equal(exits.n, n_exits);
		hd_for_each_switch(d, fabric) {
			const unsigned mine = distances[s * fabric->n_switches + d];
			unsigned n_nearer = 0;

			for (unsigned i = 0; i < exits.n; i++) {
				const bool is_nearer = exits.distance[i][d] + 1u == mine;

				assert_true(exits.distance[i][d] + 1u >= mine);
				assert_int_equal(hd_exits_nearer(&exits, i, d & ~63u) >> d % 64 & 1,
						 is_nearer);
				n_nearer += is_nearer;
			}
			assert_true(s == d || n_nearer || mine == HD_UNREACHABLE);
		}
		for (unsigned i = 0; i < exits.n; i++)
			if (fabric->n_switches % 64)
				assert_int_equal(
					hd_exits_nearer(&exits, i, fabric->n_switches & ~63u) >>
						fabric->n_switches % 64,
					0);
	}
	free(distances);
	hd_fabric_free(fabric);
}

static void exits_lead_on(void **state)
{
	(void)state;
	check_exits("dragonfly:a=3,p=1,h=1", 3);
	check_exits("torus:64x2", 3);
	check_exits("torus:3x43", 4);
	check_exits("torus:3x3x3", 6);
	/* so long a ring that some switches count as unreachable */
	check_exits("torus:530", 2);
}

static void codes_of_links(void **state)
{
	(void)state;
	assert_int_equal(hd_width_of_code(1), 1);
	assert_int_equal(hd_width_of_code(2), 4);
	assert_int_equal(hd_width_of_code(16), 2);
	assert_int_equal(hd_width_of_code(3), 0);
	assert_int_equal(hd_speed_of_codes(0, false, 4), HD_QDR);
	assert_int_equal(hd_speed_of_codes(0, true, 4), HD_FDR10);
	assert_int_equal(hd_speed_of_codes(2, true, 4), HD_EDR);
	assert_int_equal(hd_speed_of_codes(8, false, 4), HD_NDR);
	assert_int_equal(hd_speed_of_codes(3, false, 4), HD_SPEED_UNKNOWN);
	assert_int_equal(hd_speed_of_codes(200, false, 4), HD_SPEED_UNKNOWN);
	assert_int_equal(hd_speed_of_codes(0, false, 7), HD_SPEED_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_is_canonical),
		cmocka_unit_test(codes_of_vls),
		cmocka_unit_test(codes_of_links),
		cmocka_unit_test(exits_lead_on),
		cmocka_unit_test(lids_lead_to_switches),
		cmocka_unit_test(nodes_are_found_by_what_users_say),
		cmocka_unit_test(guids_and_ambiguous_names_are_found),
		cmocka_unit_test(builder_refuses_nodes),
		cmocka_unit_test(builder_refuses_links),
		cmocka_unit_test(builder_checks_the_whole),
		cmocka_unit_test(lids_are_assigned_in_reversed_byte_order),
		cmocka_unit_test(lids_need_a_subnet_manager),
		cmocka_unit_test(lids_run_out),
		cmocka_unit_test(lids_reach_what_is_connected),
		cmocka_unit_test(links_fail),
		cmocka_unit_test(switches_fail),
		cmocka_unit_test(switches_without_links_stay),
		cmocka_unit_test(distances_are_counted),
		cmocka_unit_test(more_than_the_lids_is_refused),
		cmocka_unit_test(rates_in_words),
		cmocka_unit_test(changes_are_seen),
	};

	return cmocka_run_group_tests_name("fabric", tests, NULL, NULL);
}
