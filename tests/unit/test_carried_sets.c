// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traffic that follows the port sets of the emulated switches, which MADs set: free, bounded, hash,
 * subgroups, SLs, links that fail, sets that change while packets are under way.
 */
#include "tests/unit/unit.h"

#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/sma_ar.h"
#include "tests/unit/carried_case.h"

#define TREE       "tree:k=4,n=2" /* four leaves with four hosts and four uplinks each */
#define GROUPS_SET 0xFF21
#define AR_LFT_SET 0xFF23
#define N_UP       4

struct sets {
	struct scene s;
	uint32_t leaf; /* the switch of the first host */
	unsigned up[N_UP];
	struct hd_packet packet;
};

static void begin_sets(struct sets *t, bool has_ar)
{
	struct hd_emulator_options options;
	const struct hd_fabric *fabric;
	unsigned n = 0;

	hd_emulator_options_init(&options);
	options.ar = has_ar;
	*t = (struct sets){ .s.sls = "" };
	emulator_case_new(&t->s.c, TREE, "updn", 0, &options);
	fabric = t->s.c.fabric;
	t->s.carried = hd_carried_new(t->s.c.emulator);
	assert_non_null(t->s.carried);
	t->leaf = fabric->ports[fabric->ports[first_host(&t->s.c)].peer].node;
	for (unsigned port = 1; port <= fabric->nodes[t->leaf].n_ports; port++)
		if (hd_is_switch_link(fabric, switch_port(&t->s.c, t->leaf, port)))
			t->up[n++] = port;
	assert_int_equal(n, N_UP);
}

static void finish_sets(struct sets *t)
{
	hd_carried_free(t->s.carried);
	emulator_case_free(&t->s.c);
}

static void set(struct sets *t, uint32_t node, unsigned attribute, uint32_t modifier)
{
	struct hd_packet packet = lid_routed(1, attribute, modifier, 1);

	packet.mad[HD_MAD_METHOD] = HD_METHOD_SET;
	memcpy(packet.mad + HD_SMP_DATA, t->packet.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	assert_int_equal(hd_sma_handle(t->s.c.emulator, node, 0, &packet), HD_ANSWERED);
	assert_int_equal(hd_get16(packet.mad + HD_MAD_STATUS) & ~HD_SMP_DIRECTION & 0x7FFF, 0);
}

static uint8_t *data(struct sets *t)
{
	return t->packet.mad + HD_SMP_DATA;
}

/* Adaptive routing of the first leaf; SLs of @sls, if they are not all. */
static void switch_on(struct sets *t, unsigned n_subgroups, uint32_t age, unsigned sls)
{
	memset(data(t), 0, HD_SMP_DATA_SIZE);
	data(t)[0] = sls == 0xFFFF ? 0 : 0x10;
	data(t)[2] = (uint8_t)n_subgroups;
	data(t)[3] = 1;
	hd_put16(data(t) + 8, (uint16_t)sls);
	hd_put32(data(t) + 16, age);
	set(t, t->leaf, 0xFF20, 0);
}

static void add(uint8_t *of, unsigned port)
{
	of[31 - port / 8] |= (uint8_t)(1u << port % 8);
}

/* The first block of the group table: the uplinks with a bit in @first and @second. */
static void set_groups(struct sets *t, unsigned first, unsigned second)
{
	memset(data(t), 0, HD_SMP_DATA_SIZE);
	for (unsigned i = 0; i < N_UP; i++) {
		if (first >> i & 1)
			add(data(t), t->up[i]);
		if (second >> i & 1)
			add(data(t) + 32, t->up[i]);
	}
	set(t, t->leaf, GROUPS_SET, 0);
}

/* All LIDs of hosts at other leaves have group 0, in @state. */
static void set_entries(struct sets *t, unsigned state)
{
	const struct hd_fabric *fabric = t->s.c.fabric;

	for (uint32_t block = 0; block <= fabric->top_lid / 16; block++) {
		memset(data(t), 0, HD_SMP_DATA_SIZE);
		for (unsigned i = 0; i < 16; i++) {
			const uint32_t lid = block * 16 + i;
			const struct hd_emulator_switch *sw = &t->s.c.emulator->switches[t->leaf];
			uint8_t *field = data(t) + 4 * i;
			bool up = false;

			field[1] = lid < sw->lft_size ? sw->lft[lid] : HD_NO_PATH;
			for (unsigned k = 0; k < N_UP; k++)
				up |= t->up[k] == field[1];
			field[0] = (uint8_t)((up ? state : HD_SWITCH_AR_STATIC) << 6);
		}
		set(t, t->leaf, AR_LFT_SET, block);
	}
}

/* Packets that left the first leaf by uplink @i, on all VLs; of all hosts' flows. */
static uint64_t sent_by(const struct sets *t, unsigned i)
{
	const struct hd_vl_counters *of = lanes(&t->s.c, switch_port(&t->s.c, t->leaf, t->up[i]));
	uint64_t n = 0;

	for (unsigned vl = 0; vl < HD_EMULATOR_VLS; vl++)
		n += of[vl].xmit_packets;
	return n;
}

static unsigned count_used(const struct sets *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < N_UP; i++)
		n += sent_by(t, i) > 0;
	return n;
}

static struct hd_carried_status carry_all(struct sets *t, const char *text)
{
	struct hd_carried_status status = carry(&t->s, text);
	struct sums sums = sum_up(&t->s.c);

	assert_string_equal(status.trouble, "");
	assert_int_equal(status.dropped + status.lost, 0);
	assert_int_equal(sums.sent, sums.received);
	return status;
}

/*
 * Whether each host of the first leaf sent all of its packets by one uplink: then each uplink has
 * the packets of some hosts, whole.
 */
static bool has_whole_flows(const struct sets *t)
{
	const struct hd_fabric *fabric = t->s.c.fabric;
	uint64_t flows[4];
	unsigned n = 0;

	for (unsigned port = 1; port <= fabric->nodes[t->leaf].n_ports; port++) {
		const uint32_t peer = fabric->ports[switch_port(&t->s.c, t->leaf, port)].peer;

		if (!hd_is_switch(fabric, fabric->ports[peer].node))
			flows[n++] = lanes(&t->s.c, peer)->xmit_packets;
	}
	assert_int_equal(n, 4);
	for (unsigned ports = 0; ports < 1u << 8; ports++) {
		uint64_t sums[N_UP] = { 0 };
		bool fits = true;

		for (unsigned i = 0; i < 4; i++)
			sums[ports >> 2 * i & 3] += flows[i];
		for (unsigned i = 0; i < N_UP; i++)
			fits &= sums[i] == sent_by(t, i);
		if (fits)
			return true;
	}
	return false;
}

/* Each host sends to the same host of the next leaf. */
#define TO_NEXT_LEAF "shift:4"

static void free_packets_take_all_ports(void **state)
{
	struct sets t;
	uint64_t most = 0, all = 0;

	(void)state;
	begin_sets(&t, true);
	set_groups(&t, 0xF, 0);
	set_entries(&t, HD_SWITCH_AR_FREE);
	switch_on(&t, 1, 0, 0xFFFF);
	carry_all(&t, "40us " TO_NEXT_LEAF " 0.9 packet=1KiB");
	for (unsigned i = 0; i < N_UP; i++) {
		all += sent_by(&t, i);
		most = sent_by(&t, i) > most ? sent_by(&t, i) : most;
	}
	/* four hosts of the leaf fill four uplinks: no uplink has much more than a quarter */
	assert_int_equal(count_used(&t), N_UP);
	assert_true(most * 10 < all * 3);
	assert_false(has_whole_flows(&t));
	finish_sets(&t);
}

/*
 * Free entries that are switched off, and static ones that are not: packets take default ports, as
 * without adaptive routing.
 */
static void without_choices_packets_take_default_ports(void **state)
{
	static const struct {
		unsigned entries;
		bool is_on;
	} cases[] = { { HD_SWITCH_AR_FREE, false }, { HD_SWITCH_AR_STATIC, true } };
	struct sets with, without;

	(void)state;
	begin_sets(&without, false);
	carry_all(&without, "40us uniform 0.9 packet=1KiB");
	for (unsigned i = 0; i < 2; i++) {
		const size_t n = without.s.c.fabric->n_ports;

		begin_sets(&with, true);
		set_groups(&with, 0xF, 0);
		set_entries(&with, cases[i].entries);
		if (cases[i].is_on)
			switch_on(&with, 1, 0, 0xFFFF);
		carry_all(&with, "40us uniform 0.9 packet=1KiB");
		assert_memory_equal(with.s.c.emulator->counters, without.s.c.emulator->counters,
				    n * HD_EMULATOR_VLS * sizeof(struct hd_vl_counters));
		assert_memory_equal(with.s.c.emulator->xmit_waits, without.s.c.emulator->xmit_waits,
				    n * sizeof(uint64_t));
		finish_sets(&with);
	}
	finish_sets(&without);
}

/* A flow keeps its port until a gap is longer than the ageing time. */
static void bounded_flows_keep_their_ports(void **state)
{
	static const uint32_t ages[] = { 1000, 1 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct sets t;

		begin_sets(&t, true);
		set_groups(&t, 0x3, 0); /* two ports for four flows, so that they meet */
		set_entries(&t, HD_SWITCH_AR_BOUNDED);
		switch_on(&t, 1, ages[i], 0xFFFF);
		carry_all(&t, "100us " TO_NEXT_LEAF " 0.3 packet=1KiB arrival=bursty:20");
		assert_int_equal(has_whole_flows(&t), !i);
		finish_sets(&t);
	}
}

static void hashed_flows_have_one_port_each(void **state)
{
	struct sets t;

	(void)state;
	begin_sets(&t, true);
	set_groups(&t, 0xF, 0);
	set_entries(&t, HD_SWITCH_AR_HASH);
	switch_on(&t, 1, 0, 0xFFFF);
	carry_all(&t, "40us " TO_NEXT_LEAF " 0.9 packet=1KiB");
	assert_true(has_whole_flows(&t));
	carry_all(&t, "40us uniform 0.5 packet=1KiB");
	assert_int_equal(count_used(&t), N_UP);
	finish_sets(&t);
}

/* HBFConfig: another seed moves flows; without a field of theirs, all flows have one port. */
static void hashes_are_configured(void **state)
{
	static const struct {
		uint32_t seed;
		uint64_t fields;
		uint8_t type;
	} hashes[] = { { 0, 0, 0 }, { 0, 3, 0 },        { 0, 0xC00, 0 },   { 12345, 3, 0 },
		       { 0, 3, 1 }, { 0, 1u << 21, 0 }, { 0, 1u << 30, 0 } };
	uint64_t sent[7][N_UP];

	(void)state;
	for (unsigned k = 0; k < 7; k++) {
		struct sets t;

		begin_sets(&t, true);
		set_groups(&t, 0xF, 0);
		set_entries(&t, HD_SWITCH_AR_HASH);
		memset(data(&t), 0, HD_SMP_DATA_SIZE);
		data(&t)[0] = hashes[k].type;
		hd_put32(data(&t) + 8, hashes[k].seed);
		hd_put64(data(&t) + 12, hashes[k].fields);
		set(&t, t.leaf, 0xFF24, 0);
		switch_on(&t, 1, 0, 0xFFFF);
		carry_all(&t, k == 6 ? "20us " TO_NEXT_LEAF " 0.2 packet=1KiB"
				     : "20us uniform 0.2 packet=1KiB");
		/* by the in-port, each host has one uplink */
		if (k == 6)
			assert_true(count_used(&t) > 1 && has_whole_flows(&t));
		else
			assert_int_equal(count_used(&t), k == 5 ? 1 : N_UP);
		for (unsigned i = 0; i < N_UP; i++)
			sent[k][i] = sent_by(&t, i);
		finish_sets(&t);
	}
	assert_memory_equal(sent[1], sent[0], sizeof(sent[0]));
	assert_memory_equal(sent[2], sent[0], sizeof(sent[0]));
	assert_memory_not_equal(sent[3], sent[0], sizeof(sent[0]));
	assert_memory_not_equal(sent[4], sent[0], sizeof(sent[0]));
}

/* The second subgroup serves while the first one has no room, or no port. */
static void subgroups_go_in_order(void **state)
{
	struct sets t;
	uint64_t before;

	(void)state;
	begin_sets(&t, true);
	switch_on(&t, 2, 0, 0xFFFF);
	set_groups(&t, 0x3, 0xC);
	set_entries(&t, HD_SWITCH_AR_FREE);
	carry_all(&t, "40us " TO_NEXT_LEAF " 0.3 packet=1KiB");
	assert_true(sent_by(&t, 0) > 10 && sent_by(&t, 1) > 10);
	assert_true((sent_by(&t, 2) + sent_by(&t, 3)) * 10 < sent_by(&t, 0) + sent_by(&t, 1));
	/* what comes to the leaf by those spines is dropped there: its hosts send alone */
	assert_true(hd_link_unplug(t.s.c.emulator, switch_port(&t.s.c, t.leaf, t.up[0])));
	assert_true(hd_link_unplug(t.s.c.emulator, switch_port(&t.s.c, t.leaf, t.up[1])));
	before = sent_by(&t, 0) + sent_by(&t, 1);
	carry(&t.s, "40us " TO_NEXT_LEAF " 0.3 packet=1KiB");
	assert_int_equal(sent_by(&t, 0) + sent_by(&t, 1), before);
	assert_true(sent_by(&t, 2) > 10 && sent_by(&t, 3) > 10);
	finish_sets(&t);
}

/* Packets of an SL that is left out go by default ports. */
static void sls_may_be_left_out(void **state)
{
	struct sets t;

	(void)state;
	begin_sets(&t, true);
	set_groups(&t, 0x1, 0);
	set_entries(&t, HD_SWITCH_AR_FREE);
	switch_on(&t, 1, 0, 0x0002);
	carry_all(&t, "20us " TO_NEXT_LEAF " 0.3 packet=1KiB sl=1");
	assert_int_equal(count_used(&t), 1);
	assert_true(sent_by(&t, 0) > 0);
	carry_all(&t, "20us " TO_NEXT_LEAF " 0.3 packet=1KiB sl=0");
	assert_true(count_used(&t) > 1);
	finish_sets(&t);
}

/*
 * With VL2VL, the VL of the next link follows from the VL on which a packet came, not from its SL.
 */
static void vl2vl_gives_the_next_vl(void **state)
{
	const hd_sl2vl_row row = UINT64_C(0xEDCBA9876543201); /* 0 to 1, 1 to 0, 2 to 2 */
	struct sets t;

	(void)state;
	for (unsigned by_vl = 0; by_vl < 2; by_vl++) {
		uint64_t on[HD_EMULATOR_VLS] = { 0 };
		const struct hd_fabric *fabric;

		begin_sets(&t, true);
		fabric = t.s.c.fabric;
		/* hosts put SL 2 on VL 0 */
		for (uint32_t n = fabric->n_switches; n < fabric->n_nodes; n++) {
			hd_sl2vl_row *own = &t.s.c.emulator->sl2vl[t.s.c.emulator->sl2vl_first[n]];

			*own = hd_row_set(*own, 2, 0);
		}
		for (size_t i = t.s.c.emulator->sl2vl_first[t.leaf];
		     i < t.s.c.emulator->sl2vl_first[t.leaf + 1]; i++)
			t.s.c.emulator->sl2vl[i] = row;
		memset(data(&t), 0, HD_SMP_DATA_SIZE);
		data(&t)[2] = (uint8_t)by_vl;
		set(&t, t.leaf, 0xFF91, 0);
		carry_all(&t, "10us " TO_NEXT_LEAF " 0.3 packet=1KiB sl=2");
		for (unsigned i = 0; i < N_UP; i++)
			for (unsigned vl = 0; vl < HD_EMULATOR_VLS; vl++)
				on[vl] += lanes(&t.s.c, switch_port(&t.s.c, t.leaf, t.up[i]))[vl]
						  .xmit_packets;
		assert_true(on[by_vl ? 1 : 2] > 0);
		assert_int_equal(on[by_vl ? 2 : 1] + on[0], 0);
		finish_sets(&t);
	}
}

static void advance(struct sets *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		hd_emulator_advance(t->s.c.emulator, t->s.c.emulator->now + 10 * MS);
}

/* Sets come, a link of a set fails and comes back, sets go: without a pause, in one model. */
static void sets_and_links_change_under_way(void **state)
{
	struct sets t;
	struct hd_carried_status status;
	struct hd_error err;
	uint64_t before[N_UP];
	uint32_t link;

	(void)state;
	begin_sets(&t, true);
	assert_hd_ok(start(&t.s, TO_NEXT_LEAF " 0.5 packet=1KiB rate=0.001", false, &err), err);
	advance(&t, 20);
	set_groups(&t, 0xF, 0);
	set_entries(&t, HD_SWITCH_AR_FREE);
	switch_on(&t, 1, 0, 0xFFFF);
	advance(&t, 60);
	assert_int_equal(count_used(&t), N_UP);
	status = hd_carried_status(t.s.carried);
	assert_int_equal(status.state, HD_CARRIED_RUNNING);
	assert_int_equal(status.dropped, 0);
	/* the switch leaves out a port that is down; what was on the link is lost */
	link = switch_port(&t.s.c, t.leaf, t.up[1]);
	assert_true(hd_link_unplug(t.s.c.emulator, link));
	advance(&t, 60);
	assert_int_equal(hd_carried_status(t.s.carried).state, HD_CARRIED_RUNNING);
	for (unsigned i = 0; i < N_UP; i++)
		before[i] = sent_by(&t, i);
	advance(&t, 60);
	for (unsigned i = 0; i < N_UP; i++)
		assert_true(i == 1 ? sent_by(&t, i) == before[i] : sent_by(&t, i) > before[i]);
	assert_true(hd_link_replug(t.s.c.emulator, link));
	t.s.c.emulator->ports[link].state = HD_PORT_ACTIVE;
	t.s.c.emulator->ports[t.s.c.fabric->ports[link].peer].state = HD_PORT_ACTIVE;
	advance(&t, 60);
	assert_true(sent_by(&t, 1) > before[1]);
	/* one port for all */
	set_groups(&t, 0x4, 0);
	advance(&t, 60);
	for (unsigned i = 0; i < N_UP; i++)
		before[i] = sent_by(&t, i);
	advance(&t, 60);
	for (unsigned i = 0; i < N_UP; i++)
		assert_true(i == 2 ? sent_by(&t, i) > before[i] : sent_by(&t, i) == before[i]);
	assert_true(hd_carried_stop(t.s.carried));
	status = wait_for_end(&t.s, 2 * MS);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.lost, 0);
	finish_sets(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_packets_take_all_ports),
		cmocka_unit_test(without_choices_packets_take_default_ports),
		cmocka_unit_test(bounded_flows_keep_their_ports),
		cmocka_unit_test(hashed_flows_have_one_port_each),
		cmocka_unit_test(hashes_are_configured),
		cmocka_unit_test(subgroups_go_in_order),
		cmocka_unit_test(sls_may_be_left_out),
		cmocka_unit_test(vl2vl_gives_the_next_vl),
		cmocka_unit_test(sets_and_links_change_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
