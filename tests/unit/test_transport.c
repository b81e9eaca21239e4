// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How MADs travel over the emulated fabric: directed routes, LFTs, SL2VL, faults, time. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/transport.h"
#include "tests/unit/emulator_case.h"

#define NODE_INFO       0x0011
#define PORT_INFO       0x0015
#define CLASS_PORT_INFO 0x0001
#define MILLISECOND     UINT64_C(1000000)

static uint32_t first_host_port(const struct hd_fabric *fabric)
{
	return hd_port_index(fabric, fabric->n_switches, 1);
}

static uint64_t node_guid(const struct hd_packet *answer)
{
	return hd_get64(answer->mad + HD_SMP_DATA + 12);
}

static void test_directed_routes_reach_every_node(void **state)
{
	struct emulator_case c;
	uint8_t path[64];

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	hd_for_each_node(node, c.fabric) {
		uint32_t port = first_host_port(c.fabric);
		unsigned n = shortest_path(c.fabric, port, node, path);
		struct hd_packet packet = directed(NODE_INFO, 0, path, n);

		assert_true(emulator_case_ask(&c, port, &packet));
		assert_int_equal(node_guid(&c.packet), c.fabric->nodes[node].guid);
		assert_int_equal(c.packet.mad[HD_MAD_METHOD], HD_METHOD_RESPONSE | HD_METHOD_GET);
		assert_int_equal(hd_get16(c.packet.mad + HD_MAD_STATUS), HD_SMP_DIRECTION);
		assert_int_equal(c.packet.mad[HD_SMP_HOP_POINTER], 0);
		assert_int_equal(hd_get64(c.packet.mad + HD_MAD_TID),
				 hd_get64(packet.mad + HD_MAD_TID));
		/* the way back, as recorded, leads back */
		for (unsigned i = n, at = node; i; i--) {
			uint32_t peer =
				c.fabric->ports[hd_port_index(c.fabric, at,
							      c.packet.mad[HD_SMP_RETURN_PATH + i])]
					.peer;

			at = c.fabric->ports[peer].node;
			if (i == 1)
				assert_int_equal(peer, port);
		}
	}
	assert_int_equal(c.lost, 0);
	emulator_case_free(&c);
}

static void test_directed_route_of_63_hops(void **state)
{
	struct emulator_case c;
	uint8_t path[HD_SMP_MAX_HOPS];
	uint32_t port, far = HD_NONE;
	struct hd_packet packet;
	unsigned n = 0;

	(void)state;
	emulator_case_new(&c, "torus:124", NULL, 0, NULL);
	port = first_host_port(c.fabric);
	for (uint32_t node = 0; node < c.fabric->n_switches && n != 63; node++) {
		n = shortest_path(c.fabric, port, node, path);
		if (n == 63)
			far = node;
	}
	assert_int_not_equal(far, HD_NONE);
	packet = directed(NODE_INFO, 0, path, n);
	assert_true(emulator_case_ask(&c, port, &packet));
	assert_int_equal(node_guid(&c.packet), c.fabric->nodes[far].guid);

	packet.mad[HD_SMP_HOP_COUNT] = 64; /* the path has no room for it */
	assert_false(emulator_case_ask(&c, port, &packet));
	packet.mad[HD_SMP_HOP_COUNT] = 255;
	assert_false(emulator_case_ask(&c, port, &packet));
	assert_int_equal(c.lost, 2);
	emulator_case_free(&c);
}

static void test_directed_routes_that_lead_nowhere(void **state)
{
	struct emulator_case c;
	struct hd_packet packet;
	uint32_t port;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	port = first_host_port(c.fabric);
	packet = directed(NODE_INFO, 0, (uint8_t[]){ 2 }, 1); /* no port 2 */
	assert_false(emulator_case_ask(&c, port, &packet));
	packet = directed(NODE_INFO, 0, (uint8_t[]){ 1, 200 }, 2);
	assert_false(emulator_case_ask(&c, port, &packet));
	packet = directed(NODE_INFO, 0, (uint8_t[]){ 1, 0 }, 2);
	assert_false(emulator_case_ask(&c, port, &packet));
	packet = directed(NODE_INFO, 0, (uint8_t[]){ 1, 1, 1 }, 3); /* through an adapter */
	packet.mad[HD_SMP_INITIAL_PATH + 2] = c.fabric->ports[c.fabric->ports[port].peer].number;
	assert_false(emulator_case_ask(&c, port, &packet));
	packet = directed(NODE_INFO, 0, (uint8_t[]){ 1 }, 1); /* under way before it starts */
	packet.mad[HD_SMP_HOP_POINTER] = 1;
	assert_false(emulator_case_ask(&c, port, &packet));
	assert_int_equal(c.lost, 5);
	assert_int_equal(c.emulator->mads_lost, 5);
	emulator_case_free(&c);
}

/* A directed part between two LID-routed ones, and each alone. */
static void test_combined_routes(void **state)
{
	struct emulator_case c;
	uint8_t path[64];
	uint32_t port;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", "dla", 0, NULL);
	port = first_host_port(c.fabric);
	for (uint32_t s = 0; s < c.fabric->n_switches; s += 7) {
		hd_for_each_node(node, c.fabric) {
			uint32_t self = c.fabric->nodes[s].first_port;
			unsigned n = shortest_path(c.fabric, self, node, path);
			struct hd_packet packet = directed(NODE_INFO, 0, path, n);

			packet.dlid = c.fabric->ports[self].lid;
			packet.slid = c.fabric->ports[port].lid;
			hd_put16(packet.mad + HD_SMP_DR_SLID, packet.slid);
			assert_true(emulator_case_ask(&c, port, &packet));
			assert_int_equal(node_guid(&c.packet), c.fabric->nodes[node].guid);
		}
	}
	hd_for_each_node(node, c.fabric) {
		uint32_t self = hd_port_index(c.fabric, node, !hd_is_switch(c.fabric, node));
		struct hd_packet packet = directed(NODE_INFO, 0, (uint8_t[]){ 1 }, 1);

		if (self == port)
			continue;
		hd_put16(packet.mad + HD_SMP_DR_DLID, c.fabric->ports[self].lid);
		assert_true(emulator_case_ask(&c, port, &packet));
		assert_int_equal(node_guid(&c.packet), c.fabric->nodes[node].guid);
	}
	emulator_case_free(&c);
}

static void test_lids_reach_every_end_port(void **state)
{
	struct emulator_case c;
	struct hd_packet packet;
	unsigned asked = 0;
	uint32_t port;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", "dla", 2, NULL);
	port = first_host_port(c.fabric);
	for (uint16_t lid = 1; lid <= c.fabric->top_lid; lid++) {
		uint32_t owner = c.fabric->lids[lid].port;

		if (owner == HD_NONE)
			continue;
		packet = lid_routed(HD_CLASS_SMI, NODE_INFO, 0, lid);
		packet.slid = 3; /* path bits */
		assert_true(emulator_case_ask(&c, port, &packet));
		assert_int_equal(node_guid(&c.packet),
				 c.fabric->nodes[c.fabric->ports[owner].node].guid);
		assert_int_equal(c.packet.dlid, c.fabric->ports[port].lid + 3);
		assert_int_equal(c.packet.slid, lid);
		packet = lid_routed(HD_CLASS_PM, CLASS_PORT_INFO, 0, lid);
		packet.sl = asked++ % 16;
		assert_true(emulator_case_ask(&c, port, &packet));
		assert_int_equal(c.packet.sl, packet.sl);
		assert_int_equal(hd_get16(c.packet.mad + HD_MAD_STATUS), 0);
	}
	packet = lid_routed(HD_CLASS_SMI, NODE_INFO, 0, 0xFFFF); /* whoever is at the other end */
	assert_true(emulator_case_ask(&c, port, &packet));
	assert_int_equal(node_guid(&c.packet),
			 c.fabric->nodes[hd_peer_node(c.fabric, c.fabric->n_switches, 1)].guid);
	assert_int_equal(c.lost, 0);
	for (unsigned i = 0; i < 3; i++) {
		packet =
			lid_routed(HD_CLASS_SMI, NODE_INFO, 0,
				   (uint16_t[]){ 0, (uint16_t)(c.fabric->top_lid + 1), 0xC000 }[i]);
		assert_false(emulator_case_ask(&c, port, &packet));
	}
	assert_int_equal(c.lost, 3);
	emulator_case_free(&c);
}

/* Wrong tables lose packets, and say so in the counters of the right port. */
static void test_wrong_tables_show(void **state)
{
	struct emulator_case c;
	struct hd_packet smp, gmp;
	uint32_t port, far, via, leaf;
	uint8_t *entry, right;
	size_t row;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", "dla", 0, NULL);
	port = first_host_port(c.fabric);
	far = hd_port_index(c.fabric, c.fabric->n_nodes - 1, 1);
	via = c.fabric->ports[port].peer;
	leaf = c.fabric->ports[via].node;
	smp = lid_routed(HD_CLASS_SMI, NODE_INFO, 0, c.fabric->ports[far].lid);
	gmp = lid_routed(HD_CLASS_PM, CLASS_PORT_INFO, 0, c.fabric->ports[far].lid);
	entry = &c.emulator->switches[leaf].lft[c.fabric->ports[far].lid];
	right = *entry;
	assert_true(emulator_case_ask(&c, port, &smp));
	assert_true(emulator_case_ask(&c, port, &gmp));

	*entry = HD_NO_PATH;
	assert_false(emulator_case_ask(&c, port, &smp));
	*entry = 0; /* not its LID */
	assert_false(emulator_case_ask(&c, port, &smp));
	*entry = c.fabric->ports[via].number; /* back */
	assert_false(emulator_case_ask(&c, port, &smp));
	assert_int_equal(c.emulator->errors[via].rcv_switch_relay, 3);
	*entry = right;
	c.emulator->switches[leaf].linear_fdb_top = c.fabric->ports[far].lid - 1;
	assert_false(emulator_case_ask(&c, port, &smp));
	c.emulator->switches[leaf].linear_fdb_top = (uint16_t)c.fabric->top_lid;
	assert_true(emulator_case_ask(&c, port, &smp));

	row = c.emulator->sl2vl_first[leaf] + right * (c.fabric->nodes[leaf].n_ports + (size_t)1) +
	      c.fabric->ports[via].number;
	c.emulator->sl2vl[row] = hd_row_all(HD_VL_DROP);
	assert_false(emulator_case_ask(&c, port, &gmp));
	c.emulator->sl2vl[row] = hd_row_all(9); /* the link operates VLs 0-7 */
	assert_false(emulator_case_ask(&c, port, &gmp));
	assert_int_equal(c.emulator->errors[hd_port_index(c.fabric, leaf, right)].xmit_discards, 2);
	assert_true(emulator_case_ask(&c, port, &smp)); /* VL 15 whatever SL2VL says */
	c.emulator->sl2vl[row] = hd_row_all(0);
	assert_true(emulator_case_ask(&c, port, &gmp));

	c.emulator->ports[via].state = HD_PORT_INIT; /* only subnet management passes */
	assert_false(emulator_case_ask(&c, port, &gmp));
	assert_true(emulator_case_ask(&c, port, &smp));
	emulator_case_free(&c);
}

/* Three switches in a ring that send a LID round for ever. */
static void test_loops_end(void **state)
{
	struct emulator_case c;
	struct hd_packet packet;
	uint32_t port;

	(void)state;
	emulator_case_new(&c, "torus:3", "minhop", 0, NULL);
	port = first_host_port(c.fabric);
	for (uint32_t s = 0; s < 3; s++)
		hd_for_each_number(out, c.fabric, s)
			if (hd_peer_node(c.fabric, s, out) == (s + 1) % 3)
				c.emulator->switches[s].lft[40] = (uint8_t)out;
	for (uint32_t s = 0; s < 3; s++) {
		assert_true(c.emulator->switches[s].lft_size > 40);
		c.emulator->switches[s].linear_fdb_top = 63;
	}
	packet = lid_routed(HD_CLASS_SMI, NODE_INFO, 0, 40);
	assert_false(emulator_case_ask(&c, port, &packet));
	assert_int_equal(c.lost, 1);
	emulator_case_free(&c);
}

static void test_links_count_on_the_right_vl(void **state)
{
	struct emulator_case c;
	struct hd_packet packet;
	const struct hd_vl_counters *there, *back;
	uint32_t port, far;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", "dla", 0, NULL);
	port = first_host_port(c.fabric);
	far = hd_port_index(c.fabric, c.fabric->n_nodes - 1, 1);
	packet = lid_routed(HD_CLASS_PM, CLASS_PORT_INFO, 0, c.fabric->ports[far].lid);
	for (unsigned i = 0; i < 5; i++)
		assert_true(emulator_case_ask(&c, port, &packet));
	there = &c.emulator->counters[port * (size_t)HD_EMULATOR_VLS];
	back = &c.emulator->counters[far * (size_t)HD_EMULATOR_VLS];
	assert_int_equal(there[0].xmit_packets, 5);
	assert_int_equal(there[0].xmit_data, 5 * HD_PACKET_WORDS);
	assert_int_equal(HD_PACKET_WORDS, 72);
	assert_int_equal(there[0].rcv_packets + there[1].rcv_packets, 5);
	assert_int_equal(back[0].rcv_packets + back[1].rcv_packets, 5);
	assert_int_equal(there[15].xmit_packets, 0);
	packet = lid_routed(HD_CLASS_SMI, NODE_INFO, 0, c.fabric->ports[far].lid);
	assert_true(emulator_case_ask(&c, port, &packet));
	assert_int_equal(there[15].xmit_packets, 1);
	assert_int_equal(back[15].xmit_packets, 1);
	emulator_case_free(&c);
}

static void test_delay_and_drop(void **state)
{
	struct emulator_case c;
	struct hd_error err = { 0 };
	struct hd_packet packet = directed(NODE_INFO, 0, (uint8_t[]){ 1 }, 1);
	uint32_t port;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	port = first_host_port(c.fabric);
	assert_int_equal(hd_emulator_next(c.emulator), UINT64_MAX);
	assert_hd_ok(hd_fault_delay(c.emulator, 1000, &err), err);
	hd_emulator_advance(c.emulator, 500);
	assert_false(emulator_case_ask(&c, port, &packet));
	assert_int_equal(hd_emulator_next(c.emulator), 1500);
	hd_emulator_advance(c.emulator, 1499);
	assert_int_equal(c.delivered, 0);
	hd_emulator_advance(c.emulator, 1500);
	assert_int_equal(c.delivered, 1);
	assert_false(emulator_case_ask(&c, port, &packet)); /* freed with the emulator */
	emulator_case_free(&c);

	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	assert_int_equal(hd_fault_drop(c.emulator, HD_NONE, 1.5, &err), HD_EINVAL);
	assert_hd_ok(hd_fault_drop(c.emulator, port, 1, &err), err);
	assert_false(emulator_case_ask(&c, port, &packet));
	assert_hd_ok(hd_fault_drop(c.emulator, port, 0.25, &err), err);
	c.lost = 0;
	for (unsigned i = 0; i < 1000; i++)
		emulator_case_ask(&c, port, &packet);
	assert_in_range(c.lost, 200, 300);
	assert_int_equal(c.lost + c.delivered, 1000);
	c.lost = 0;
	assert_hd_ok(hd_fault_drop(c.emulator, port, 0, &err), err);
	for (unsigned i = 0; i < 100; i++)
		assert_true(emulator_case_ask(&c, port, &packet));
	emulator_case_free(&c);
}

/* Asks all switches at once; @order gets them in the order of their answers. */
static void ask_all(struct emulator_case *c, uint64_t *order)
{
	const uint32_t port = first_host_port(c->fabric), n = c->fabric->n_switches;
	uint8_t path[64];
	unsigned came = 0;

	c->delivered = c->lost = 0;
	hd_for_each_switch(node, c->fabric) {
		unsigned hops = shortest_path(c->fabric, port, node, path);
		struct hd_packet packet = directed(NODE_INFO, 0, path, hops);

		if (emulator_case_ask(c, port, &packet))
			order[came++] = node_guid(&c->packet);
	}
	while (came < n && hd_emulator_next(c->emulator) != UINT64_MAX) {
		const unsigned before = c->delivered;

		hd_emulator_advance_some(c->emulator, hd_emulator_next(c->emulator), 1);
		if (c->delivered > before)
			order[came++] = node_guid(&c->packet);
	}
	assert_int_equal(came, n);
	assert_int_equal(c->delivered, n);
	assert_int_equal(c->lost, 0);
}

/* SMPs wait at their switches and overtake one another, by a seed; all are answered. */
static void test_orders_by_seed(void **state)
{
	uint64_t plain[64], first[64], again[64], other[64];
	struct emulator_case c;
	struct hd_error err;
	size_t size;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	size = c.fabric->n_switches * sizeof(*plain);
	ask_all(&c, plain);
	assert_hd_ok(hd_fault_shuffle(c.emulator, MILLISECOND, 7, &err), err);
	ask_all(&c, first);
	assert_memory_not_equal(first, plain, size);
	assert_in_range(c.emulator->now, 1, MILLISECOND);
	assert_hd_ok(hd_fault_shuffle(c.emulator, MILLISECOND, 7, &err), err);
	ask_all(&c, again);
	assert_memory_equal(again, first, size);
	assert_hd_ok(hd_fault_shuffle(c.emulator, MILLISECOND, 8, &err), err);
	ask_all(&c, other);
	assert_memory_not_equal(other, first, size);

	/* one switch alone is slow: it answers last, by what it holds then */
	assert_hd_ok(hd_fault_shuffle(c.emulator, 0, 0, &err), err);
	assert_hd_ok(hd_fault_slow(c.emulator, 3, 5 * MILLISECOND, &err), err);
	ask_all(&c, other);
	assert_true(other[c.fabric->n_switches - 1] == c.fabric->nodes[3].guid);
	assert_hd_ok(hd_fault_slow(c.emulator, 3, 0, &err), err);
	ask_all(&c, other);
	assert_memory_equal(other, plain, size);
	emulator_case_free(&c);
}

static void test_flaps(void **state)
{
	struct emulator_case c;
	struct hd_error err = { 0 };
	uint32_t port, via;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	port = first_host_port(c.fabric);
	via = c.fabric->ports[port].peer;
	assert_int_equal(hd_fault_flap(c.emulator, via, 100, 0, &err), HD_EINVAL);
	assert_int_equal(hd_fault_flap(c.emulator, via, 1, 1, &err), HD_ERANGE);
	assert_int_equal(hd_fault_flap(c.emulator, via, MILLISECOND, MILLISECOND - 1, &err),
			 HD_ERANGE);
	assert_hd_ok(hd_fault_flap(c.emulator, via, 10 * MILLISECOND, 5 * MILLISECOND, &err), err);
	for (uint64_t now = 0; now < 150 * MILLISECOND; now += MILLISECOND) {
		hd_emulator_advance(c.emulator, now);
		assert_int_equal(hd_link_is_up(c.emulator, port),
				 now % (15 * MILLISECOND) < 10 * MILLISECOND);
	}
	hd_emulator_advance(c.emulator, 160 * MILLISECOND); /* down */
	assert_false(hd_link_is_up(c.emulator, port));
	assert_hd_ok(hd_fault_flap(c.emulator, via, 0, 0, &err), err);
	assert_true(hd_link_is_up(c.emulator, port));
	hd_emulator_advance(c.emulator, 1000 * MILLISECOND);
	assert_true(hd_link_is_up(c.emulator, port));
	emulator_case_free(&c);
}

/* A trap that a Set causes comes after the answer to it: one MAD is under way at a time. */
static void test_traps_wait_for_what_caused_them(void **state)
{
	const uint8_t path[] = { 1 };
	struct emulator_case c;
	struct hd_packet packet;
	uint32_t port, leaf;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", "dla", 0, NULL);
	port = first_host_port(c.fabric);
	leaf = c.fabric->ports[c.fabric->ports[port].peer].node;
	c.emulator->ports[c.fabric->nodes[leaf].first_port].sm_lid = c.emulator->ports[port].lid;
	packet = directed(PORT_INFO, 3, path, 1);
	assert_true(emulator_case_ask(&c, port, &packet));
	memcpy(packet.mad + HD_SMP_DATA, c.packet.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	packet.mad[HD_MAD_METHOD] = HD_METHOD_SET;
	packet.mad[HD_SMP_DATA + 32] = HD_PORT_DOWN;
	packet.mad[HD_SMP_DATA + 33] = 0; /* the physical state stays as it is to be */
	c.delivered = 0;
	assert_true(emulator_case_ask(&c, port, &packet));
	assert_int_equal(c.delivered, 3); /* both ends of the link say so */
	assert_int_equal(hd_mad_method(&c.packet), HD_METHOD_TRAP);
	assert_int_equal(c.port, port);
	emulator_case_free(&c);
}

/* However far time has to go, whoever lets it pass gets back in between. */
static void test_time_in_steps(void **state)
{
	const uint64_t day = UINT64_C(86400000) * MILLISECOND;
	struct emulator_case c;
	struct hd_error err = { 0 };
	uint32_t via;

	(void)state;
	emulator_case_new(&c, "dragonfly:a=4,p=2,h=2", NULL, 0, NULL);
	via = c.fabric->ports[first_host_port(c.fabric)].peer;
	assert_hd_ok(hd_fault_flap(c.emulator, via, MILLISECOND, MILLISECOND, &err), err);
	for (uint64_t i = 1; i < 10; i++) {
		hd_emulator_advance_some(c.emulator, day, 100);
		assert_int_equal(c.emulator->now, i * 100 * MILLISECOND);
	}
	assert_hd_ok(hd_fault_flap(c.emulator, via, 0, 0, &err), err);
	hd_emulator_advance_some(c.emulator, day, 100);
	assert_int_equal(c.emulator->now, day);
	emulator_case_free(&c);
}

/* Timers run in order of time, then of arming. */
struct notes {
	uint64_t order[64];
	unsigned n;
};

static void note(void *context, uint64_t argument)
{
	struct notes *notes = context;

	notes->order[notes->n++] = argument;
}

static void test_timers(void **state)
{
	struct hd_timers timers = { 0 };
	struct notes notes = { 0 };
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 1, 2);
	for (uint64_t i = 0; i < 64; i++) {
		uint64_t time = hd_random_below(&random, 8);
		const struct hd_timer timer = {
			.time = time, .expire = note, .context = &notes, .argument = time << 32 | i
		};

		assert_true(hd_timers_add(&timers, &timer));
	}
	hd_timers_run(&timers, 3);
	for (unsigned i = 0; i < notes.n; i++)
		assert_true(notes.order[i] >> 32 <= 3);
	assert_true(hd_timers_next(&timers) > 3);
	hd_timers_run(&timers, 8);
	assert_int_equal(notes.n, 64);
	for (unsigned i = 1; i < 64; i++)
		assert_true(notes.order[i - 1] < notes.order[i]);
	assert_int_equal(hd_timers_next(&timers), UINT64_MAX);
	hd_timers_free(&timers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_directed_routes_reach_every_node),
		cmocka_unit_test(test_directed_route_of_63_hops),
		cmocka_unit_test(test_directed_routes_that_lead_nowhere),
		cmocka_unit_test(test_combined_routes),
		cmocka_unit_test(test_lids_reach_every_end_port),
		cmocka_unit_test(test_wrong_tables_show),
		cmocka_unit_test(test_loops_end),
		cmocka_unit_test(test_links_count_on_the_right_vl),
		cmocka_unit_test(test_delay_and_drop),
		cmocka_unit_test(test_orders_by_seed),
		cmocka_unit_test(test_flaps),
		cmocka_unit_test(test_traps_wait_for_what_caused_them),
		cmocka_unit_test(test_time_in_steps),
	};

	return cmocka_run_group_tests_name("transport", tests, NULL, NULL);
}
